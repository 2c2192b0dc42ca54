import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import { holdsPoint, type Ring, type Shape } from './shape.ts'
import type { Point } from './sphere.ts'
import { textHolds } from './text-holds.ts'

/** Few coordinates, so that points meet edges and corners, and rings each other. */
const corner = fc.tuple(
  fc.integer({ min: 0, max: 6 }).map((x) => x - 96.7),
  fc.integer({ min: 0, max: 6 }).map((y) => y + 40.8),
)
const ring = fc
  .array(corner, { minLength: 1, maxLength: 7 })
  .map((points): Ring => [...points, points[0] as Point])
const shape: fc.Arbitrary<Shape> = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
})

const textOf = (coordinates: Shape) =>
  coordinates.length === 1
    ? JSON.stringify({ type: 'Polygon', coordinates: coordinates[0] })
    : JSON.stringify({ type: 'MultiPolygon', coordinates })

const RUNS = repetitions(500)

test('the text of a polygon holds the points that its shape holds', () => {
  const nearby = fc.tuple(corner, fc.constantFrom(0, 0, 0.5, 5e-8, -5e-8, 3e-7))
  let held = 0
  fc.assert(
    fc.property(shape, nearby, (polygons, [[x, y], aside]) => {
      const point: Point = [x + aside, y]
      const expected = holdsPoint(polygons, point)
      assert.equal(textHolds(textOf(polygons), point), expected)
      if (expected) held += 1
    }),
    { numRuns: RUNS },
  )
  assert.ok(held > RUNS / 10 && held < (9 * RUNS) / 10, `${held} of ${RUNS} were held`)
})

test('a text that is not a polygon holds nothing', () => {
  assert.equal(textHolds('{"type":"Point","coordinates":[0,0]}', [0, 0]), false)
})
