/** The pass that makes parcels: every row is staged, skipped or rejected. */
import { countyByFips } from '../regions/counties.ts'
import type { StagedParcel } from '../store/store.ts'
import type { Batch } from './batch.ts'
import { usesFile } from './mapping/mapping.ts'
import type { Previewer } from './preview.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import { LINES_SHOWN } from './report/rejects.ts'
import type { ShareCounter } from './report/shares.ts'
import { DuplicateRowFilter } from './rows/duplicate-row-filter.ts'
import { isBlank } from './rows/normalize.ts'
import { digestRow, type RowDigest } from './rows/row-digest.ts'
import { type BatchResult, type TextCounts, UNREAD_SAMPLES } from './threads/batch.ts'
import type { BatchPool } from './threads/pool.ts'
import type { StagingContext, WalkJob } from './walk.ts'

/**
 * A batch while it is being read. Its rows are dropped, except their number, unless a preview shows
 * them (docs/decisions/imports.md).
 */
type PendingBatch = Omit<Batch, 'rows'> & { firstRow: number; count: number; rows: string[][] }

/** Counts of a pass. `equalRows`: rows identical to an earlier one; they count as duplicates. */
export type Tally = TextCounts & {
  rows: number
  skipped: number
  /** Why rows were skipped, the commonest reasons first. */
  skips: [string, number][]
  /** Lines of skipped rows by reason, and of rows that repeat another: a few of each. */
  skipLines: Record<string, number[]>
  equalLines: number[]
  equalRows: number
}

/** `previewer` of a dry run and `shares` see every parcel that is staged. */
type StageOptions = {
  pool: BatchPool
  previewer: Previewer | undefined
  shares: ShareCounter
}

/**
 * Stages every row of the files in order. The pool reads several batches while later ones are split
 * and earlier ones are staged.
 */
export async function stageRows(context: StagingContext, options: StageOptions): Promise<Tally> {
  const { job, walk, reader, progress, unchanged, origins } = context
  const { pool, previewer } = options
  const collector = collectBatches(context, options)
  const pending: { batch: PendingBatch; result: Promise<BatchResult> }[] = []
  const takeOldest = async () => {
    const oldest = pending.shift()
    if (oldest !== undefined) await collector.take(oldest.batch, await oldest.result)
  }
  const isFresh = makeFreshTest(job)
  for await (const batch of walk('rows')) {
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
    collector.countEqual(equal + repeated, equalLine)
    progress.outside.seeUnchanged(repeated)
    const read = unchanged === undefined ? batch : withoutSkippedRows(batch, fresh)
    const result = pool.read(read, batch.firstRow, fresh)
    // A rejection is handled when the batch is taken; this prevents an unhandled-rejection error.
    result.catch(() => {})
    const rows = previewer === undefined ? [] : batch.rows
    pending.push({ batch: { ...batch, rows, count: batch.rows.length }, result })
    if (pending.length >= pool.width) await takeOldest()
  }
  while (pending.length > 0) await takeOldest()
  if (unchanged !== undefined) await stageConflicts(context, unchanged)
  return collector.finish()
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

function collectBatches(context: StagingContext, { previewer, shares }: StageOptions) {
  const { writer, rejects, progress, unchanged, origins } = context
  const skips: Record<string, number> = {}
  const skipLines: Record<string, number[]> = {}
  const equalLines: number[] = []
  const unread: Record<string, number> = {}
  const unreadSamples: Record<string, string[]> = {}
  const placeholders: Record<string, number> = {}
  const placeholderSamples: Record<string, string[]> = {}
  let rows = 0
  let equalRows = 0

  return {
    /** `line`: of one of them. */
    countEqual(count: number, line: number | undefined): void {
      equalRows += count
      if (line !== undefined && equalLines.length < LINES_SHOWN) equalLines.push(line)
    },

    async take(batch: PendingBatch, result: BatchResult): Promise<void> {
      for (const { line, reason, text } of batch.broken) {
        rejects.add(batch.file, line, reason, text)
      }
      for (const { index, reason, row } of result.rejected) {
        rejects.add(batch.file, batch.lines[index] ?? 0, reason, row)
      }
      rows += batch.count + batch.broken.length
      addCounts(skips, result.skipped)
      for (const [reason, index] of Object.entries(result.skippedFirst)) {
        const known = skipLines[reason] ?? []
        skipLines[reason] = [...known, batch.lines[index] ?? 0].slice(0, LINES_SHOWN)
      }
      addCounts(unread, result.unread)
      addSamples(unreadSamples, result.unreadSamples)
      addCounts(placeholders, result.placeholders)
      addSamples(placeholderSamples, result.placeholderSamples)
      const parcels = result.parcels()
      origins?.hideSuppressed(parcels)
      previewer?.see(batch, parcels)
      progress.outside.see(parcels)
      shares.see(parcels, (row, bits) => unchanged?.setBits(row, bits))
      unchanged?.forget(result.mentioned.map((index) => batch.firstRow + index))
      unchanged?.recordFutureDate(result.horizon)
      await writer.stage(parcels)
      const county = countyByFips(parcels.at(-1)?.fips ?? 0)
      if (county !== undefined) progress.county = `${county.name}, ${county.state}`
    },

    finish(): Tally {
      const sorted = Object.entries(skips).sort((a, b) => b[1] - a[1])
      const skipped = sorted.reduce((sum, [, count]) => sum + count, 0)
      return {
        ...{ rows, skipped, skips: sorted, skipLines, equalRows, equalLines },
        ...{ unread, unreadSamples },
        ...{ placeholders, placeholderSamples },
      }
    },
  }
}

/** Empties the rows that are not read, so that they are not copied to a thread. */
function withoutSkippedRows(batch: Batch, fresh: boolean[]): Batch {
  const empty = batch.columns.map(() => '')
  return { ...batch, rows: batch.rows.map((row, at) => (fresh[at] === true ? row : empty)) }
}

/**
 * Stages unchanged rows whose parcel also has a changed or new row: the parcel is then made from
 * all of its rows.
 */
async function stageConflicts(
  { walk, reader, writer }: StagingContext,
  unchanged: UnchangedRows,
): Promise<void> {
  const conflicts = await unchanged.findConflicts()
  if (conflicts.size === 0) return
  for await (const batch of walk('settling repeated parcels')) {
    const fresh = batch.rows.map((_, at) => conflicts.has(batch.firstRow + at))
    if (!fresh.includes(true)) continue
    fresh.forEach((isConflict, at) => {
      if (isConflict) unchanged.withdraw(batch, at)
    })
    const parcels: StagedParcel[] = []
    reader.read(batch, batch.firstRow, fresh, (parcel) => parcels.push(parcel))
    await writer.stage(parcels)
  }
}

/** Adds samples of one batch to those of earlier batches, up to a few per field. */
function addSamples(all: Record<string, string[]>, more: Record<string, string[]>): void {
  for (const [name, texts] of Object.entries(more)) {
    const known = all[name] ?? []
    all[name] = [...new Set([...known, ...texts])].slice(0, UNREAD_SAMPLES)
  }
}

function addCounts(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
}
