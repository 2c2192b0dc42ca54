/** Where parcels are, as both stores keep it: what is asked, and what is kept of a record. */
import { boundsOf, readShape } from '../geo/shape.ts'
import { type Box, UNITS_PER_DEGREE } from '../geo/sphere.ts'
import { tileAt } from '../geo/tile.ts'
import { FIELD, positionsOf, slotOf, splitParts } from '../record/stored.ts'

/** A box of whole numbers, ten millionths of a degree; all four sides belong to it. */
export type UnitBox = { west: number; south: number; east: number; north: number }

/** Filters of a search by place; all present ones hold. */
export type PlaceFilter = {
  state?: string
  fips?: number
  zip?: string
  useCode?: string
  residential?: boolean
  /** Days since 1970-01-01: the newest transfer is on or after it. */
  transferredFrom?: number
  /** Only parcels with a street number and name. */
  assignedOnly: boolean
}

/** A parcel's point, in ten millionths of a degree. */
export type PointHit = { id: number; state: string; x: number; y: number }

/** A parcel whose polygon's bounds meet the asked box. */
export type ShapeHit = { id: number; state: string }

/** What can be asked of places. Throws *unavailable* while the tables of an older store are still filled. */
export type PlaceReader = {
  /** Parcels whose point lies in a box, at most `limit` of them, in no order. */
  pointsIn(filter: PlaceFilter, box: UnitBox, limit: number): Promise<PointHit[]>
  /** Parcels whose polygon's bounds meet a box, at most `limit` of them, in no order. */
  shapesIn(box: UnitBox, limit: number): Promise<ShapeHit[]>
}

/** What `parcels` keeps of a place; `null`: the roll has no point. */
export type Place = { x: number | null; y: number | null; cell: number | null }

/** Zoom of the tiles by which points are counted, and how many of them lie beside each other. */
export const COUNTED_ZOOM = 14
export const COUNTED_SIDE = 2 ** COUNTED_ZOOM

/** The place of a point in degrees. */
export function placeOf(longitude: number | null, latitude: number | null): Place {
  if (longitude === null || latitude === null) return { x: null, y: null, cell: null }
  const tile = tileAt([longitude, latitude], COUNTED_ZOOM)
  return { x: toUnits(longitude), y: toUnits(latitude), cell: tile.x * COUNTED_SIDE + tile.y }
}

/** The place of a stored record. */
export function readPlace(fields: string): Place {
  const [longitude = null, latitude = null] = readPoint(fields)
  return placeOf(longitude, latitude)
}

/** Degrees as stored: whole ten millionths. */
export function toUnits(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE)
}

/** The units of a box of degrees; no point of the box is left out. */
export function boxInUnits({ west, south, east, north }: Box): UnitBox {
  return {
    west: Math.floor(west * UNITS_PER_DEGREE),
    south: Math.floor(south * UNITS_PER_DEGREE),
    east: Math.ceil(east * UNITS_PER_DEGREE),
    north: Math.ceil(north * UNITS_PER_DEGREE),
  }
}

/** A box as PostgreSQL writes it: upper right corner first. */
export function boxText({ west, south, east, north }: UnitBox): string {
  return `(${east},${north}),(${west},${south})`
}

const LONGITUDE = slotOf('longitude')
const LATITUDE = slotOf('latitude')

/** Records of one shape have their fields at the same places, and a roll has few shapes. */
const POSITIONS_MAX = 10_000
let positionsByShape = new Map<string, readonly number[]>()

function readPoint(fields: string): [number | undefined, number | undefined] {
  const shape = fields.slice(0, fields.indexOf(FIELD))
  let positions = positionsByShape.get(shape)
  if (positions === undefined) {
    if (positionsByShape.size >= POSITIONS_MAX) positionsByShape = new Map()
    positions = positionsOf(shape)
    positionsByShape.set(shape, positions)
  }
  const [x, y] = [positions[LONGITUDE] ?? -1, positions[LATITUDE] ?? -1]
  if (x === -1 || y === -1) return [undefined, undefined]
  const parts = splitParts(fields)
  return [Number(parts[x]), Number(parts[y])]
}

/** The bounds of a polygon's text; `null` when it has no points. */
export function boundsInUnits(geojson: string): UnitBox | null {
  const shape = readShape(geojson)
  const bounds = shape === undefined ? undefined : boundsOf(shape)
  return bounds === undefined ? null : boxInUnits(bounds)
}
