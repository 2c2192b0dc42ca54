import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import { UNITS_PER_DEGREE } from '../base/model/geometry.ts'
import { type After, findNearest, type IndexPoint, type ReadBox } from './nearest.ts'
import { measureMiles, type Point } from './sphere.ts'

const toDegrees = ({ x, y }: IndexPoint): Point => [x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE]

function indexOf(points: IndexPoint[]): ReadBox<IndexPoint> & { reads: number } {
  const read = async (
    box: { west: number; south: number; east: number; north: number },
    limit: number,
  ) => {
    read.reads += 1
    const inside = ({ x, y }: IndexPoint) =>
      x >= box.west && x <= box.east && y >= box.south && y <= box.north
    return points.filter(inside).slice(0, limit)
  }
  read.reads = 0
  return read
}

/** By looking at every point. */
function bruteForce(points: IndexPoint[], center: Point, radius: number): number[] {
  return points
    .map((hit) => ({ id: hit.id, miles: measureMiles(center, toDegrees(hit)) }))
    .filter(({ miles }) => miles <= radius)
    .map(({ id, miles }) => ({ id, miles: Math.round(miles * 1e6) / 1e6 }))
    .sort((a, b) => a.miles - b.miles || a.id - b.id)
    .map(({ id }) => id)
}

const centers = fc.oneof(
  fc.constant<Point>([-96.7, 40.8]),
  fc.constant<Point>([179.9999, 52]),
  fc.constant<Point>([-180, 51.99]),
  fc.constant<Point>([12, 89.995]),
  fc.constant<Point>([12, -89.999]),
)

/** Points around a center, some on each other, some beyond the antimeridian or the pole. */
const cloud = centers.chain((center) =>
  fc
    .array(fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -40, max: 40 })), {
      maxLength: 60,
    })
    .map((steps) => ({
      center,
      points: steps.map(([east, north], at): IndexPoint => {
        const longitude = center[0] + east / 900
        const latitude = Math.max(-90, Math.min(90, center[1] + north / 900))
        const around =
          longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        return {
          id: at + 1,
          x: Math.round(around * UNITS_PER_DEGREE),
          y: Math.round(latitude * UNITS_PER_DEGREE),
        }
      }),
    })),
)

describe('findNearest', () => {
  test('equals a comparison of every point, also at the antimeridian and the poles', async () => {
    const radius = fc.double({ min: 0.01, max: 3, noNaN: true })
    await fc.assert(
      fc.asyncProperty(cloud, radius, fc.integer({ min: 1, max: 70 }), async (at, miles, limit) => {
        const found = await findNearest(
          indexOf(at.points),
          { center: at.center, radiusMiles: miles },
          limit,
        )
        assert.deepEqual(
          found.map(({ hit }) => hit.id),
          bruteForce(at.points, at.center, miles).slice(0, limit),
        )
      }),
      { numRuns: repetitions(100) },
    )
  })

  test('pages after each other hold every point once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(cloud, fc.integer({ min: 1, max: 7 }), async ({ center, points }, size) => {
        const seen: number[] = []
        let after: After | undefined
        for (;;) {
          const page = await findNearest(indexOf(points), { center, radiusMiles: 2, after }, size)
          const last = page.at(-1)
          if (last === undefined) break
          seen.push(...page.map(({ hit }) => hit.id))
          after = { distanceMiles: last.distanceMiles, id: last.hit.id }
        }
        assert.deepEqual(seen, bruteForce(points, center, 2))
      }),
      { numRuns: repetitions(50) },
    )
  })

  test('points equally far on either side of the center are ordered by id', async () => {
    const center: Point = [-89.398, 43.0715]
    const points = [-25, 25, -15, 15, -5, 5].map((step, at) => ({
      id: 6 - at,
      x: Math.round((center[0] + step / 1e4) * UNITS_PER_DEGREE),
      y: 430_715_000,
    }))
    const found = await findNearest(indexOf(points), { center, radiusMiles: 1 }, 10)
    assert.deepEqual(
      found.map(({ hit }) => hit.id),
      [1, 2, 3, 4, 5, 6],
    )
  })

  test('thousands of points on one spot are all given', async () => {
    const points = Array.from({ length: 9001 }, (_, id) => ({ id, x: 10, y: 20 }))
    const found = await findNearest(
      indexOf(points),
      { center: [1e-6, 2e-6], radiusMiles: 1 },
      10_000,
    )
    assert.equal(found.length, 9001)
  })

  test('reads little where points are close, whatever the radius', async () => {
    const points = Array.from({ length: 400 }, (_, id) => ({
      id,
      x: (id % 20) * 3000,
      y: Math.floor(id / 20) * 3000,
    }))
    for (const [limit, most] of [
      [10, 2],
      [100, 1],
    ] as const) {
      const index = indexOf(points)
      const found = await findNearest(index, { center: [0.003, 0.003], radiusMiles: 2 }, limit)
      assert.equal(found.length, limit)
      assert.ok(index.reads <= most, `${index.reads} reads for ${limit}`)
    }
  })
})
