import assert from 'node:assert/strict'
import test from 'node:test'
import { COUNTIES } from './counties.ts'
import { countyOutline, isNearCounty } from './county-outline.ts'

test('a point is in its county, near it, or outside', () => {
  for (const [fips, longitude, latitude, is] of [
    [31109, -96.7, 40.81, true], // Lincoln
    [31109, 96.7, 40.81, false], // without its minus
    [31109, -95.94, 41.26, false], // Omaha
    [31109, -96.9145, 40.8, true], // less than a kilometre west of the line
    [31109, -96.99, 40.8, false], // six kilometres
    [36061, -73.985, 40.75, true], // Manhattan
    [36061, -74.0445, 40.69, true], // Liberty Island
    [36061, -73.95, 40.6, false], // Brooklyn's south
    [21193, -83.2, 37.25, true], // Perry, Kentucky
    [21193, -82.2, 39.75, false], // Ohio
    [2016, 179.2, 51.4, true], // Aleutians beyond 180 degrees
    [51540, -78.48, 38.03, true], // Charlottesville, a city
    [51540, -78.7, 38.0, false], // the county around it
  ] as const) {
    assert.equal(isNearCounty(fips, [longitude, latitude]), is, `${fips} ${longitude} ${latitude}`)
  }
})

test('a county that the outlines do not have is not judged', () => {
  assert.equal(isNearCounty(9170, [-72.9, 41.3]), undefined)
  assert.equal(countyOutline(1), undefined)
})

test('every county but the former and the new ones has an outline of closed rings', () => {
  const lacking = COUNTIES.filter(({ fips }) => countyOutline(fips) === undefined)
  assert.ok(lacking.length < 25, lacking.map(({ fips }) => fips).join(' '))
  for (const { fips } of COUNTIES) {
    for (const ring of countyOutline(fips)?.flat() ?? []) assert.deepEqual(ring[0], ring.at(-1))
  }
})
