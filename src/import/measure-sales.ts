/** After a load, measures the value estimates against past sales in each county that was loaded. */

import { readAll } from '../geo/nearest.ts'
import { countyByFips } from '../regions/counties.ts'
import { testSales } from '../sales/measure.ts'
import { type ReadSale, readSale } from '../sales/read-sale.ts'
import { MONTH_DAYS } from '../sales/similarity.ts'
import { openParcelsAt } from '../store/open.ts'
import { openSaleTests } from '../store/open-rolls.ts'
import { boxInUnits, type PointHit } from '../store/places.ts'
import type { ParcelReader } from '../store/store.ts'

const DAY_MS = 86_400_000

/** Months of sales that are read; a longer span is used when the shorter has too few. */
const MONTHS = [48, 120, Number.POSITIVE_INFINITY]
/** This many sales are enough. */
const ENOUGH = 5000
/** Reads no more sales than this; a sample of the county gives the same result. */
const READ_MAX = 20_000
const AT_ONCE = 1000

/**
 * `place`: a data folder or the address of a database. `now`: epoch milliseconds. Throws what the
 * store throws.
 */
export async function measureSales(
  place: string,
  fipsCodes: readonly number[],
  now: number,
): Promise<void> {
  const { parcels, close } = openParcelsAt(place)
  const measured: { state: string; fips: number; text: string | null }[] = []
  try {
    for (const fips of fipsCodes) {
      const state = countyByFips(fips)?.state
      if (state === undefined) continue
      const sold = await readSold(parcels, state, fips, Math.floor(now / DAY_MS))
      const text = sold.length === 0 ? null : JSON.stringify(testSales(sold, fips))
      if (text !== ((await parcels.saleTest(state, fips)) ?? null)) {
        measured.push({ state, fips, text })
      }
    }
  } finally {
    await close()
  }
  if (measured.length === 0) return
  const tests = await openSaleTests(place)
  try {
    for (const { state, fips, text } of measured) await tests.put(state, fips, text)
  } finally {
    await tests.close()
  }
}

/**
 * Returns the newest priced transfers of a county and its neighbours. Reads slice by slice and
 * drops each record, since a stored record takes 3 KB.
 */
async function readSold(
  parcels: ParcelReader,
  state: string,
  fips: number,
  today: number,
): Promise<ReadSale[]> {
  const county = (await parcels.coverage({ states: [state] })).find((one) => one.fips === fips)
  if (county === undefined || county.bounds === null || county.filled.salePrice === 0) return []
  const [west, south, east, north] = county.bounds
  const box = boxInUnits({ west, south, east, north })
  let hits: PointHit[] = []
  for (const months of MONTHS) {
    const since = Number.isFinite(months) ? Math.ceil(today - months * MONTH_DAYS) : 0
    hits = await findSold(parcels, state, box, since)
    if (hits.length >= ENOUGH) break
  }
  const ids = hits.map(({ id }) => id).sort((a, b) => a - b)
  const found: ReadSale[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const parcel of await parcels.byIds(state, ids.slice(from, from + AT_ONCE))) {
      const sale = readSale(parcel)
      if (sale !== undefined) found.push(sale)
    }
  }
  return found
}

async function findSold(
  parcels: ParcelReader,
  state: string,
  box: ReturnType<typeof boxInUnits>,
  sinceDay: number,
): Promise<PointHit[]> {
  const found: PointHit[] = []
  for await (const hits of readAll((part, limit) => parcels.salesIn(sinceDay, part, limit), box)) {
    found.push(...hits.filter((hit) => hit.state === state))
    if (found.length >= READ_MAX) break
  }
  return found
}
