/** Turns the rings of a shapefile or an Esri JSON answer into polygons with holes. */
import type { Geometry } from '../base/model/geometry.ts'
import { type Ring, ringHolds, ringMeets, signedArea } from './shape.ts'
import type { Point } from './sphere.ts'

/**
 * Groups rings into polygons.
 *
 * A clockwise ring is an outer one and the others are holes (ESRI Shapefile Technical Description,
 * 1998). Containment corrects that: a clockwise ring entirely inside an outer one is a hole, and
 * when no ring is clockwise, containment alone decides. A hole belongs to the smallest outer ring
 * that contains most of it. With several outer rings and inside none of them, it becomes a polygon.
 *
 * Rings of fewer than four points or without area are dropped. Outer rings are returned
 * counterclockwise and holes clockwise, as in RFC 7946. `null` when no ring is left.
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
type Sorted = { ring: Ring; at: number; saysHole: boolean }

/** Goes from the largest ring to the smallest, so that a ring's container is known before it. */
function nest(rings: readonly Ring[]): Coordinates[][] {
  const noneIsOuter = rings.every((ring) => signedArea(ring) > 0)
  const sorted = rings
    .map((ring, at): Sorted & { area: number } => {
      const area = signedArea(ring)
      return { ring, at, saysHole: area > 0 && !noneIsOuter, area: Math.abs(area) }
    })
    .sort((a, b) => b.area - a.area || Number(a.saysHole) - Number(b.saysHole) || a.at - b.at)
  const outers: { ring: Ring; at: number; rings: Coordinates[] }[] = []
  const holes: Ring[] = []
  const onlyOuter = sorted.filter(({ saysHole }) => !saysHole).length === 1
  for (const { ring, at, saysHole } of sorted) {
    const around = outers.findLast((outer) =>
      saysHole ? holdsMost(outer.ring, ring) : holdsAll(outer.ring, ring),
    )
    const inHole = !saysHole && holes.some((hole) => holdsMost(hole, ring))
    const parent = inHole ? undefined : (around ?? (saysHole && onlyOuter ? outers[0] : undefined))
    if (parent === undefined) {
      outers.push({ ring, at, rings: [wind(ring, true)] })
    } else {
      parent.rings.push(wind(ring, false))
      holes.push(ring)
    }
  }
  return outers.sort((a, b) => a.at - b.at).map((polygon) => polygon.rings)
}

/** Reports whether most corners of a ring are in another one; corners on its edge count. */
function holdsMost(larger: Ring, ring: Ring): boolean {
  const held = ring.filter((point) => ringHolds(larger, point) || ringMeets(larger, point)).length
  return held * 2 > ring.length
}

/** Reports whether a ring is entirely inside another one, without touching its edge. */
function holdsAll(larger: Ring, ring: Ring): boolean {
  return ring.every((point) => ringHolds(larger, point) && !ringMeets(larger, point))
}

function wind(ring: Ring, againstClock: boolean): Coordinates {
  const points = ring.map(([x, y]: Point): [number, number] => [x, y])
  return signedArea(ring) > 0 === againstClock ? points : points.reverse()
}
