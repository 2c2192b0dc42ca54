/** After a load, measures the value estimates against past sales in each county that was loaded. */
import { DAY_MS } from '../../base/days.ts'
import { countyByFips } from '../../regions/counties.ts'
import { findCountySales, readSalesById } from '../../sales/county-sales.ts'
import { testSales } from '../../sales/measure.ts'
import type { ReadSale } from '../../sales/read-sale.ts'
import { MONTH_DAYS } from '../../sales/similarity.ts'
import type { SaleTestWriter } from '../../store/changes.ts'
import { openParcelsAt } from '../../store/open.ts'
import type { ParcelReader } from '../../store/store.ts'

/** Months of sales that are read; a longer span is used when the shorter has too few. */
const MONTHS = [48, 120, Number.POSITIVE_INFINITY]
/** This many sales are enough. */
const ENOUGH = 5000
/** Reads no more sales than this; a sample of the county gives the same result. */
const READ_MAX = 20_000

/**
 * `place`: a data folder or the address of a database. `now`: epoch milliseconds. Throws what the
 * store throws.
 */
export async function measureSales(
  place: string,
  fipsCodes: readonly number[],
  now: number,
  openWriter: () => Promise<SaleTestWriter>,
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
  const writer = await openWriter()
  for (const { state, fips, text } of measured) await writer.put(state, fips, text)
}

/** Returns the newest priced transfers of a county and its neighbours. */
async function readSold(
  parcels: ParcelReader,
  state: string,
  fips: number,
  today: number,
): Promise<ReadSale[]> {
  let ids: number[] = []
  for (const months of MONTHS) {
    const sinceDay = Number.isFinite(months) ? Math.ceil(today - months * MONTH_DAYS) : 0
    ids = await findCountySales(parcels, { state, fips, sinceDay }, READ_MAX)
    if (ids.length >= ENOUGH) break
  }
  const found: ReadSale[] = []
  for await (const sales of readSalesById(parcels, state, ids)) {
    for (const { fieldValues: _, ...sale } of sales) found.push(sale)
  }
  return found
}
