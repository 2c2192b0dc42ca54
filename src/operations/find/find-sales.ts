/** Finds the sales near a point: their records, and which of them show a market price. */
import { refuse } from '../../base/errors.ts'
import { findNearest } from '../../geo/nearest.ts'
import type { Point } from '../../geo/sphere.ts'
import { countyByFips } from '../../regions/counties.ts'
import type { SaleTest } from '../../sales/estimate.ts'
import {
  flagOutliers,
  flagSales,
  type ReadSale,
  type RecordedSale,
  readSale,
  type UsualPrices,
} from '../../sales/read-sale.ts'
import type { Sale } from '../../sales/sale.ts'
import type { PointHit } from '../../store/places.ts'
import type { StoredParcel } from '../../store/store.ts'
import type { Pause, RequestContext } from '../operation.ts'
import { readHits } from '../places/place-parameters.ts'

/** Most wanted sales, the nearest ones; the most similar of them are answered. */
const SALES_MAX = 400

/** Most records read to find them: where few sales are wanted, as condominiums among houses. */
const RECORDS_MAX = 2000

/** Records read per turn of the event loop: some 3 ms. */
const READ_AT_ONCE = 50

type SaleQuestion = {
  center: Point
  radiusMiles: number
  sinceDay: number
  isWanted(sale: Sale): boolean
}

export type FoundSales = {
  /** All sales that were read, wanted or not. */
  sales: RecordedSale[]
  /** Whether these are all sales within the radius. */
  complete: boolean
}

/**
 * Returns the nearest sales within a radius since a day, each with its flags: until 400 wanted ones
 * are read, or 2,000 of all.
 *
 * `outlier`: outside the usual prices per square foot of the kind and county, as measured by the
 * county's last import, or else from these sales. Throws *unavailable* at the deadline.
 */
export async function findSales(
  { center, radiusMiles, sinceDay, isWanted }: SaleQuestion,
  { parcels, startedAt, searchTimeMs }: RequestContext,
  takeTurns: Pause,
): Promise<FoundSales> {
  const deadline = startedAt + searchTimeMs
  const pause = async () => {
    await takeTurns()
    if (performance.now() > deadline) {
      throw refuse.unavailable('The search took too long; ask for a smaller radius')
    }
  }
  const readBox = async (box: Parameters<typeof parcels.salesIn>[1], limit: number) => {
    await pause()
    return parcels.salesIn(sinceDay, box, limit)
  }
  const { read: all, complete } = await readNearest(
    (most) => findNearest<PointHit>(readBox, { center, radiusMiles }, most),
    isWanted,
    { parcels, pause, isLate: () => performance.now() > startedAt + searchTimeMs / 2 },
  )
  await pause()
  const flagged = flagSales(all.map(({ sale }) => sale))
  const recorded = flagged.map((one, at) => ({ ...one, parcel: (all[at] as ReadRecord).parcel }))
  return { sales: flagOutliers(recorded, await readUsual(recorded, parcels)), complete }
}

type Reading = Pick<RequestContext, 'parcels'> & { pause(): Promise<void>; isLate(): boolean }

type ReadRecord = { sale: ReadSale; parcel: StoredParcel }

/** Reads records nearest first, until enough sales are wanted. */
async function readNearest(
  findHits: (most: number) => Promise<{ hit: PointHit }[]>,
  isWanted: SaleQuestion['isWanted'],
  { parcels, pause, isLate }: Reading,
): Promise<{ read: ReadRecord[]; complete: boolean }> {
  const read: ReadRecord[] = []
  let [at, wanted] = [0, 0]
  // The nearest 400 to the subject are enough where every sale is wanted.
  for (const most of [SALES_MAX + 1, RECORDS_MAX]) {
    const near = await findHits(most + 1)
    const end = Math.min(most, near.length)
    while (at < end && wanted < SALES_MAX) {
      // Rare sales end a search early rather than with 503: half of the time is left to answer.
      if (at > SALES_MAX && isLate()) return { read, complete: false }
      await pause()
      const slice = near.slice(at, Math.min(end, at + READ_AT_ONCE)).map(({ hit }) => hit)
      at += slice.length
      for (const parcel of await readHits(parcels, slice)) {
        const sale = readSale(parcel)
        if (sale === undefined) continue
        read.push({ sale, parcel })
        if (isWanted(sale.sale)) wanted += 1
      }
    }
    if (at === near.length) return { read, complete: true }
    if (wanted >= SALES_MAX) break
  }
  return { read, complete: false }
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
