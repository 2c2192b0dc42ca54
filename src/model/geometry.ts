/** Polygons of parcels. GeoJSON, in WGS84 degrees, longitude first. */
export type Geometry =
  | { type: 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] }
