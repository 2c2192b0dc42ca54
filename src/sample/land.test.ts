import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IS_LONG } from '../../test/repetitions.ts'
import { SAMPLE_COLUMNS } from './columns.ts'
import { generateSample } from './generate.ts'

type Point = [lon: number, lat: number]

const ROWS = [...generateSample({ parcels: IS_LONG ? 20_000 : 8000, seed: 1 })]
const read = (row: string[], column: string) => row[SAMPLE_COLUMNS.indexOf(column)] ?? ''
const ringOf = (row: string[]): Point[] => JSON.parse(read(row, 'geometry')).coordinates[0]
const RINGS = ROWS.map(ringOf)

test('each parcel has a closed ring that runs against the clock', () => {
  for (const ring of RINGS) {
    assert.equal(ring.length, 5)
    assert.deepEqual(ring[0], ring[4])
    assert.ok(areaOf(ring) > 0)
  }
})

test('no parcel overlaps another', () => {
  const cells = new Map<string, Point[][]>()
  const cellOf = ([lon, lat]: Point) => `${Math.floor(lon * 200)} ${Math.floor(lat * 200)}`
  for (const ring of RINGS) {
    for (const cell of new Set([...ring, middleOf(ring)].map(cellOf)))
      cells
        .set(cell, cells.get(cell) ?? [])
        .get(cell)
        ?.push(ring)
  }
  for (const ring of RINGS) {
    const middle = middleOf(ring)
    const over = (cells.get(cellOf(middle)) ?? []).filter((other) => isInside(middle, other))
    assert.equal(over.length, 1, String(middle))
  }
})

test('lots are adjacent: most have a corner in common with another of their block', () => {
  const corners = new Map<string, number>()
  for (const ring of RINGS) {
    for (const corner of ring.slice(1)) {
      corners.set(String(corner), (corners.get(String(corner)) ?? 0) + 1)
    }
  }
  const touching = RINGS.filter((ring) => ring.some((one) => (corners.get(String(one)) ?? 0) > 1))
  assert.ok(touching.length / RINGS.length > 0.98)
})

test('the recorded point is in the parcel, and its recorded area is that of its polygon', () => {
  for (const [at, row] of ROWS.entries()) {
    const ring = RINGS[at] as Point[]
    if (read(row, 'latitude') !== '') {
      const point: Point = [Number(read(row, 'longitude')), Number(read(row, 'latitude'))]
      assert.ok(isInside(point, ring), read(row, 'parcelId'))
    }
    const acres = Number(read(row, 'acres'))
    if (acres === 0) continue
    const drawn = acresOf(ring)
    assert.ok(Math.abs(acres - drawn) < 0.06 * drawn + 0.01, `${acres} and ${drawn}`)
  }
})

test('a county that is full goes on, its blocks over each other', {
  skip: IS_LONG ? false : 'npm run test:long draws 400,000 parcels',
}, () => {
  // More farm blocks than the county has squares for.
  const rows = generateSample({ parcels: 400_000, seed: 2 })
  let count = 0
  for (const row of rows) {
    count += 1
    if (count % 1000 === 0) assert.equal(ringOf(row).length, 5)
  }
  assert.equal(count, 400_000)
})

/** Twice the signed area in square degrees. */
function areaOf(ring: Point[]): number {
  const [[ox, oy]] = ring as [Point]
  let sum = 0
  for (let at = 1; at < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [ring[at - 1], ring[at]] as [Point, Point]
    sum += (ax - ox) * (by - oy) - (bx - ox) * (ay - oy)
  }
  return sum
}

function acresOf(ring: Point[]): number {
  const [, lat] = middleOf(ring)
  const squareMeters = (areaOf(ring) / 2) * 111_132 ** 2 * Math.cos((lat * Math.PI) / 180)
  return squareMeters / 4046.8564224
}

function middleOf(ring: Point[]): Point {
  const sum = (axis: 0 | 1) => ring.slice(1).reduce((total, point) => total + point[axis], 0)
  return [sum(0) / 4, sum(1) / 4]
}

function isInside([x, y]: Point, ring: Point[]): boolean {
  let inside = false
  for (let at = 1; at < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [ring[at - 1], ring[at]] as [Point, Point]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
