/** What an import reports, and counts of what became of its rows. */
import type { RollChange } from '../../store/store.ts'
import type { PreviewReport } from '../preview.ts'
import type { RepeatTally } from '../repeats.ts'
import { type TextCounts, UNREAD_SAMPLES } from '../threads/batch.ts'
import type { ReadBatch } from '../threads/pool.ts'
import type { Outside } from './outside.ts'
import { LINES_SHOWN, type Rejects } from './rejects.ts'
import type { Unplaced } from './unplaced.ts'

/** An import's result. `rows`, `skipped`, `duplicates`, `rejected` count rows, others parcels. */
export type ImportReport = Omit<Tally, 'equalRows' | 'skips'> &
  Omit<RepeatTally, 'lines' | 'repeated'> &
  RollChange & {
    /** Why rows were skipped, the commonest reasons first. */
    skips: [string, number][]
    rejected: number
    rejectsFile: string | null
    /** Whether it is an earlier roll, for the history alone: no parcel changes. */
    isPast: boolean
    seconds: number
    /** Five-digit FIPS codes of the counties in the roll. */
    counties: string[]
    /** The commonest reasons of rejection. */
    reasons: [string, number][]
    rejectedRows: ReturnType<Rejects['examples']>
    /** Rows that had a shape and got none, by reason, the commonest first. */
    unplaced: Unplaced[]
    /** Parcels whose point, ZIP code or city is outside their county. */
    outside: Outside[]
    /** Doubtful points about the files, a sentence each. */
    doubts: string[]
    /** Only for a dry run. */
    preview?: PreviewReport
    /** Only for a dry run: the sentence that would refuse the load. */
    refused?: string | null
    /** What failed after the roll was loaded, a sentence each; empty after a dry run. */
    warnings: string[]
  }

/** Counts of the rows. `equalRows`: rows identical to an earlier one; they count as duplicates. */
type Tally = TextCounts & {
  rows: number
  skipped: number
  /** Why rows were skipped. */
  skips: Record<string, number>
  /** Lines of skipped rows by reason, and of rows that repeat another: a few of each. */
  skipLines: Record<string, number[]>
  equalLines: number[]
  equalRows: number
}

export function emptyTally(): Tally {
  return {
    ...{ rows: 0, skipped: 0, skips: {}, skipLines: {}, equalRows: 0, equalLines: [] },
    ...{ unread: {}, unreadSamples: {}, placeholders: {}, placeholderSamples: {} },
  }
}

/** Adds what became of a batch's rows to the counts and to the rejected rows. */
export function countBatch(tally: Tally, rejects: Rejects, { batch, result }: ReadBatch): void {
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
