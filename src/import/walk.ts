/**
 * Goes through all rows of an import, telling where it is. Two passes over the same files see the
 * same row numbers.
 */

import { CommandError } from '../errors.ts'
import type { Batch, SourceOptions } from './batch.ts'
import type { Joined } from './join.ts'
import { compilePlan, type PlanSetup } from './mapping/plan.ts'
import type { Progress } from './report/progress.ts'
import { readSource } from './source.ts'

/** What walking through all rows of an input needs. */
export type WalkJob = PlanSetup & {
  files: string[]
  geometry: boolean
  joined?: Joined | undefined
}

/**
 * Yields every batch with the number of its first row in the import, counted from 1. `share`:
 * whether this pass moves the progress.
 */
export async function* walkRows(
  job: WalkJob,
  progress: Progress,
  what: 'rows' | string,
): AsyncGenerator<Batch & { firstRow: number }> {
  let row = 1
  const counted = what === 'rows'
  const options = {
    ...sourceOptions(job),
    fits: (columns: readonly string[]) => fits(job, columns),
    onWarning: (text: string) => {
      if (counted) progress.warn(text)
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

/** What the mapping says of its files. */
export function sourceOptions(
  job: Pick<WalkJob, 'mapping' | 'geometry'>,
): Omit<SourceOptions, 'fits'> {
  const { encoding, separator, skipLines: skip, columns, fixedWidth, epsg } = job.mapping
  const { geometry } = job
  return { encoding, separator, skip, columns, fixedWidth, epsg, geometry, onBytes: () => {} }
}

/** Whether a layer of an archive is what the mapping reads. */
function fits(job: WalkJob, columns: readonly string[]): boolean {
  try {
    return compilePlan(job, [...columns, ...(job.joined?.columns ?? [])], '') !== undefined
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}
