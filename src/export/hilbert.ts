/** Orders parcels along a Hilbert curve, so that neighbours are close together in a file. */
import type { UnitBox } from '../store/places.ts'

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
