/** A table in the flat layout may hold polygons in a column of its own, as samples do. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { counts, importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const SQUARE =
  '{"type":"Polygon","coordinates":' +
  '[[[-89.4,43],[-89.39,43],[-89.39,43.01],[-89.4,43.01],[-89.4,43]]]}'
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
const roll = (...rows: string[]) =>
  ['state,county,parcelId,ownerName1,latitude,longitude,geometry', ...rows].join('\n')

test('polygons of a column are loaded with --geometry and give missing points', async (t) => {
  const folder = makeFolder(t)
  const csv = roll(
    `WI,Dane,P-1,"ROE, JANE",,,${quote(SQUARE)}`,
    `WI,Dane,P-2,"ROE, JANE",43.002,-89.391,${quote(SQUARE)}`,
    'WI,Dane,P-3,"ROE, JANE",,,',
  )
  const report = await importRoll(folder, [write(folder, 'roll.csv', csv)], { geometry: true })
  assert.equal(counts(report).loaded, 3)
  const reader = openLoaded(t, folder)
  const places = await Promise.all(
    ['P1', 'P2', 'P3'].map(async (id) => {
      const { latitude, longitude, calculatedAcres } = await readParcel(reader, 'WI', 55025, id)
      return [latitude, longitude, calculatedAcres !== null]
    }),
  )
  assert.deepEqual(places, [
    [43.005, -89.395, true],
    [43.002, -89.391, true],
    [null, null, false],
  ])
  const db = openDatabase(join(folder, 'parcels.db'), {
    kind: 'parcels',
    synchronous: 'NORMAL',
    readOnly: true,
  })
  t.after(() => db.close())
  assert.equal(db.prepare('SELECT count(*) AS n FROM geometries').get()?.n, 2)
})

test('a row whose polygon cannot be read is rejected with the reason', async (t) => {
  const folder = makeFolder(t)
  const csv = roll(
    `WI,Dane,P-1,"ROE, JANE",,,${quote(SQUARE)}`,
    `WI,Dane,P-2,"ROE, JANE",,,${quote('{"type":"LineString","coordinates":[]}')}`,
    'WI,Dane,P-3,"ROE, JANE",,,square',
  )
  const report = await importRoll(folder, [write(folder, 'roll.csv', csv)], { geometry: true })
  assert.deepEqual([counts(report).loaded, counts(report).rejected], [1, 2])
})
