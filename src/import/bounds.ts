/** Bounds on what one file may take: a small one cannot fill the memory or last for ever. */
import { CommandError } from '../base/errors.ts'
import type { Batch } from './batch.ts'

/** Unpacked bytes from which on the ratio counts; below them no file is a burden. */
const UNPACKED_FREE = 64 * 1_048_576
/** Rolls of blanks pack to a fiftieth. Deflate's most is a thousandth. */
const RATIO_MAX = 200
/** Most entries of an archive, columns of a table, and characters of a row's JSON. */
export const ENTRIES_MAX = 100_000
export const COLUMNS_MAX = 10_000
export const OBJECT_MAX = 32 * 1_048_576
/** Deepest nesting of JSON. */
export const DEPTH_MAX = 64
/** Most bytes of a record of a shapefile or of a row of a GeoPackage. */
export const RECORD_MAX = 64 * 1_048_576
/** Rows of a batch, and characters after which it is handed on, however few its rows are. */
export const BATCH_ROWS = 2000
export const BATCH_SIZE = 16 * 1_048_576

/** Throws `CommandError` for sizes that a roll does not have. */
export function refuseBomb(shown: string, packed: number, unpacked: number): void {
  if (unpacked <= UNPACKED_FREE || unpacked <= packed * RATIO_MAX) return
  throw new CommandError(
    `${shown} unpacks to more than ${RATIO_MAX} times its size, as no roll does. If it is one, ` +
      'unpack it, and import the file inside.',
  )
}

/** Passes unpacked bytes on until they are too many for the `packed` ones. */
export async function* boundUnpacked(
  bytes: AsyncIterable<Buffer>,
  packed: number,
  shown: string,
): AsyncGenerator<Buffer> {
  let unpacked = 0
  for await (const chunk of bytes) {
    unpacked += chunk.length
    refuseBomb(shown, packed, unpacked)
    yield chunk
  }
}

/** Most characters of a row, polygon included: 8 MB of ASCII. */
export const ROW_MAX = 8 * 1_048_576
/** Characters kept of a rejected row. */
const SHOWN_MAX = 1000

/** Moves rows above 8 MB to the broken rows. Usually returns the batch itself. */
export function rejectLargeRows(batch: Batch): Batch {
  const large = new Set<number>()
  batch.rows.forEach((row, at) => {
    if (sizeOf(row) + (batch.polygons?.[at]?.length ?? 0) > ROW_MAX) large.add(at)
  })
  if (large.size === 0) return batch
  const keep = (_: unknown, at: number) => !large.has(at)
  const broken = [...large].map((at) => ({
    line: batch.lines[at] as number,
    reason: 'a row of more than 8 MB',
    text: (batch.rows[at] as string[]).map((value) => value.slice(0, SHOWN_MAX)).join(','),
  }))
  return {
    ...batch,
    rows: batch.rows.filter(keep),
    lines: batch.lines.filter(keep),
    ...(batch.points && { points: batch.points.filter(keep) }),
    ...(batch.polygons && { polygons: batch.polygons.filter(keep) }),
    broken: [...batch.broken, ...broken],
  }
}

function sizeOf(row: readonly string[]): number {
  let size = 0
  for (const value of row) size += value.length
  return size
}
