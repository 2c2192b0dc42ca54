/** Places a file's shapes in WGS 84, and reports why one cannot be placed: none is lost. */
import type { Geometry } from '../../base/model/geometry.ts'
import { assemblePolygons } from '../../geo/assemble.ts'
import { ringHolds, ringMeets, signedArea } from '../../geo/shape.ts'
import type { Point } from '../../geo/sphere.ts'
import type { ReadingNotes } from '../batch.ts'
import { isDegreesOnly, type Project } from './projection.ts'
import { centroid, type Ring, shorten } from './shapes.ts'

/** A shape in the file's own projection. `other`: a kind that is no parcel, by its name. */
export type Shape =
  | Geometry
  | { type: 'Point'; coordinates: number[] }
  | { type: 'other'; kind: string }
  | null
  | undefined

/** Joins the parts of a collection: all polygons, else the first point. */
export function joinParts(parts: readonly Shape[]): Shape {
  const polygons = parts.flatMap((part) => {
    if (part?.type === 'Polygon') return [part.coordinates]
    return part?.type === 'MultiPolygon' ? part.coordinates : []
  })
  if (polygons.length > 0) return { type: 'MultiPolygon', coordinates: polygons }
  return parts.find((part) => part?.type === 'Point')
}

type Placed = { point: readonly [number, number] | null; polygon: string | null }

export type Placing = {
  project: Project
  geometry: boolean
  /** The rows are exported: one with a point has no polygon. */
  readsGeometry?: boolean
  notes?: ReadingNotes | undefined
}

/**
 * Returns the point and the polygon of a row's shape: `''` when polygons are read and it has none.
 * `shape`: undefined when the row has no place for one. `where`: the row, as a person finds it.
 */
export function placeShape(shape: Shape, placing: Placing, where: string): Placed {
  const none = placing.geometry ? '' : null
  const nowhere: Placed = { point: null, polygon: none }
  if (shape === undefined) return { point: null, polygon: null }
  if (shape === null) return nowhere
  const lose = (reason: string): Placed => {
    placing.notes?.unplaced.add(reason, where)
    return nowhere
  }
  if (shape.type === 'other') return lose(`a shape of the kind ${shape.kind} is not read`)
  const polygons = shape.type === 'Point' ? [] : readPolygons(shape)
  if (polygons === undefined) return lose('the coordinates are no numbers')
  if (shape.type !== 'Point' && polygons.length === 0) return lose('the shape is empty')
  const middle = shape.type === 'Point' ? shape.coordinates : centroid(polygons.flat())
  const [x, y] = middle ?? []
  if (!Number.isFinite(x) || !Number.isFinite(y)) return lose('the coordinates are no numbers')
  const project = orientate(placing, x as number, y as number)
  const point = project(x as number, y as number)
  if (placing.project.said !== undefined) placing.notes?.warn(placing.project.said)
  if (point === null) return lose(whyNowhere(placing.project, x as number, y as number))
  if (shape.type === 'Point') return { point, polygon: placing.readsGeometry ? none : null }
  if (!placing.geometry) return { point, polygon: null }
  const polygon = writePolygons(polygons, shape.type, project)
  if (polygon === null) placing.notes?.unplaced.add('the polygon has no area', where)
  return { point, polygon: polygon ?? '' }
}

function whyNowhere(project: Project, x: number, y: number): string {
  if (project.unknown !== undefined) return project.unknown
  const given = `${Math.round(x)}, ${Math.round(y)}`
  if (x === 0 && y === 0) return 'the coordinates are 0, 0'
  return isDegreesOnly(project)
    ? `the file says degrees, and the coordinates are none (${given})`
    : 'the coordinates are outside the projection of the file'
}

/** Turns latitude before longitude round: where the US would be, it is in the Antarctic. */
function orientate(placing: Placing, x: number, y: number): Project {
  const { project } = placing
  const isSwapped = isDegreesOnly(project) && x > 13 && x < 72 && y < -64 && y > -180
  if (!isSwapped) return project
  placing.notes?.warn('shapes have latitude before longitude: they are turned round')
  return (first, second) => project(second, first)
}

/** Returns closed rings by polygon; `undefined` when a coordinate is not a number. */
function readPolygons(shape: Geometry): Ring[][] | undefined {
  const parts = (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates) as unknown
  if (!Array.isArray(parts)) return undefined
  const polygons: Ring[][] = []
  for (const rings of parts as unknown[]) {
    const read: Ring[] = []
    for (const ring of Array.isArray(rings) ? rings : []) {
      const closed = closeRing(ring)
      if (closed === undefined) return undefined
      if (closed.length > 0) read.push(closed)
    }
    if (read.length > 0) polygons.push(read)
  }
  return polygons
}

/** Drops heights and closes the ring. `undefined` when a coordinate is not a number. */
export function closeRing(ring: unknown): Ring | undefined {
  if (!Array.isArray(ring)) return undefined
  const points: Ring = []
  for (const point of ring as unknown[]) {
    const [x, y] = Array.isArray(point) ? (point as unknown[]) : []
    if (!Number.isFinite(x) || !Number.isFinite(y)) return undefined
    points.push([x as number, y as number])
  }
  const [first, last] = [points[0], points.at(-1)]
  const isOpen = first !== undefined && (first[0] !== last?.[0] || first[1] !== last?.[1])
  return isOpen ? [...points, [...first]] : points
}

/** Writes polygons as GeoJSON text. A ring without area is dropped, a polygon with its outer. */
function writePolygons(polygons: Ring[][], type: Geometry['type'], project: Project) {
  const written = polygons.flatMap((rings) => {
    const [outer, ...holes] = rings.map((ring) => moveRing(ring, project))
    return outer === undefined || !hasArea(outer) ? [] : [[outer, ...holes.filter(hasArea)]]
  })
  if (written.length === 0) return null
  const strays = new Set(written.flatMap(findStrays))
  if (strays.size > 0) {
    const wind = (ring: Ring, at: number) =>
      signedArea(ring) < 0 === (at === 0 || strays.has(ring)) ? ring : ring.toReversed()
    return JSON.stringify(assemblePolygons(written.flatMap((rings) => rings.map(wind))))
  }
  return JSON.stringify({ type, coordinates: type === 'Polygon' ? written[0] : written })
}

/** Holes outside their outer ring or inside another hole, which would take area away. */
function findStrays([outer = [], ...holes]: Ring[]): Ring[] {
  const isIn = (ring: Ring, one: Point) => ringHolds(ring, one) && !ringMeets(ring, one)
  const isOut = (one: Point) => !ringHolds(outer, one) && !ringMeets(outer, one)
  return holes.filter((hole) => {
    const first = hole[0] as Point
    if (holes.some((other) => other !== hole && isIn(other, first))) return true
    // Nearly always the first corner is inside.
    if (isIn(outer, first)) return false
    return hole.filter(isOut).length > hole.filter((one) => isIn(outer, one)).length
  })
}

const hasArea = (ring: Ring) => ring.length >= 4 && signedArea(ring) !== 0

function moveRing(ring: Ring, project: Project): Ring {
  return ring.flatMap(([x, y]): Ring => {
    const point = project(x, y)
    return point === null ? [] : [[shorten(point[0]), shorten(point[1])]]
  })
}
