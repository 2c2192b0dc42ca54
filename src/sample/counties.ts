/** The styles of four counties' rolls: their IDs, names of streets, codes and taxes. */
import type { Random } from './random.ts'
import type { RollStyle } from './roll-style.ts'
import { factsOf } from './tables.ts'
import { ordinal, pad } from './write.ts'

/** Florida: `NNNNN-NNN-NNN`, no comma, quadrant streets with numbers, just values, homesteads. */
export const florida: RollStyle = {
  ...factsOf('FL'),
  parcelId({ block, lot }) {
    const part = Math.floor(block / 19_990) * 10
    return `${pad(1 + (block % 19_990), 5)}-${pad(part, 3)}-${pad(lot, 3)}`
  },
  taxAccount: ({ serial }) => pad(1_000_000 + serial, 7),
  legal(lot, random) {
    const book = `OR ${random.between(1000, 4999)}/${pad(random.between(1, 2999), 4)}`
    if (lot.rural) {
      return (
        `${random.pick(['N', 'S', 'E', 'W'])}1/2 OF ` +
        `${random.pick(['NE', 'NW', 'SE', 'SW'])}1/4 SEC ` +
        `${lot.section}-${lot.township}-${lot.range} ${book}`
      )
    }
    if (lot.unit !== null) return `${lot.plat} CONDO UNIT ${lot.unit} ${book}`
    return (
      `${lot.plat} PB ${random.pick(['A', 'B', 'F', 'H', 'J'])}-${random.between(1, 99)} ` +
      `LOT ${lot.lot} BK ${lot.platBlock} ${book}`
    )
  },
  /** Four streets in five are a quadrant and an ordinal: `NW 43RD ST`. */
  street(_layout, random) {
    return random.chance(0.8) ? quadrantStreet(random) : ''
  },
  ruralRoad(random) {
    const share = random.unit()
    if (share < 0.25)
      return `COUNTY ROAD ${random.pick([18, 225, 231, 234, 235, 236, 241, 325, 346])}`
    if (share < 0.4) return `STATE ROAD ${random.pick([20, 24, 26, 45, 121])}`
    if (share < 0.5) return `US HIGHWAY ${random.pick([27, 41, 301, 441])}`
    return quadrantStreet(random)
  },
  number: (plain) => String(plain),
  /** A homestead's assessed value rises at most 3 % a year, far below the just value in time. */
  values({ market, land, year, homestead, held }) {
    const assessed = homestead ? Math.round(market / (1 + Math.min(held, 25) * 0.03)) : market
    const exempt = homestead ? 50_000 : 0
    return {
      ...valuesOf({ assessed, land, year, exempt, rate: 0.0198 }),
      valueType: 'just',
      taxRateCodeArea: pad(100 * (1 + (market % 9)), 4),
    }
  },
}

type Valued = { assessed: number; land: number; year: number; exempt: number; rate: number }

/** The values of a parcel whose assessed value is capped. `exempt`: dollars that bear no tax. */
function valuesOf({ assessed, land, year, exempt, rate }: Valued) {
  const exemption = Math.min(assessed, exempt)
  return {
    totalAssessedValue: assessed,
    assessedLandValue: Math.min(land, assessed),
    assessedBuildingValue: assessed - Math.min(land, assessed),
    exemptionAmount: exemption,
    taxableValue: assessed - exemption,
    taxYear: year,
    taxValue: ((assessed - exemption) * rate).toFixed(2),
  }
}

function quadrantStreet(random: Random): string {
  const across = random.chance(0.5)
  const kinds = across
    ? ['AVE', 'AVE', 'AVE', 'PL', 'LN', 'RD']
    : ['ST', 'ST', 'ST', 'TER', 'DR', 'WAY']
  const number = random.between(1, 160)
  return `${random.pick(['NW', 'SW', 'NE', 'SE'])} ${ordinal(number)} ${random.pick(kinds)}`
}

/** Illinois: `TT-SS-BBB-PPP`, couples with a comma, assessed at a third, grid numbers. */
export const illinois: RollStyle = {
  ...factsOf('IL'),
  /** The area gives township and section; the block distinguishes within them. */
  parcelId({ block, lot }) {
    const area = block % 360
    const town = pad(Math.floor(area / 36) + 1, 2)
    const part = 100 + Math.floor(block / 360)
    return `${town}-${pad((area % 36) + 1, 2)}-${pad(part, 3)}-${pad(lot, 3)}`
  },
  taxAccount: () => '',
  legal(lot, random) {
    const survey = `SEC ${lot.section} TWP ${36 + (lot.township % 5)} N R ${9 + (lot.range % 3)} E`
    if (lot.rural)
      return `PT OF ${random.pick(['NE', 'NW', 'SE', 'SW'])} 1/4 ${survey} ${lot.acres} ACRES`
    if (lot.unit !== null) return `UNIT ${lot.unit} IN ${lot.plat} CONDOMINIUM, ${survey}`
    return `LOT ${lot.lot} IN BLOCK ${lot.platBlock} IN ${lot.plat}, A SUB IN ${survey}`
  },
  street(layout, random) {
    if (layout === 'town' && random.chance(0.12))
      return `${random.pick(['W', 'E'])} ${ordinal(random.between(55, 83))} ST`
    return ''
  },
  ruralRoad: () => '',
  /** Outside the villages a number counts miles from the county's corner: `27W140 BIG HORN DR`. */
  number(plain, street) {
    const miles = Math.floor(plain / 1000)
    if (miles < 20) return String(plain)
    const rest = pad(plain % 1000, 3)
    const northSouth = street.endsWith('ST') || street.endsWith('RD')
    return northSouth
      ? `${miles - 19}${street.length % 2 === 0 ? 'N' : 'S'}${rest}`
      : `${miles}W${rest}`
  },
  values({ market, land, year, homestead }) {
    const third = (value: number) => Math.round(value / 3)
    const exemption = homestead ? 8000 : 0
    const assessed = third(land) + third(market - land)
    const taxable = Math.max(0, assessed - exemption)
    return {
      assessedLandValue: third(land),
      assessedBuildingValue: third(market - land),
      totalAssessedValue: assessed,
      exemptionAmount: exemption,
      taxableValue: taxable,
      valueType: 'assessed',
      taxYear: year - 1,
      taxValue: (taxable * 0.0712).toFixed(2),
      taxRateCodeArea: pad(1001 + (market % 47), 4),
    }
  },
}

/** Texas: account numbers with gaps, couples without a comma, FM roads, appraised values. */
export const texas: RollStyle = {
  ...factsOf('TX'),
  /** Numbers are assigned in the order of filing, and a few are skipped. */
  parcelId: ({ serial }, random) => String(100_000 + serial * 3 + random.below(3)),
  taxAccount({ block, lot }) {
    return `${pad(1 + (block % 4), 2)}${pad(Math.floor(block / 4), 5)}${pad(lot, 3)}`
  },
  legal(lot, random) {
    if (lot.rural) {
      const survey = random.pick(['SMITH J', 'WALKER T', 'BAKER I', 'HILL W', 'GOMEZ A'])
      return `ABS ${random.between(1, 899)} SUR ${random.between(1, 99)} ${survey} ACR ${lot.acres}`
    }
    if (lot.unit !== null) {
      return (
        `UNT ${lot.unit} ${lot.plat} CONDOMINIUMS PLUS ${random.unit().toFixed(4)} % INT ` +
        'IN COM AREA'
      )
    }
    return (
      `LOT ${lot.lot} BLK ${String.fromCharCode(64 + Math.min(lot.platBlock, 26))} ` +
      `${lot.plat} SEC ${1 + (lot.block % 5)}`
    )
  },
  street(layout, random) {
    if (layout === 'town' && random.chance(0.15))
      return `${random.pick(['E', 'W'])} ${ordinal(random.between(24, 56))} ST`
    return ''
  },
  ruralRoad(random) {
    const share = random.unit()
    if (share < 0.2) return `FM ${random.pick([969, 973, 1625, 1626, 1825])}`
    if (share < 0.27) return `W FM ${random.pick([1431, 2244, 2769])}`
    if (share < 0.34) return `RANCH ROAD ${random.pick([12, 620, 2222])}`
    if (share < 0.4) return `COUNTY ROAD ${random.between(100, 299)}`
    if (share < 0.46) return `${random.pick(['E', 'W'])} STATE HIGHWAY 71`
    return ''
  },
  number: (plain) => String(plain),
  values({ market, land, year, homestead, held }) {
    const capped = homestead ? Math.round(market / (1 + Math.min(held, 4) * 0.02)) : market
    const exempt = homestead ? 100_000 : 0
    return {
      ...valuesOf({ assessed: capped, land, year, exempt, rate: 0.0197 }),
      valueType: 'appraised',
      taxRateCodeArea: '03',
    }
  },
}

/** Wisconsin: survey-based IDs, `LAST, FIRST` in two slots, county highways, grid numbers. */
export const wisconsin: RollStyle = {
  ...factsOf('WI'),
  /** `0709-133-0602-5`: township and range, section and quarter, plat and lot, a check digit. */
  parcelId({ block, lot, township, range, section }) {
    const survey = pad(township, 2) + pad(range, 2)
    const digits = `${survey}${pad(section, 2)}${(block % 4) + 1}${pad(lot, 2)}`
    const part = `${pad(Math.floor(block / 4), 5)}${pad(lot, 2)}`
    return `${survey}-${pad(section, 2)}${(block % 4) + 1}-${part}-${checkDigit(digits)}`
  },
  taxAccount: () => '',
  legal(lot, random) {
    if (lot.rural) {
      return (
        `SEC ${lot.section}-${lot.township}-${lot.range} PRT ${quarter(random)} ` +
        `${quarter(random)} ${lot.acres} AC M/L`
      )
    }
    if (lot.unit !== null) {
      return `${lot.plat} CONDOMINIUM UNIT ${lot.unit} & UNDIV INT IN COMMON ELEMENTS`
    }
    return (
      `${lot.plat}, BLOCK ${lot.platBlock}, LOT ` +
      `${lot.lot}${random.chance(0.1) ? ` & ${quarter(random)} OF LOT ${lot.lot + 1}` : ''}`
    )
  },
  street: () => '',
  ruralRoad(random) {
    const share = random.unit()
    if (share < 0.3) return `COUNTY HIGHWAY ${random.pick(COUNTY_LETTERS)}`
    if (share < 0.38) return `STATE HIGHWAY ${random.pick([19, 69, 73, 78, 92, 113, 138])}`
    if (share < 0.42) return `US HIGHWAY ${random.pick([12, 14, 18, 51])}`
    return ''
  },
  /** Towns at the county's edge use the grid of their neighbours: `N1234 COUNTY HIGHWAY V`. */
  number(plain, street) {
    if (!street.startsWith('COUNTY HIGHWAY') || plain % 5 !== 0) return String(plain)
    return `${plain % 2 === 0 ? 'N' : 'W'}${plain}`
  },
  values({ market, land, year, homestead }) {
    const assessed = Math.round(market * 0.93)
    const assessedLand = Math.round(land * 0.93)
    return {
      assessedLandValue: assessedLand,
      assessedBuildingValue: assessed - assessedLand,
      totalAssessedValue: assessed,
      taxableValue: assessed,
      valueType: 'assessed',
      taxYear: year - 1,
      taxValue: Math.max(0, assessed * 0.0187 - (homestead ? 214 : 0)).toFixed(2),
      taxRateCodeArea: '251',
    }
  },
}

const COUNTY_LETTERS =
  'A B D F G H I J K M N P Q S T V W X Y AB BB BW CC CV DM JG KP MM MN PB PD TT ZZ'.split(' ')

function quarter(random: Random): string {
  return `${random.pick(['NE', 'NW', 'SE', 'SW'])}1/4`
}

function checkDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[at]) * ((at % 2) + 1)
  return sum % 10
}
