/** Goes through all rows of an import, telling where it is. Two passes over the same files see the same row numbers. */

import { CommandError } from '../errors.ts'
import { compilePlan, type PlanSetup } from './plan.ts'
import type { Progress } from './progress.ts'
import { type Batch, readSource } from './source.ts'

export type WalkJob = PlanSetup & { files: string[]; geometry: boolean }

/** Yields every batch with the number of its first row in the import, counted from 1. `share`: whether this pass moves the progress. */
export async function* walkRows(
  job: WalkJob,
  progress: Progress,
  what: 'rows' | string,
): AsyncGenerator<Batch & { firstRow: number }> {
  let row = 1
  const counted = what === 'rows'
  const options = {
    encoding: job.mapping.encoding,
    separator: job.mapping.separator,
    epsg: job.mapping.epsg,
    geometry: job.geometry,
    fits: (columns: readonly string[]) => fits(job, columns),
    onBytes: (count: number) => {
      if (counted) progress.bytes += count
    },
  }
  for await (const batch of readSource(job.files, options)) {
    yield { ...batch, firstRow: row }
    row += batch.rows.length
    if (counted) {
      progress.rows += batch.rows.length + batch.broken.length
      progress.reading()
    } else progress.step(what)
  }
}

/** Whether a layer of an archive is what the mapping reads. */
function fits(job: WalkJob, columns: readonly string[]): boolean {
  try {
    return compilePlan(job, columns, '') !== undefined
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}
