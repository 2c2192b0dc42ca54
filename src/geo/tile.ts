/** Tiles of the web Mercator scheme: `z` 0 to 22, `x` from the west, `y` from the north. */
import type { Box, Point } from './sphere.ts'

/** A tile of the Web Mercator grid: zoom, column and row. */
export type Tile = { z: number; x: number; y: number }

/** Web Mercator ends here. Source: EPSG:3857's square extent. */
const LATITUDE_MAX = 85.0511287798066

export function isTile({ z, x, y }: Tile): boolean {
  const side = 2 ** z
  return [z, x, y].every(Number.isInteger) && z >= 0 && x >= 0 && y >= 0 && x < side && y < side
}

/** The degrees that a tile covers, with a margin around it as a share of its side. */
export function boxOfTile({ z, x, y }: Tile, margin = 0): Box {
  const side = 2 ** z
  return {
    west: Math.max(-180, ((x - margin) / side) * 360 - 180),
    east: Math.min(180, ((x + 1 + margin) / side) * 360 - 180),
    north: latitudeAt((y - margin) / side),
    south: latitudeAt((y + 1 + margin) / side),
  }
}

/** Returns the tile of a point at a zoom; beyond the scheme's latitudes, the nearest. */
export function tileAt([longitude, latitude]: Point, z: number): Tile {
  const side = 2 ** z
  const bounded = Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude))
  const sine = Math.sin((bounded * Math.PI) / 180)
  const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  const limit = (value: number) => Math.min(side - 1, Math.max(0, Math.floor(value * side)))
  return { z, x: limit((longitude + 180) / 360), y: limit(down) }
}

function latitudeAt(down: number): number {
  const bounded = Math.max(0, Math.min(1, down))
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * bounded))) * 180) / Math.PI
}
