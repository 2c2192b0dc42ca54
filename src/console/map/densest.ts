/** Where a county's map opens: on its densest part, at a zoom that shows many of its parcels. */
import { nextTurn } from '../../base/event-loop.ts'
import { boxInUnits, UNITS_PER_DEGREE } from '../../base/model/geometry.ts'
import { boxOfTile, tileAt } from '../../geo/tile.ts'
import type { CellCount, PointHit } from '../../store/places.ts'
import type { CountyCoverage, ParcelReader } from '../../store/store.ts'

/** Zoom of the tiles that count points, and the first at which parcels are drawn. */
const COUNTED_ZOOM = 14
/** Parcels of the densest tile from which the map opens one or two zooms nearer. */
const MANY = 150
const FULL = 600
/** Dense tiles in which parcels of the county are looked for; a neighbour's may be among them. */
const TRIED_MAX = 40

type Reader = Pick<ParcelReader, 'advice' | 'countsIn' | 'pointsIn'>

/** A screen has some four tiles of the zoom. `at`: `latitude,longitude`. */
export type Opening = { at: string; zoom: number }

/** Finds the densest part of a county; `undefined` where its bounds have none of its points. */
export async function findDensest(
  parcels: Reader,
  { state, fips, bounds }: Pick<CountyCoverage, 'state' | 'fips' | 'bounds'>,
): Promise<Opening | undefined> {
  if (bounds === null) return undefined
  const filter = { state, fips, assignedOnly: false }
  let best: PointHit[] = []
  const cells = await countCells(parcels, bounds)
  cells.sort((a, b) => b.parcels - a.parcels || a.x - b.x || a.y - b.y)
  for (const { x, y, parcels: count } of cells.slice(0, TRIED_MAX)) {
    if (best.length >= Math.min(count, FULL)) break
    const box = boxInUnits(boxOfTile({ z: COUNTED_ZOOM, x, y }))
    const own = await parcels.pointsIn(filter, box, FULL)
    if (own.length > best.length) best = own
  }
  if (best.length === 0) {
    const [west, south, east, north] = bounds
    best = await parcels.pointsIn(filter, boxInUnits({ west, south, east, north }), 1)
  }
  if (best.length === 0) return undefined
  const nearer = [MANY, FULL].filter((count) => best.length >= count).length
  return { at: `${middleOf(best, 'y')},${middleOf(best, 'x')}`, zoom: COUNTED_ZOOM + nearer }
}

async function countCells(
  parcels: Reader,
  [west, south, east, north]: NonNullable<CountyCoverage['bounds']>,
): Promise<CellCount[]> {
  const first = tileAt([west, north], COUNTED_ZOOM)
  const last = tileAt([east, south], COUNTED_ZOOM)
  const step = Math.min(parcels.advice.tileColumns, last.x - first.x + 1)
  const cells: CellCount[] = []
  for (let x0 = first.x; x0 <= last.x; x0 += step) {
    const x1 = Math.min(last.x, x0 + step - 1)
    cells.push(...(await parcels.countsIn({ x0, x1, y0: first.y, y1: last.y, shift: 0 })))
    await nextTurn()
  }
  return cells
}

/** The median of a coordinate, in degrees. */
function middleOf(points: readonly PointHit[], axis: 'x' | 'y'): number {
  const sorted = points.map((point) => point[axis]).sort((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] as number) / UNITS_PER_DEGREE
}
