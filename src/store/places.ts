/** Where parcels are, as both stores keep it: what is asked, and what is kept of a record. */
import { UNITS_PER_DEGREE } from '../model/geometry.ts'
import type { FilterValues } from './columns.ts'

/** A box of whole numbers, ten millionths of a degree; all four sides belong to it. */
export type UnitBox = { west: number; south: number; east: number; north: number }

/**
 * Filters of a search by place: those of property search, and no state is required. All present
 * ones hold.
 */
export type PlaceFilter = FilterValues & { state?: string }

/** A parcel's point, in ten millionths of a degree. */
export type PointHit = { id: number; state: string; x: number; y: number }

/** A parcel whose polygon's bounds meet the asked box. */
export type ShapeHit = { id: number; state: string }

/** What a map tile shows of a parcel. */
export type ShownParcel = {
  id: number
  /** As `tileTextOf` writes it. */
  text: string
  /** GeoJSON text of its polygon, where one was loaded. */
  geometry: string | null
}

/**
 * A square of tiles of zoom 14, all four ends belonging to it; each `2 ** shift` times as many
 * tiles make one cell.
 */
type CellRange = { x0: number; x1: number; y0: number; y1: number; shift: number }

/** Parcels in a cell: `x` and `y` are those of the cell's tile at zoom `14 - shift`. */
export type CellCount = { x: number; y: number; parcels: number }

/**
 * What can be asked of places. Throws *unavailable* while the tables of an older store are still
 * filled.
 */
export type PlaceReader = {
  /** Parcels whose point lies in a box, at most `limit` of them, in no order. */
  pointsIn(filter: PlaceFilter, box: UnitBox, limit: number): Promise<PointHit[]>
  /**
   * Points of parcels in a box whose newest transfer has a price and is of a day or later, at most
   * `limit` of them, in no order. `sinceDay`: days since 1970-01-01.
   */
  salesIn(sinceDay: number, box: UnitBox, limit: number): Promise<PointHit[]>
  /** Parcels whose polygon's bounds meet a box, at most `limit` of them, in no order. */
  shapesIn(box: UnitBox, limit: number): Promise<ShapeHit[]>
  /**
   * What a map tile shows of parcels, in the order asked; ids without a parcel are left out. The
   * records' checksums are not read.
   */
  tileRows(state: string, ids: readonly number[]): Promise<ShownParcel[]>
  /** Numbers of points by cell, in no order. */
  countsIn(cells: CellRange): Promise<CellCount[]>
}

/**
 * What `parcels` keeps of a place: its point, and its tile of zoom 14 as x * 16384 + y; `null`:
 * unknown.
 */
export type Place = { x: number | null; y: number | null; cell: number | null }

/** Degrees as stored: whole ten millionths. */
export function toUnits(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE)
}

/** The units of a box of degrees; no point of the box is left out. */
export function boxInUnits({ west, south, east, north }: UnitBox): UnitBox {
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

/** The bounds of a GeoJSON polygon's text; `null` when it has no points. */
export function boundsInUnits(geojson: string): UnitBox | null {
  const { coordinates } = JSON.parse(geojson) as { coordinates?: unknown }
  const far = Number.POSITIVE_INFINITY
  const bounds = [far, far, -far, -far]
  extend(bounds, coordinates)
  const [west = 0, south = 0, east = 0, north = 0] = bounds
  return west > east ? null : boxInUnits({ west, south, east, north })
}

/** Goes down to the points, whatever the depth: a polygon's rings, or those of several. */
function extend(bounds: number[], coordinates: unknown): void {
  if (!Array.isArray(coordinates)) return
  const [x, y] = coordinates as unknown[]
  if (typeof x !== 'number' || typeof y !== 'number') {
    for (const inner of coordinates) extend(bounds, inner)
    return
  }
  bounds[0] = Math.min(bounds[0] as number, x)
  bounds[1] = Math.min(bounds[1] as number, y)
  bounds[2] = Math.max(bounds[2] as number, x)
  bounds[3] = Math.max(bounds[3] as number, y)
}

/** Reads the place of a stored record: `StoredParcel.leaves`. */
export type ReadPlace = (leaves: string) => Place

/** Gives parcels that were loaded by a version without places theirs, a slice at a time. */
export type PlaceFiller = {
  /** Whether every parcel has its place. */
  isDone(): Promise<boolean>
  /**
   * Fills some 2,000 parcels in one transaction; `false`: none was left. Several processes may fill
   * at once. Throws what the store throws; then the slice has not happened.
   */
  fillSlice(readPlace: ReadPlace): Promise<boolean>
  close(): Promise<void>
}
