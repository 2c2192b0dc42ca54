/** Shapes in filters, and whether a parcel's shape meets one. */
import { refuse } from '../../../base/errors.ts'
import { boundsOf, holdsPoint, measureMeters, readShape, type Shape } from '../../../geo/shape.ts'
import { type Box, boxesMeet, type Point, ringOf, wrapBox } from '../../../geo/sphere.ts'
import type { Crs } from '../crs.ts'
import type { Cql2 } from './read-text.ts'

/** A parcel's polygon, or else its point. */
export type Placed = { box: Box; shape: Shape | undefined; point: Point }

const POINTS_MAX = 1000

export function placeOf(type: string, text: string, box: Box): Placed {
  const point: Point = [box.west, box.south]
  return { box, shape: type === 'Point' ? undefined : readShape(text), point }
}

/** Reports whether a parcel's place and a shape share a point; edges count. */
export function meets(placed: Placed, shape: Shape): boolean {
  return shape.some((part) => meetsPart(placed, [part]))
}

function meetsPart({ box, shape: own, point }: Placed, shape: Shape): boolean {
  const bounds = boundsOf(shape)
  if (bounds === undefined || !boxesMeet(box, bounds)) return false
  if (own === undefined) return holdsPoint(shape, point) || isAt(shape, point)
  const [asked, isPoint] = [pointOf(shape), pointOf(shape) !== undefined]
  if (isPoint && asked !== undefined) return holdsPoint(own, asked)
  return measureMeters(own, shape, 0) !== undefined
}

function pointOf(shape: Shape): Point | undefined {
  const ring = shape[0]?.[0]
  return ring?.length === 1 ? ring[0] : undefined
}

function isAt(shape: Shape, [x, y]: Point): boolean {
  const point = pointOf(shape)
  return point !== undefined && point[0] === x && point[1] === y
}

export function shapeOfBox(box: Box): Shape {
  return [[ringOf(box)]]
}

/**
 * Reads a geometry of a filter. A point is a ring of one point, and a line goes there and back.
 * Throws *bad request*.
 */
export function readLiteralShape(tree: Cql2, crs: Crs): Shape {
  if (typeof tree === 'object' && 'bbox' in tree) {
    return readBoxes(tree.bbox, crs).flatMap(shapeOfBox)
  }
  if (typeof tree === 'object' && 'geometries' in tree) {
    return listOf(tree.geometries).flatMap((one) => readLiteralShape(one as Cql2, crs))
  }
  if (typeof tree !== 'object' || !('coordinates' in tree)) throw wrongShape()
  const count = { points: 0 }
  const point = (one: unknown) => readPoint(one, crs, count)
  const ring = (one: unknown) => {
    const points = listOf(one).map(point)
    const [first, last] = [points[0], points.at(-1)]
    const isClosed = first?.[0] === last?.[0] && first?.[1] === last?.[1]
    if (points.length < 4 || !isClosed) throw wrongShape()
    return points
  }
  const polygon = (one: unknown) => listOf(one).map(ring)
  const { type, coordinates } = tree
  const line = (one: unknown) => {
    const points = listOf(one).map(point)
    if (points.length < 2) throw wrongShape()
    return [[...points, ...points.slice(0, -1).reverse()]]
  }
  if (type === 'Point') return [[[point(coordinates)]]]
  if (type === 'MultiPoint') return listOf(coordinates).map((one) => [[point(one)]])
  if (type === 'LineString') return [line(coordinates)]
  if (type === 'MultiLineString') return listOf(coordinates).map(line)
  if (type === 'Polygon') return [polygon(coordinates)]
  if (type === 'MultiPolygon') return listOf(coordinates).map(polygon)
  throw wrongShape()
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw wrongShape()
  return value
}

function readPoint(value: unknown, crs: Crs, count: { points: number }): Point {
  const [x, y] = listOf(value)
  count.points += 1
  if (count.points > POINTS_MAX) throw refuse.badRequest('filter: the shape has too many points')
  if (typeof x !== 'number' || typeof y !== 'number') throw wrongShape()
  return checkPoint(crs.read([x, y]))
}

function checkPoint([x, y]: Point): Point {
  if (Math.abs(x) <= 180 && Math.abs(y) <= 90) return [x, y]
  throw refuse.badRequest('coordinates must lie within -180,-90,180,90')
}

function wrongShape() {
  return refuse.badRequest('filter: a shape must be a geometry of GeoJSON or WKT, or a bbox')
}

/** Boxes of four numbers, or six with heights; two at the antimeridian. Throws *bad request*. */
export function readBoxes(numbers: readonly number[], crs: Crs): Box[] {
  if (!Array.isArray(numbers) || !numbers.every((one) => Number.isFinite(one))) throw wrongBox()
  const [a, b, c, d] = numbers.length === 6 ? [0, 1, 3, 4].map((at) => numbers[at]) : numbers
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw wrongBox()
  if (numbers.length !== 4 && numbers.length !== 6) throw wrongBox()
  const [west, south] = checkPoint(crs.read([a, b]))
  const [east, north] = checkPoint(crs.read([c, d]))
  if (south > north) throw refuse.badRequest('a bbox must have its south below its north')
  return wrapBox({ west, south, east, north })
}

function wrongBox() {
  return refuse.badRequest('a bbox must be four numbers, or six with heights')
}
