/**
 * The style of Illinois rolls: `TT-SS-BBB-PPP`, couples on one line with a comma, assessed at a
 * third, grid numbers.
 */
import type { RollStyle } from '../roll-style.ts'
import { factsOf } from '../tables.ts'
import { ordinal, pad } from '../write.ts'

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
