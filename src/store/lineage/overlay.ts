/**
 * The area that two polygons share, in exact arithmetic on rings in ten-millionths of a degree. A
 * polygon is the sum of the signed strips below its edges, so the area is a sum over pairs of
 * edges: common edges, holes and parts are no special cases. Areas are cut off at 2^-64.
 */
import { UNITS_PER_DEGREE } from '../../base/model/geometry.ts'

/** Ten-millionths of a degree. */
type Point = readonly [number, number]

/** An edge from west to east; `sign` 1: the polygon is below it, -1: above. */
type Edge = { x0: number; y0: number; x1: number; y1: number; sign: bigint }

/** A polygon prepared for overlays. Bounds and area are in units and square units. */
export type Lot = {
  /** By `x0`. */
  edges: Edge[]
  west: number
  south: number
  east: number
  north: number
  area: number
}

/** Bits after the point of a sum of areas. */
const SHIFT = 64n

/** Reads a GeoJSON Polygon or MultiPolygon; `undefined` for another text, and without an area. */
export function readLot(geojson: string): Lot | undefined {
  const { type, coordinates } = JSON.parse(geojson) as { type?: string; coordinates?: unknown }
  const parts = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : []
  const edges: Edge[] = []
  for (const rings of parts as Point[][][]) {
    for (const [at, ring] of rings.entries()) {
      for (const edge of readEdges(ring, at > 0)) edges.push(edge)
    }
  }
  if (edges.length === 0) return undefined
  edges.sort((a, b) => a.x0 - b.x0)
  const ys = edges.flatMap(({ y0, y1 }) => [y0, y1])
  const lot: Lot = {
    edges,
    west: edges[0]?.x0 ?? 0,
    south: ys.reduce((a, b) => Math.min(a, b)),
    east: edges.reduce((a, { x1 }) => Math.max(a, x1), Number.NEGATIVE_INFINITY),
    north: ys.reduce((a, b) => Math.max(a, b)),
    area: 0,
  }
  lot.area = Number(twiceArea(edges)) / 2
  return lot.area > 0 ? lot : undefined
}

/** The edges of a ring, whichever way it runs; vertical ones bound no strip. */
function readEdges(ring: readonly Point[], isHole: boolean): Edge[] {
  const points = ring.map(
    ([x, y]): Point => [Math.round(x * UNITS_PER_DEGREE), Math.round(y * UNITS_PER_DEGREE)],
  )
  const edges: Edge[] = []
  for (let at = 0; at < points.length; at += 1) {
    const [x, y] = points[at] as Point
    const [nextX, nextY] = points[(at + 1) % points.length] as Point
    if (x < nextX) edges.push({ x0: x, y0: y, x1: nextX, y1: nextY, sign: 1n })
    else if (x > nextX) edges.push({ x0: nextX, y0: nextY, x1: x, y1: y, sign: -1n })
  }
  if (twiceArea(edges) >= 0n !== isHole) return edges
  return edges.map((edge) => ({ ...edge, sign: -edge.sign }))
}

function twiceArea(edges: readonly Edge[]): bigint {
  let sum = 0n
  for (const { x0, y0, x1, y1, sign } of edges) sum += sign * BigInt(x1 - x0) * BigInt(y0 + y1)
  return sum
}

/** The area that two lots share, in square units. */
export function sharedArea(one: Lot, other: Lot): number {
  const west = Math.max(one.west, other.west)
  const east = Math.min(one.east, other.east)
  if (west >= east || one.south >= other.north || other.south >= one.north) return 0
  const base = Math.min(one.south, other.south)
  const theirs = other.edges.filter(({ x0, x1 }) => x0 < east && x1 > west)
  // Strips below an edge have its denominator, so their numerators are added first.
  const below = theirs.map(() => 0n)
  let sum = 0n
  for (const edge of one.edges) {
    if (edge.x0 >= east) break
    if (edge.x1 <= west) continue
    let own = 0n
    for (let at = 0; at < theirs.length; at += 1) {
      const their = theirs[at] as Edge
      if (their.x0 >= edge.x1) break
      if (their.x1 <= edge.x0) continue
      const sign = edge.sign * their.sign
      const met = compareEdges(edge, their)
      if (met.above) below[at] = (below[at] as bigint) + sign * stripBelow(their, edge, base)
      else own += sign * stripBelow(edge, their, base)
      if (met.corner !== 0n) sum -= sign * met.corner
    }
    if (own !== 0n) sum += (own << SHIFT) / runOf(edge)
  }
  theirs.forEach((their, at) => {
    if (below[at] !== 0n) sum += ((below[at] as bigint) << SHIFT) / runOf(their)
  })
  return Number(sum >> 1n) / 2 ** Number(SHIFT)
}

function runOf({ x0, x1 }: Edge): bigint {
  return BigInt(x1 - x0)
}

/** Twice the area below an edge and above `base` over the longitudes of both, times its run. */
function stripBelow(edge: Edge, other: Edge, base: number): bigint {
  const [from, to] = [Math.max(edge.x0, other.x0), Math.min(edge.x1, other.x1)]
  const rise = BigInt(edge.y1 - edge.y0)
  const level = 2n * BigInt(edge.y0 - base) * runOf(edge)
  return BigInt(to - from) * (level + BigInt(from + to - 2 * edge.x0) * rise)
}

/**
 * Compares two edges over their common longitudes. `above`: the first is not below the second.
 * `corner`: where they cross, twice the first's area above the second, in units of 2^-64.
 */
function compareEdges(edge: Edge, other: Edge): { above: boolean; corner: bigint } {
  if (Math.max(edge.y0, edge.y1) <= Math.min(other.y0, other.y1)) return UNDER
  if (Math.min(edge.y0, edge.y1) >= Math.max(other.y0, other.y1)) return OVER
  const [from, to] = [Math.max(edge.x0, other.x0), Math.min(edge.x1, other.x1)]
  const [atFrom, atTo] = [heightOver(edge, other, from), heightOver(edge, other, to)]
  if (atFrom <= 0n && atTo <= 0n) return UNDER
  if (atFrom >= 0n && atTo >= 0n) return OVER
  const [up, down] = atFrom > 0n ? [atFrom, atTo] : [atTo, atFrom]
  const corner =
    ((up * up * BigInt(to - from)) << SHIFT) / ((up - down) * runOf(edge) * runOf(other))
  return { above: false, corner }
}

const UNDER = { above: false, corner: 0n }
const OVER = { above: true, corner: 0n }

/** How far an edge is above another one at a longitude, times the runs of both. */
function heightOver(edge: Edge, other: Edge, x: number): bigint {
  const at = ({ x0, y0, y1, ...own }: Edge) =>
    BigInt(y0) * runOf({ x0, y0, y1, ...own }) + BigInt(x - x0) * BigInt(y1 - y0)
  return at(edge) * runOf(other) - at(other) * runOf(edge)
}
