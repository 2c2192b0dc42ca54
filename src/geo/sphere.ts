/** Distances on a sphere, and the boxes that hold a circle. All coordinates are WGS 84 degrees. */
import { UNITS_PER_DEGREE } from '../base/model/geometry.ts'

/** Longitude and latitude in degrees. */
export type Point = readonly [longitude: number, latitude: number]

/** A range of longitudes and latitudes in degrees; `west` is never east of `east`. */
export type Box = { west: number; south: number; east: number; north: number }

/** Mean radius of the earth, in miles. Great circles on it are within 0.6 % of the ellipsoid. */
export const EARTH_RADIUS_MILES = 3958.7613
/** Of latitude. */
export const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180

const RADIANS = Math.PI / 180

/** The great circle between two points, in miles (haversine, exact for short distances too). */
export function measureMiles(from: Point, [longitude, latitude]: Point): number {
  return milesFrom(from)(longitude, latitude)
}

/** Returns the function that measures the same from one point to many. */
export function milesFrom([lonA, latA]: Point): (longitude: number, latitude: number) => number {
  const cosine = Math.cos(latA * RADIANS)
  return (longitude, latitude) => {
    const halfLat = Math.sin(((latitude - latA) * RADIANS) / 2)
    const halfLon = Math.sin(((longitude - lonA) * RADIANS) / 2)
    const chord = halfLat * halfLat + cosine * Math.cos(latitude * RADIANS) * halfLon * halfLon
    return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)))
  }
}

/**
 * Returns boxes with every point within `radiusMiles`: two when the circle crosses the
 * antimeridian, all longitudes at a pole. They are wider by a stored unit, for rounding.
 */
export function boxesAround([longitude, latitude]: Point, radiusMiles: number): Box[] {
  const angle = radiusMiles / EARTH_RADIUS_MILES
  const margin = angle / RADIANS + 1 / UNITS_PER_DEGREE
  const south = Math.max(-90, latitude - margin)
  const north = Math.min(90, latitude + margin)
  if (south === -90 || north === 90) return [{ west: -180, south, east: 180, north }]
  const reach =
    Math.asin(Math.min(1, Math.sin(angle) / Math.cos(latitude * RADIANS))) / RADIANS +
    1 / UNITS_PER_DEGREE
  return splitAtAntimeridian({ west: longitude - reach, south, east: longitude + reach, north })
}

/** Splits a box whose longitudes exceed ±180 into boxes within them. */
export function splitAtAntimeridian(box: Box): Box[] {
  const { west, east } = box
  if (east - west >= 360) return [{ ...box, west: -180, east: 180 }]
  if (west < -180) return wrapBox({ ...box, west: west + 360 })
  return wrapBox(east > 180 ? { ...box, east: east - 360 } : box)
}

/** Returns a box as one, or as two when its west is above its east: it crosses the antimeridian. */
export function wrapBox(box: Box): Box[] {
  if (box.west <= box.east) return [box]
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ]
}

/** Returns the corners of a box as a closed ring. */
export function ringOf({ west, south, east, north }: Box): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

/** Reports whether two boxes share a point; touching counts. */
export function boxesMeet(a: Box, b: Box): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
}

/** What holds the points of a county; `null`: it has none. */
export type Bounds = [west: number, south: number, east: number, north: number]

export function meetsAny(bounds: Bounds | null, boxes: readonly Box[]): boolean {
  if (bounds === null) return false
  const [west, south, east, north] = bounds
  return boxes.some((box) => boxesMeet(box, { west, south, east, north }))
}

/** Returns the bounds around those of counties; `undefined` without any. */
export function unite(counties: readonly { bounds: Bounds | null }[]): Bounds | undefined {
  const all = counties.flatMap(({ bounds }) => (bounds === null ? [] : [bounds]))
  if (all.length === 0) return undefined
  const sides = (at: 0 | 1 | 2 | 3) => all.map((one) => one[at])
  return [
    ...([Math.min(...sides(0)), Math.min(...sides(1))] as const),
    ...([Math.max(...sides(2)), Math.max(...sides(3))] as const),
  ]
}

/** Metres of a degree of longitude and of latitude at a latitude, on WGS 84. */
export function metersPerDegree(latitude: number): { x: number; y: number } {
  const sine = Math.sin(latitude * RADIANS)
  const curve = 1 - ECCENTRICITY_SQUARED * sine * sine
  const primeVertical = EQUATOR_METERS / Math.sqrt(curve)
  const meridian = (EQUATOR_METERS * (1 - ECCENTRICITY_SQUARED)) / (curve * Math.sqrt(curve))
  return {
    x: primeVertical * Math.cos(latitude * RADIANS) * RADIANS,
    y: meridian * RADIANS,
  }
}

const EQUATOR_METERS = 6_378_137
const ECCENTRICITY_SQUARED = 0.00669437999014
