import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assemblePolygons } from './assemble.ts'
import { type Ring, signedArea } from './shape.ts'
import type { Point } from './sphere.ts'

function square(west: number, south: number, side: number): Ring {
  const [east, north] = [west + side, south + side]
  const corners: Point[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return corners
}

const flip = (ring: Ring): Ring => [...ring].reverse()

describe('assemblePolygons', () => {
  test('one ring is a polygon, whichever way it runs', () => {
    for (const ring of [square(0, 0, 4), flip(square(0, 0, 4))]) {
      const shape = assemblePolygons([ring])
      assert.equal(shape?.type, 'Polygon')
      assert.ok(signedArea(shape?.coordinates[0] as unknown as Ring) > 0)
    }
  })

  test('a ring in another one is a hole, also where both run the same way', () => {
    const shape = assemblePolygons([square(0, 0, 10), square(2, 2, 3)])
    assert.equal(shape?.type, 'Polygon')
    assert.equal(shape?.coordinates.length, 2)
    assert.ok(signedArea(shape?.coordinates[1] as unknown as Ring) < 0)
  })

  test('an island in a hole is a polygon of its own', () => {
    const shape = assemblePolygons([square(4, 4, 1), square(0, 0, 10), square(2, 2, 6)])
    assert.equal(shape?.type, 'MultiPolygon')
    const polygons = shape?.coordinates as unknown as Ring[][]
    assert.deepEqual(
      polygons.map((rings) => rings.length),
      [1, 2],
    )
  })

  test('with one outer ring, a counterclockwise ring is its hole, even if they only touch', () => {
    const shape = assemblePolygons([flip(square(0, 0, 10)), square(10, 2, 3)])
    assert.equal(shape?.type, 'Polygon')
    assert.equal(shape?.coordinates.length, 2)
  })

  test('two clockwise rings that share an edge are two polygons', () => {
    const shape = assemblePolygons([flip(square(0, 0, 10)), flip(square(10, 2, 3))])
    assert.equal(shape?.type, 'MultiPolygon')
  })

  test('adjacent rings are polygons in the order of the file', () => {
    const shape = assemblePolygons([square(20, 0, 1), square(0, 0, 10)])
    const polygons = shape?.coordinates as unknown as Ring[][]
    assert.deepEqual(
      polygons.map(([outer]) => outer?.[0]?.[0]),
      [20, 0],
    )
  })

  test('a hole that touches the edge from inside stays a hole', () => {
    const shape = assemblePolygons([flip(square(0, 0, 10)), square(0, 2, 3)])
    assert.equal(shape?.type, 'Polygon')
  })

  test('rings without area or of too few points are left out', () => {
    const line: Ring = [
      [20, 20],
      [21, 21],
      [22, 22],
      [20, 20],
    ]
    assert.equal(assemblePolygons([square(0, 0, 4), line])?.type, 'Polygon')
    assert.equal(assemblePolygons([line, [[1, 1]]]), null)
  })
})
