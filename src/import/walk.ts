/**
 * Iterates over all rows of an import and updates the progress. Two passes over the same files give
 * the same row numbers.
 */
import { CommandError } from '../base/errors.ts'
import type { RollWriter } from '../store/store.ts'
import type { Batch, SourceOptions } from './batch.ts'
import { type Joined, nameJoined } from './join.ts'
import { compilePlan, type PlanSetup } from './mapping/plan.ts'
import type { Origins } from './origins/origins.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import type { Progress } from './report/progress.ts'
import type { Rejects } from './report/rejects.ts'
import { readSource } from './source.ts'
import type { BatchReader } from './threads/batch.ts'

/** Input of a pass over all rows. */
export type WalkJob = PlanSetup & {
  files: string[]
  geometry: boolean
  joined?: Joined | undefined
}

/** A pass over all rows. Only the pass named `rows` counts rows and bytes. */
export type Walk = (
  what: 'learning the names of the roll' | 'rows' | 'settling repeated parcels',
) => AsyncGenerator<WalkedBatch>

/** `firstRow`: number of its first row in the import, counted from 1. */
type WalkedBatch = Batch & { firstRow: number }

/** What the passes that stage the rows of an import share. */
export type StagingContext = {
  job: WalkJob
  walk: Walk
  reader: BatchReader
  writer: RollWriter
  rejects: Rejects
  progress: Progress
  /** Records where parcels come from; `undefined` for a dry run. */
  origins: Origins | undefined
  /** Finds the rows that have not changed; `undefined` when every row must be read. */
  unchanged: UnchangedRows | undefined
}

/** Yields every batch. */
export async function* walkRows(
  job: WalkJob,
  progress: Progress,
  what: Parameters<Walk>[0],
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
