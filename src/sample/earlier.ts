/** The roll of the year before: the same parcels with last year's values, owners and buildings. */
import { ROLL_YEAR } from './building.ts'
import { placeOf, SAMPLE_COLUMNS } from './columns.ts'

export const EARLIER_DAY = `${ROLL_YEAR - 1}-01-01`

/** What a neighbourhood was worth a year before, of today's value; by the name's letters. */
const SHARES = [1, 0.98, 0.97, 0.95, 0.93]

const YEARS = ['assessedYear', 'marketValueYear', 'sourceRollYear', 'taxYear'] as const
/** Values of the land, of the building, and of both. */
const VALUES = [
  ['assessedLandValue', 'assessedBuildingValue', 'totalAssessedValue'],
  ['totalLandValue', 'totalBuildingValue', 'totalMarketValue'],
] as const
/** What is known of a sale and of a building. */
const SALE = SAMPLE_COLUMNS.slice(
  SAMPLE_COLUMNS.indexOf('transferDate'),
  SAMPLE_COLUMNS.indexOf('saleQualificationCode') + 1,
)
const BUILDING = SAMPLE_COLUMNS.slice(
  SAMPLE_COLUMNS.indexOf('buildingCount'),
  SAMPLE_COLUMNS.indexOf('pool') + 1,
)

/** Returns a row of the year before: held by the seller, and vacant before it was built on. */
export function toEarlierRow(row: readonly string[]): string[] {
  const before = [...row]
  const read = (column: string) => before[placeOf(column)] as string
  const write = (column: string, value: string | number) => {
    before[placeOf(column)] = String(value)
  }
  for (const column of YEARS) if (read(column) !== '') write(column, Number(read(column)) - 1)
  if (read('transferDate') > EARLIER_DAY.replaceAll('-', '') && read('grantor') !== '') {
    write('ownerName1', read('grantor'))
    for (const column of ['ownerName2', 'ownerCareOf', 'ownershipStartDate', ...SALE])
      write(column, '')
  }
  const isVacant = Number(read('yearBuilt')) >= ROLL_YEAR - 1
  if (isVacant) for (const column of BUILDING) write(column, '')
  const name = read('neighborhood')
  const share = SHARES[name.length % SHARES.length] as number
  for (const [land, building, total] of VALUES) {
    if (read(total) === '' || read(total) === '0') continue
    write(land, Math.round(Number(read(land)) * share))
    write(building, isVacant ? 0 : Math.round(Number(read(building)) * share))
    write(total, Number(read(land)) + Number(read(building)))
  }
  if (Number(read('taxableValue')) > 0) write('taxableValue', read('totalAssessedValue'))
  if (Number(read('taxValue')) > 0) write('taxValue', (Number(read('taxValue')) * share).toFixed(2))
  return before
}
