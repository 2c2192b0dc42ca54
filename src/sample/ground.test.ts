import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_COLUMNS } from './columns.ts'
import { generateSample } from './generate.ts'
import type { GroundFeature } from './ground.ts'

type Point = readonly [lon: number, lat: number]

const ground: GroundFeature[] = []
const onGround = (feature: GroundFeature) => void ground.push(feature)
const ROWS = [...generateSample({ parcels: 4000, seed: 1, onGround })]
const read = (row: string[], column: string) => row[SAMPLE_COLUMNS.indexOf(column)] ?? ''
const namesOf = (layer: GroundFeature['layer']) =>
  ground.flatMap((one) => (one.layer === layer ? [one.name] : []))

test('each county has a lake, a creek, named parks and its cities', () => {
  const places = namesOf('places')
  for (const name of ['Heron Lake', 'Commons Park', 'Founders Square', 'Creekside Park']) {
    assert.equal(places.filter((one) => one === name).length, 4, name)
  }
  assert.deepEqual(namesOf('streams'), Array(4).fill('Heron Creek'))
  assert.ok(places.includes('Madison') && places.includes('Austin'))
})

test('each street of an address is drawn, with its name in small letters', () => {
  const streets = new Set(namesOf('roads').map((name) => name.toUpperCase()))
  const asked = ROWS.map((row) => read(row, 'address')).filter((line) => /^\d+ [A-Z]/.test(line))
  const missing = asked.filter((line) => !streets.has(line.replace(/^\d+ /, '')))
  assert.ok(asked.length > 2000)
  // Units in the line and fractions of a number are not the street's.
  assert.ok(missing.length < asked.length * 0.2, missing.slice(0, 5).join('; '))
})

test('no parcel lies in the lake or in a park', () => {
  const areas = ground.flatMap(({ layer, shape }) =>
    shape.type === 'polygons' && (layer === 'water' || layer === 'land')
      ? [shape.polygons[0]?.[0] ?? []]
      : [],
  )
  assert.ok(areas.length >= 16)
  for (const row of ROWS) {
    const [[a, , c]] = [JSON.parse(read(row, 'geometry')).coordinates[0] as Point[]]
    const [one, other] = [a as Point, c as Point]
    const middle: Point = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]
    const over = areas.filter((ring) => isInside(middle, ring))
    assert.equal(over.length, 0, read(row, 'parcelId'))
  }
})

function isInside([x, y]: Point, ring: readonly Point[]): boolean {
  let inside = false
  for (let at = 1; at < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [ring[at - 1], ring[at]] as [Point, Point]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
