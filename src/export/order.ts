/** Orders the parcels of an export along a Hilbert curve, so that neighbours are close together. */
import type { ExportReader, ExportScope } from '../store/export.ts'
import type { UnitBox } from '../store/places.ts'

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

/** Cells along each side of the box are 2 to this power. */
const ORDER = 12
const SIDE = 2 ** ORDER
/** After all cells: parcels without a point. */
const NOWHERE = SIDE * SIDE

/**
 * Returns the function that numbers a point's cell along the curve; a point outside the box gets
 * the nearest cell.
 */
export function hilbertCells(box: UnitBox): (x: number | null, y: number | null) => number {
  const [width, height] = [box.east - box.west + 1, box.north - box.south + 1]
  const cell = (share: number) => Math.max(0, Math.min(SIDE - 1, Math.floor(share * SIDE)))
  return (x, y) =>
    x === null || y === null
      ? NOWHERE
      : distanceAlong(cell((x - box.west) / width), cell((y - box.south) / height))
}

/**
 * Returns the distance along the curve of a cell given by column and row. Source: Hilbert curve,
 * en.wikipedia.org, `xy2d`.
 */
export function distanceAlong(column: number, row: number): number {
  let [x, y, distance] = [column, row, 0]
  for (let side = SIDE / 2; side >= 1; side /= 2) {
    const right = (x & side) > 0 ? 1 : 0
    const upper = (y & side) > 0 ? 1 : 0
    distance += side * side * ((3 * right) ^ upper)
    if (upper === 1) continue
    if (right === 1) [x, y] = [SIDE - 1 - x, SIDE - 1 - y]
    ;[x, y] = [y, x]
  }
  return distance
}
