/** Reads every row of the files: it is staged, skipped or rejected. */
import { countyByFips } from '../regions/counties.ts'
import type { StagedParcel } from '../store/store.ts'
import type { Joined } from './join.ts'
import { learnRoll } from './learn.ts'
import type { OpenImport } from './open.ts'
import { Previewer } from './preview.ts'
import { UnchangedRows } from './refresh/unchanged-rows.ts'
import { LINES_SHOWN } from './report/rejects.ts'
import { BITS_FIELDS, ShareCounter } from './report/shares.ts'
import {
  type BatchSetup,
  makeBatchReader,
  type TextCounts,
  UNREAD_SAMPLES,
} from './threads/batch.ts'
import { type ReadBatch, readBatches, startThreads } from './threads/pool.ts'
import { type Staging, walkFreshRows, walkRows } from './walk.ts'

/** Counts of the rows. `equalRows`: rows identical to an earlier one; they count as duplicates. */
export type Tally = TextCounts & {
  rows: number
  skipped: number
  /** Why rows were skipped. */
  skips: Record<string, number>
  /** Lines of skipped rows by reason, and of rows that repeat another: a few of each. */
  skipLines: Record<string, number[]>
  equalLines: number[]
  equalRows: number
}

export type Staged = Awaited<ReturnType<typeof stageRoll>>

/** Stages the rows of the files, and those that settle what a refresh took for unchanged. */
export async function stageRoll(opened: OpenImport, joined: Joined | undefined) {
  const staged = await stageRows(opened, joined)
  if (staged.unchanged !== undefined) await stageConflicts(staged, staged.unchanged)
  for (const text of joined?.listLost() ?? []) opened.progress.warn(text)
  return staged
}

/** Stages every row of the files in order: rows → those to be read → parcels → store. */
async function stageRows(opened: OpenImport, joined: Joined | undefined) {
  const { job, expectations, size, suppress, progress } = opened
  // The threads load their code while names and cities are learned.
  await using threads = startThreads(size, job.threads)
  const learned = await learnRoll({ job, joined, progress })
  const { mapping, state, county, forcedOrder, rollYear, today, geometry } = job
  const plain = { mapping, state, county, forcedOrder, rollYear, today, geometry }
  const setup: BatchSetup = { ...plain, suppress, ...learned }
  const expected = expectations.map(({ field }) => field)
  const shares = new ShareCounter(expected)
  const previewer = job.dryRun ? new Previewer(expected) : undefined
  const unchanged = await openUnchanged(opened, setup, shares, expected)
  const staging: Staging = { ...opened, joined, reader: makeBatchReader(setup), unchanged }
  const tally: Tally = {
    ...{ rows: 0, skipped: 0, skips: {}, skipLines: {}, equalRows: 0, equalLines: [] },
    ...{ unread: {}, unreadSamples: {}, placeholders: {}, placeholderSamples: {} },
  }
  const reading = { setup, threads, keepsRows: previewer !== undefined }
  for await (const read of readBatches(walkFreshRows(staging), reading)) {
    countBatch(tally, staging, read)
    const parcels = read.result.parcels()
    opened.origins?.hideSuppressed(parcels)
    previewer?.see(read.batch, parcels)
    progress.outside.see(parcels)
    shares.see(parcels, (row, bits) => unchanged?.setBits(row, bits))
    const county = countyByFips(parcels.at(-1)?.fips ?? 0)
    if (county !== undefined) progress.county = `${county.name}, ${county.state}`
    await opened.writer.stage(parcels)
  }
  return { ...staging, tally, shares, previewer }
}

/**
 * Opens the search for unchanged rows. Returns `undefined` when none can be skipped. That is so in
 * a dry run, and when the files are a part of the roll. It is so when names are learned from the
 * whole roll, or when too many fields are counted. It is so too when the store stages every row.
 */
async function openUnchanged(
  { job, writer: { marks }, origins, suppress }: OpenImport,
  setup: BatchSetup,
  shares: ShareCounter,
  expected: string[],
): Promise<UnchangedRows | undefined> {
  const isAlone = setup.evidence === undefined && expected.length <= BITS_FIELDS
  const isDated = (job.versions?.vintage ?? null) !== null
  if (marks === undefined || job.dryRun || job.partial || isDated || !isAlone) return undefined
  // Each parcel is made again, to learn of which rows something is suppressed.
  if (origins?.keepsRows === true && suppress !== undefined) return undefined
  return UnchangedRows.open({ dataDir: job.dataDir, marks, setup, origins, expected, shares })
}

/** Adds what became of a batch's rows to the counts, the report and the marks. */
function countBatch(
  tally: Tally,
  { rejects, unchanged }: Staging,
  { batch, result }: ReadBatch,
): void {
  const { equal, equalLine } = batch
  tally.equalRows += equal
  if (equalLine !== undefined && tally.equalLines.length < LINES_SHOWN) {
    tally.equalLines.push(equalLine)
  }
  for (const { line, reason, text } of batch.broken) rejects.add(batch.file, line, reason, text)
  for (const { index, reason, row } of result.rejected) {
    rejects.add(batch.file, batch.lines[index] ?? 0, reason, row)
  }
  tally.rows += batch.count + batch.broken.length
  for (const count of Object.values(result.skipped)) tally.skipped += count
  addCounts(tally.skips, result.skipped)
  for (const [reason, index] of Object.entries(result.skippedFirst)) {
    const known = tally.skipLines[reason] ?? []
    tally.skipLines[reason] = [...known, batch.lines[index] ?? 0].slice(0, LINES_SHOWN)
  }
  addCounts(tally.unread, result.unread)
  addSamples(tally.unreadSamples, result.unreadSamples)
  addCounts(tally.placeholders, result.placeholders)
  addSamples(tally.placeholderSamples, result.placeholderSamples)
  unchanged?.forget(result.mentioned.map((index) => batch.firstRow + index))
  unchanged?.recordFutureDate(result.horizon)
}

/** Stages unchanged rows of parcels that also have a changed row: all rows make the parcel. */
async function stageConflicts(staging: Staging, unchanged: UnchangedRows): Promise<void> {
  const conflicts = await unchanged.findConflicts()
  if (conflicts.size === 0) return
  const { reader, writer } = staging
  for await (const batch of walkRows(staging, 'settling repeated parcels')) {
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
