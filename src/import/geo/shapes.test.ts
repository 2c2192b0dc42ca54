import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { assemblePolygons } from '../../geo/assemble.ts'
import { projection } from './projection.ts'
import { centroid, type Ring } from './shapes.ts'

const square = (x: number, y: number, side: number): Ring => [
  [x, y],
  [x, y + side],
  [x + side, y + side],
  [x + side, y],
  [x, y],
]

test('the point of a shape is the centroid of its largest ring', () => {
  assert.deepEqual(centroid([square(0, 0, 2)]), [1, 1])
  assert.deepEqual(centroid([square(0, 0, 2), square(10, 10, 4)]), [12, 12])
  assert.equal(centroid([]), null)
})

test('a shape without area gives the middle of its extent, rounding or not', () => {
  const line: Ring = [
    [-10_771_590.58, 4_957_403.39],
    [-10_771_590.58, 4_957_250.51],
    [-10_771_743.45, 4_957_250.51],
    [-10_771_590.58, 4_957_250.51],
    [-10_771_590.58, 4_957_403.39],
  ]
  const [x = 0, y = 0] = centroid([line]) ?? []
  assert.ok(Math.abs(x - -10_771_667.015) < 1e-6 && Math.abs(y - 4_957_326.95) < 1e-6)
})

test('a sliver at the edge of an export has its centroid if that is inside', () => {
  const sliver: Ring = [
    [0, 0],
    [0, 4],
    [1e-9, 4],
    [0, 0],
  ]
  const [, y = 0] = centroid([sliver]) ?? []
  assert.ok(Math.abs(y - 8 / 3) < 1e-9)
})

test('the centroid moves with its shape and is inside a triangle', () => {
  const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true })
  const point = fc.tuple(coordinate, coordinate)
  fc.assert(
    fc.property(point, point, point, fc.integer({ min: -1e7, max: 1e7 }), (a, b, c, by) => {
      const area = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
      fc.pre(area > 1)
      const [x = 0, y = 0] = centroid([[a, b, c, a]]) ?? []
      assert.ok(Math.abs(x - (a[0] + b[0] + c[0]) / 3) < 1e-5)
      assert.ok(Math.abs(y - (a[1] + b[1] + c[1]) / 3) < 1e-5)
      const moved = centroid([[a, b, c, a].map(([px, py]) => [px + by, py + by])] as Ring[])
      assert.ok(Math.abs((moved?.[0] ?? 0) - by - x) < 1e-2)
    }),
  )
})

test('a hole belongs to the ring around it, and outer rings run against the clock', () => {
  const hole = square(21, 6, 1).reverse()
  const shape = assemblePolygons([square(5, 5, 10), square(20, 5, 10), hole])
  assert.equal(shape?.type, 'MultiPolygon')
  const polygons = shape?.coordinates as number[][][][]
  assert.deepEqual(
    polygons.map((polygon) => polygon.length),
    [1, 2],
  )
  assert.deepEqual(polygons[0]?.[0]?.slice(0, 3), [
    [5, 5],
    [15, 5],
    [15, 15],
  ])
})

test('state plane and web Mercator coordinates become degrees', () => {
  // The Massachusetts State House and the Empire State Building, by their published coordinates.
  for (const [epsg, x, y, lon, lat] of [
    [26986, 236_022, 900_952, -71.0638, 42.3582],
    [2263, 988_217, 211_969, -73.9857, 40.7485],
    [3857, -8_236_040, 4_975_312, -73.9857, 40.7485],
    // Earlier codes of the same system.
    [3785, -8_236_040, 4_975_312, -73.9857, 40.7485],
    [102_113, -8_236_040, 4_975_312, -73.9857, 40.7485],
    [900_913, -8_236_040, 4_975_312, -73.9857, 40.7485],
  ] as const) {
    const [gotLon = 0, gotLat = 0] = projection(epsg)(x, y) ?? []
    assert.ok(
      Math.abs(gotLon - lon) < 2e-3 && Math.abs(gotLat - lat) < 2e-3,
      `${epsg}: ${gotLon}, ${gotLat}`,
    )
  }
  assert.throws(() => projection(27700), /EPSG:27700 is not among the projections known here/)
})
