/** Finds the sales near a point: their records, and which of them tell a market price. */
import { refuse } from '../../errors.ts'
import { findNearest } from '../../geo/nearest.ts'
import type { Point } from '../../geo/sphere.ts'
import { findLogRange, logPricePerSqFt } from '../../sales/qualify.ts'
import { isPriced, type PropertyKind } from '../../sales/sale.ts'
import type { PointHit } from '../../store/places.ts'
import type { StoredParcel } from '../../store/store.ts'
import type { RequestContext } from '../operation.ts'
import { readHits } from '../places/place-parameters.ts'
import { type RecordedSale, readSales } from './read-sale.ts'

/** The nearest sales that are looked at; the most similar ones of them are answered. */
const SALES_MAX = 400

/** Records read in one turn of the event loop: some 3 ms. */
const READ_AT_ONCE = 50

/**
 * The nearest sales within a radius since a day, at most 400, each with all its flags.
 *
 * `outlier`: outside the usual prices per square foot of the kind and county among these sales. Throws *unavailable*
 * when the time is up.
 */
export async function findSales(
  center: Point,
  radiusMiles: number,
  sinceDay: number,
  { parcels, startedAt, searchTimeMs }: RequestContext,
): Promise<RecordedSale[]> {
  const deadline = startedAt + searchTimeMs
  const pause = async () => {
    await new Promise(setImmediate)
    if (performance.now() > deadline) {
      throw refuse.unavailable('The search took too long; ask for a smaller radius')
    }
  }
  const near = await findNearest<PointHit>(
    async (box, limit) => {
      await pause()
      return parcels.salesIn(sinceDay, box, limit)
    },
    center,
    radiusMiles,
    SALES_MAX,
  )
  const records: StoredParcel[] = []
  for (let from = 0; from < near.length; from += READ_AT_ONCE) {
    await pause()
    const slice = near.slice(from, from + READ_AT_ONCE).map(({ hit }) => hit)
    records.push(...(await readHits(parcels, slice)))
  }
  await pause()
  return flagOutliers(readSales(records))
}

function flagOutliers(sales: RecordedSale[]): RecordedSale[] {
  const keyOf = ({ fips, sale }: RecordedSale) => `${fips} ${sale.kind satisfies PropertyKind}`
  const groups = Map.groupBy(sales, keyOf)
  const ranges = new Map(
    [...groups].map(([key, group]) => {
      const usual = group.filter(({ flags }) => flags.length === 0).map(({ sale }) => sale)
      return [key, findLogRange(usual.filter(isPriced))]
    }),
  )
  return sales.map((one) => {
    const range = ranges.get(keyOf(one))
    if (range === undefined || !isPriced(one.sale) || one.sale.price <= 0) return one
    const log = logPricePerSqFt(one.sale)
    return log >= range.low && log <= range.high
      ? one
      : { ...one, flags: [...one.flags, 'outlier' as const] }
  })
}
