import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import {
  type Box,
  boxesAround,
  boxesMeet,
  EARTH_RADIUS_MILES,
  measureMiles,
  metersPerDegree,
  type Point,
} from './sphere.ts'

const RADIANS = Math.PI / 180

const anyPoint = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: 89, max: 90, noNaN: true }),
    fc.constantFrom(-90, 90, 0),
  ),
)

describe('measureMiles', () => {
  test('a degree of a meridian is the radius times its arc', () => {
    const expected = EARTH_RADIUS_MILES * RADIANS
    assert.ok(Math.abs(measureMiles([-96, 40], [-96, 41]) - expected) < 1e-6)
  })

  test('goes the short way over the antimeridian', () => {
    const across = measureMiles([179.99, 52], [-179.99, 52])
    assert.ok(Math.abs(across - measureMiles([0, 52], [0.02, 52])) < 1e-6)
  })

  test('antipodes are half the circumference apart', () => {
    assert.ok(Math.abs(measureMiles([0, 0], [180, 0]) - EARTH_RADIUS_MILES * Math.PI) < 1e-6)
  })

  test('is the same in both directions and never negative', () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, (a, b) => {
        const there = measureMiles(a, b)
        assert.ok(there >= 0)
        assert.ok(Math.abs(there - measureMiles(b, a)) < 1e-9)
      }),
    )
  })
})

describe('boxesAround', () => {
  const holds = (boxes: Box[], [x, y]: Point) =>
    boxes.some((box) => boxesMeet(box, { west: x, east: x, south: y, north: y }))

  test('holds every point of the circle, at the poles and over the antimeridian too', () => {
    const radius = fc.double({ min: 0.01, max: 10, noNaN: true })
    const bearing = fc.double({ min: 0, max: 360, noNaN: true })
    fc.assert(
      fc.property(anyPoint, radius, bearing, (center, miles, degrees) => {
        const point = travel(center, miles, degrees)
        assert.ok(holds(boxesAround(center, miles), point), `${center} ${miles} ${point}`)
      }),
      { numRuns: repetitions(250) },
    )
  })

  test('is not much larger than the circle away from the poles', () => {
    const [box] = boxesAround([-96.7, 40.8], 1)
    assert.ok(box !== undefined)
    assert.ok(measureMiles([-96.7, box.south], [-96.7, box.north]) < 2.001)
    assert.ok(measureMiles([box.west, 40.8], [box.east, 40.8]) < 2.001)
  })

  test('gives two boxes over the antimeridian', () => {
    assert.equal(boxesAround([179.999, 52], 2).length, 2)
    assert.equal(boxesAround([-179.999, 52], 2).length, 2)
  })

  test('gives all longitudes where the circle holds a pole', () => {
    const [box] = boxesAround([10, 89.999], 1)
    assert.deepEqual([box?.west, box?.east, box?.north], [-180, 180, 90])
  })
})

describe('metersPerDegree', () => {
  test('agrees with published lengths of a degree', () => {
    // Source: National Geospatial-Intelligence Agency, length of a degree at 0 and 45 degrees.
    const equator = metersPerDegree(0)
    assert.ok(Math.abs(equator.x - 111_319.5) < 0.1)
    assert.ok(Math.abs(equator.y - 110_574.3) < 0.1)
    const middle = metersPerDegree(45)
    assert.ok(Math.abs(middle.x - 78_846.8) < 0.1)
    assert.ok(Math.abs(middle.y - 111_131.8) < 0.1)
  })
})

/** The point at a distance and bearing, on the sphere. */
function travel([longitude, latitude]: Point, miles: number, bearing: number): Point {
  const angle = miles / EARTH_RADIUS_MILES
  const [lat, course] = [latitude * RADIANS, bearing * RADIANS]
  const sine = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(course)
  const end = Math.asin(Math.max(-1, Math.min(1, sine)))
  const turn = Math.atan2(
    Math.sin(course) * Math.sin(angle) * Math.cos(lat),
    Math.cos(angle) - Math.sin(lat) * sine,
  )
  const east = longitude + turn / RADIANS
  return [((((east + 180) % 360) + 360) % 360) - 180, end / RADIANS]
}
