/** Reads the area of a shape search, and the circle of a property search. */
import { refuse } from '../../base/errors.ts'
import { closeRing, crossesItself, decodePolyline } from '../../geo/polyline.ts'
import { areaSqMeters, boundsOf, holdsPoint } from '../../geo/shape.ts'
import {
  type Box,
  boxesAround,
  EARTH_RADIUS_MILES,
  measureMiles,
  type Point,
  wrapBox,
} from '../../geo/sphere.ts'
import type { Values } from '../parameters.ts'
import { param } from '../shared-parameters.ts'
import { LATITUDE, LONGITUDE, roundTo } from './place-parameters.ts'

const SQ_MILES_MAX = 400

const SQ_METERS_PER_SQ_MILE = 2_589_988.110336
const RADIANS = Math.PI / 180

export type Area = {
  /** Boxes that contain it: one, or two when it crosses the antimeridian. */
  boxes: Box[]
  /** Reports whether a point of these boxes is in the area; its edge counts. */
  holds(point: Point): boolean
  areaSqMiles: number
}

export const SHAPE = {
  bbox: param.text,
  polygon: param.text,
} as const

type Asked = Values<typeof SHAPE>

/** Reads the box or polygon that a request must have. Throws *bad request*. */
export function needArea(asked: Asked): Area {
  const area = readArea(asked)
  if (area === undefined) throw refuse.badRequest('bbox or polygon is required')
  return area
}

/** Reads `bbox` or `polygon`; `undefined` for none. Throws *bad request* that names the fault. */
export function readArea(asked: Asked): Area | undefined {
  const { bbox, polygon } = asked
  if (bbox !== undefined && polygon !== undefined) {
    throw refuse.badRequest('bbox and polygon cannot be given together')
  }
  if (bbox === undefined && polygon === undefined) return undefined
  const area = bbox !== undefined ? readBox(bbox) : readPolygon(polygon ?? '')
  if (area.areaSqMiles > SQ_MILES_MAX) {
    const around =
      area.boxes.length > 1 ? '; bbox goes around the earth: its west is above its east' : ''
    throw refuse.badRequest(`The area must be ${SQ_MILES_MAX} square miles or less${around}`)
  }
  return { ...area, areaSqMiles: roundTo(area.areaSqMiles, 6) }
}

function readBox(text: string): Area {
  const texts = text.split(',').map((one) => one.trim())
  const isNumbers = texts.every((one) => /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(one))
  const [west = 0, south = 0, east = 0, north = 0] = texts.map(Number)
  if (!isNumbers || texts.length !== 4) {
    throw refuse.badRequest('bbox must be four numbers: west,south,east,north')
  }
  const isOnEarth = [west, east].every((one) => Math.abs(one) <= 180)
  if (!isOnEarth || [south, north].some((one) => Math.abs(one) > 90)) {
    throw refuse.badRequest('bbox must lie within -180,-90,180,90')
  }
  if (south > north) throw refuse.badRequest('bbox must have its south below its north')
  const boxes = wrapBox({ west, south, east, north })
  const width = boxes.reduce((sum, box) => sum + box.east - box.west, 0)
  const height = Math.sin(north * RADIANS) - Math.sin(south * RADIANS)
  return {
    boxes,
    holds: ([x, y]) => boxes.some((box) => isWithin(box, x, y)),
    areaSqMiles: EARTH_RADIUS_MILES ** 2 * width * RADIANS * height,
  }
}

function isWithin({ west, south, east, north }: Box, x: number, y: number): boolean {
  return x >= west && x <= east && y >= south && y <= north
}

function readPolygon(text: string): Area {
  const points = decodePolyline(text)
  if (points === undefined) {
    throw refuse.badRequest('polygon must be an encoded polyline of precision 5')
  }
  const ring = closeRing(points)
  const bounds = boundsOf([[ring]])
  if (ring.length < 4 || bounds === undefined) {
    throw refuse.badRequest('polygon must have at least three corners')
  }
  if (crossesItself(ring)) throw refuse.badRequest('polygon must not cross itself')
  const shape = [[ring]]
  return {
    boxes: [bounds],
    holds: (point) => holdsPoint(shape, point),
    areaSqMiles: areaSqMeters(shape) / SQ_METERS_PER_SQ_MILE,
  }
}

/** Default radius in miles. */
const RADIUS = 1

export const CIRCLE = {
  latitude: LATITUDE,
  longitude: LONGITUDE,
  radius: {
    type: 'number',
    minimum: 0,
    maximum: 50,
  },
} as const

export type Circle = Pick<Area, 'boxes' | 'holds'> & { center: Point; radiusMiles: number }

/** Reads the circle; `undefined` for none. Throws *bad request* when a part of it is missing. */
export function readCircle(asked: Values<typeof CIRCLE>): Circle | undefined {
  const { latitude, longitude, radius } = asked
  if (latitude === undefined && longitude === undefined && radius === undefined) return undefined
  if (latitude === undefined) throw refuse.badRequest('latitude is required for a circle')
  if (longitude === undefined) throw refuse.badRequest('longitude is required for a circle')
  const center: Point = [longitude, latitude]
  const radiusMiles = radius ?? RADIUS
  return {
    center,
    radiusMiles,
    boxes: boxesAround(center, radiusMiles),
    holds: (point) => measureMiles(center, point) <= radiusMiles,
  }
}
