/** A parcel's polygon. Lengths and areas are planar, in metres at its latitude on WGS 84. */
import { UNITS_PER_DEGREE } from '../base/model/geometry.ts'
import { type Box, metersPerDegree, type Point } from './sphere.ts'

/** A closed ring: the last point equals the first. */
export type Ring = readonly Point[]

/** Coordinates of a GeoJSON MultiPolygon: per polygon the outer ring, then its holes. */
export type Shape = readonly (readonly Ring[])[]

/** A point this near to an edge counts as on it: one stored unit, about a centimetre. */
export const EDGE_DEGREES = 1 / UNITS_PER_DEGREE

/** The rings of a GeoJSON Polygon or MultiPolygon; `undefined` for another text. */
export function readShape(geojson: string): Shape | undefined {
  const { type, coordinates } = JSON.parse(geojson) as { type: string; coordinates: unknown }
  if (type === 'Polygon') return [coordinates as Ring[]]
  return type === 'MultiPolygon' ? (coordinates as Ring[][]) : undefined
}

/** Reports whether a point is in a shape. Edges count as inside, also those of a hole. */
export function holdsPoint(shape: Shape, point: Point): boolean {
  return shape.some((rings) => {
    if (rings.some((ring) => ringMeets(ring, point))) return true
    const [outer, ...holes] = rings
    if (outer === undefined || !ringHolds(outer, point)) return false
    return !holes.some((hole) => ringHolds(hole, point))
  })
}

/** Reports whether a point is in a ring, by counting the edges that a ray to the east crosses. */
export function ringHolds(ring: Ring, [x, y]: Point): boolean {
  let inside = false
  for (let at = 1; at < ring.length; at += 1) {
    // Most edges need nothing else, so their pairs are not taken apart.
    const a = ring[at - 1] as Point
    const b = ring[at] as Point
    if (a[1] > y === b[1] > y) continue
    const [ax, ay] = a
    const [bx, by] = b
    if (x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** Reports whether a point is on the edge of a ring, within a stored unit. */
export function ringMeets(ring: Ring, point: Point): boolean {
  const [x, y] = point
  for (let at = 1; at < ring.length; at += 1) {
    const a = ring[at - 1] as Point
    const b = ring[at] as Point
    // Most edges are far away, which two comparisons show.
    if (isApart(x, a[0], b[0]) || isApart(y, a[1], b[1])) continue
    if (squaredToSegment(point, a, b) <= EDGE_DEGREES * EDGE_DEGREES) return true
  }
  return false
}

/** Whether a coordinate is farther than an edge's width outside of those of a segment. */
function isApart(one: number, from: number, to: number): boolean {
  const near = 2 * EDGE_DEGREES
  return (one < from - near && one < to - near) || (one > from + near && one > to + near)
}

/** Returns the smallest box around a shape; `undefined` for a shape without points. */
export function boundsOf(shape: Shape): Box | undefined {
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [outer] of shape) {
    for (const [x, y] of outer ?? []) {
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
  }
  return west > east ? undefined : { west, south, east, north }
}

/** Returns the area of a shape in square metres, without its holes. */
export function areaSqMeters(shape: Shape): number {
  let area = 0
  for (const [outer, ...holes] of shape) {
    if (outer === undefined) continue
    area += ringAreaSqMeters(outer)
    for (const hole of holes) area -= ringAreaSqMeters(hole)
  }
  return area
}

/** Returns the area inside a ring in square metres, in either direction. */
function ringAreaSqMeters(ring: Ring): number {
  const middle = boundsOf([[ring]])
  if (middle === undefined) return 0
  const { x, y } = metersPerDegree((middle.south + middle.north) / 2)
  return (Math.abs(signedArea(ring)) / 2) * x * y
}

/** Returns twice the signed area of a ring in its own unit: positive when counterclockwise. */
export function signedArea(ring: Ring): number {
  const [ox, oy] = ring[0] ?? [0, 0]
  let area = 0
  for (let at = 1; at < ring.length; at += 1) {
    const [ax, ay] = ring[at - 1] as Point
    const [bx, by] = ring[at] as Point
    area += (ax - ox) * (by - oy) - (bx - ox) * (ay - oy)
  }
  return area
}

/**
 * Returns the smallest distance in metres; `undefined` above `limitMeters`. It is 0 for shapes that
 * overlap, touch or contain each other; in a hole it is that to the hole's edge.
 */
export function measureMeters(a: Shape, b: Shape, limitMeters: number): number | undefined {
  const [first, second] = [a[0]?.[0]?.[0], b[0]?.[0]?.[0]]
  if (first === undefined || second === undefined) return undefined
  if (holdsPoint(a, second) || holdsPoint(b, first)) return 0
  const scale = metersPerDegree(first[1])
  let least = limitMeters * limitMeters
  let found = false
  const others = toSegments(b, first, scale)
  for (const segment of toSegments(a, first, scale)) {
    for (const other of others) {
      if (boxDistanceSquared(segment, other) > least) continue
      const squared = segmentsSquared(segment, other)
      if (squared > least) continue
      least = squared
      found = true
      if (least === 0) return 0
    }
  }
  return found ? Math.sqrt(least) : undefined
}

/** An edge in metres from an origin. */
type Segment = { a: Point; b: Point; left: number; right: number; low: number; high: number }

function toSegments(shape: Shape, [ox, oy]: Point, scale: { x: number; y: number }): Segment[] {
  // The shorter way round the earth.
  const turn = (x: number) => (Math.abs(x) > 180 ? x - Math.sign(x) * 360 : x)
  const toMeters = ([x, y]: Point): Point => [turn(x - ox) * scale.x, (y - oy) * scale.y]
  return shape.flat().flatMap((ring) => {
    const points = ring.map(toMeters)
    return points.slice(1).map((b, at) => {
      const a = points[at] as Point
      return {
        a,
        b,
        left: Math.min(a[0], b[0]),
        right: Math.max(a[0], b[0]),
        low: Math.min(a[1], b[1]),
        high: Math.max(a[1], b[1]),
      }
    })
  })
}

function boxDistanceSquared(a: Segment, b: Segment): number {
  const x = Math.max(0, a.left - b.right, b.left - a.right)
  const y = Math.max(0, a.low - b.high, b.low - a.high)
  return x * x + y * y
}

function segmentsSquared(one: Segment, other: Segment): number {
  if (segmentsCross(one.a, one.b, other.a, other.b)) return 0
  return Math.min(
    squaredToSegment(one.a, other.a, other.b),
    squaredToSegment(one.b, other.a, other.b),
    squaredToSegment(other.a, one.a, one.b),
    squaredToSegment(other.b, one.a, one.b),
  )
}

/** Reports whether two segments share a point: they cross, touch, or overlap on one line. */
export function segmentsCross(a: Point, b: Point, c: Point, d: Point): boolean {
  const [c1, d1] = [sideOf(a, b, c), sideOf(a, b, d)]
  const [a1, b1] = [sideOf(c, d, a), sideOf(c, d, b)]
  if (c1 * d1 < 0 && a1 * b1 < 0) return true
  return (
    (c1 === 0 && isBetween(a, b, c)) ||
    (d1 === 0 && isBetween(a, b, d)) ||
    (a1 === 0 && isBetween(c, d, a)) ||
    (b1 === 0 && isBetween(c, d, b))
  )
}

/** Returns -1, 0 or 1: the side of the line from `a` to `b` on which a point is. */
function sideOf(a: Point, b: Point, point: Point): number {
  return Math.sign((b[0] - a[0]) * (point[1] - a[1]) - (point[0] - a[0]) * (b[1] - a[1]))
}

function isBetween(a: Point, b: Point, point: Point): boolean {
  return (
    point[0] >= Math.min(a[0], b[0]) &&
    point[0] <= Math.max(a[0], b[0]) &&
    point[1] >= Math.min(a[1], b[1]) &&
    point[1] <= Math.max(a[1], b[1])
  )
}

/** Returns the squared distance from a point to a segment, in the unit of both. */
export function squaredToSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length
  const share = Math.min(1, Math.max(0, along))
  const [ex, ey] = [x - (ax + share * dx), y - (ay + share * dy)]
  return ex * ex + ey * ey
}
