/** In which order an export writes its parcels. */
import type { ExportReader, ExportScope } from '../store/export.ts'

/**
 * Numbers that a file's parcels are counted by; above it, a cell and a number do not fit in 53
 * bits.
 */
const PARCELS_MAX = 2 ** 28

/**
 * The ids of the parcels, by their cells and then by id; without cells by id. Holds 16 bytes a
 * parcel. `onCount` is called with how many there are so far, and may throw.
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
  // The key's place is no longer needed once it is read, so that the ids need no further room.
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
