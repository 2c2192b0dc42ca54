/** Lines of points as short texts. Source: Google's "Encoded Polyline Algorithm Format". */
import { type Ring, segmentsCross } from './shape.ts'
import type { Point } from './sphere.ts'

const PRECISION = 1e5

/**
 * Decodes a polyline of precision 5 as points, longitude first.
 *
 * `undefined` when the text is truncated, has an invalid character, or leaves ±90 and ±180 degrees.
 *
 * @example decodePolyline('_p~iF~ps|U_ulLnnqC') // [[-120.2, 38.5], [-120.95, 40.7]]
 */
export function decodePolyline(text: string): Point[] | undefined {
  const points: Point[] = []
  let at = 0
  let [latitude, longitude] = [0, 0]
  const readDelta = (): number | undefined => {
    let [value, shift] = [0, 0]
    for (;;) {
      const code = text.charCodeAt(at) - 63
      if (!(code >= 0 && code < 64) || shift > 30) return undefined
      at += 1
      value += (code & 31) * 2 ** shift
      shift += 5
      if (code < 32) break
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  while (at < text.length) {
    const [north, east] = [readDelta(), readDelta()]
    if (north === undefined || east === undefined) return undefined
    latitude += north
    longitude += east
    const point: Point = [longitude / PRECISION, latitude / PRECISION]
    if (Math.abs(point[1]) > 90 || Math.abs(point[0]) > 180) return undefined
    points.push(point)
  }
  return points
}

/** Closes a ring: repeats the first point at the end and drops repeated neighbours. */
export function closeRing(points: readonly Point[]): Ring {
  const ring = points.filter(([x, y], at) => {
    const before = points[at - 1]
    return before === undefined || before[0] !== x || before[1] !== y
  })
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined) return ring
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first]
}

/** Whether edges of a closed ring cross, or touch besides shared corners. Compares all pairs. */
export function crossesItself(ring: Ring): boolean {
  const edges = ring.length - 1
  for (let one = 0; one < edges; one += 1) {
    for (let other = one + 1; other < edges; other += 1) {
      const [a, b] = [ring[one] as Point, ring[one + 1] as Point]
      const [c, d] = [ring[other] as Point, ring[other + 1] as Point]
      const follows = other === one + 1
      const closes = one === 0 && other === edges - 1
      if (follows ? foldsBack(a, b, d) : closes ? foldsBack(c, d, b) : segmentsCross(a, b, c, d)) {
        return true
      }
    }
  }
  return false
}

/** Reports whether the edge from `b` to `c` runs back over the edge from `a` to `b`. */
function foldsBack(a: Point, b: Point, c: Point): boolean {
  const [ux, uy, vx, vy] = [a[0] - b[0], a[1] - b[1], c[0] - b[0], c[1] - b[1]]
  return ux * vy - uy * vx === 0 && ux * vx + uy * vy > 0
}
