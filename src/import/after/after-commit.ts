/**
 * What follows the commit of a load. The roll is loaded then, so a step that fails adds a warning.
 */
import { setFlagsFromString } from 'node:v8'
import { closing } from '../../base/at-end.ts'
import { DAY_MS } from '../../base/days.ts'
import { countyByFips } from '../../regions/counties.ts'
import { findCountySales, readSalesById } from '../../sales/county-sales.ts'
import { testSales } from '../../sales/measure.ts'
import type { ReadSale } from '../../sales/read-sale.ts'
import { MONTH_DAYS } from '../../sales/similarity.ts'
import { rollsPlace } from '../../store/data-folder.ts'
import { openParcelsAt } from '../../store/open.ts'
import { openExportAt } from '../../store/open-rolls.ts'
import type { AppliedRoll, ParcelReader, RollWriter } from '../../store/store.ts'
import { type KeptRows, LineSet } from '../origins/kept-rows.ts'
import type { Origins } from '../origins/origins.ts'
import { measureQuality } from '../quality/measure-quality.ts'
import type { CountedRows } from '../quality/placeholders.ts'
import type { UnchangedRows } from '../refresh/unchanged-rows.ts'
import type { Progress } from '../report/progress.ts'
import type { BatchSetup } from '../threads/batch.ts'

/** Months of sales that are read; a longer span is used when the shorter has too few. */
const MONTHS = [48, 120, Number.POSITIVE_INFINITY]
/** This many sales are enough. */
const ENOUGH = 5000
/** Reads no more sales than this; a sample of the county gives the same result. */
const READ_MAX = 20_000

type AppliedLoad = {
  job: Parameters<typeof rollsPlace>[0] &
    Pick<BatchSetup, 'mapping' | 'state' | 'county' | 'forcedOrder' | 'rollYear' | 'today'> & {
      partial: boolean
      sink: { now(): number }
    }
  writer: RollWriter
  /** Epoch seconds. */
  loadedAt: number
  scopes: readonly { fips: number; municipality: string }[]
  /** A roll of the past leaves the present, its sales and its quality as they are. */
  isPast: boolean
  unchanged: UnchangedRows | undefined
  token: string | null
  origins: Origins | undefined
  kept: KeptRows | undefined
  counted: CountedRows
  progress: Progress
  warnings: string[]
}

/**
 * Runs a step whose failure does not change whether the roll is loaded, and adds a warning when it
 * fails. `what`: the warning, to which the reason is added.
 */
export async function warnIfFails(warnings: string[], what: string, step: () => Promise<void>) {
  try {
    await step()
  } catch (error) {
    warnings.push(`${what}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Runs the steps in order: each takes what the load left, and writes what the store then has. */
export async function finishAfterCommit(
  load: AppliedLoad,
  { fault, ...change }: AppliedRoll,
): Promise<void> {
  const { job, loadedAt, scopes, isPast, counted, progress, warnings, writer, unchanged } = load
  const attempt = (what: string, step: () => Promise<void>) =>
    warnIfFails(warnings, `the roll is loaded, but ${what}`, step)
  const place = rollsPlace(job)
  const counties = isPast ? [] : [...new Set(scopes.map(({ fips }) => fips))]
  const origins = isPast ? undefined : load.origins
  const ids = origins?.watch(writer.ids()) ?? writer.ids()

  await attempt('the work that follows the commit failed; the next import repeats it', async () => {
    if (fault !== undefined) throw fault
  })
  await attempt('its rows were not recorded, so the next import maps all rows again', async () =>
    unchanged?.save(load.token, ids),
  )
  progress.stepAfterCommit('measuring the roll')
  // Else V8 keeps what is no longer needed until the heap is several times what is in use.
  setFlagsFromString('--heap-growing-percent=80')
  await attempt(
    'where its parcels come from was not recorded; the next import does it',
    async () => {
      if (origins !== undefined) await recordOrigins(load, origins, ids)
    },
  )
  await attempt(
    'estimates were not measured against its sales; the next import does it',
    async () => {
      for (const { state, fips, text } of await measureSales(place, counties, job.sink.now())) {
        await writer.after.put(state, fips, text)
      }
    },
  )
  await attempt('its quality was not measured; the next import does it', async () => {
    const counts = { loadedAt, ...counted, unchanged: change.unchanged }
    for (const { state, fips, quality } of await measureQuality(place, counties, counts)) {
      await writer.after.putQuality(state, fips, loadedAt, JSON.stringify(quality))
    }
  })
  await attempt('checksums of the store were not renewed; the next import does it', () =>
    writer.after.renewSums(),
  )
}

/** Stores where the parcels come from. */
async function recordOrigins(
  { job, loadedAt, scopes, kept, writer }: AppliedLoad,
  origins: Origins,
  ids: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  // Reads them unless the marks of rows have.
  for await (const _ of ids);
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

/**
 * Measures the value estimates against past sales in each county. Returns the tests that are not
 * stored yet. `now`: epoch milliseconds.
 */
async function measureSales(place: string, fipsCodes: readonly number[], now: number) {
  await using store = closing(openParcelsAt(place))
  const { parcels } = store
  const measured: { state: string; fips: number; text: string | null }[] = []
  for (const fips of fipsCodes) {
    const state = countyByFips(fips)?.state
    if (state === undefined) continue
    const sold = await readSold(parcels, state, fips, Math.floor(now / DAY_MS))
    const text = sold.length === 0 ? null : JSON.stringify(testSales(sold, fips))
    if (text !== ((await parcels.saleTest(state, fips)) ?? null)) {
      measured.push({ state, fips, text })
    }
  }
  return measured
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
