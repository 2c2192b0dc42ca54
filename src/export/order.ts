/** Orders the parcels of an export. */
import type { ExportReader, ExportScope } from '../store/export.ts'

/** Most parcels in a file; with more, a cell and an index do not fit in 53 bits. */
const PARCELS_MAX = 2 ** 28

/**
 * Returns the record IDs by cell and then by identity; without cells by identity. Holds 16 bytes
 * per parcel.
 * `onCount` is called with the number so far and may throw.
 */
export async function orderIds(
  reader: ExportReader,
  scope: ExportScope,
  cellOf: ((x: number | null, y: number | null) => number) | undefined,
  onCount: (count: number) => void,
): Promise<Float64Array> {
  let ids = new Float64Array(65_536)
  let keys = new Float64Array(cellOf === undefined ? 0 : ids.length)
  let count = 0
  for await (const places of reader.places(scope)) {
    if (count + places.length > ids.length) {
      ids = grow(ids)
      if (cellOf !== undefined) keys = grow(keys)
    }
    for (const { id, x, y } of places) {
      ids[count] = id
      if (cellOf !== undefined) keys[count] = cellOf(x, y) * PARCELS_MAX + count
      count += 1
    }
    onCount(count)
  }
  if (cellOf === undefined) return ids.subarray(0, count)
  const sorted = keys.subarray(0, count).sort()
  // Overwrites each key with its id once it is read, so that the ids need no further memory.
  for (let at = 0; at < count; at += 1) {
    sorted[at] = ids[(sorted[at] as number) % PARCELS_MAX] as number
  }
  return sorted
}

function grow(from: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(from.length * 2)
  larger.set(from)
  return larger
}
