/** A polygon as flat numbers, for work on many polygons. */
import { type Corners, readPolygonText } from './polygon-text.ts'
import { type Box, metersPerDegree } from './sphere.ts'

/** `areaSqMeters`: without its holes. */
export type Drawing = Corners & { bounds: Box; areaSqMeters: number }

/** A ring in `values`, from its first number to the one before `to`. */
export type RingPlace = { from: number; to: number; isHole: boolean }

/** Reads polygons of GeoJSON, else `undefined`. Corners are valid until the next text is read. */
export function readDrawing(geojson: string): Drawing | undefined {
  const corners = readPolygonText(geojson)
  if (corners.ringEnds.length === 0) return undefined
  const { values, ringEnds, polygonEnds } = corners
  const far = Number.POSITIVE_INFINITY
  let [west, south, east, north] = [far, far, -far, -far]
  let area = 0
  for (const ring of listRings(corners)) {
    const box = boundsOfRing(values, ring)
    const { x, y } = metersPerDegree((box.south + box.north) / 2)
    const own = (Math.abs(twiceArea(values, ring)) / 2) * x * y
    area += ring.isHole ? -own : own
    if (ring.isHole) continue
    west = Math.min(west, box.west)
    south = Math.min(south, box.south)
    east = Math.max(east, box.east)
    north = Math.max(north, box.north)
  }
  return { values, ringEnds, polygonEnds, bounds: { west, south, east, north }, areaSqMeters: area }
}

/** Of each polygon the outer ring, then its holes. */
export function listRings({ ringEnds, polygonEnds }: Corners): RingPlace[] {
  let [from, first, polygon] = [0, 0, 0]
  return ringEnds.map((to, ring) => {
    while (ring >= (polygonEnds[polygon] as number)) {
      first = polygonEnds[polygon] as number
      polygon += 1
    }
    const place = { from, to, isHole: ring !== first }
    from = to
    return place
  })
}

export function boundsOfRing(values: ArrayLike<number>, { from, to }: RingPlace): Box {
  let [west, south] = [values[from] as number, values[from + 1] as number]
  let [east, north] = [west, south]
  for (let at = from + 2; at < to; at += 2) {
    const [x, y] = [values[at] as number, values[at + 1] as number]
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  return { west, south, east, north }
}

/** Counted from the first corner, where a small ring loses no digits. */
function twiceArea(values: Float64Array, { from, to }: RingPlace): number {
  const [ox, oy] = [values[from] as number, values[from + 1] as number]
  let area = 0
  for (let at = from + 2; at < to; at += 2) {
    const [ax, ay] = [values[at - 2] as number, values[at - 1] as number]
    area +=
      (ax - ox) * ((values[at + 1] as number) - oy) - ((values[at] as number) - ox) * (ay - oy)
  }
  return area
}
