/** Finds the points nearest to a center, with an index that only answers boxes. */
import { boxInUnits, UNITS_PER_DEGREE, type UnitBox } from '../base/model/geometry.ts'
import { boxesAround, milesFrom, type Point } from './sphere.ts'

/** A point in the index's units. */
export type IndexPoint = { id: number; x: number; y: number }

/** Reads the points in a box, at most `limit`, in no order. */
export type ReadBox<Hit extends IndexPoint> = (box: UnitBox, limit: number) => Promise<Hit[]>

/** A hit with its distance in whole millionths of a mile. */
type Near<Hit> = { hit: Hit; distanceMiles: number }

/** A position in the order of distances: the last hit returned. */
export type After = { distanceMiles: number; id: number }

/** First radius in miles: some ten parcels in a town, and a hundred at three times as much. */
const FIRST_MILES = 0.055
const FIRST_POINTS = 13
const FIRST_TIMES_MAX = 3

/** Most points of one read; a fuller box is read in quarters. */
const READ_MAX = 4000

/** Distances are ordered as shown: points that differ by less are ties. */
const PER_MILE = 1e6

/** Where points are searched; `after`: only those behind it in the order. */
type Circle = { center: Point; radiusMiles: number; after?: After | undefined }

/**
 * Returns the nearest points within `radiusMiles`, nearest first, ties by id; at most `limit` after
 * `after`. The circle grows until it has enough, so their density decides the cost.
 */
export async function findNearest<Hit extends IndexPoint>(
  read: ReadBox<Hit>,
  circle: Circle,
  limit: number,
): Promise<Near<Hit>[]> {
  const { center, radiusMiles, after } = circle
  const reachTo = (miles: number) => Math.min(radiusMiles, betweenTies(miles))
  const times = Math.min(FIRST_TIMES_MAX, Math.max(1, Math.sqrt(limit / FIRST_POINTS)))
  let reach = reachTo(Math.max(FIRST_MILES * times, 1.25 * (after?.distanceMiles ?? 0)))
  for (;;) {
    const found = await readCircle(read, center, reach, after)
    if (found.length >= limit || reach >= radiusMiles) {
      return found.sort(byDistance).slice(0, limit)
    }
    // Grows the area in proportion to the points missing, but the radius by at least half, so that
    // few attempts are needed.
    const growth = found.length === 0 ? 4 : Math.sqrt((1.5 * limit) / found.length)
    reach = reachTo(reach * Math.min(4, Math.max(1.5, growth)))
  }
}

/** Rounds a distance to whole millionths of a mile, as they are ordered and shown. */
export function roundMiles(miles: number): number {
  return Math.round(miles * PER_MILE) / PER_MILE
}

/** A radius between two distances, so that a circle contains all of several ties or none. */
function betweenTies(miles: number): number {
  return (Math.round(miles * PER_MILE) + 0.5) / PER_MILE
}

async function readCircle<Hit extends IndexPoint>(
  read: ReadBox<Hit>,
  center: Point,
  miles: number,
  after: After | undefined,
): Promise<Near<Hit>[]> {
  const near: Near<Hit>[] = []
  const milesTo = milesFrom(center)
  const waiting = boxesAround(center, miles).map(boxInUnits)
  for (let box = waiting.pop(); box !== undefined; box = waiting.pop()) {
    const hits = await readPart(read, box)
    if (hits === undefined) {
      waiting.push(...quarter(box))
      continue
    }
    for (const hit of hits) {
      const exactMiles = milesTo(hit.x / UNITS_PER_DEGREE, hit.y / UNITS_PER_DEGREE)
      if (exactMiles > miles) continue
      const distanceMiles = roundMiles(exactMiles)
      if (isAfter(distanceMiles, hit.id, after)) near.push({ hit, distanceMiles })
    }
  }
  return near
}

/** Reads all points of a box by limited reads: a box that is too full is read in quarters. */
export async function* readAll<Hit extends IndexPoint>(
  read: ReadBox<Hit>,
  box: UnitBox,
): AsyncGenerator<Hit[]> {
  const waiting = [box]
  for (;;) {
    const next = waiting.pop()
    if (next === undefined) return
    const hits = await readPart(read, next)
    if (hits === undefined) waiting.push(...quarter(next))
    else yield hits
  }
}

/** Returns the points of a box; `undefined` when it is too full and must be read in quarters. */
async function readPart<Hit extends IndexPoint>(
  read: ReadBox<Hit>,
  box: UnitBox,
): Promise<Hit[] | undefined> {
  const isPoint = box.west === box.east && box.south === box.north
  // Smaller boxes cannot separate points at the same place.
  const hits = await read(box, isPoint ? Number.MAX_SAFE_INTEGER : READ_MAX + 1)
  return isPoint || hits.length <= READ_MAX ? hits : undefined
}

/** Returns disjoint quarters. A box of one unit's width or height has only two. */
function quarter({ west, south, east, north }: UnitBox): UnitBox[] {
  const [x, y] = [Math.floor((west + east) / 2), Math.floor((south + north) / 2)]
  const columns = [
    { west, east: x },
    { west: x + 1, east },
  ].filter((column) => column.west <= column.east)
  const rows = [
    { south, north: y },
    { south: y + 1, north },
  ].filter((row) => row.south <= row.north)
  return columns.flatMap((column) => rows.map((row) => ({ ...column, ...row })))
}

function isAfter(distanceMiles: number, id: number, after: After | undefined): boolean {
  if (after === undefined) return true
  const last = roundMiles(after.distanceMiles)
  return distanceMiles > last || (distanceMiles === last && id > after.id)
}

function byDistance<Hit extends IndexPoint>(a: Near<Hit>, b: Near<Hit>): number {
  return a.distanceMiles - b.distanceMiles || a.hit.id - b.hit.id
}
