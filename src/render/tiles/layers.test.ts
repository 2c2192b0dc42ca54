import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { boxOfTile } from '../../geo/tile.ts'
import { joinRows, TileLayers, type TileRow } from './layers.ts'

const TILE = { z: 16, x: 16_496, y: 24_062 }
const BOX = boxOfTile(TILE)

/** A square lot, as GeoJSON text; `at`: from the tile's north-west corner, in tenths of it. */
function lot(at: number, type = 'Polygon'): string {
  const [west, north] = [
    BOX.west + (at / 10) * (BOX.east - BOX.west),
    BOX.north + (at / 10) * (BOX.south - BOX.north),
  ]
  const [east, south] = [west + 0.0002, north - 0.0002]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return JSON.stringify({ type, coordinates: type === 'Polygon' ? [ring] : [[ring]] })
}

function row(propertyId: string, address: string, geometry: string | null): TileRow {
  return { text: [propertyId, address, '110', '5000'].join('\u001f'), geometry, point: null }
}

function read(...parts: TileRow[][]) {
  const layers = new TileLayers(TILE)
  for (const rows of parts) layers.addRows(joinRows(rows))
  const bytes = layers.bytes()
  const tile = bytes === undefined ? undefined : new VectorTile(new PbfReader(bytes))
  const shown = (name: string) => {
    const layer = tile?.layers[name]
    const features = Array.from({ length: layer?.length ?? 0 }, (_, at) => layer?.feature(at))
    return features.map((feature) => ({ ...feature?.properties }))
  }
  return { parcels: shown('parcels'), labels: shown('labels') }
}

test('parcels that share a polygon show it once, over all parts of a tile', () => {
  const { parcels } = read(
    [row('1', '1 MAIN ST', lot(1)), row('2', '1 MAIN ST', lot(1)), row('3', '', lot(2))],
    [],
    [row('4', '3 MAIN ST', lot(1)), row('5', '3 MAIN ST', lot(2, 'MultiPolygon'))],
  )
  assert.deepEqual(
    parcels.map(({ propertyId }) => propertyId),
    ['1', '3', '5'],
  )
})

test('texts of a feature are whole, with any characters and of any length', () => {
  const addresses = [
    '',
    '9 CAÑON RD',
    '東 1',
    `1 ${'LONG '.repeat(60)}ST`,
    'x'.repeat(96),
    '9 CAÑON RD',
  ]
  const { parcels } = read(addresses.map((address, at) => row(`id-${at}-Ñ`, address, lot(at))))
  assert.deepEqual(
    parcels,
    addresses.map((address, at) => ({
      propertyId: `id-${at}-Ñ`,
      ...(address !== '' && { address }),
      useCode: '110',
      value: 5000,
    })),
  )
})

test('a parcel without a polygon is only named', () => {
  const units = (degrees: number) => Math.round(degrees * 1e7)
  const point = { x: units((BOX.west + BOX.east) / 2), y: units((BOX.north + BOX.south) / 2) }
  const { parcels, labels } = read([{ ...row('1', '1 MAIN ST', null), point }, row('2', '', null)])
  assert.deepEqual(parcels, [])
  assert.deepEqual(labels, [{ propertyId: '1', address: '1 MAIN ST', useCode: '110', value: 5000 }])
})
