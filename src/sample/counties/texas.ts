/**
 * The style of Texas rolls: account numbers with gaps, couples on one line without a comma, FM
 * roads, appraised values.
 */
import type { RollStyle } from '../roll-style.ts'
import { factsOf } from '../tables.ts'
import { ordinal, pad } from '../write.ts'

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
    const exemption = homestead ? Math.min(capped, 100_000) : 0
    return {
      totalAssessedValue: capped,
      assessedLandValue: Math.min(land, capped),
      assessedBuildingValue: capped - Math.min(land, capped),
      exemptionAmount: exemption,
      taxableValue: capped - exemption,
      valueType: 'appraised',
      taxYear: year,
      taxValue: ((capped - exemption) * 0.0197).toFixed(2),
      taxRateCodeArea: '03',
    }
  },
}
