/** Rings as a file lists them become polygons with holes. */
import type { Geometry } from '../model/parcel.ts'
import { type Ring, ringHolds, signedArea } from './shape.ts'
import type { Point } from './sphere.ts'

/**
 * Orders rings into polygons: a ring that an even number of others hold is an outer one, else a hole.
 *
 * Containment decides and not the way a ring runs: files get the winding wrong more often than the drawing.
 * Rings of fewer than four points or without area are left out. Outer rings come out against the clock and
 * holes with it, as RFC 7946 asks. `null` when no ring is left.
 */
export function assemblePolygons(rings: readonly Ring[]): Geometry | null {
  const usable = rings.filter((ring) => ring.length >= 4 && signedArea(ring) !== 0)
  const [only] = usable
  if (only === undefined) return null
  if (usable.length === 1) return { type: 'Polygon', coordinates: [wind(only, true)] }
  const polygons = nest(usable)
  const [first] = polygons
  return polygons.length === 1 && first !== undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons }
}

type Coordinates = [number, number][]

/** Polygons of several rings; those of equal area hold each other in the order in which they stand. */
function nest(rings: readonly Ring[]): Coordinates[][] {
  const sorted = rings
    .map((ring, at) => ({ ring, at, area: Math.abs(signedArea(ring)) }))
    .sort((a, b) => b.area - a.area || a.at - b.at)
  const outers = new Map<Ring, { at: number; rings: Coordinates[] }>()
  const parents: { ring: Ring; isOuter: boolean }[] = []
  for (const { ring, at } of sorted) {
    // The smallest larger ring that holds this one is its parent; the list runs from large to small.
    const parent = parents.findLast((larger) => ringHoldsRing(larger.ring, ring))
    const isOuter = parent === undefined || !parent.isOuter
    parents.push({ ring, isOuter })
    if (isOuter) outers.set(ring, { at, rings: [wind(ring, true)] })
    else outers.get(parent.ring)?.rings.push(wind(ring, false))
  }
  return [...outers.values()].sort((a, b) => a.at - b.at).map((polygon) => polygon.rings)
}

/** Whether a ring lies in a larger one: most of its corners do, since a few may stand on the edge. */
function ringHoldsRing(larger: Ring, ring: Ring): boolean {
  const held = ring.filter((point) => ringHolds(larger, point)).length
  return held * 2 > ring.length
}

function wind(ring: Ring, againstClock: boolean): Coordinates {
  const points = ring.map(([x, y]: Point): [number, number] => [x, y])
  return signedArea(ring) > 0 === againstClock ? points : points.reverse()
}
