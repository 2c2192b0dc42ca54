/** Reports whether the text of a polygon contains a point, without building objects. */
import { type Corners, readPolygonText } from './polygon-text.ts'
import { EDGE_DEGREES, squaredToSegment } from './shape.ts'
import type { Point } from './sphere.ts'

/** Whether a point is in the polygon of a GeoJSON text, as `holdsPoint`; false for other texts. */
export function textHolds(geojson: string, point: Point): boolean {
  return cornersHold(readPolygonText(geojson), point)
}

/** Reports whether a point is in a polygon. Edges count as inside, also those of a hole. */
export function cornersHold({ values, ringEnds, polygonEnds }: Corners, [x, y]: Point): boolean {
  let ring = 0
  let from = 0
  for (const last of polygonEnds) {
    let inside = false
    for (const first = ring; ring < last; ring += 1) {
      const to = ringEnds[ring] as number
      const side = sideOfRing(values, { from, to }, x, y)
      if (side === 'edge') return true
      inside = ring === first ? side === 'inside' : inside && side === 'outside'
      from = to
    }
    if (inside) return true
  }
  return false
}

/** Counts the edges that a ray to the east crosses. A point within a stored unit is on an edge. */
export function sideOfRing(
  values: Float64Array,
  { from, to }: { from: number; to: number },
  x: number,
  y: number,
): 'edge' | 'inside' | 'outside' {
  let inside = false
  let bx = values[from] as number
  let by = values[from + 1] as number
  for (let at = from + 2; at < to; at += 2) {
    const [ax, ay] = [bx, by]
    bx = values[at] as number
    by = values[at + 1] as number
    // An edge all above, below or west of the point is neither crossed nor near.
    if (ay - y > EDGE_DEGREES && by - y > EDGE_DEGREES) continue
    if (y - ay > EDGE_DEGREES && y - by > EDGE_DEGREES) continue
    if (x - ax > EDGE_DEGREES && x - bx > EDGE_DEGREES) continue
    const isEast = ax - x > EDGE_DEGREES && bx - x > EDGE_DEGREES
    if (!isEast && squaredToSegment([x, y], [ax, ay], [bx, by]) <= EDGE_DEGREES * EDGE_DEGREES)
      return 'edge'
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside ? 'inside' : 'outside'
}
