import assert from 'node:assert/strict'
import test from 'node:test'
import proj4 from 'proj4'
import { EXTENTS } from '../../import/geo/named-projection.ts'
import { projection } from '../../import/geo/projection.ts'
import { findProjection, statesAround } from './projections.ts'

/** Returns planar points around a place, by a PROJ definition. */
function around(longitude: number, latitude: number, definition: string): [number, number][] {
  const forward = proj4('WGS84', definition).forward
  return Array.from({ length: 20 }, (_, at) =>
    forward([longitude + (at % 5) * 0.01, latitude + Math.floor(at / 5) * 0.01]),
  )
}

const LONG_ISLAND =
  '+proj=lcc +lat_0=40.1666666666667 +lon_0=-74 +lat_1=41.0333333333333 ' +
  '+lat_2=40.6666666666667 +x_0=300000 +y_0=0 +ellps=GRS80 +units=us-ft'
const MERCATOR =
  '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs'

test('state plane feet are distinguished from neighbouring zones', () => {
  const points = around(-73.98, 40.72, LONG_ISLAND)
  assert.equal(findProjection(points, 'NY')?.epsg, 2263)
  assert.ok((findProjection(points, 'NY')?.certainty ?? 0) >= 0.6)
})

test('of several zones the one that puts the points into the county is taken', () => {
  const east =
    '+proj=tmerc +lat_0=38.8333333333333 +lon_0=-74.5 +k=0.9999 +x_0=150000 +y_0=0 ' +
    '+ellps=GRS80 +units=us-ft'
  const found = findProjection(around(-75, 42.6, east), 'NY', 36077)
  assert.equal(found?.epsg, 2260)
  assert.ok((found?.certainty ?? 0) >= 0.6)
  const elsewhere = findProjection(around(-75, 42.6, east), 'NY', 36103)
  assert.ok((elsewhere?.certainty ?? 1) < 0.6)
})

test('web Mercator is recognised, and impossible coordinates fit nothing', () => {
  assert.equal(findProjection(around(-96.7, 40.8, MERCATOR), 'NE')?.epsg, 3857)
  assert.equal(
    findProjection(
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
      'NE',
    ),
    undefined,
  )
})

test('a few stray points do not hide the projection', () => {
  const points: [number, number][] = [
    ...around(-73.98, 40.72, LONG_ISLAND).flatMap((p) => [p, p]),
    [12, 12],
  ]
  assert.equal(findProjection(points, 'NY')?.epsg, 2263)
})

test('every projection of the table can be used, and is at its place', () => {
  for (const { epsg, south, north, west, east } of EXTENTS) {
    assert.doesNotThrow(() => projection(epsg), String(epsg))
    assert.ok(south < north && west < east, String(epsg))
  }
})

test('degrees give the states that may contain them, the smallest first', () => {
  assert.deepEqual(statesAround([[-99.5, 41.5]]), ['NE'])
  assert.equal(statesAround([[-71.5, 41.7]])[0], 'RI')
})
