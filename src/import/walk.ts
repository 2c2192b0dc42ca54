/**
 * Iterates over all rows of an import and updates the progress. Two passes over the same files give
 * the same row numbers.
 */
import { CommandError } from '../base/errors.ts'
import type { RollWriter } from '../store/store.ts'
import type { Batch, SourceOptions } from './batch.ts'
import { type Joined, nameJoined } from './join.ts'
import { usesFile } from './mapping/mapping.ts'
import { compilePlan, type PlanSetup } from './mapping/plan.ts'
import type { Origins } from './origins/origins.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import type { Progress } from './report/progress.ts'
import type { Rejects } from './report/rejects.ts'
import { DuplicateRowFilter } from './rows/duplicate-row-filter.ts'
import { isBlank } from './rows/normalize.ts'
import { digestRow, type RowDigest } from './rows/row-digest.ts'
import { readSource } from './source.ts'
import type { BatchReader } from './threads/batch.ts'

/** Input of a pass over all rows. */
export type WalkJob = PlanSetup & {
  files: string[]
  geometry: boolean
  joined?: Joined | undefined
}

/** `firstRow`: number of its first row in the import, counted from 1. */
type WalkedBatch = Batch & { firstRow: number }

/** What the passes that stage the rows of an import share. */
export type StagingContext = {
  job: WalkJob
  reader: BatchReader
  writer: RollWriter
  rejects: Rejects
  progress: Progress
  /** Records where parcels come from; `undefined` for a dry run. */
  origins: Origins | undefined
  /** Finds the rows that have not changed; `undefined` when every row must be read. */
  unchanged: UnchangedRows | undefined
}

/**
 * `equal`: number of rows that occurred before, and the line of one. `toRead`: its rows, emptied
 * where they are not fresh; absent when every row is read.
 */
export type FreshBatch = WalkedBatch & {
  fresh: boolean[]
  equal: number
  equalLine: number | undefined
  toRead?: string[][]
}

/** Yields every batch, and which of its rows were not seen before. */
export async function* walkFreshRows(context: StagingContext): AsyncGenerator<FreshBatch> {
  const { job, reader, progress, unchanged, origins } = context
  const isFresh = makeFreshTest(job)
  for await (const batch of walkRows(context, 'rows')) {
    // Compiled before the threads read the batch, so that missing columns are reported here.
    reader.planFor(batch)
    origins?.see(batch, job.joined?.columns.length ?? 0)
    // Rows with different polygons are not equal: one of them has the parcel's own polygon.
    const digests = batch.rows.map((row, at) =>
      isBlank(row) ? undefined : digestRow(row, batch.polygons?.[at] ?? null),
    )
    const fresh = isFresh(batch, digests)
    const equal = fresh.filter((one) => !one).length
    const equalLine = batch.lines[fresh.indexOf(false)]
    const repeated = (await unchanged?.look(batch, fresh, digests)) ?? 0
    progress.outside.seeUnchanged(repeated)
    const own = { ...batch, fresh, equal: equal + repeated, equalLine }
    yield unchanged === undefined ? own : { ...own, toRead: emptySkipped(batch, fresh) }
  }
}

function makeFreshTest(job: WalkJob) {
  const readsFile = usesFile(job.mapping)
  let filter = new DuplicateRowFilter()
  let file: string | undefined
  return (batch: Batch, digests: readonly (RowDigest | undefined)[]): boolean[] => {
    // Equal rows of two files are two parcels when the file's name sets the county.
    if (readsFile && file !== batch.file) filter = new DuplicateRowFilter()
    file = batch.file
    return digests.map(
      (digest, at) =>
        digest === undefined || !filter.sees(digest, (batch.points?.[at] ?? null) !== null),
    )
  }
}

/** Empties the rows that are not read, so that they are not copied to a thread. */
function emptySkipped({ columns, rows }: Batch, fresh: boolean[]): string[][] {
  const empty = columns.map(() => '')
  return rows.map((row, at) => (fresh[at] === true ? row : empty))
}

/** Yields every batch. Only the pass named `rows` counts rows and bytes. */
export async function* walkRows(
  { job, progress }: Pick<StagingContext, 'job' | 'progress'>,
  what: 'learning the names of the roll' | 'rows' | 'settling repeated parcels',
): AsyncGenerator<WalkedBatch> {
  let row = 1
  const counted = what === 'rows'
  const options = {
    ...sourceOptions(job),
    fits: (columns: readonly string[]) => fits(job, columns),
    onWarning: (text: string) => {
      if (counted) progress.warn(text)
    },
    onUnplaced: (reason: string, example: string) => {
      if (counted) progress.unplaced.add(reason, example)
    },
    onBytes: (count: number) => {
      if (counted) progress.bytes += count
    },
  }
  for await (const read of readSource(job.files, options)) {
    if (job.joined?.isPartner(read.columns) === true) continue
    const batch = job.joined?.extend(read) ?? read
    yield { ...batch, firstRow: row }
    row += batch.rows.length
    if (counted) {
      progress.rows += batch.rows.length + batch.broken.length
      progress.reading()
    } else progress.step(what)
  }
}

/** Returns the mapping's settings for its files. */
export function sourceOptions(
  job: Pick<WalkJob, 'mapping' | 'geometry'>,
): Omit<SourceOptions, 'fits'> {
  const { encoding, separator, skipLines: skip, columns, fixedWidth, epsg } = job.mapping
  const { geometry } = job
  return { encoding, separator, skip, columns, fixedWidth, epsg, geometry, onBytes: () => {} }
}

/** Reports whether the mapping reads a layer of an archive or a service with these columns. */
export function fits(
  job: PlanSetup & Pick<WalkJob, 'joined'>,
  columns: readonly string[],
): boolean {
  try {
    return compilePlan(job, nameJoined(columns, job.joined?.columns ?? []), '') !== undefined
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}
