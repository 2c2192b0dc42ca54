import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listRings, readDrawing } from './drawing.ts'
import { areaSqMeters, boundsOf, type Ring, type Shape } from './shape.ts'
import type { Point } from './sphere.ts'

const corner = fc.tuple(
  fc.integer({ min: 0, max: 60 }).map((x) => (x - 967) / 10),
  fc.integer({ min: 0, max: 60 }).map((y) => (y + 408) / 10),
)
const ring = fc
  .array(corner, { minLength: 1, maxLength: 7 })
  .map((points): Ring => [...points, points[0] as Point])
const shape: fc.Arbitrary<Shape> = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
})

test('a drawing has the bounds, the area and the rings of its shape', () => {
  fc.assert(
    fc.property(shape, (coordinates) => {
      const drawing = readDrawing(JSON.stringify({ type: 'MultiPolygon', coordinates }))
      assert.ok(drawing)
      assert.deepEqual(drawing.bounds, boundsOf(coordinates))
      const area = areaSqMeters(coordinates)
      assert.ok(Math.abs(drawing.areaSqMeters - area) <= 1e-9 * Math.max(1, Math.abs(area)))
      const rings = listRings(drawing).map(({ from, to, isHole }) => [isHole, (to - from) / 2])
      const expected = coordinates.flatMap((one) => one.map((own, at) => [at > 0, own.length]))
      assert.deepEqual(rings, expected)
    }),
    { numRuns: 500 },
  )
})

test('a point and a text without a shape are no drawings', () => {
  assert.equal(readDrawing('{"type":"Point","coordinates":[-96.7,40.8]}'), undefined)
  assert.equal(readDrawing('{"type":"MultiPolygon","coordinates":[]}'), undefined)
  assert.equal(readDrawing('{}'), undefined)
})
