/** Finds polygons that overlap, and holes that nothing fills, by points well inside polygons. */
import { boundsOfRing, type Drawing, listRings, type RingPlace } from '../../geo/drawing.ts'
import { EDGE_DEGREES } from '../../geo/shape.ts'
import type { Box, Point } from '../../geo/sphere.ts'
import { cornersHold, sideOfRing } from '../../geo/text-holds.ts'

/** Side of a cell, in degrees: some 200 metres. */
const CELL = 0.002

/** Corners of a polygon between which and its middle a point is kept. */
const CORNERS = 4

/** Polygons of which points are kept. */
const POLYGONS_MAX = 200_000
/** Polygons that are compared with the points of others: an even sample, at least half as many. */
const COMPARED_MAX = 20_000

/** Numbers for corners that are allocated at once. */
const KEPT_AT_ONCE = 65_536

type Compared = { owner: number; drawing: Drawing }

/** Holds points of many polygons by cell: some 200 bytes a polygon, more of one to compare. */
export class Fabric {
  /** Four numbers of each point: x, y, owner, and one that is equal for equal polygons. */
  #points = new Float64Array(4096)
  #count = 0
  /** The newest point of each cell, and of each point the one before it in its cell, or -1. */
  readonly #newest = new Map<number, number>()
  readonly #before: number[] = []
  #polygons = 0
  #step = 1
  #compared: Compared[] = []
  /** Corners of many polygons of the sample, and how much of it is used. */
  #kept = new Float64Array(0)
  #used = 0

  /** `owner`: a number of the parcel. */
  add(owner: number, drawing: Drawing): void {
    if (this.#polygons === POLYGONS_MAX) return
    const alike = numberOf(drawing)
    const points = pointsInside(drawing)
    for (let at = 0; at < points.length; at += 2) {
      this.#addPoint(points[at] as number, points[at + 1] as number, owner, alike)
    }
    if (this.#polygons % this.#step === 0) this.#keep(owner, drawing)
    this.#polygons += 1
    if (this.#compared.length <= COMPARED_MAX) return
    this.#step *= 2
    this.#compared = this.#compared.filter((_, at) => at % 2 === 0)
  }

  #addPoint(x: number, y: number, owner: number, alike: number): void {
    const at = this.#count * 4
    if (at === this.#points.length) this.#grow()
    this.#points[at] = x
    this.#points[at + 1] = y
    this.#points[at + 2] = owner
    this.#points[at + 3] = alike
    const key = keyOf(Math.floor(x / CELL), Math.floor(y / CELL))
    this.#before.push(this.#newest.get(key) ?? -1)
    this.#newest.set(key, this.#count)
    this.#count += 1
  }

  #keep(owner: number, drawing: Drawing): void {
    const { values, ringEnds, polygonEnds } = drawing
    const size = ringEnds.at(-1) as number
    if (this.#used + size > this.#kept.length) {
      this.#kept = new Float64Array(Math.max(KEPT_AT_ONCE, size))
      this.#used = 0
    }
    const own = this.#kept.subarray(this.#used, this.#used + size)
    own.set(values.subarray(0, size))
    this.#used += size
    const ends = { ringEnds: [...ringEnds], polygonEnds: [...polygonEnds] }
    this.#compared.push({ owner, drawing: { ...drawing, ...ends, values: own } })
  }

  /** Compares the sample with all polygons, when all were added. */
  *compare(): Generator<{ owner: number; overlaps: boolean; hasGap: boolean }> {
    for (const one of this.#compared) {
      yield { owner: one.owner, overlaps: this.#overlaps(one), hasGap: this.#hasGap(one) }
    }
  }

  /** Whether a point well inside another polygon is in this one. Equal polygons do not overlap. */
  #overlaps({ owner, drawing }: Compared): boolean {
    const alike = numberOf(drawing)
    return this.#hasNear(
      drawing.bounds,
      (point, other, number) => other !== owner && number !== alike && cornersHold(drawing, point),
    )
  }

  #hasGap({ owner, drawing }: Compared): boolean {
    const { values, ringEnds, polygonEnds } = drawing
    if (ringEnds.length === polygonEnds.length) return false
    return listRings(drawing).some(
      (ring) =>
        ring.isHole &&
        !this.#hasNear(
          boundsOfRing(values, ring),
          (point, other) => other !== owner && sideOfRing(values, ring, ...point) !== 'outside',
        ),
    )
  }

  #hasNear(
    { west, south, east, north }: Box,
    holds: (point: Point, owner: number, alike: number) => boolean,
  ): boolean {
    const points = this.#points
    for (let x = Math.floor(west / CELL); x <= Math.floor(east / CELL); x += 1) {
      for (let y = Math.floor(south / CELL); y <= Math.floor(north / CELL); y += 1) {
        let at = this.#newest.get(keyOf(x, y)) ?? -1
        for (; at !== -1; at = this.#before[at] as number) {
          const [px, py] = [points[4 * at] as number, points[4 * at + 1] as number]
          if (px <= west || px >= east || py <= south || py >= north) continue
          if (holds([px, py], points[4 * at + 2] as number, points[4 * at + 3] as number)) {
            return true
          }
        }
      }
    }
    return false
  }

  #grow(): void {
    const wider = new Float64Array(this.#points.length * 2)
    wider.set(this.#points)
    this.#points = wider
  }
}

/** A small number. Far cells may share it: points are compared with a box too. */
function keyOf(x: number, y: number): number {
  return ((x & 0x7fff) << 16) | (y & 0xffff)
}

function numberOf({ bounds: { west, south, east, north }, areaSqMeters }: Drawing): number {
  return west + 3 * east + 7 * south + 11 * north + 100 * Math.abs(areaSqMeters)
}

/** The middle and points near some corners, as far as they are inside: x, y, x, y. */
function pointsInside(drawing: Drawing): number[] {
  const { values, polygonEnds } = drawing
  const found: number[] = []
  const rings = listRings(drawing)
  let first = 0
  for (const last of polygonEnds) {
    const outer = rings[first] as RingPlace
    const holes = rings.slice(first + 1, last)
    const points = chooseNear(values, outer)
    const areInside = holes.length === 0 && isAround(values, outer, points)
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at] as number, points[at + 1] as number]
      const isInside =
        areInside ||
        (sideOfRing(values, outer, x, y) === 'inside' &&
          holes.every((hole) => sideOfRing(values, hole, x, y) === 'outside'))
      if (isInside) found.push(x, y)
    }
    first = last
  }
  return found
}

/** Degrees from the middle to each edge, of which a fifth is well above `EDGE_DEGREES`. */
const AROUND_MIN = 10 * EDGE_DEGREES

/**
 * Reports whether the ring goes once around a point, always in the same direction and never nearer
 * than `AROUND_MIN`. It then sees all corners, and what lies between is inside.
 */
function isAround(values: Float64Array, { from, to }: RingPlace, point: number[]): boolean {
  const [x, y] = point as [number, number]
  let [turns, up] = [0, 0]
  let ax = (values[from] as number) - x
  let ay = (values[from + 1] as number) - y
  for (let at = from + 2; at < to; at += 2) {
    const bx = (values[at] as number) - x
    const by = (values[at + 1] as number) - y
    const cross = ax * by - ay * bx
    const [dx, dy] = [bx - ax, by - ay]
    const turn = Math.sign(cross)
    if (turns === 0) turns = turn
    if (turn !== turns || cross * cross < (dx * dx + dy * dy) * AROUND_MIN ** 2) return false
    // All edges that cross the line to the east go up in one direction.
    if (ay <= 0 && by > 0) up += 1
    ;[ax, ay] = [bx, by]
  }
  return up === 1
}

/** The middle first. */
function chooseNear(values: Float64Array, { from, to }: RingPlace): number[] {
  // The last corner of a ring is its first.
  const corners = (to - from) / 2 - 1
  if (corners < 3) return []
  let [sumX, sumY] = [0, 0]
  for (let at = from + 2; at < to; at += 2) {
    sumX += values[at] as number
    sumY += values[at + 1] as number
  }
  const [x, y] = [sumX / corners, sumY / corners]
  const step = 2 * Math.max(1, Math.floor(corners / CORNERS))
  const points = [x, y]
  for (let at = from + 2; at < to && points.length <= 2 * CORNERS; at += step) {
    const [cx, cy] = [values[at] as number, values[at + 1] as number]
    points.push(x + (cx - x) * 0.8, y + (cy - y) * 0.8)
  }
  return points
}
