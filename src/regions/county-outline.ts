/**
 * Outlines of counties, and whether a point is in one. Source: us-atlas (Census, cartographic
 * boundaries at 1:10,000,000), counties of the 2020 Census.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { boundsOf, holdsPoint, type Ring, type Shape, squaredToSegment } from '../geo/shape.ts'
import { type Box, metersPerDegree, type Point } from '../geo/sphere.ts'

/**
 * How far outside an outline a point still counts as inside. The outlines are simplified: at coasts
 * and rivers they are up to two kilometres off.
 */
export const OUTLINE_TOLERANCE_METERS = 3000

/** Points are judged by the middle of such a cell, so the tolerance is exact to about 700 m. */
const CELLS_PER_DEGREE = 100

/** An outline in metres from a corner, and the answers for cells that were asked. */
type Area = {
  shape: Shape
  box: Box
  scale: { x: number; y: number }
  cells: Map<number, boolean>
}

const areas = new Map<number, Area | undefined>()

/**
 * Returns the outline of a county in degrees; `undefined` for one that the 2020 Census does not
 * have, as the planning regions of Connecticut.
 */
export function countyOutline(fips: number): Shape | undefined {
  const { topology, counties } = openAtlas()
  const county = counties.get(fips)
  if (county === undefined) return undefined
  const lineOf = (at: number) => {
    const line = unpack(topology.arcs[at < 0 ? ~at : at] ?? [], topology.transform)
    return at < 0 ? line.reverse() : line
  }
  // Each arc begins where the one before it ends.
  const ringOf = (list: number[]): Ring =>
    list.flatMap((at, place) => (place === 0 ? lineOf(at) : lineOf(at).slice(1)))
  const polygons = county.type === 'Polygon' ? [county.arcs] : county.arcs
  return polygons.map((rings) => rings.map(ringOf))
}

/**
 * Reports whether a point is in a county or within the tolerance of it; `undefined` for a county
 * without an outline. Takes less than a microsecond for points near those of earlier calls.
 */
export function isNearCounty(fips: number, [longitude, latitude]: Point): boolean | undefined {
  const area = areas.getOrInsertComputed(fips, () => openArea(countyOutline(fips)))
  if (area === undefined) return undefined
  const { box, cells } = area
  if (longitude < box.west || longitude > box.east) return false
  if (latitude < box.south || latitude > box.north) return false
  const column = Math.floor(longitude * CELLS_PER_DEGREE)
  const row = Math.floor(latitude * CELLS_PER_DEGREE)
  const cell = column * 100_000 + row
  return cells.getOrInsertComputed(cell, () =>
    isNear(area, [(column + 0.5) / CELLS_PER_DEGREE, (row + 0.5) / CELLS_PER_DEGREE]),
  )
}

function openArea(outline: Shape | undefined): Area | undefined {
  const bounds = outline && boundsOf(outline)
  if (outline === undefined || bounds === undefined) return undefined
  const scale = metersPerDegree((bounds.south + bounds.north) / 2)
  const [x, y] = [OUTLINE_TOLERANCE_METERS / scale.x, OUTLINE_TOLERANCE_METERS / scale.y]
  const shape = outline.map((rings) => rings.map((ring) => ring.map((at) => toMeters(at, scale))))
  const { west, south, east, north } = bounds
  const box = { west: west - x, south: south - y, east: east + x, north: north + y }
  return { shape, box, scale, cells: new Map() }
}

function isNear({ shape, scale }: Area, degrees: Point): boolean {
  const point = toMeters(degrees, scale)
  if (holdsPoint(shape, point)) return true
  const limit = OUTLINE_TOLERANCE_METERS ** 2
  return shape.some((rings) => rings.some((ring) => isBeside(ring, point, limit)))
}

function isBeside(ring: Ring, point: Point, limit: number): boolean {
  return ring.some(
    (to, at) => at > 0 && squaredToSegment(point, ring[at - 1] as Point, to) <= limit,
  )
}

const toMeters = ([longitude, latitude]: Point, { x, y }: { x: number; y: number }): Point => [
  longitude * x,
  latitude * y,
]

type Topology = {
  arcs: [number, number][][]
  transform: { scale: [number, number]; translate: [number, number] }
  objects: { counties: { geometries: County[] } }
}
type County = { id: string } & (
  | { type: 'Polygon'; arcs: number[][] }
  | { type: 'MultiPolygon'; arcs: number[][][] }
)

let atlas: { topology: Topology; counties: Map<number, County> } | undefined

/** Reads the file of 0.8 MB once; arcs are unpacked when a county is asked for. */
function openAtlas() {
  if (atlas !== undefined) return atlas
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology
  const all = topology.objects.counties.geometries
  atlas = { topology, counties: new Map(all.map((county) => [Number(county.id), county])) }
  return atlas
}

/** Arcs are differences of whole numbers. */
function unpack(arc: [number, number][], { scale, translate }: Topology['transform']): Point[] {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}
