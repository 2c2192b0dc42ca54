/** Polygons of parcels. GeoJSON, in WGS84 degrees, longitude first. */
export type Geometry =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] }

/** Stored coordinates are whole numbers of this fraction of a degree: about a centimetre. */
export const UNITS_PER_DEGREE = 1e7
