/** The layers of a map tile, from stored records and counts. */
import { boxOfTile, type Tile } from '../../geo/tile.ts'
import type { TileFeature } from '../../geo/vector-tile.ts'
import { slotOf, splitFields } from '../../record/stored.ts'

/** A record of which a tile shows something: its polygon, its point, or both. */
export type TileRow = {
  leaves: string
  /** GeoJSON text of a polygon. */
  geometry: string | null
  /** Longitude and latitude, where the tile names the parcel. */
  point: readonly [longitude: number, latitude: number] | null
}

/** How many parcels stand in the square that a tile covers. */
export type TileCount = Tile & { parcels: number }

export type TileLayers = Record<'parcels' | 'labels' | 'density', TileFeature[]>

/** Begins the layers of a tile. */
export function emptyLayers(): TileLayers {
  return { parcels: [], labels: [], density: [] }
}

/**
 * Adds what records show. Parcels that share a polygon, such as units of a condominium, show it
 * once.
 */
export function addRows(layers: TileLayers, rows: readonly TileRow[], drawn: Set<string>): void {
  for (const { leaves, geometry, point } of rows) {
    const properties = propertiesOf(leaves)
    if (geometry !== null && !drawn.has(geometry)) {
      drawn.add(geometry)
      layers.parcels.push({ type: 'Feature', geometry: JSON.parse(geometry), properties })
    }
    if (point !== null) {
      const place = { type: 'Point' as const, coordinates: [...point] }
      layers.labels.push({ type: 'Feature', geometry: place, properties })
    }
  }
}

/** Adds a point in the middle of each square, with its count. */
export function addCounts(layers: TileLayers, counts: readonly TileCount[]): void {
  for (const { parcels, z, x, y } of counts) {
    const middle = boxOfTile({ z: z + 1, x: 2 * x + 1, y: 2 * y + 1 })
    layers.density.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [middle.west, middle.north] },
      properties: { parcels },
    })
  }
}

/** What a parcel says on a map. Owner names are not among it. */
function propertiesOf(leaves: string): TileFeature['properties'] {
  const texts = splitFields(leaves)
  const read = (slot: number) => (texts[slot] ? JSON.parse(texts[slot]) : undefined)
  const municipality = read(SLOTS.municipality)
  const fips = String(read(SLOTS.fips)).padStart(5, '0')
  const parts = [fips, ...(municipality === undefined ? [] : [municipality]), read(SLOTS.parcelId)]
  const [address, useCode] = [read(SLOTS.address), read(SLOTS.useCode)]
  const value = read(SLOTS.market) ?? read(SLOTS.assessed)
  return {
    propertyId: parts.join('-'),
    ...(address !== undefined && { address }),
    ...(useCode !== undefined && { useCode }),
    ...(value !== undefined && { value }),
  }
}

const SLOTS = {
  fips: slotOf('fips'),
  municipality: slotOf('municipality'),
  parcelId: slotOf('parcelId'),
  address: slotOf('address'),
  useCode: slotOf('propertyUseCode'),
  market: slotOf('totalMarketValue'),
  assessed: slotOf('totalAssessedValue'),
}
