/** Finds the projection of planar coordinates by where it puts them. */
import type { DegreeBox } from '../../base/model/coverage.ts'
import { EXTENTS, type Extent, isIn } from '../../import/geo/named-projection.ts'
import { type Project, projection } from '../../import/geo/projection.ts'
import { isNearCounty } from '../../regions/county-outline.ts'

/** Number of points tested. */
const POINTS = 60
/**
 * Degrees that a point may lie outside an area: extents are rounded, and rolls have stray points.
 */
const MARGIN = 0.05

/** A projection that fits the points, with its certainty from 0 to 1. */
export type Found = { epsg: number; name: string; certainty: number; why: string }

/**
 * Finds the projection of the United States that puts nearly all points into its own area of use.
 * `state` (two letters) excludes those of other states; of the rest, those that put the points into
 * the county (`fips`) come first.
 *
 * If several fit, state plane zones come first, then the smallest area, because it was defined for
 * just such a place.
 */
export function findProjection(
  points: (readonly [number, number])[],
  state: string | undefined,
  fips?: number,
): Found | undefined {
  const step = Math.max(1, Math.floor(points.length / POINTS))
  const some = points.filter((_, at) => at % step === 0).slice(0, POINTS)
  if (some.length < 3) return undefined
  if (state !== undefined && isWithin(some, projection(3857), boxOf(state))) {
    return { epsg: 3857, name: 'web Mercator', certainty: 0.9, why: `the points lie in ${state}` }
  }
  const fitting = EXTENTS.filter(
    (extent) =>
      (state === undefined || extent.state === state || extent.state === '--') &&
      isWithin(some, projectionOf(extent.epsg), intersect(extent, state)),
  ).sort((a, b) => sizeOf(a) - sizeOf(b))
  const inCounty = fitting.filter(({ epsg }) => isInCounty(some, projectionOf(epsg), fips))
  const [first, ...others] = inCounty.length > 0 ? inCounty : fitting
  if (first === undefined) return undefined
  if (inCounty.length === 0 && fips !== undefined) {
    const why = `the points lie in ${state ?? 'its area'}, and outside the county`
    return { epsg: first.epsg, name: first.name, certainty: 0.5, why }
  }
  const rivals = others.filter((other) => farApart(first, other, some))
  const certainty = rivals.length === 0 ? (state === undefined ? 0.7 : 0.9) : 0.5
  const where = state === undefined ? 'its area' : state
  const also = rivals.slice(0, 3).map(({ epsg, name }) => `EPSG:${epsg} ${name}`)
  return {
    epsg: first.epsg,
    name: first.name,
    certainty,
    why:
      'the points lie in ' +
      `${where}${also.length === 0 ? '' : `, as they do in ${also.join(', ')}`}`,
  }
}

const cache = new Map<number, Project>()

const projectionOf = (epsg: number) => cache.getOrInsertComputed(epsg, projection)

function isWithin(
  points: (readonly [number, number])[],
  project: Project,
  box: DegreeBox,
): boolean {
  const inside = points.filter(([x, y]) => isIn(box, project(x, y), MARGIN))
  return inside.length >= points.length * 0.95
}

/** A county without an outline, or none, holds every point. */
function isInCounty(points: (readonly [number, number])[], project: Project, fips?: number) {
  if (fips === undefined) return true
  const outside = points.filter(([x, y]) => {
    const point = project(x, y)
    return point === null || isNearCounty(fips, [point[0], point[1]]) === false
  })
  return outside.length <= points.length * 0.2
}

/** Reports whether two projections put a point more than about a kilometre apart. */
function farApart(a: Extent, b: Extent, points: (readonly [number, number])[]): boolean {
  const [x, y] = points[0] ?? [0, 0]
  const [one, two] = [projectionOf(a.epsg)(x, y), projectionOf(b.epsg)(x, y)]
  if (one === null || two === null) return true
  return Math.abs(one[0] - two[0]) + Math.abs(one[1] - two[1]) > 0.01
}

/** Returns the box around the areas of all of a state's projections. */
function boxOf(state: string): DegreeBox {
  const own = EXTENTS.filter((extent) => extent.state === state)
  return {
    south: Math.min(...own.map(({ south }) => south)),
    west: Math.min(...own.map(({ west }) => west)),
    north: Math.max(...own.map(({ north }) => north)),
    east: Math.max(...own.map(({ east }) => east)),
  }
}

/** Returns states whose box contains all points, the smallest first. */
export function statesAround(points: (readonly [number, number])[]): string[] {
  const states = [...new Set(EXTENTS.map(({ state }) => state))].filter((state) => state !== '--')
  return states
    .map((state) => ({ state, box: boxOf(state) }))
    .filter(({ box }) => isWithin(points, (x, y) => [x, y], box))
    .sort((a, b) => sizeOf(a.box) - sizeOf(b.box))
    .map(({ state }) => state)
}

function intersect(extent: Extent, state: string | undefined): DegreeBox {
  if (state === undefined || extent.state === state) return extent
  const box = boxOf(state)
  return {
    south: Math.max(extent.south, box.south),
    west: Math.max(extent.west, box.west),
    north: Math.min(extent.north, box.north),
    east: Math.min(extent.east, box.east),
  }
}

const sizeOf = (box: DegreeBox) => (box.north - box.south) * (box.east - box.west)
