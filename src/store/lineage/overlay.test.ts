import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../test/repetitions.ts'
import { type Lot, readLot, sharedArea } from './overlay.ts'

type Ring = [number, number][]

/** A lot from rings in units; the first is the outer one. */
function lotOf(...rings: Ring[]): Lot {
  const coordinates = rings.map((ring) =>
    [...ring, ring[0] as [number, number]].map(([x, y]) => [x / 1e7, y / 1e7]),
  )
  const lot = readLot(JSON.stringify({ type: 'Polygon', coordinates }))
  assert.ok(lot)
  return lot
}

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
]

const CASES: [name: string, one: Lot, other: Lot, shared: number][] = [
  ['equal boxes', lotOf(box(0, 0, 10, 10)), lotOf(box(0, 0, 10, 10)), 100],
  ['a box within another', lotOf(box(0, 0, 10, 10)), lotOf(box(2, 3, 5, 7)), 12],
  ['overlapping boxes', lotOf(box(0, 0, 10, 10)), lotOf(box(5, 5, 15, 15)), 25],
  ['boxes with a common edge', lotOf(box(0, 0, 10, 10)), lotOf(box(10, 0, 20, 10)), 0],
  ['boxes with a common corner', lotOf(box(0, 0, 10, 10)), lotOf(box(10, 10, 20, 20)), 0],
  ['boxes apart', lotOf(box(0, 0, 10, 10)), lotOf(box(0, 11, 10, 20)), 0],
  ['a box in a hole', lotOf(box(0, 0, 10, 10), box(2, 2, 8, 8)), lotOf(box(3, 3, 7, 7)), 0],
  ['a box over a hole', lotOf(box(0, 0, 10, 10), box(2, 2, 8, 8)), lotOf(box(1, 1, 9, 9)), 28],
  [
    'a ring that runs the other way',
    lotOf(box(0, 0, 10, 10).reverse()),
    lotOf(box(5, 0, 9, 4)),
    16,
  ],
  [
    'a hole that runs the same way',
    lotOf(box(0, 0, 10, 10), box(2, 2, 8, 8).reverse()),
    lotOf(box(1, 1, 9, 9)),
    28,
  ],
  [
    'crossing triangles',
    lotOf([
      [0, 0],
      [8, 0],
      [0, 8],
    ]),
    lotOf([
      [0, 0],
      [8, 0],
      [8, 8],
    ]),
    16,
  ],
  [
    'a triangle across a third of a box',
    lotOf(box(0, 0, 3, 3)),
    lotOf([
      [0, 0],
      [3, 1],
      [0, 1],
    ]),
    1.5,
  ],
]

test('the shared area of two polygons', () => {
  for (const [name, one, other, shared] of CASES) {
    assert.equal(sharedArea(one, other), shared, name)
    assert.equal(sharedArea(other, one), shared, `${name}, the other way`)
  }
})

test('a part of several polygons is shared as a whole', () => {
  const coordinates = [box(0, 0, 4, 4), box(6, 0, 9, 4)].map((ring) => [
    [...ring, ring[0] as [number, number]].map(([x, y]) => [x / 1e7, y / 1e7]),
  ])
  const lot = readLot(JSON.stringify({ type: 'MultiPolygon', coordinates }))
  assert.ok(lot)
  assert.equal(lot.area, 28)
  assert.equal(sharedArea(lot, lotOf(box(3, 1, 7, 3))), 4)
})

test('no polygon: another type, no coordinates, no area', () => {
  const none = [
    { type: 'Point', coordinates: [1, 2] },
    { type: 'Polygon', coordinates: [] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    {},
  ]
  for (const one of none) assert.equal(readLot(JSON.stringify(one)), undefined)
})

const point = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }))
const star = fc
  .tuple(point, fc.array(fc.integer({ min: 5, max: 120 }), { minLength: 3, maxLength: 12 }))
  .map(
    ([[x, y], radii]): Ring =>
      radii.map((radius, at) => {
        const angle = (2 * Math.PI * at) / radii.length
        return [
          Math.round(x + radius * Math.cos(angle)),
          Math.round(y + radius * Math.sin(angle)),
        ] as [number, number]
      }),
  )

test('parts of a cut polygon share with any other one what the whole shares', () => {
  fc.assert(
    fc.property(star, star, fc.integer({ min: 1, max: 399 }), (one, other, at) => {
      const [whole, lot] = [tryLot(one), tryLot(other)]
      if (whole === undefined || lot === undefined) return
      const [west, east] = [lotOf(box(-999, -999, at, 999)), lotOf(box(at, -999, 999, 999))]
      // Three polygons at once are compared by their strips, two at a time.
      const sum = sharedArea(whole, west) + sharedArea(whole, east)
      assert.ok(Math.abs(sum - whole.area) < 1e-9)
      assert.equal(sharedArea(whole, lot), sharedArea(lot, whole))
      assert.ok(sharedArea(whole, lot) <= Math.min(whole.area, lot.area) + 1e-9)
      assert.equal(sharedArea(whole, whole), whole.area)
    }),
    { numRuns: repetitions(30) },
  )
})

function tryLot(ring: Ring): Lot | undefined {
  const coordinates = [[...ring, ring[0] as [number, number]].map(([x, y]) => [x / 1e7, y / 1e7])]
  return readLot(JSON.stringify({ type: 'Polygon', coordinates }))
}

test('polygons that only touch share nothing, however oblique their common edge is', () => {
  fc.assert(
    fc.property(point, point, fc.integer({ min: 1, max: 50 }), (a, b, by) => {
      if (a[0] === b[0]) return
      const [left, right] = a[0] < b[0] ? [a, b] : [b, a]
      const above = lotOf([left, right, [right[0], 999], [left[0], 999]])
      const below = lotOf([left, right, [right[0], -by], [left[0], -by]])
      assert.equal(sharedArea(above, below), 0)
    }),
  )
})
