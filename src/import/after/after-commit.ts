/** What follows the commit of a load: the roll is loaded, so a step that fails is a warning. */
import { setFlagsFromString } from 'node:v8'
import { closing } from '../../base/at-end.ts'
import { DAY_MS } from '../../base/days.ts'
import { countyByFips } from '../../regions/counties.ts'
import { testSales } from '../../sales/estimate.ts'
import type { ReadSale } from '../../sales/read-sale.ts'
import { findCountySales, readSalesById } from '../../sales/read-sale.ts'
import { MONTH_DAYS } from '../../sales/similarity.ts'
import { rollsPlace } from '../../store/data-folder.ts'
import { openParcelsAt } from '../../store/open.ts'
import { openExportAt } from '../../store/open-rolls.ts'
import type { AfterWriter } from '../../store/rolls/after-writer.ts'
import type { AppliedRoll, ParcelReader } from '../../store/store.ts'
import { LineSet } from '../origins/kept-rows.ts'
import type { Origins } from '../origins/origins.ts'
import { type CountedRows, measureQuality } from '../quality/measure-quality.ts'
import type { Staging } from '../walk.ts'

/** Months of sales that are read; a longer span is used when the shorter has too few. */
const MONTHS = [48, 120, Number.POSITIVE_INFINITY]
/** This many sales are enough. */
const ENOUGH = 5000
/** Reads no more sales than this; a sample of the county gives the same result. */
const READ_MAX = 20_000

/** What the commit left. `isPast`: the present, its sales and its quality stay as they are. */
type Loaded = AppliedRoll & {
  scopes: readonly { fips: number; municipality: string }[]
  isPast: boolean
  token: string | null
  counted: CountedRows
}

/** Runs a step after the load; its failure adds the warning `what`, with the reason. */
export async function warnIfFails(warnings: string[], what: string, step: () => Promise<void>) {
  try {
    await step()
  } catch (error) {
    warnings.push(`${what}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Runs the steps in order: each takes what the load left, and writes what the store then has. */
export async function finishAfterCommit(staging: Staging, loaded: Loaded): Promise<void> {
  const { job, loadedAt, progress, warnings, writer, unchanged } = staging
  const { scopes, isPast, token, tokens, counted, fault, change } = loaded
  const attempt = (what: string, step: () => Promise<void>) =>
    warnIfFails(warnings, `the roll is loaded, but ${what}`, step)
  const place = rollsPlace(job)
  const counties = isPast ? [] : [...new Set(scopes.map(({ fips }) => fips))]
  const origins = isPast ? undefined : staging.origins
  const ids = origins?.watch(loaded.ids) ?? loaded.ids

  await attempt('the work that follows the commit failed; the next import repeats it', async () => {
    if (fault !== undefined) throw fault
  })
  await attempt('its rows were not recorded, so the next import maps all rows again', async () =>
    unchanged?.save({ token, tokens, ids }),
  )
  progress.stepAfterCommit('measuring the roll')
  // Else V8 keeps what is no longer needed until the heap is several times what is in use.
  setFlagsFromString('--heap-growing-percent=80')
  await attempt(
    'where its parcels come from was not recorded; the next import does it',
    async () => {
      if (origins === undefined) return
      // Reading the ids lets `origins` see them, unless `unchanged` has read them already.
      for await (const _ of ids);
      await recordOrigins(staging, origins, scopes)
    },
  )
  await attempt('estimates were not measured against its sales; the next import does it', () =>
    measureSales(place, counties, job.sink.now(), writer.after),
  )
  await attempt('its quality was not measured; the next import does it', () =>
    measureQuality(
      place,
      counties,
      { loadedAt, ...counted, unchanged: change.unchanged },
      writer.after,
    ),
  )
}

async function recordOrigins(
  { job, loadedAt, kept, writer }: Staging,
  origins: Origins,
  scopes: Loaded['scopes'],
): Promise<void> {
  const { mapping, state, county, forcedOrder, rollYear, today } = job
  const settings = { state, county, forcedOrder, rollYear, today }
  const document = { loadedAt, mapping, settings, keepsRows: kept !== undefined }
  const own = { ...document, ...origins.describe() }
  const states = Map.groupBy(scopes, ({ fips }) => countyByFips(fips)?.state ?? '')
  for (const [state, list] of states) {
    const counties = new Set(list.map(({ fips }) => fips))
    const isOwn = states.size === 1 ? undefined : await testIds(rollsPlace(job), state, counties)
    const used = new LineSet()
    if (kept !== undefined) origins.addLines(used, isOwn)
    await writer.after.putOrigins(state, {
      document: own,
      scopes: JSON.stringify(list.map(({ fips, municipality }) => [fips, municipality])),
      isWhole: !job.partial,
      blocks: origins.blocks(isOwn),
      kept: kept?.chunks(used) ?? [],
    })
  }
}

/** Returns the test which ids are of some counties, for a roll of several states. */
async function testIds(place: string, state: string, counties: ReadonlySet<number>) {
  const found = new Set<number>()
  await using reader = closing(await openExportAt(place))
  for (const fips of counties) {
    for await (const slice of reader.places({ state, fips, changedSince: undefined })) {
      for (const { id } of slice) found.add(id)
    }
  }
  return (id: number) => found.has(id)
}

/** Measures estimates against past sales by county, and stores new tests. `now`: epoch ms. */
export async function measureSales(
  place: string,
  fipsCodes: readonly number[],
  now: number,
  writer: Pick<AfterWriter, 'put'>,
): Promise<void> {
  await using store = closing(openParcelsAt(place))
  const { parcels } = store
  for (const fips of fipsCodes) {
    const state = countyByFips(fips)?.state
    if (state === undefined) continue
    const sold = await readSold(parcels, state, fips, Math.floor(now / DAY_MS))
    const text = sold.length === 0 ? null : JSON.stringify(testSales(sold, fips))
    if (text !== ((await parcels.saleTest(state, fips)) ?? null)) {
      await writer.put(state, fips, text)
    }
  }
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
