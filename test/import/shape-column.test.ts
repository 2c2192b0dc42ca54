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

const RING = '-89.4 43,-89.39 43,-89.39 43.01,-89.4 43.01,-89.4 43'
const BYTES = Buffer.alloc(97)
BYTES.writeUInt8(1, 0)
BYTES.writeUInt32LE(0x20000003, 1)
BYTES.writeUInt32LE(4326, 5)
BYTES.writeUInt32LE(1, 9)
BYTES.writeUInt32LE(5, 13)
for (const [at, number] of RING.split(/[ ,]/).entries()) {
  BYTES.writeDoubleLE(Number(number), 17 + 8 * at)
}
const HEX = BYTES.toString('hex').toUpperCase()
/** The polygon with the most significant byte first, without a system. */
const BIG = Buffer.alloc(93)
BIG.writeUInt32BE(3, 1)
BIG.writeUInt32BE(1, 5)
BIG.writeUInt32BE(5, 9)
for (const [at, number] of RING.split(/[ ,]/).entries()) {
  BIG.writeDoubleBE(Number(number), 13 + 8 * at)
}

const columns: [column: string, text: string, place: number | null, said: RegExp][] = [
  ['wkb_geometry', HEX, 43.005, /^$/],
  ['anything', `\\x${HEX}`, 43.005, /^$/],
  ['boundary', `POLYGON((${RING}))`, 43.005, /^$/],
  ['boundary', BIG.toString('hex'), 43.005, /^$/],
  ['geometry', HEX, 43.005, /^$/],
  ['geo_shape', SQUARE, 43.005, /^$/],
  ['geo_shape', SQUARE.replaceAll('-89', '-2089'), null, /says degrees, and/],
  ['wkb_geometry', HEX.slice(0, -8), null, /cut WKB/],
  ['the_geom', 'POINT (-89.4 43)', 43, /^$/],
  ['owner_location', 'POINT (-89.4 43)', null, /no row has a shape/],
  ['extra', '{"type":"house"}', null, /no row has a shape/],
  ['number', '0103000000000000', null, /no row has a shape/],
]
for (const [column, text, latitude, said] of columns) {
  test(`a column ${column} of ${text.slice(0, 30)} is a shape, or it is said`, async (t) => {
    const folder = makeFolder(t)
    const csv = `state,county,parcelId,${column}\nWI,Dane,P-1,${quote(text)}\n`
    const file = write(folder, 'roll.csv', csv)
    const { unplaced, doubts } = await importRoll(folder, [file], { geometry: true, force: true })
    assert.match([...unplaced.map(({ reason }) => reason), ...doubts].join(), said)
    const parcel = await readParcel(openLoaded(t, folder), 'WI', 55025, 'P1')
    assert.equal(parcel.latitude, latitude)
  })
}

const ROWS = 2000
/** So long that a chunk of the file, which is a batch, holds few rows. */
const NOTE = 'X'.repeat(1000)

test('shapes that begin late in a file are read, in a column of any name', async (t) => {
  for (const column of ['the_geom', 'boundary']) {
    const folder = makeFolder(t)
    const rows = Array.from({ length: ROWS }, (_, at) => {
      return `WI,Dane,P-${at},${NOTE},${at < ROWS - 10 ? '' : HEX}`
    })
    const csv = [`state,county,parcelId,note,${column}`, ...rows].join('\n')
    const file = write(folder, 'roll.csv', csv)
    const { doubts } = await importRoll(folder, [file], { geometry: true, force: true })
    assert.deepEqual(doubts, [], column)
    const { latitude } = await readParcel(openLoaded(t, folder), 'WI', 55025, `P${ROWS - 5}`)
    assert.equal(latitude, 43.005, column)
  }
})

test('a mapping that reads no exported polygons leaves GeoJSON to the file', async (t) => {
  const folder = makeFolder(t)
  const csv = `county,parcelId,geometry\nDane,P-1,${quote(SQUARE)}\n`
  const mapping = {
    name: 'small',
    title: 'Small',
    state: 'WI',
    fields: { county: 'county', parcelId: 'parcelId' },
  }
  await importRoll(folder, [write(folder, 'roll.csv', csv)], { geometry: true, mapping })
  const { latitude } = await readParcel(openLoaded(t, folder), 'WI', 55025, 'P1')
  assert.equal(latitude, 43.005)
})
