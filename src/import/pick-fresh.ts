/** Picks the rows to be read: those that occurred before, in this roll or in the last, are not. */
import type { Batch } from './batch.ts'
import { type MappingDocument, usesFile } from './mapping/mapping.ts'
import type { SeenRow } from './refresh/unchanged-rows.ts'
import { isBlank } from './rows/normalize.ts'
import { DuplicateRowFilter, digestRow, type RowDigest } from './rows/row-digest.ts'
import type { Staging, WalkedBatch } from './walk.ts'

/**
 * `equal`: number of rows that occurred before in this roll, and the line of one. `seen`: rows that
 * are as in the last one. `toRead`: its rows; if that one is known, those that are not fresh are
 * emptied.
 */
export type FreshBatch = WalkedBatch & {
  fresh: boolean[]
  equal: number
  equalLine: number | undefined
  seen: readonly SeenRow[]
  toRead: string[][]
}

/** Finds in each batch the rows that were not seen before, in this roll or in the last one. */
export async function* pickFresh(
  batches: AsyncIterable<WalkedBatch>,
  { job, joined, unchanged, origins }: Staging,
): AsyncGenerator<FreshBatch> {
  const isFresh = makeFreshTest(job.mapping)
  for await (const batch of batches) {
    origins?.see(batch, joined?.columns.length ?? 0)
    // Rows with different polygons are not equal: one of them has the parcel's own polygon.
    const digests = batch.rows.map((row, at) =>
      isBlank(row) ? undefined : digestRow(row, batch.polygons?.[at] ?? null),
    )
    const fresh = isFresh(batch, digests)
    const equal = fresh.filter((one) => !one).length
    const equalLine = batch.lines[fresh.indexOf(false)]
    const { seen = [], repeated = 0 } = (await unchanged?.look(batch, fresh, digests)) ?? {}
    const toRead = unchanged === undefined ? batch.rows : emptySkipped(batch, fresh)
    yield { ...batch, fresh, equal: equal + repeated, equalLine, seen, toRead }
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
