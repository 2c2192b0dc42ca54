import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  areaSqMeters,
  boundsOf,
  holdsPoint,
  measureMeters,
  type Ring,
  readShape,
  type Shape,
} from './shape.ts'
import { metersPerDegree, type Point } from './sphere.ts'

const ORIGIN: Point = [-96.7, 40.8]
const SCALE = metersPerDegree(ORIGIN[1])

/** A point so many metres east and north of the origin. */
const at = (east: number, north: number): Point => [
  ORIGIN[0] + east / SCALE.x,
  ORIGIN[1] + north / SCALE.y,
]

function rectangle(west: number, south: number, width: number, height: number): Ring {
  const [east, north] = [west + width, south + height]
  return [at(west, south), at(east, south), at(east, north), at(west, north), at(west, south)]
}

const LOT: Shape = [[rectangle(0, 0, 20, 40)]]
const WITH_HOLE: Shape = [[rectangle(0, 0, 100, 100), rectangle(40, 40, 20, 20)]]

describe('holdsPoint', () => {
  test('a point inside is held, one outside is not', () => {
    assert.equal(holdsPoint(LOT, at(10, 20)), true)
    assert.equal(holdsPoint(LOT, at(21, 20)), false)
    assert.equal(holdsPoint(LOT, at(-1, 20)), false)
  })

  test('an edge and a corner count as inside', () => {
    assert.equal(holdsPoint(LOT, at(0, 20)), true)
    assert.equal(holdsPoint(LOT, at(20, 40)), true)
  })

  test('a hole is outside, its edge is not', () => {
    assert.equal(holdsPoint(WITH_HOLE, at(50, 50)), false)
    assert.equal(holdsPoint(WITH_HOLE, at(40, 50)), true)
    assert.equal(holdsPoint(WITH_HOLE, at(30, 50)), true)
  })

  test('points within a stored unit of a slanted edge are on it, others are not', () => {
    const slanted: Shape = [[[at(0, 0), at(100, 100), at(0, 100), at(0, 0)]]]
    for (const along of [0, 3, 50, 97, 100]) {
      assert.equal(holdsPoint(slanted, at(along + 0.002, along)), true, `${along}`)
      assert.equal(holdsPoint(slanted, at(along + 0.1, along)), false, `${along}`)
    }
    assert.equal(holdsPoint(slanted, at(50, 100.002)), true)
    assert.equal(holdsPoint(slanted, at(50, 100.1)), false)
  })

  test('every polygon of several counts', () => {
    const two: Shape = [...LOT, [rectangle(100, 0, 10, 10)]]
    assert.equal(holdsPoint(two, at(105, 5)), true)
    assert.equal(holdsPoint(two, at(60, 5)), false)
  })
})

describe('areaSqMeters', () => {
  test('of a lot is its width by its depth', () => {
    assert.ok(Math.abs(areaSqMeters(LOT) - 800) < 0.1)
  })

  test('leaves holes out', () => {
    assert.ok(Math.abs(areaSqMeters(WITH_HOLE) - 9600) < 0.1)
  })
})

describe('measureMeters', () => {
  test('neighbours that share an edge or a corner are 0 apart', () => {
    assert.equal(measureMeters(LOT, [[rectangle(20, 0, 20, 40)]], 10), 0)
    const corner = measureMeters(LOT, [[rectangle(20, 40, 20, 40)]], 10)
    assert.ok(corner !== undefined && corner < 0.001)
  })

  test('a shape inside the other is 0 apart', () => {
    assert.equal(measureMeters(LOT, [[rectangle(5, 5, 5, 5)]], 10), 0)
    assert.equal(measureMeters([[rectangle(5, 5, 5, 5)]], LOT, 10), 0)
  })

  test('a shape in a hole is as far as the edge of the hole', () => {
    const island: Shape = [[rectangle(45, 45, 10, 10)]]
    const meters = measureMeters(WITH_HOLE, island, 10)
    assert.ok(meters !== undefined && Math.abs(meters - 5) < 0.01)
  })

  test('a gap is measured, and beyond the limit undefined', () => {
    const across: Shape = [[rectangle(32, 0, 20, 40)]]
    const meters = measureMeters(LOT, across, 15)
    assert.ok(meters !== undefined && Math.abs(meters - 12) < 0.01)
    assert.equal(measureMeters(LOT, across, 11), undefined)
  })

  test('the distance of rectangles is that of their sides and corners, from either side', () => {
    const side = fc.integer({ min: 1, max: 60 })
    const place = fc.integer({ min: -150, max: 150 })
    fc.assert(
      fc.property(place, place, side, side, (west, south, width, height) => {
        const other: Shape = [[rectangle(west, south, width, height)]]
        const east = Math.max(0, west - 20, -(west + width))
        const north = Math.max(0, south - 40, -(south + height))
        const expected = Math.hypot(east, north)
        for (const meters of [measureMeters(LOT, other, 400), measureMeters(other, LOT, 400)]) {
          assert.ok(meters !== undefined && Math.abs(meters - expected) < 0.02)
        }
      }),
    )
  })
})

describe('readShape', () => {
  test('reads both kinds of polygon and nothing else', () => {
    const ring = LOT[0]?.[0]
    assert.deepEqual(readShape(JSON.stringify({ type: 'Polygon', coordinates: [ring] })), LOT)
    assert.deepEqual(readShape(JSON.stringify({ type: 'MultiPolygon', coordinates: LOT })), LOT)
    assert.equal(readShape('{"type":"Point","coordinates":[1,2]}'), undefined)
  })

  test('bounds are those of the outer rings, and none without points', () => {
    const [west, south] = at(0, 0)
    const [east, north] = at(20, 40)
    assert.deepEqual(boundsOf(LOT), { west, south, east, north })
    assert.equal(boundsOf([]), undefined)
  })
})
