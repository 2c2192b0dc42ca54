/**
 * The style of Wisconsin rolls: survey-based IDs, `LAST, FIRST` in two slots, county highways and
 * grid numbers.
 */
import type { Random } from '../random.ts'
import type { RollStyle } from '../roll-style.ts'
import { factsOf } from '../tables.ts'
import { pad } from '../write.ts'

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
