/** Points and polygons of parcels. Rings are `[x, y][]`, the first point again at the end. */
import { signedArea } from '../../geo/shape.ts'

/** A closed ring of points: longitude and latitude, or x and y of a projection. */
export type Ring = [number, number][]

/** Decimals of stored polygons: about a centimetre. */
const DECIMALS = 1e7

/**
 * The centroid of the largest ring, as the middle of several may lie in none; the middle of its
 * extent when it has no area or crosses itself. `null` without points.
 */
export function centroid(rings: Ring[]): [number, number] | null {
  let largest = rings[0]
  if (rings.length > 1) {
    let most = -1
    for (const ring of rings) {
      const area = Math.abs(signedArea(ring))
      if (area <= most) continue
      most = area
      largest = ring
    }
  }
  const origin = largest?.[0]
  if (largest === undefined || origin === undefined) return null
  const [ox, oy] = origin
  let area = 0
  let sumX = 0
  let sumY = 0
  for (let at = 1; at < largest.length; at += 1) {
    const [ax, ay] = largest[at - 1] as [number, number]
    const [bx, by] = largest[at] as [number, number]
    const cross = (ax - ox) * (by - oy) - (bx - ox) * (ay - oy)
    area += cross
    sumX += (ax + bx - 2 * ox) * cross
    sumY += (ay + by - 2 * oy) * cross
  }
  const { left, right, bottom, top } = extent(largest)
  const [x, y] = [ox + sumX / (3 * area), oy + sumY / (3 * area)]
  // The area of a self-crossing ring cancels out, and rounding leaves a line a tiny area. Dividing
  // by such an area nearly always gives a point outside the extent.
  const inside = x >= left && x <= right && y >= bottom && y <= top
  return inside ? [x, y] : middleOf(extent(rings.flat()))
}

type Extent = { left: number; right: number; bottom: number; top: number }

function extent(points: Ring): Extent {
  let [left, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let [right, top] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [x, y] of points) {
    if (x < left) left = x
    if (x > right) right = x
    if (y < bottom) bottom = y
    if (y > top) top = y
  }
  return { left, right, bottom, top }
}

function middleOf({ left, right, bottom, top }: Extent): [number, number] {
  return [(left + right) / 2, (bottom + top) / 2]
}

/** Rounds degrees to the precision that is stored. */
export function shorten(degrees: number): number {
  return Math.round(degrees * DECIMALS) / DECIMALS
}
