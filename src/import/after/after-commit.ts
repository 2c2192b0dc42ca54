/**
 * What follows the commit of a load. The roll is loaded then, so a step that fails adds a warning.
 */
import { setFlagsFromString } from 'node:v8'
import type { SaleTestWriter } from '../../store/changes.ts'
import { rollsPlace } from '../../store/data-folder.ts'
import { openSaleTests } from '../../store/open-rolls.ts'
import type { AppliedRoll, RollWriter } from '../../store/store.ts'
import type { KeptRows } from '../origins/kept-rows.ts'
import type { Origins } from '../origins/origins.ts'
import { recordOrigins } from '../origins/record-origins.ts'
import { measureQuality } from '../quality/measure-quality.ts'
import type { CountedRows } from '../quality/placeholders.ts'
import type { UnchangedRows } from '../refresh/unchanged-rows.ts'
import type { Progress } from '../report/progress.ts'
import type { BatchSetup } from '../threads/batch.ts'
import { measureSales } from './measure-sales.ts'

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

/** Runs the steps in order. */
export async function finishAfterCommit(
  load: AppliedLoad,
  { fault, ...change }: AppliedRoll,
): Promise<void> {
  const { job, loadedAt, scopes, counted, progress, warnings } = load
  const attempt = (what: string, step: () => Promise<void>) =>
    warnIfFails(warnings, `the roll is loaded, but ${what}`, step)
  await attempt('the work that follows the commit failed; the next import repeats it', async () => {
    if (fault !== undefined) throw fault
  })
  // A roll of the past leaves the present, its sales and its quality as they are.
  const ofPast = change.loaded + change.updated + change.removed + change.unchanged === 0
  const origins = ofPast ? undefined : load.origins
  const ids = origins?.watch(load.writer.ids()) ?? load.writer.ids()
  await attempt('its rows were not recorded, so the next import maps all rows again', async () =>
    load.unchanged?.save(load.token, ids),
  )
  progress.stepAfterCommit('measuring the roll')
  // Else V8 keeps what is no longer needed until the heap is several times what is in use.
  setFlagsFromString('--heap-growing-percent=80')
  let opened: SaleTestWriter | undefined
  const place = rollsPlace(job)
  // One writer for all steps: closing it reads the whole file of an embedded store.
  const open = async () => {
    opened ??= await openSaleTests(place)
    return opened
  }
  if (origins !== undefined) {
    await attempt('where its parcels come from was not recorded; the next import does it', () =>
      record(load, origins, ids, open),
    )
  }
  const counties = ofPast ? [] : [...new Set(scopes.map(({ fips }) => fips))]
  await attempt('estimates were not measured against its sales; the next import does it', () =>
    measureSales(place, counties, job.sink.now(), open),
  )
  const counts = { loadedAt, ...counted, unchanged: change.unchanged }
  await attempt('its quality was not measured; the next import does it', () =>
    measureQuality(place, counties, counts, open),
  )
  await attempt('checksums of the store were not renewed; the next import does it', async () =>
    (await open()).close(),
  )
}

async function record(
  { job, loadedAt, scopes, kept }: AppliedLoad,
  origins: Origins,
  ids: AsyncIterable<unknown> | Iterable<unknown>,
  open: () => Promise<SaleTestWriter>,
): Promise<void> {
  // Reads them unless the marks of rows have.
  for await (const _ of ids);
  const { mapping, state, county, forcedOrder, rollYear, today } = job
  const settings = { state, county, forcedOrder, rollYear, today }
  const document = { loadedAt, mapping, settings, keepsRows: kept !== undefined }
  const recorded = { origins, kept, scopes, document, isWhole: !job.partial }
  await recordOrigins({ ...recorded, place: rollsPlace(job) }, await open())
}
