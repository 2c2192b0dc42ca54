/** Imports a county's roll: every step on one screen. */
import { join } from 'node:path'
import { CommandError } from '../errors.ts'
import type { StateDatabases } from '../model/state-databases.ts'
import { rollsPlace } from '../store/data-folder.ts'
import type { ImportNote } from '../store/history.ts'
import { readRules } from '../store/open.ts'
import type { RollWriter } from '../store/store.ts'
import { readExpectations, refuseUnmet } from './expect.ts'
import { findRefusal } from './guard.ts'
import { type Joined, openJoin } from './join.ts'
import { learnRoll, OrderUntold, tellsOrder } from './learn.ts'
import { measureSales } from './measure-sales.ts'
import { Previewer, type PreviewReport } from './preview.ts'
import { UnchangedRows } from './refresh/unchanged-rows.ts'
import { settleAll } from './repeats.ts'
import { Progress, type ProgressSink } from './report/progress.ts'
import { openRejects } from './report/rejects.ts'
import { BITS_FIELDS, ShareCounter } from './report/shares.ts'
import { sizeOf } from './source.ts'
import { stageRows } from './stage.ts'
import { checkDisk, explainWriting, openStaging } from './staging.ts'
import { type BatchSetup, makeBatchReader } from './threads/batch.ts'
import { openPool } from './threads/pool.ts'
import { sourceOptions } from './walk.ts'

/** One import: files, mapping, store, and what the operator asked for. */
export type ImportJob = Omit<BatchSetup, 'evidence' | 'cities' | 'suppress'> & {
  files: string[]
  /** What the history calls the files, where they were fetched from elsewhere. */
  shown?: string[]
  dataDir: string
  /**
   * Where the roll goes instead of the data folder's own store; rejected rows are kept in the
   * folder all the same.
   */
  databaseUrl?: string | null
  /** Databases of states that do not lie there. */
  stateDatabases?: StateDatabases | null
  /** How a registry hashes whom it lists: PLATBOOK_REGISTRY_HASH. */
  registryHash?: string | null
  /** Polygons are loaded. */
  geometry: boolean
  /** The files are not the whole roll: nothing is removed. */
  partial: boolean
  /** Counts and changes nothing. */
  dryRun: boolean
  /** Passes the guard. */
  force: boolean
  /** Called before what was read is written into the store. */
  beforeApply?: () => Promise<void>
  /** Threads that read rows; by the cores and the size of the files when left out. */
  threads?: number
  sink: ProgressSink
}

/**
 * What an import did. `rows`, `skipped`, `duplicates`, `rejected` count rows, the others parcels.
 */
export type ImportReport = {
  rows: number
  loaded: number
  updated: number
  unchanged: number
  removed: number
  duplicates: number
  skipped: number
  rejected: number
  rejectsFile: string | null
  seconds: number
  /** Five-digit FIPS codes of the counties in the roll. */
  counties: string[]
  /** Rows among the duplicates that differed and were merged. */
  merged: number
  /** Parcels whose rows had different polygons; one of them was chosen. */
  shapeConflicts: number
  /** Why rows were skipped, the commonest reasons first. */
  skips: [string, number][]
  /** The commonest reasons of rejection. */
  reasons: [string, number][]
  /** How often the text of a field could not be read. */
  unread: Record<string, number>
  /** Some of those texts, by field. */
  unreadSamples: Record<string, string[]>
  /** Only of a dry run. */
  preview?: PreviewReport
  /** Only of a dry run: the sentence with which the load would be refused. */
  refused?: string | null
}

/**
 * Loads a roll: source → mapping → normalize → store.
 *
 * Readers see the old roll until all of the new one is there. Throws `CommandError` for what a
 * sentence explains; then nothing has changed.
 */
export async function runImport(job: ImportJob): Promise<ImportReport> {
  if (!tellsOrder(job)) return load(job, false)
  try {
    return await load(job, true)
  } catch (error) {
    if (error instanceof OrderUntold) return load(job, false)
    throw error
  }
}

/**
 * `ordered`: every row is taken to tell the order of its names, which spares a pass over the files.
 */
async function load(job: ImportJob, ordered: boolean): Promise<ImportReport> {
  const expectations = readExpectations(job.mapping.expect)
  const size = sizeOf(job.files)
  const progress = new Progress(job.sink, size)
  const loadedAt = Math.floor(job.sink.now() / 1000)
  const { writer, close } = await openStaging({ ...job, loadedAt })
  const { dataDir, databaseUrl = null, registryHash = null } = job
  const suppress = await readRules(dataDir, databaseUrl, registryHash).catch(async (error) => {
    await close()
    throw error
  })
  const setup = { ...setupOf(job), suppress }
  const rejects = openRejects(job.dryRun ? undefined : join(job.dataDir, 'rejects'), nameRun(job))
  let joined: Joined | undefined
  try {
    joined = await openJoin(job, sourceOptions(job))
    const roll = { ...job, joined }
    const learned = await learnRoll(roll, progress, ordered)
    const reader = makeBatchReader({ ...setup, ...learned })
    const pool = openPool({ ...setup, ...learned }, size, job.threads)
    const expected = expectations.map(({ field }) => field)
    const shares = new ShareCounter(expected)
    const previewer = job.dryRun ? new Previewer(expected) : undefined
    const standing = await openUnchanged(job, writer, { ...setup, ...learned }, shares, expected)
    const { equalRows, ...tally } = await stageRows(
      roll,
      reader,
      pool,
      writer,
      rejects,
      progress,
      ordered,
      { previewer, shares, unchanged: standing },
    ).finally(() => pool.close())
    const repeats = await settleAll(roll, reader, writer, rejects, progress, equalRows, standing)
    const { scopes, ...difference } = await writer.compare()
    const { loaded, updated, unchanged } = difference
    const made = { ...tally, parcels: loaded + updated + unchanged, reasons: rejects.reasons() }
    const refusal = job.force
      ? undefined
      : (findRefusal(made, scopes, job.mapping.guard, !job.partial) ??
        refuseUnmet(expectations, shares.finish()))
    if (refusal !== undefined && !job.dryRun) throw new CommandError(refusal)
    if (!job.dryRun && (job.databaseUrl ?? null) === null) checkDisk(job.dataDir)
    const note: ImportNote = {
      mapping: job.mapping.name,
      files: job.shown ?? job.files,
      rows: tally.rows,
      rejected: rejects.count,
      skipped: tally.skipped,
      duplicates: repeats.duplicates,
      rejectsFile: rejects.close(),
    }
    if (!job.dryRun) await job.beforeApply?.()
    const write = (share: number) => progress.step('writing', share)
    const token = standing?.makeToken() ?? null
    const change = job.dryRun
      ? { ...difference, removed: job.partial ? 0 : difference.removed }
      : await writer.apply(!job.partial, loadedAt, write, note, token)
    if (!job.dryRun) await standing?.save(token)
    const fipsCodes = [...new Set(scopes.map(({ fips }) => fips))]
    if (!job.dryRun) {
      progress.step('measuring sales')
      await measureSales(rollsPlace(job), fipsCodes, job.sink.now())
    }
    return {
      ...tally,
      ...change,
      ...repeats,
      rejected: rejects.count,
      rejectsFile: note.rejectsFile,
      seconds: Math.round(progress.seconds() * 1000) / 1000,
      counties: [...new Set(scopes.map(({ fips }) => String(fips).padStart(5, '0')))].sort(),
      reasons: rejects.reasons(),
      ...(previewer === undefined
        ? {}
        : { preview: previewer.finish(job.mapping), refused: refusal ?? null }),
    }
  } catch (error) {
    rejects.discard()
    throw explainWriting(error, job.dataDir)
  } finally {
    progress.end()
    joined?.close()
    await close()
  }
}

/**
 * Tells unchanged rows where a row alone decides what it becomes: not where the roll's own names
 * are evidence of how names are written, nor where the files are a part of the roll.
 */
async function openUnchanged(
  job: ImportJob,
  { marks }: RollWriter,
  setup: BatchSetup,
  shares: ShareCounter,
  expected: string[],
): Promise<UnchangedRows | undefined> {
  const isAlone = setup.evidence === undefined && expected.length <= BITS_FIELDS
  if (marks === undefined || job.dryRun || job.partial || !isAlone) return undefined
  return UnchangedRows.open({ dataDir: job.dataDir, marks, setup, expected, shares })
}

/** What a thread needs of the job: plain data. */
function setupOf(job: ImportJob) {
  const { mapping, state, county, forcedOrder, rollYear, today, geometry } = job
  return { mapping, state, county, forcedOrder, rollYear, today, geometry }
}

/** Name of the rejects file: mapping and time. */
function nameRun(job: ImportJob): string {
  const at = new Date(job.sink.now()).toISOString().replace(/[-:]|\..*/g, '')
  return `${job.mapping.name}-${at}`
}
