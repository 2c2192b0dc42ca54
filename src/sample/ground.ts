/** The invented ground under a sample's parcels: streets, places, a lake, a creek and two parks. */
import type { City, Layout } from './roll-style.ts'

type Point = [lon: number, lat: number]

/** As the Census's features in a basemap; `zoom`: the first that shows it. */
export type GroundFeature = {
  layer: 'land' | 'water' | 'streams' | 'roads' | 'places'
  kind: string
  zoom: number
  name: string
  shape:
    | { type: 'point'; at: Point }
    | { type: 'line'; line: Point[] }
    | { type: 'polygons'; polygons: Point[][][] }
}

/** Converts meters from the southwest corner of a county's box. */
type ToDegrees = (x: number, y: number) => Point

/** Squares of land without parcels, from that in the middle of the first city: columns and rows. */
export const FREE_LAND = {
  lake: { column: 2, row: -1, columns: 3, rows: 2 },
  creek: { column: 3, row: -6, columns: 1, rows: 5 },
  green: { column: -2, row: 1, columns: 2, rows: 1 },
  square: { column: 0, row: -3, columns: 1, rows: 1 },
} as const

/** Corners of the lake, and points of the creek. */
const SHORE = 72
const BENDS = 60
/** Meters between a park and the streets around it. */
const VERGE = 12

/** A square: its southwest corner and side in meters. */
type Square = { x: number; y: number; side: number }
type Box = { west: number; south: number; east: number; north: number }

/** `middle`: the square in the middle of the first city. */
export function* drawNature(middle: Square, toDegrees: ToDegrees): Generator<GroundFeature> {
  const boxOf = ({ column, row, columns, rows }: (typeof FREE_LAND)[keyof typeof FREE_LAND]) => ({
    west: middle.x + column * middle.side,
    south: middle.y + row * middle.side,
    east: middle.x + (column + columns) * middle.side,
    north: middle.y + (row + rows) * middle.side,
  })
  for (const [free, name] of [
    ['green', 'Commons Park'],
    ['square', 'Founders Square'],
    ['creek', 'Creekside Park'],
  ] as const) {
    const box = boxOf(FREE_LAND[free])
    yield drawArea('land', cornersOf(box), toDegrees)
    yield drawName('land', name, toDegrees((box.west + box.east) / 2, (box.south + box.north) / 2))
  }
  const [lake, creek] = [boxOf(FREE_LAND.lake), boxOf(FREE_LAND.creek)]
  const [east, north] = [(lake.west + lake.east) / 2, (lake.south + lake.north) / 2]
  const shore = Array.from({ length: SHORE }, (_, at): Point => {
    const turn = (2 * Math.PI * at) / SHORE
    const reach = 0.86 + 0.1 * Math.sin(3 * turn + 1)
    return [
      east + ((lake.east - lake.west) / 2) * reach * Math.cos(turn),
      north + ((lake.north - lake.south) / 2) * reach * Math.sin(turn),
    ]
  })
  yield drawArea('water', shore, toDegrees)
  yield drawName('water', 'Heron Lake', toDegrees(east, north))
  const line = Array.from({ length: BENDS }, (_, at) => {
    const along = at / (BENDS - 1)
    const sway = (creek.east - creek.west) * 0.28 * Math.sin(along * 14)
    return toDegrees((creek.west + creek.east) / 2 + sway, north - along * (north - creek.south))
  })
  const about = { kind: 'stream', zoom: 11, name: 'Heron Creek' } as const
  yield { layer: 'streams', ...about, shape: { type: 'line', line } }
}

/** A park without a name. */
export function drawPark({ x, y, side }: Square, toDegrees: ToDegrees): GroundFeature {
  const box = { west: x, south: y, east: x + side, north: y + side }
  return drawArea('land', cornersOf(box), toDegrees)
}

function cornersOf({ west, south, east, north }: Box): Point[] {
  const [w, s, e, n] = [west + VERGE, south + VERGE, east - VERGE, north - VERGE]
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
  ]
}

function drawArea(layer: 'land' | 'water', corners: Point[], toDegrees: ToDegrees): GroundFeature {
  const ring = [...corners, corners[0] as Point].map(([east, north]) => toDegrees(east, north))
  const kind = layer === 'land' ? 'park' : 'water'
  return { layer, kind, zoom: 9, name: '', shape: { type: 'polygons', polygons: [[ring]] } }
}

function drawName(kind: 'land' | 'water', name: string, at: Point): GroundFeature {
  return { layer: 'places', kind, zoom: 13, name, shape: { type: 'point', at } }
}

/** Names a city where its middle is. */
export function drawCity({ name, lat, lon, weight }: City): GroundFeature {
  const isLarge = weight > 30
  const about = { kind: isLarge ? 'city' : 'town', zoom: isLarge ? 6 : 9, name: writeName(name) }
  return { layer: 'places', ...about, shape: { type: 'point', at: [lon, lat] } }
}

type Block = { street: string; plat: { layout: Layout }; line: Point[] }

/** The street of a block, from the first of its parcels. */
export function drawStreet({ street, plat, line }: Block): GroundFeature {
  const isMain = plat.layout === 'strip'
  const about = { kind: isMain ? 'main' : 'street', zoom: isMain ? 11 : 12 }
  return { layer: 'roads', ...about, name: writeName(street), shape: { type: 'line', line } }
}

/** `N 4TH ST` → `N 4th St`. */
function writeName(text: string): string {
  return text.toLowerCase().replace(/(^|[\s'.-])[a-z]/g, (start) => start.toUpperCase())
}
