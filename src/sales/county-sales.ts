/** Reads the newest priced transfers of a county, slice by slice. */
import { boxInUnits } from '../base/model/geometry.ts'
import { readAll } from '../geo/nearest.ts'
import type { ParcelReader } from '../store/store.ts'
import { type ReadSale, readSale } from './read-sale.ts'

const AT_ONCE = 1000

type CountyQuestion = {
  state: string
  fips: number
  sinceDay: number
  /** Waits for other requests between two parts. */
  pause?: () => Promise<void>
}

/**
 * Returns the record IDs of parcels with a priced newest transfer since a day, in rising order.
 * They are in a county and what lies next to it. Empty for a county without points or prices.
 */
export async function findCountySales(
  parcels: ParcelReader,
  { state, fips, sinceDay, pause }: CountyQuestion,
  most = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const county = (await parcels.coverage({ states: [state] })).find((one) => one.fips === fips)
  if (county === undefined || county.bounds === null || county.filled.salePrice === 0) return []
  const [west, south, east, north] = county.bounds
  const box = boxInUnits({ west, south, east, north })
  const found: number[] = []
  const readPart = async (part: typeof box, limit: number) => {
    await pause?.()
    return parcels.salesIn(sinceDay, part, limit)
  }
  for await (const hits of readAll(readPart, box)) {
    for (const hit of hits) if (hit.state === state) found.push(hit.id)
    if (found.length >= most) break
  }
  return found.sort((a, b) => a - b)
}

/** Reads sales by record IDs. Drops each record, since a stored record takes 3 KB. */
export async function* readSalesById(
  parcels: ParcelReader,
  state: string,
  ids: readonly number[],
  atOnce = AT_ONCE,
): AsyncGenerator<(ReadSale & { fieldValues: string })[]> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const records = await parcels.byIds(state, ids.slice(from, from + atOnce))
    yield records.flatMap((parcel) => {
      const sale = readSale(parcel)
      return sale === undefined ? [] : [{ ...sale, fieldValues: parcel.fieldValues }]
    })
  }
}
