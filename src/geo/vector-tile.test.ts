import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { VectorTile } from '@mapbox/vector-tile'
import fc from 'fast-check'
import { PbfReader, PbfWriter } from 'pbf'
import { readPolygonText } from './polygon-text.ts'
import { boxOfTile, type Tile } from './tile.ts'
import { clipRing, doubleArea, type Ring, simplifyRing, turnRing } from './tile-rings.ts'
import { LayerWriter, TILE_BUFFER, TILE_EXTENT } from './vector-tile.ts'

const TILE: Tile = { z: 16, x: 16_496, y: 24_062 }
const BOX = boxOfTile(TILE)

/** Degrees of a place in the tile, 0 to 1 from its west and north. */
function at(x: number, y: number, box = BOX): [number, number] {
  return [box.west + x * (box.east - box.west), box.north + y * (box.south - box.north)]
}

function square(x: number, y: number, side: number, box = BOX): [number, number][] {
  return [
    at(x, y + side, box),
    at(x + side, y + side, box),
    at(x + side, y, box),
    at(x, y, box),
    at(x, y + side, box),
  ]
}

function draw(geometry: object, tile = TILE) {
  const layer = new LayerWriter('parcels', ['name', 'size'], tile)
  const text = JSON.stringify(geometry)
  layer.addPolygon(text, 0, text.length, ['A', 7])
  return readLayer(layer)
}

function readLayer(layer: LayerWriter) {
  const bytes = new PbfWriter()
  layer.writeInto(bytes)
  const found = Object.values(new VectorTile(new PbfReader(bytes.finish())).layers)[0]
  const features = Array.from({ length: found?.length ?? 0 }, (_, number) => found?.feature(number))
  return features.map((feature) => ({
    type: feature?.type,
    properties: { ...feature?.properties },
    rings: feature?.loadGeometry().map((ring) => ring.map(({ x, y }) => [x, y])) ?? [],
  }))
}

describe('a layer of a tile', () => {
  test('outer rings are turned clockwise on the screen, and holes counterclockwise', () => {
    const [outer, hole] = [square(0.25, 0.25, 0.5), square(0.375, 0.375, 0.125)]
    for (const coordinates of [
      [outer, hole],
      [outer.toReversed(), hole.toReversed()],
      [outer, hole.toReversed()],
    ]) {
      const [feature] = draw({ type: 'Polygon', coordinates })
      assert.equal(feature?.type, 3)
      assert.deepEqual(feature?.properties, { name: 'A', size: 7 })
      const areas = feature?.rings.map((ring) => doubleArea(ring.slice(0, -1).flat()))
      assert.deepEqual(areas, [2 * 2048 ** 2, -2 * 512 ** 2])
    }
  })

  test('shapes are clipped at the buffer, and omitted if completely outside', () => {
    const [feature] = draw({ type: 'Polygon', coordinates: [square(-1, -1, 3)] })
    const [low, high] = [-TILE_BUFFER, TILE_EXTENT + TILE_BUFFER]
    const corners = feature?.rings[0]?.map(([x, y]) => `${x} ${y}`) ?? []
    const wanted = [`${low} ${low}`, `${high} ${low}`, `${high} ${high}`, `${low} ${high}`]
    assert.deepEqual(new Set(corners), new Set(wanted))
    assert.deepEqual(draw({ type: 'Polygon', coordinates: [square(2, 2, 0.5)] }), [])
  })

  test('a polygon that is smaller than a unit is left out, with its holes', () => {
    const tiny = [square(0.5, 0.5, 0.00001), square(0.5, 0.5, 0.3)]
    assert.deepEqual(draw({ type: 'Polygon', coordinates: tiny }), [])
    const both = { type: 'MultiPolygon', coordinates: [tiny, [square(0.1, 0.1, 0.1)]] }
    assert.equal(draw(both)[0]?.rings.length, 1)
  })

  test('the parts of a multipolygon are all drawn', () => {
    const coordinates = [[square(0.1, 0.1, 0.2)], [square(0.5, 0.5, 0.2), square(0.55, 0.55, 0.1)]]
    assert.equal(draw({ type: 'MultiPolygon', coordinates })[0]?.rings.length, 3)
  })

  test('equal values are stored once, texts and numbers apart; empty ones are omitted', () => {
    const layer = new LayerWriter('labels', ['a', 'b'], TILE)
    for (const values of [
      ['7', 7],
      ['', 7],
      ['ÄB', undefined],
      ['7', 2 ** 40],
    ] as const) {
      layer.addPoint(...at(0.5, 0.5), values)
    }
    layer.addPoint(...at(3, 0.5), ['far', 1])
    const properties = readLayer(layer).map((feature) => feature.properties)
    assert.deepEqual(properties, [{ a: '7', b: 7 }, { b: 7 }, { a: 'ÄB' }, { a: '7', b: 2 ** 40 }])
  })

  test('any polygon is drawn within a unit of its place where nothing is simplified', () => {
    const tile = { ...TILE, z: 18, x: TILE.x * 4, y: TILE.y * 4 }
    const box = boxOfTile(tile)
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    const part = fc.double({ min: 0.01, max: 0.4, noNaN: true })
    fc.assert(
      fc.property(place, place, part, (x, y, side) => {
        const ring = square(x * 0.6, y * 0.6, side, box)
        const drawn = draw({ type: 'Polygon', coordinates: [ring] }, tile)[0]?.rings[0] ?? []
        const wanted = [x * 0.6, y * 0.6, x * 0.6 + side, y * 0.6 + side]
        const [xs, ys] = [drawn.map(([one = 0]) => one), drawn.map(([, one = 0]) => one)]
        const found = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
        found.forEach((unit, side) => {
          assert.ok(Math.abs(unit - (wanted[side] as number) * TILE_EXTENT) < 1.01)
        })
      }),
    )
  })
})

describe('the text of a polygon', () => {
  test('gives the numbers of JSON, with ring and polygon ends', () => {
    const number = fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((units) => units / 1e7),
    )
    const ring = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 9 })
    const polygon = fc.array(ring, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(polygon, { minLength: 1, maxLength: 3 }), (polygons) => {
        const text = JSON.stringify({ type: 'MultiPolygon', coordinates: polygons })
        const { values, ringEnds, polygonEnds } = readPolygonText(text)
        const numbers = polygons.flat(3)
        assert.equal(ringEnds.at(-1), numbers.length)
        numbers.forEach((one, place) => {
          assert.ok(Math.abs((values[place] as number) - one) <= 1e-13 * Math.abs(one))
        })
        let [corners, rings] = [0, 0]
        const ends = polygons.flat().map((one) => (corners += 2 * one.length))
        assert.deepEqual(ringEnds, ends)
        assert.deepEqual(
          polygonEnds,
          polygons.map((one) => (rings += one.length)),
        )
      }),
    )
    const { values, ringEnds } = readPolygonText('{"type":"Polygon","coordinates":[[[1,-2.5]]]}')
    assert.deepEqual([...values.subarray(0, ringEnds[0])], [1, -2.5])
    assert.deepEqual(readPolygonText('{"type":"Point"}').ringEnds, [])
  })
})

describe('rings', () => {
  const unit = fc.integer({ min: -9000, max: 9000 })
  const rings = fc
    .array(fc.tuple(unit, unit), { minLength: 3, maxLength: 12 })
    .map((corners): Ring => corners.flat())

  test('a clipped ring is inside, and one that was inside is unchanged', () => {
    fc.assert(
      fc.property(rings, (ring) => {
        const cut = clipRing(ring, -64, 4160)
        assert.ok(cut.every((one) => one >= -64 && one <= 4160))
        assert.deepEqual(clipRing(cut, -64, 4160), cut)
      }),
    )
  })

  test('a turned ring has the opposite area', () => {
    fc.assert(fc.property(rings, (ring) => doubleArea(turnRing(ring)) === -doubleArea(ring)))
  })

  test('corners near the line that remains are dropped, and no others', () => {
    const line: Ring = [0, 0, 100, 1, 200, -1, 300, 0, 300, 300, 150, 340, 0, 300]
    assert.deepEqual(simplifyRing(line, 2), [0, 0, 300, 0, 300, 300, 150, 340, 0, 300])
    assert.deepEqual(simplifyRing(line, 0), line)
  })
})
