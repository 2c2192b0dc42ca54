/** Places of parcels in both stores: the questions, and the stored values. */
import type { DegreeBox } from '../base/model/coverage.ts'
import { boxInUnits, UNITS_PER_DEGREE, type UnitBox } from '../base/model/geometry.ts'
import type { FilterValues } from './columns.ts'

/** Filters of a search by place: those of property search, with an optional state. */
export type PlaceFilter = FilterValues & { state?: string }

/** A parcel's point in ten-millionths of a degree. */
export type PointHit = { id: number; state: string; x: number; y: number }

/** A parcel whose polygon's bounds intersect the box. */
export type ShapeHit = { id: number; state: string }

/** What a map tile shows of a parcel. */
export type ShownParcel = {
  id: number
  /** In the form of `tileTextOf`. */
  text: string
  /** GeoJSON text of its polygon, if loaded. */
  geometry: string | null
}

/** A range of tiles at zoom 14, ends included; `2 ** shift` tiles in each direction form a cell. */
type CellRange = { x0: number; x1: number; y0: number; y1: number; shift: number }

/** Number of parcels in a cell. `x` and `y`: the cell's tile at zoom `14 - shift`. */
export type CellCount = { x: number; y: number; parcels: number }

/**
 * Shorter ways for a store in this process, where a second question costs no round trip. Absent in
 * remote stores, and in a reader that hides parcels. `Stored`: `StoredParcel`.
 */
export type NearbyReads<Stored> = {
  /** Ids of the parcels that `shapesIn` finds, from the index alone, in no order. */
  shapeIdsIn?: ((box: UnitBox, limit: number) => Promise<number[]>) | undefined
  /** Records of the parcels that `shapesIn` finds, in no order. */
  recordsOver?: ((box: UnitBox, limit: number) => Promise<Stored[]>) | undefined
}

export type PlaceReader = {
  /** Parcels whose point is in a box, at most `limit`, in no order. */
  pointsIn(filter: PlaceFilter, box: UnitBox, limit: number): Promise<PointHit[]>
  /**
   * Points in a box of parcels whose newest transfer has a price and is not before `sinceDay` (days
   * since 1970-01-01). At most `limit`, in no order.
   */
  salesIn(sinceDay: number, box: UnitBox, limit: number): Promise<PointHit[]>
  /** Parcels whose polygon's bounds intersect a box, at most `limit`, in no order. */
  shapesIn(box: UnitBox, limit: number): Promise<ShapeHit[]>
  /** What a map tile shows of parcels that exist, in order; no checksum is verified. */
  tileRows(state: string, ids: readonly number[]): Promise<ShownParcel[]>
  /** Numbers of points by cell, in no order; a cell of several states may come once for each. */
  countsIn(cells: CellRange): Promise<CellCount[]>
}

/** The place columns of `parcels`: point, and tile at zoom 14 as x * 16384 + y; `null`: unknown. */
export type Place = { x: number | null; y: number | null; cell: number | null }

/** Converts degrees to whole ten-millionths. */
export function toUnits(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE)
}

export function boxInDegrees({ west, south, east, north }: UnitBox): DegreeBox {
  const degrees = (units: number) => units / UNITS_PER_DEGREE
  return {
    ...{ west: degrees(west), south: degrees(south) },
    ...{ east: degrees(east), north: degrees(north) },
  }
}

/** Formats a box for PostgreSQL, upper right corner first. */
export function boxText({ west, south, east, north }: UnitBox): string {
  return `(${east},${north}),(${west},${south})`
}

/** Tiles of zoom 14 in each direction. */
const TILES_OF_14 = 2 ** 14

/** Returns the bounds of tiles at zoom 14. The outermost rows reach to the poles. */
export function boundsOfTiles({ x0, x1, y0, y1 }: Omit<CellRange, 'shift'>): DegreeBox {
  const longitude = (x: number) => (x / TILES_OF_14) * 360 - 180
  const latitude = (y: number) => {
    if (y <= 0) return 90
    if (y >= TILES_OF_14) return -90
    return (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / TILES_OF_14))) * 180) / Math.PI
  }
  return {
    ...{ west: longitude(x0), east: longitude(x1 + 1) },
    ...{ south: latitude(y1 + 1), north: latitude(y0) },
  }
}

/** Returns the bounds of a GeoJSON polygon; `null` when it has no points. */
export function boundsInUnits(geojson: string): UnitBox | null {
  const box = boundsOf((JSON.parse(geojson) as { coordinates?: unknown }).coordinates)
  return box === undefined ? null : boxInUnits(box)
}

/** The bounds of nested lists of points; `undefined` without a point. */
export function boundsOf(coordinates: unknown): DegreeBox | undefined {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  const walk = (list: unknown) => {
    if (!Array.isArray(list)) return
    const [x, y] = list
    if (typeof x !== 'number' || typeof y !== 'number') {
      for (const one of list) walk(one)
      return
    }
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.south = Math.min(box.south, y)
    box.north = Math.max(box.north, y)
  }
  walk(coordinates)
  return box.west > box.east ? undefined : box
}
