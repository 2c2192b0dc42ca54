import type { DegreeBox } from './coverage.ts'

/** Polygons of parcels. GeoJSON, in WGS84 degrees, longitude first. */
export type Geometry =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] }

/** Stored coordinates are whole numbers of this fraction of a degree: about a centimetre. */
export const UNITS_PER_DEGREE = 1e7

/** A box in whole ten-millionths of a degree; all four sides are included. */
export type UnitBox = { west: number; south: number; east: number; north: number }

/** Converts a box of degrees to units, rounding outward. */
export function boxInUnits({ west, south, east, north }: DegreeBox): UnitBox {
  return {
    west: Math.floor(west * UNITS_PER_DEGREE),
    south: Math.floor(south * UNITS_PER_DEGREE),
    east: Math.ceil(east * UNITS_PER_DEGREE),
    north: Math.ceil(north * UNITS_PER_DEGREE),
  }
}
