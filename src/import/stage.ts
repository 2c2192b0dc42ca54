/** The pass that makes parcels: every row is staged, skipped or rejected. */

import { countyByFips } from '../place/counties.ts'
import type { RollWriter, StagedParcel } from '../store/store.ts'
import type { Batch } from './batch.ts'
import { OrderUntold } from './learn.ts'
import { usesFile } from './mapping/mapping.ts'
import type { Previewer } from './preview.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import type { Progress } from './report/progress.ts'
import type { Rejects } from './report/rejects.ts'
import type { ShareCounter } from './report/shares.ts'
import { DuplicateRowFilter } from './rows/duplicate-row-filter.ts'
import { isBlank } from './rows/normalize.ts'
import { digestRow } from './rows/row-digest.ts'
import { type BatchReader, type BatchResult, UNREAD_SAMPLES } from './threads/batch.ts'
import type { BatchPool } from './threads/pool.ts'
import { type WalkJob, walkRows } from './walk.ts'

/**
 * What is held of a batch while it is read: of its rows but their number, unless `rows` are to be
 * shown (docs/decisions/imports.md).
 */
type Read = Omit<Batch, 'rows'> & { firstRow: number; count: number; rows: string[][] }

/** `equalRows`: rows that repeat an earlier one letter by letter; they count as duplicates. */
type Tally = {
  rows: number
  skipped: number
  /** Why rows were skipped, the commonest reasons first. */
  skips: [string, number][]
  equalRows: number
  unread: Record<string, number>
  /** Some of the texts that could not be read, by field. */
  unreadSamples: Record<string, string[]>
}

/**
 * What counts parcels on their way: `previewer` of a dry run, `shares` where the mapping expects
 * some, `unchanged` where rows may be as they were.
 */
type Observers = {
  previewer?: Previewer | undefined
  shares?: ShareCounter | undefined
  unchanged?: UnchangedRows | undefined
}

/**
 * Stages every row of the files, in their order; `observers` see the parcels too. `ordered`: a row
 * in mixed order throws `OrderUntold`. Batches are read by the pool while later ones are split and
 * earlier ones staged.
 */
export async function stageRows(
  job: WalkJob,
  reader: BatchReader,
  pool: BatchPool,
  writer: RollWriter,
  rejects: Rejects,
  progress: Progress,
  ordered: boolean,
  observers: Observers = {},
): Promise<Tally> {
  const { previewer, shares, unchanged } = observers
  const tally: Tally = {
    rows: 0,
    skipped: 0,
    skips: [],
    equalRows: 0,
    unread: {},
    unreadSamples: {},
  }
  const skips: Record<string, number> = {}
  const readsFile = usesFile(job.mapping)
  let filter = new DuplicateRowFilter()
  let file: string | undefined
  const underWay: { batch: Read; result: Promise<BatchResult> }[] = []
  const takeOldest = async () => {
    const oldest = underWay.shift()
    if (oldest !== undefined) await take(oldest.batch, await oldest.result)
  }
  const take = async (batch: Read, result: BatchResult) => {
    if (ordered && result.mixed > 0) throw new OrderUntold()
    for (const { line, reason, text } of batch.broken) rejects.add(batch.file, line, reason, text)
    for (const { index, reason, row } of result.rejected) {
      rejects.add(batch.file, batch.lines[index] ?? 0, reason, row)
    }
    tally.rows += batch.count + batch.broken.length
    addCounts(skips, result.skipped)
    addCounts(tally.unread, result.unread)
    addSamples(tally.unreadSamples, result.unreadSamples)
    const parcels = result.parcels()
    previewer?.see(batch, parcels)
    shares?.see(parcels, (row, bits) => unchanged?.setBits(row, bits))
    unchanged?.forget(result.told.map((index) => batch.firstRow + index))
    unchanged?.hear(result.horizon)
    await writer.stage(parcels)
    const county = countyByFips(parcels.at(-1)?.fips ?? 0)
    if (county !== undefined) progress.county = `${county.name}, ${county.state}`
  }
  for await (const batch of walkRows(job, progress, 'rows')) {
    // Compiled here too, so that a file of other columns is told by its sentence and no thread is
    // asked.
    reader.planFor(batch)
    // Equal rows of two files are two parcels where the file's name tells the county.
    if (readsFile && file !== batch.file) filter = new DuplicateRowFilter()
    file = batch.file
    // Rows with different polygons are not equal: one of them has the parcel's own polygon.
    const digests = batch.rows.map((row, at) =>
      isBlank(row) ? undefined : digestRow(row, batch.polygons?.[at] ?? null),
    )
    const fresh = digests.map(
      (digest, at) =>
        digest === undefined || !filter.sees(digest, (batch.points?.[at] ?? null) !== null),
    )
    tally.equalRows += fresh.filter((isFresh) => !isFresh).length
    const found = await unchanged?.look(batch, fresh, digests)
    tally.equalRows += found?.repeated ?? 0
    const result = pool.read(found ? withoutRest(batch, fresh) : batch, batch.firstRow, fresh)
    // A failure is met where the batch is taken; until then nobody else is to call it unhandled.
    result.catch(() => {})
    const rows = previewer === undefined ? [] : batch.rows
    underWay.push({ batch: { ...batch, rows, count: batch.rows.length }, result })
    if (underWay.length >= pool.width) await takeOldest()
  }
  while (underWay.length > 0) await takeOldest()
  if (unchanged !== undefined) await stageMet(job, reader, writer, unchanged, progress)
  tally.skips = Object.entries(skips).sort((a, b) => b[1] - a[1])
  tally.skipped = tally.skips.reduce((sum, [, count]) => sum + count, 0)
  return tally
}

/** Rows that are not read need not be handed to a thread. */
function withoutRest(batch: Batch, fresh: boolean[]): Batch {
  const empty = batch.columns.map(() => '')
  return { ...batch, rows: batch.rows.map((row, at) => (fresh[at] === true ? row : empty)) }
}

/** Stages unchanged rows after all whose parcel some changed or new row belongs to as well. */
async function stageMet(
  job: WalkJob,
  reader: BatchReader,
  writer: RollWriter,
  unchanged: UnchangedRows,
  progress: Progress,
): Promise<void> {
  const met = await unchanged.findMet()
  if (met.size === 0) return
  for await (const batch of walkRows(job, progress, 'settling repeated parcels')) {
    const fresh = batch.rows.map((_, at) => met.has(batch.firstRow + at))
    if (!fresh.includes(true)) continue
    fresh.forEach((isMet, at) => {
      if (isMet) unchanged.giveBack(batch, at)
    })
    const parcels: StagedParcel[] = []
    reader.read(batch, batch.firstRow, fresh, (parcel) => parcels.push(parcel))
    await writer.stage(parcels)
  }
}

/** Samples of one batch join those of the batches before it, up to a few of each field. */
function addSamples(all: Record<string, string[]>, more: Record<string, string[]>): void {
  for (const [name, texts] of Object.entries(more)) {
    const known = all[name] ?? []
    all[name] = [...new Set([...known, ...texts])].slice(0, UNREAD_SAMPLES)
  }
}

function addCounts(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
}
