/** Rejects rows that are too large to be parcels. */
import type { Batch } from './batch.ts'

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
