/** Writes a Mapbox vector tile of layers that hold points or polygons. */
import { geoJSONToTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Geometry } from '../model/geometry.ts'
import type { Tile } from './tile.ts'

/** A feature of a layer: GeoJSON in WGS 84 degrees. */
export type TileFeature = {
  type: 'Feature'
  geometry: Geometry | { type: 'Point'; coordinates: number[] }
  properties: Record<string, string | number>
}

/** Units of a tile's side. */
export const TILE_EXTENT = 4096

/** Units beyond a tile's edge that are kept, so that outlines do not show along it. */
export const TILE_BUFFER = 64

/**
 * The bytes of a tile, not compressed; layers without a feature are left out. `undefined`: no layer
 * has one.
 *
 * Polygons are clipped and simplified for the zoom. Source: Mapbox Vector Tile Specification 2.1.
 */
export function writeVectorTile(
  { z, x, y }: Tile,
  layers: Readonly<Record<string, TileFeature[]>>,
): Uint8Array | undefined {
  const options = { extent: TILE_EXTENT, buffer: TILE_BUFFER, clip: true, maxZoom: MAX_ZOOM }
  const written = Object.entries(layers).flatMap(([name, features]) => {
    if (features.length === 0) return []
    const tile = geoJSONToTile({ type: 'FeatureCollection', features }, z, x, y, options)
    return tile === null || tile.features.length === 0 ? [] : [[name, tile] as const]
  })
  if (written.length === 0) return undefined
  return fromGeojsonVt(Object.fromEntries(written), { version: 2, extent: TILE_EXTENT })
}

/** Shapes are not simplified at this zoom. */
const MAX_ZOOM = 18
