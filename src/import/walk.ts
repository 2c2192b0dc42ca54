/**
 * Iterates over all rows, with progress; two passes give the same row numbers. A first pass learns
 * surnames, given names and cities from the roll itself.
 */
import { CommandError } from '../base/errors.ts'
import { learnNames } from '../owner/evidence.ts'
import type { Batch, SourceOptions } from './batch.ts'
import { type Joined, nameJoined } from './join.ts'
import { type MappingDocument, usesFile } from './mapping/mapping.ts'
import { compilePlan, type PlanSetup } from './mapping/plan.ts'
import type { OpenImport } from './open.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import type { Progress } from './report/progress.ts'
import { CityLearner, readsOneLine } from './rows/cities.ts'
import { isBlank, readNames } from './rows/normalize.ts'
import { DuplicateRowFilter, digestRow, type RowDigest } from './rows/row-digest.ts'
import { readSource } from './source.ts'
import type { BatchReader, BatchSetup } from './threads/batch.ts'

/** Input of a pass over all rows. */
type Walk = {
  job: PlanSetup & { files: string[]; geometry: boolean }
  joined: Joined | undefined
  progress: Progress
}

/** `firstRow`: number of its first row in the import, counted from 1. */
type WalkedBatch = Batch & { firstRow: number }

/** What the passes that stage the rows of an import share. */
export type Staging = OpenImport & {
  joined: Joined | undefined
  reader: BatchReader
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

/** Finds in each batch the rows that were not seen before, in this roll or in the last one. */
export async function* pickFresh(
  batches: AsyncIterable<WalkedBatch>,
  { job, joined, reader, progress, unchanged, origins }: Staging,
): AsyncGenerator<FreshBatch> {
  const isFresh = makeFreshTest(job.mapping)
  for await (const batch of batches) {
    // Compiled before the threads read the batch, so that missing columns are reported here.
    reader.planFor(batch)
    origins?.see(batch, joined?.columns.length ?? 0)
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

function makeFreshTest(mapping: MappingDocument) {
  const readsFile = usesFile(mapping)
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
  { job, joined, progress }: Walk,
  what: 'learning the names of the roll' | 'rows' | 'settling repeated parcels',
): AsyncGenerator<WalkedBatch> {
  let row = 1
  const counted = what === 'rows'
  const options = {
    ...sourceOptions(job),
    fits: (columns: readonly string[]) => fits(job, columns, joined),
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
    if (joined?.isPartner(read.columns) === true) continue
    const batch = joined?.extend(read) ?? read
    yield { ...batch, firstRow: row }
    row += batch.rows.length
    if (counted) {
      progress.rows += batch.rows.length + batch.broken.length
      progress.reading()
    } else progress.step(what)
  }
}

export function sourceOptions(
  job: Pick<Walk['job'], 'mapping' | 'geometry'>,
): Omit<SourceOptions, 'fits'> {
  const { encoding, separator, skipLines: skip, columns, fixedWidth, epsg } = job.mapping
  const own = { geometry: job.geometry, readsGeometry: job.mapping.exported === true }
  return { encoding, separator, skip, columns, fixedWidth, epsg, ...own, onBytes: () => {} }
}

/** Reports whether the mapping reads a layer of an archive or a service with these columns. */
export function fits(job: PlanSetup, columns: readonly string[], joined?: Joined): boolean {
  try {
    return compilePlan(job, nameJoined(columns, joined?.columns ?? []), '') !== undefined
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}

type LearnJob = Walk['job'] & Omit<BatchSetup, 'evidence' | 'cities'>

/** What the first pass learned. */
type Learned = Pick<BatchSetup, 'evidence' | 'cities'>

/** A pass that only learns cities ends after this many rows when no address needs them. */
const CITY_ROWS = 5000

/** Reads owner names of mixed order and cities of one-line addresses, if there are any. */
export async function learnRoll(walk: Walk & { job: LearnJob }): Promise<Learned> {
  const { job } = walk
  const order = job.forcedOrder ?? job.mapping.nameOrder ?? 'mixed'
  // Each row may state the order of its names.
  const isByRow = job.forcedOrder === undefined && job.mapping.fields.nameOrder !== undefined
  const learner = order === 'mixed' || isByRow ? learnNames() : undefined
  const cities = readsOneLine(job.mapping) ? new CityLearner(job.mapping) : undefined
  if (learner === undefined && cities === undefined) return { evidence: undefined }
  let columns: readonly string[] | undefined
  let plan: ReturnType<typeof compilePlan> | undefined
  let mixed = 0
  for await (const batch of walkRows(walk, 'learning the names of the roll')) {
    if (plan === undefined || batch.columns !== columns) {
      plan = compilePlan(job, batch.columns, batch.file)
      columns = batch.columns
    }
    for (const row of batch.rows) {
      cities?.add(row, batch.columns)
      if (learner === undefined) continue
      const names = readNames(row, plan, order, job.forcedOrder)
      if (names.order !== 'mixed' || (names.slot1 ?? names.slot2) === null) continue
      mixed += 1
      learner.add(names.slot1, names.slot2)
    }
    if (learner === undefined && cities?.inDoubt !== true && batch.firstRow > CITY_ROWS) break
  }
  return {
    evidence: mixed === 0 ? undefined : learner?.finish(),
    cities: cities?.finish(),
  }
}
