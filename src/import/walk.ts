/** Iterates over all rows, with progress; two passes give the same row numbers. */
import type { Batch } from './batch.ts'
import { type Joined, nameJoined } from './join.ts'
import { fits, type PlanSetup } from './mapping/plan.ts'
import type { OpenImport } from './open.ts'
import type { UnchangedRows } from './refresh/unchanged-rows.ts'
import type { Progress } from './report/progress.ts'
import { optionsOf, readSource } from './source.ts'
import type { BatchReader } from './threads/batch.ts'

/** Input of a pass over all rows. */
export type Walk = {
  job: PlanSetup & { files: string[]; geometry: boolean }
  joined: Joined | undefined
  progress: Progress
}

/** `firstRow`: number of its first row in the import, counted from 1. */
export type WalkedBatch = Batch & { firstRow: number }

/** What the passes that stage the rows of an import share. */
export type Staging = OpenImport & {
  joined: Joined | undefined
  reader: BatchReader
  /** Finds the rows that have not changed; `undefined` when every row must be read. */
  unchanged: UnchangedRows | undefined
}

/** Yields every batch. Only the pass named `rows` counts rows and bytes. */
export async function* walkRows(
  { job, joined, progress }: Walk,
  what: 'learning the names of the roll' | 'rows' | 'settling repeated parcels',
): AsyncGenerator<WalkedBatch> {
  let row = 1
  const counted = what === 'rows'
  const options = {
    ...optionsOf(job),
    fits: (columns: readonly string[]) => fits(job, nameJoined(columns, joined?.columns ?? [])),
    notes: counted ? progress : undefined,
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
