/**
 * Places of the rolls beside the checkout, against GDAL: `ogr2ogr` reads the same files and turns
 * their coordinates, and every point is looked at. Without the rolls or gdal-bin these tests skip.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { boxInUnits } from '../../src/base/model/geometry.ts'
import { findNearest } from '../../src/geo/nearest.ts'
import { measureMiles, type Point } from '../../src/geo/sphere.ts'
import type { PointHit } from '../../src/store/places.ts'
import { importRoll, makeFolder, openLoaded, write } from './small-roll.ts'
import { readTable, writeTable } from './tables.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0
const skip = !existsSync(DATA)
  ? 'the folder of real rolls is not beside the checkout'
  : !hasOgr && 'ogr2ogr is not installed (Debian: gdal-bin)'

const PLACES = 20
const RADIUS_MILES = 2
/** Stored points are rounded to a millionth of a degree. */
const ROUNDING = 1e-6
const FEET_MAX = 1
const WIDE = { west: 0.004, north: 0.003 }

type Row = Record<string, string>
type Roll = {
  file: string
  mapping: string
  epsg: number
  /** The coordinates of a row; `undefined`: it has none, or is not a parcel. */
  point(row: Row): [x: string, y: string] | undefined
}

const ROLLS: Roll[] = [
  {
    file: 'pa-philadelphia-opa/opa_properties_public_sample.csv',
    mapping: 'pa-philadelphia-opa',
    epsg: 4326,
    point: ({ lng = '', lat = '' }) => (lng.trim() === '' ? undefined : [lng, lat]),
  },
  {
    file: 'ny-manhattan-pluto/MN.csv.zip',
    mapping: 'ny-pluto',
    epsg: 2263,
    point: ({ XCoord = '', YCoord = '' }) => (XCoord.trim() === '' ? undefined : [XCoord, YCoord]),
  },
  {
    file: 'ne-lancaster/lancaster_parcels.csv.gz',
    mapping: 'ne-lancaster',
    epsg: 4326,
    point: ({ LON = '', LAT = '' }) => (LON.trim() === '' ? undefined : [LON, LAT]),
  },
  {
    file: 'ma-easthampton-massgis/parcels_joined.csv',
    mapping: 'ma-massgis-l3',
    epsg: 26_986,
    point(row) {
      const isParcel = /^(FEE|TAX)$/.test(row.POLY_TYPE ?? '') || !/^(NA)?$/.test(row.OWNER1 ?? '')
      const [, x, y] = /^M_(\d+)_(\d+)/.exec(row['LOC_ID.x'] ?? '') ?? []
      return isParcel && x !== undefined && y !== undefined ? [x, y] : undefined
    },
  },
]

for (const { file, mapping, epsg, point } of ROLLS) {
  test(`${mapping}: nearest parcels and boxes at ${PLACES} places are those of ogr2ogr's points`, {
    skip,
  }, async (t) => {
    const data = makeFolder(t)
    await importRoll(data, [join(DATA, file)], { mapping })
    const reader = openLoaded(t, data)
    const rows = (await readTable(join(DATA, file))).flatMap((row) => {
      const [x, y] = point(row) ?? []
      return x === undefined || y === undefined ? [] : [{ x, y }]
    })
    const given = write(data, 'given.csv', writeTable(rows))
    const points = convert(given, join(data, 'turned.csv'), epsg)
    const filter = { assignedOnly: false }
    for (let place = 0; place < PLACES; place += 1) {
      const at = points[Math.floor((points.length * (place + 0.5)) / PLACES)] as Point
      const center: Point = [at[0] + 0.0013, at[1] - 0.0009]
      const read = (box: Parameters<typeof reader.pointsIn>[1], limit: number) =>
        reader.pointsIn(filter, box, limit)
      const near = await findNearest<PointHit>(read, { center, radiusMiles: RADIUS_MILES }, 10)
      const wanted = points
        .map((one) => measureMiles(center, one))
        .filter((miles) => miles <= RADIUS_MILES)
        .sort((a, b) => a - b)
        .slice(0, 10)
      assert.equal(near.length, wanted.length)
      near.forEach(({ distanceMiles }, rank) => {
        const feet = Math.abs(distanceMiles - (wanted[rank] as number)) * 5280
        assert.ok(feet < FEET_MAX, `${center}: rank ${rank} is ${feet} feet off`)
      })
      const [west, south] = [center[0] - WIDE.west, center[1] - WIDE.north]
      const [east, north] = [center[0] + WIDE.west, center[1] + WIDE.north]
      const found = await reader.pointsIn(filter, boxInUnits({ west, south, east, north }), 100_000)
      const count = (margin: number) =>
        points.filter(
          ([x, y]) =>
            x >= west - margin && x <= east + margin && y >= south - margin && y <= north + margin,
        ).length
      const [least, most] = [count(-ROUNDING), count(ROUNDING)]
      const range = `${least} to ${most}`
      assert.ok(found.length >= least && found.length <= most, `${found.length}, not ${range}`)
    }
  })
}

/** WGS 84 points of a file's columns `x` and `y`, by GDAL. */
function convert(file: string, to: string, epsg: number): Point[] {
  const done = spawnSync('ogr2ogr', [
    ...['-f', 'CSV', to, file, '-s_srs', `EPSG:${epsg}`, '-t_srs', 'EPSG:4326'],
    ...['-oo', 'X_POSSIBLE_NAMES=x', '-oo', 'Y_POSSIBLE_NAMES=y', '-lco', 'GEOMETRY=AS_XY'],
  ])
  assert.equal(done.status, 0, String(done.stderr))
  const lines = readFileSync(to, 'utf8').trim().split('\n').slice(1)
  return lines.map((line) => {
    const [longitude, latitude] = line.split(',').map(Number)
    return [longitude ?? 0, latitude ?? 0]
  })
}
