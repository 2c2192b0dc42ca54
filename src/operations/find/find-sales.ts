/** Finds the sales near a point: their records, and which of them show a market price. */
import { refuse } from '../../errors.ts'
import { findNearest } from '../../geo/nearest.ts'
import type { Point } from '../../geo/sphere.ts'
import { countyByFips } from '../../place/counties.ts'
import type { SaleTest } from '../../sales/measure.ts'
import {
  flagOutliers,
  type RecordedSale,
  readSales,
  type UsualPrices,
} from '../../sales/read-sale.ts'
import type { PointHit } from '../../store/places.ts'
import type { StoredParcel } from '../../store/store.ts'
import type { Pause, RequestContext } from '../operation.ts'
import { readHits } from '../places/place-parameters.ts'

/** Most sales examined, the nearest ones; the most similar of them are answered. */
const SALES_MAX = 400

/** Records read per turn of the event loop: some 3 ms. */
const READ_AT_ONCE = 50

/**
 * Returns the nearest sales within a radius since a day, at most 400, each with its flags.
 *
 * `outlier`: outside the usual prices per square foot of the kind and county, as measured by the
 * county's last import, or else from these sales. Throws *unavailable* at the deadline.
 */
export async function findSales(
  center: Point,
  radiusMiles: number,
  sinceDay: number,
  { parcels, startedAt, searchTimeMs }: RequestContext,
  takeTurns: Pause,
): Promise<RecordedSale[]> {
  const deadline = startedAt + searchTimeMs
  const pause = async () => {
    await takeTurns()
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
  const sales = readSales(records)
  return flagOutliers(sales, await readUsual(sales, parcels))
}

/** Reads the usual prices of the sales' counties, as measured by their imports. */
async function readUsual(
  sales: readonly RecordedSale[],
  parcels: RequestContext['parcels'],
): Promise<UsualPrices> {
  const tests = new Map<number, SaleTest | undefined>()
  for (const { fips } of sales) {
    if (!tests.has(fips)) tests.set(fips, await readSaleTest(fips, parcels))
  }
  return (fips, kind) => tests.get(fips)?.usual[kind]
}

/** Reads the sale test of a county's last import; `undefined` without one. */
export async function readSaleTest(
  fips: number,
  parcels: Pick<RequestContext['parcels'], 'saleTest'>,
): Promise<SaleTest | undefined> {
  const state = countyByFips(fips)?.state
  const stored = state && (await parcels.saleTest(state, fips))
  return stored ? (JSON.parse(stored) as SaleTest) : undefined
}
