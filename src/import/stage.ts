/** The pass that makes parcels: every row is staged, skipped or rejected. */
import { countyByFips } from '../regions/counties.ts'
import type { StagedParcel } from '../store/store.ts'
import type { Previewer } from './preview.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import { LINES_SHOWN } from './report/rejects.ts'
import type { ShareCounter } from './report/shares.ts'
import { type BatchSetup, type TextCounts, UNREAD_SAMPLES } from './threads/batch.ts'
import { type ReadBatch, readBatches, type startThreads } from './threads/pool.ts'
import { type FreshBatch, type StagingContext, walkFreshRows, walkRows } from './walk.ts'

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

/** `previewer` of a dry run and `shares` see every parcel staged. */
type StageOptions = {
  setup: BatchSetup
  threads: ReturnType<typeof startThreads>
  previewer: Previewer | undefined
  shares: ShareCounter
}

/** Stages every row of the files in order: rows → those to be read → parcels → store. */
export async function stageRows(context: StagingContext, options: StageOptions): Promise<Tally> {
  const { setup, threads, previewer } = options
  const reading = { setup, threads, keepsRows: previewer !== undefined }
  const collector = collectBatches(context, options)
  for await (const read of readBatches(walkFreshRows(context), reading)) await collector.take(read)
  if (context.unchanged !== undefined) await stageConflicts(context, context.unchanged)
  return collector.finish()
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
    async take({ batch, result }: ReadBatch<FreshBatch>): Promise<void> {
      const { equal, equalLine } = batch
      equalRows += equal
      if (equalLine !== undefined && equalLines.length < LINES_SHOWN) equalLines.push(equalLine)
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
      const county = countyByFips(parcels.at(-1)?.fips ?? 0)
      if (county !== undefined) progress.county = `${county.name}, ${county.state}`
      await writer.stage(parcels)
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

/**
 * Stages unchanged rows whose parcel also has a changed or new row: the parcel is then made from
 * all of its rows.
 */
async function stageConflicts(context: StagingContext, unchanged: UnchangedRows): Promise<void> {
  const conflicts = await unchanged.findConflicts()
  if (conflicts.size === 0) return
  const { reader, writer } = context
  for await (const batch of walkRows(context, 'settling repeated parcels')) {
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
