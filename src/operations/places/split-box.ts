/** Splits a box into parts with a limited number of points, so that no single read takes long. */
import { boxInUnits, UNITS_PER_DEGREE, type UnitBox } from '../../base/model/geometry.ts'
import type { Box } from '../../geo/sphere.ts'
import { boxOfTile, tileAt } from '../../geo/tile.ts'
import type { CellCount, PlaceReader } from '../../store/places.ts'

/** Most points of a part; a tile of zoom 14 is not split further. */
const POINTS_MAX = 4000
/** Zoom of the tiles that count points. */
const COUNTED_ZOOM = 14

/** Disjoint parts that cover the box. `points`: in its tiles, so no fewer than in the box. */
export async function splitByCounts(
  box: Box,
  places: Pick<PlaceReader, 'countsIn'>,
): Promise<{ points: number; parts: UnitBox[] }> {
  const first = tileAt([box.west, box.north], COUNTED_ZOOM)
  const last = tileAt([box.east, box.south], COUNTED_ZOOM)
  const range = { x0: first.x, x1: last.x, y0: first.y, y1: last.y, shift: 0 }
  const cells = await places.countsIn(range)
  return { points: addUp(cells), parts: split(boxInUnits(box), cells) }
}

function split(box: UnitBox, cells: readonly CellCount[]): UnitBox[] {
  if (addUp(cells) <= POINTS_MAX) return [box]
  const [columns, rows] = [spread(cells, 'x'), spread(cells, 'y')]
  if (columns === 0 && rows === 0) return [box]
  const axis = columns >= rows ? 'x' : 'y'
  const cut = findMiddle(cells, axis)
  const { east, south } = boxOfTile({ z: COUNTED_ZOOM, x: cut, y: cut })
  const before = cells.filter((cell) => cell[axis] <= cut)
  const behind = cells.filter((cell) => cell[axis] > cut)
  if (axis === 'x') {
    const edge = clamp(east, box.west, box.east - 1)
    return [...split({ ...box, east: edge }, before), ...split({ ...box, west: edge + 1 }, behind)]
  }
  const edge = clamp(south, box.south, box.north - 1)
  return [...split({ ...box, south: edge + 1 }, before), ...split({ ...box, north: edge }, behind)]
}

/** Returns the last column or row of the lower half; never the last of all. */
function findMiddle(cells: readonly CellCount[], axis: 'x' | 'y'): number {
  const sorted = [...cells].sort((a, b) => a[axis] - b[axis])
  const most = (sorted.at(-1) as CellCount)[axis] - 1
  const half = addUp(cells) / 2
  let passed = 0
  for (const cell of sorted) {
    passed += cell.parcels
    if (passed >= half) return Math.min(cell[axis], most)
  }
  return most
}

function spread(cells: readonly CellCount[], axis: 'x' | 'y'): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const cell of cells) {
    least = Math.min(least, cell[axis])
    most = Math.max(most, cell[axis])
  }
  return Math.max(0, most - least)
}

function clamp(degrees: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, Math.floor(degrees * UNITS_PER_DEGREE)))
}

function addUp(cells: readonly CellCount[]): number {
  return cells.reduce((sum, { parcels }) => sum + parcels, 0)
}
