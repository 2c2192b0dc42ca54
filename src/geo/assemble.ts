/** Rings as a shapefile or an Esri JSON answer lists them become polygons with holes. */
import type { Geometry } from '../model/geometry.ts'
import { type Ring, ringHolds, ringMeets, signedArea } from './shape.ts'
import type { Point } from './sphere.ts'

/**
 * Orders rings into polygons.
 *
 * A clockwise ring is an outer one and the others are holes (ESRI Shapefile Technical Description,
 * 1998). Containment corrects that: a clockwise ring that lies wholly inside an outer one is a
 * hole, and where no ring runs clockwise all are ordered by containment alone. A hole belongs to
 * the smallest outer ring that holds most of it; beside several outer rings and inside none it is a
 * polygon of its own.
 *
 * Rings of fewer than four points or without area are left out. Outer rings come out against the
 * clock and holes with it, as RFC 7946 asks. `null` when no ring is left.
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

/** Goes from the largest ring to the smallest, so that what may hold a ring is known before it. */
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

/** Whether most corners of a ring lie in another one; corners on its edge count. */
function holdsMost(larger: Ring, ring: Ring): boolean {
  const held = ring.filter((point) => ringHolds(larger, point) || ringMeets(larger, point)).length
  return held * 2 > ring.length
}

/** Whether a ring lies wholly inside another one, without touching its edge. */
function holdsAll(larger: Ring, ring: Ring): boolean {
  return ring.every((point) => ringHolds(larger, point) && !ringMeets(larger, point))
}

function wind(ring: Ring, againstClock: boolean): Coordinates {
  const points = ring.map(([x, y]: Point): [number, number] => [x, y])
  return signedArea(ring) > 0 === againstClock ? points : points.reverse()
}
