/**
 * The style of Florida rolls: `NNNNN-NNN-NNN`, no comma, quadrant streets with numbers as names,
 * just values, homesteads.
 */
import type { Random } from '../random.ts'
import type { RollStyle } from '../roll-style.ts'
import { factsOf } from '../tables.ts'
import { ordinal, pad } from '../write.ts'

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
  /**
   * A homestead's assessed value rises at most 3 % a year, so that long-time owners pay far below
   * the just value.
   */
  values({ market, land, year, homestead, held }) {
    const assessed = homestead ? Math.round(market / (1 + Math.min(held, 25) * 0.03)) : market
    const exemption = homestead ? Math.min(assessed, 50_000) : 0
    return {
      totalAssessedValue: assessed,
      assessedLandValue: Math.min(land, assessed),
      assessedBuildingValue: assessed - Math.min(land, assessed),
      exemptionAmount: exemption,
      taxableValue: assessed - exemption,
      valueType: 'just',
      taxYear: year,
      taxValue: ((assessed - exemption) * 0.0198).toFixed(2),
      taxRateCodeArea: pad(100 * (1 + (market % 9)), 4),
    }
  },
}

function quadrantStreet(random: Random): string {
  const across = random.chance(0.5)
  const kinds = across
    ? ['AVE', 'AVE', 'AVE', 'PL', 'LN', 'RD']
    : ['ST', 'ST', 'ST', 'TER', 'DR', 'WAY']
  const number = random.between(1, 160)
  return `${random.pick(['NW', 'SW', 'NE', 'SE'])} ${ordinal(number)} ${random.pick(kinds)}`
}
