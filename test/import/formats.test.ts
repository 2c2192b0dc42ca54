/** The same small roll in every format gives the same parcels. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Geometry } from '../../src/base/model/geometry.ts'
import { readSource } from '../../src/import/source.ts'
import { IS_LONG } from '../repetitions.ts'
import { makeDbf, makeShp, makeZip } from './make-files.ts'
import { counts, importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const COLUMNS = ['state', 'county', 'parcelId', 'ownerName1', 'address', 'city']
const ROWS = [
  ['NE', 'Lancaster', 'P-1', 'PEÑA, JOSÉ', '12 OAK ST', 'LINCOLN'],
  ['NE', 'Lancaster', 'P-2', 'ROE, JANE', '14 OAK ST', 'LINCOLN'],
]
const OBJECTS = ROWS.map((row) =>
  Object.fromEntries(COLUMNS.map((name, at) => [name, row[at] ?? ''])),
)
const text = (separator: string) =>
  [COLUMNS, ...ROWS]
    .map((row) => row.map((one) => (one.includes(separator) ? `"${one}"` : one)).join(separator))
    .join('\r\n')
const CSV = text(',')
const FEATURES = OBJECTS.map((properties) => ({ type: 'Feature', properties, geometry: null }))
const DBF_COLUMNS = COLUMNS.map((name) => [name.slice(0, 10), 20] as [string, number])

const parquet = () =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: COLUMNS.map((name, at) => ({
        name,
        data: ROWS.map((row) => row[at] ?? ''),
        type: 'STRING' as const,
      })),
    }),
  )

const FILES: Record<string, () => string | Buffer> = {
  'roll.csv': () => CSV,
  'bom.csv': () => `\ufeff${CSV}`,
  'roll.tsv': () => text('\t'),
  'semicolons.csv': () => text(';'),
  'pipes.txt': () => text('|'),
  'western.csv': () => Buffer.from(CSV, 'latin1'),
  'mixed.csv': () =>
    Buffer.concat([
      Buffer.from(CSV, 'latin1'),
      Buffer.from('\r\nNE,Lancaster,P-2,"ROE, JANE",14 OAK ST,LINCOLN'),
    ]),
  'wide.csv': () => Buffer.from(`\ufeff${CSV}`, 'utf16le'),
  'roll.csv.gz': () => gzipSync(CSV),
  'zipped.zip': () => makeZip({ 'readme.txt': 'not a roll', 'in/roll.csv': CSV }),
  'layers.zip': () => makeZip({ 'streets.csv': 'name\nOAK ST\n', 'roll.csv': CSV }),
  'roll.ndjson': () => OBJECTS.map((object) => JSON.stringify(object)).join('\n'),
  'roll.json': () => JSON.stringify(OBJECTS, null, 2),
  'wide.json': () => Buffer.from(`\ufeff${JSON.stringify(OBJECTS)}`, 'utf16le'),
  'wide.ndjson': () =>
    Buffer.from(OBJECTS.map((object) => JSON.stringify(object)).join('\n'), 'utf16le').swap16(),
  'service.json': () =>
    JSON.stringify({
      features: OBJECTS.map((attributes) => ({ attributes })),
      spatialReference: { wkid: 4326 },
    }),
  'roll.geojson': () =>
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
      features: FEATURES,
    }),
  'roll.parquet': parquet,
  'parquet.zip': () => makeZip({ 'roll.parquet': parquet() }),
}

for (const [name, make] of Object.entries(FILES)) {
  test(`${name} is read as the plain CSV is`, async (t) => {
    const data = makeFolder(t)
    const file = write(data, name, make())
    const report = await importRoll(data, [file])
    assert.deepEqual([report.loaded, report.rejected, report.skipped], [2, 0, 0])
    const one = await readParcel(openLoaded(t, data), 'NE', 31109, 'P1')
    assert.equal(one.ownerName, 'PEÑA, JOSÉ')
    assert.equal(one.address, '12 OAK ST')
    assert.deepEqual(one.extra, {})
  })
}

/**
 * Owners of each kind that a thread hands to another: none, a care-of, several, an organization,
 * other letters.
 */
const OWNERS = ['"ROE, JANE"', '', 'C/O JOHN DOE', 'ROE JANE & JOHN', 'OAK FARMS LLC', 'PEÑA JOSÉ']

test('several threads read the same as one, with and without a thread for owners', async (t) => {
  const alone = makeFolder(t)
  const rows = Array.from(
    { length: 5000 },
    (_, at) => `NE,Lancaster,P-${at},${OWNERS[at % OWNERS.length]},${at} OAK ST,LINCOLN`,
  )
  const echo = rows[0] ?? ''
  const file = write(
    alone,
    'roll.csv',
    [COLUMNS.join(','), ...rows, echo, 'NE,Nowhere,1,,,', 'NE'].join('\n'),
  )
  const one = await importRoll(alone, [file], { threads: 0 })
  assert.equal(one.loaded, 5000)
  assert.equal(one.rejected, 2)
  const kept = readFileSync(one.rejectsFile ?? '', 'utf8')
  assert.match(kept, /"NE,Nowhere,1,,,"/, 'a rejected row is kept with its text')
  const records = (data: string) => {
    const db = new DatabaseSync(join(data, 'parcels.db'), { readOnly: true })
    t.after(() => db.close())
    return db.prepare('SELECT id, field_values, keys FROM records ORDER BY id').all()
  }
  const expected = records(alone)
  for (const threads of IS_LONG ? [1, 2, 3] : [1, 3]) {
    const data = makeFolder(t)
    const many = await importRoll(data, [file], { threads })
    assert.deepEqual(counts(many), counts(one))
    assert.equal(readFileSync(many.rejectsFile ?? '', 'utf8'), kept)
    assert.deepEqual(records(data), expected, 'ids follow the order of rows')
  }
})

const SQUARE: [number, number][] = [
  [-10_770_000, 4_950_000],
  [-10_770_000, 4_950_100],
  [-10_769_900, 4_950_100],
  [-10_769_900, 4_950_000],
  [-10_770_000, 4_950_000],
]
const HOLE: [number, number][] = [
  [-10_769_960, 4_950_040],
  [-10_769_940, 4_950_040],
  [-10_769_940, 4_950_060],
  [-10_769_960, 4_950_060],
  [-10_769_960, 4_950_040],
]
const MERCATOR =
  'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",' +
  'DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],' +
  'UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],UNIT["Meter",1.0]]'
const shapefile = () => ({
  'parcels.dbf': makeDbf(DBF_COLUMNS, ROWS),
  'parcels.shp': makeShp([[SQUARE, HOLE], null]),
  'parcels.prj': MERCATOR,
})

test('a shapefile gives rows, points and, when asked for, polygons, bare or zipped', async (t) => {
  for (const zipped of [false, true]) {
    const data = makeFolder(t)
    const files = shapefile()
    for (const [name, bytes] of Object.entries(files)) write(data, name, bytes)
    const file = zipped ? write(data, 'p.zip', makeZip(files)) : join(data, 'parcels.shp')
    assert.equal((await importRoll(data, [file], { geometry: true })).loaded, 2)
    const reader = openLoaded(t, data)
    const one = await readParcel(reader, 'NE', 31109, 'P1')
    // The middle of the square on the sphere of web Mercator.
    const degrees = 180 / Math.PI
    const [x, y] = [-10_769_950 / 6_378_137, 4_950_050 / 6_378_137]
    assert.ok(Math.abs((one.longitude ?? 0) - x * degrees) < 1e-6)
    assert.ok(Math.abs((one.latitude ?? 0) - Math.atan(Math.sinh(y)) * degrees) < 1e-6)
    const [stored] = await reader.byParcelId('NE', 31109, 'P1')
    const shape = JSON.parse(stored?.geometry ?? 'null') as Geometry
    assert.equal(shape.type, 'Polygon')
    assert.equal(shape.coordinates.length, 2, 'the hole stays a hole')
    const two = await readParcel(reader, 'NE', 31109, 'P2')
    assert.equal(two.latitude, null)
  }
})

test('a .dbf alone is a roll', async (t) => {
  const data = makeFolder(t)
  const file = write(
    data,
    'table.dbf',
    makeDbf(
      DBF_COLUMNS,
      ROWS.map((row) => row.map((one) => Buffer.from(one, 'latin1'))),
    ),
  )
  assert.equal((await importRoll(data, [file])).loaded, 2)
  assert.equal((await readParcel(openLoaded(t, data), 'NE', 31109, 'P1')).ownerName, 'PEÑA, JOSÉ')
})

test('a shapefile that was cut short is refused', async (t) => {
  const data = makeFolder(t)
  const { 'parcels.dbf': dbf, 'parcels.shp': shp, 'parcels.prj': prj } = shapefile()
  write(data, 'parcels.prj', prj)
  write(data, 'parcels.shp', shp)
  const cut = write(data, 'parcels.dbf', dbf.subarray(0, dbf.length - 60))
  await assert.rejects(
    importRoll(data, [cut]),
    /parcels\.dbf is cut short: its header says 2 rows, the file has 1/,
  )
  write(data, 'parcels.dbf', dbf)
  write(data, 'parcels.shp', shp.subarray(0, 120))
  await assert.rejects(importRoll(data, [cut]), /parcels\.shp is cut short/)
})

test('GeoJSON shapes give points and polygons', async (t) => {
  const data = makeFolder(t)
  const ring = [
    [-96, 40],
    [-95.9, 40],
    [-95.9, 40.1],
    [-96, 40.1],
    [-96, 40],
  ]
  const [first, second] = OBJECTS
  const features = [
    {
      type: 'Feature',
      properties: first,
      geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
    },
    {
      type: 'Feature',
      properties: second,
      geometry: { type: 'Point', coordinates: [-96.5, 40.5] },
    },
  ]
  const file = write(data, 'a.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  await importRoll(data, [file], { geometry: true })
  const reader = openLoaded(t, data)
  const one = await readParcel(reader, 'NE', 31109, 'P1')
  assert.deepEqual([one.longitude, one.latitude], [-95.95, 40.05])
  const [stored] = await reader.byParcelId('NE', 31109, 'P1')
  assert.deepEqual(JSON.parse(stored?.geometry ?? ''), {
    type: 'MultiPolygon',
    coordinates: [[ring]],
  })
  const two = await readParcel(reader, 'NE', 31109, 'P2')
  assert.deepEqual([two.longitude, two.latitude], [-96.5, 40.5])
})

test('a broken line of NDJSON is rejected with its line, the others are read', async (t) => {
  const data = makeFolder(t)
  const lines = OBJECTS.map((object) => JSON.stringify(object))
  const file = write(data, 'a.ndjson', `${lines[0]}\n{"state": "NE", \n${lines[1]}\n`)
  const report = await importRoll(data, [file])
  assert.deepEqual([report.rows, report.loaded, report.rejected], [3, 2, 1])
  assert.match(report.reasons[0]?.[0] ?? '', /no JSON/)
})

test('objects that share a line are numbered, others have their line', async (t) => {
  const rows = ['A', 'B', 'C'].map((id) => JSON.stringify({ PIN: id, NOTE: '[{ "' }))
  const features = rows.map((properties) => `{"type": "Feature", "properties": ${properties}}`)
  const fields = '"fields": [{"name": "PIN"},\n {"name": "NOTE"}], "features": ['
  for (const [name, text, expected] of [
    ['list', `[${rows.join(', ')}]`, [1, 2, 3]],
    ['compact', `{"name": "a",\n"features": [${features.join(',')}]}`, [1, 2, 3]],
    ['arcgis', `{${fields}${rows.map((row) => `{"attributes": ${row}}`).join()}]}`, [1, 2, 3]],
    ['wrapped', `[${rows.join(',\n')}]`, [1, 2, 3]],
    ['printed', `{"name": "a",\n"features": [\n${features.join(',\n')}\n]}`, [3, 4, 5]],
    ['lines', `${rows.join('\n\n')}\n`, [1, 3, 5]],
  ] as const) {
    const file = write(makeFolder(t), `${name}.json`, text)
    const lines: number[] = []
    const options = { geometry: false }
    for await (const batch of readSource([file], options)) lines.push(...batch.lines)
    assert.deepEqual(lines, expected, name)
  }
})

test('JSON that is cut short is refused', async (t) => {
  const data = makeFolder(t)
  const whole = JSON.stringify(OBJECTS)
  const file = write(data, 'a.json', whole.slice(0, -20))
  await assert.rejects(importRoll(data, [file]), /a\.json is cut short: its JSON does not end/)
})

test('Parquet in several row groups of several pages gives every row in its order', async (t) => {
  const numbers = Array.from({ length: 5000 }, (_, at) => at)
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'PIN', data: numbers.map((at) => `P-${at}`), type: 'STRING' },
      { name: 'AREA', data: numbers, type: 'INT32', nullable: false },
      { name: 'NOTE', data: numbers.map((at) => (at % 3 === 0 ? null : 'X')), type: 'STRING' },
    ],
    rowGroupSize: 2300,
    pageSize: 1000,
  })
  const file = write(makeFolder(t), 'roll.parquet', Buffer.from(bytes))
  const rows: string[][] = []
  const lines: number[] = []
  const options = { geometry: false }
  for await (const batch of readSource([file], options)) {
    rows.push(...batch.rows)
    lines.push(...batch.lines)
  }
  const expected = numbers.map((at) => [`P-${at}`, String(at), at % 3 === 0 ? '' : 'X'])
  assert.deepEqual(rows, expected)
  assert.deepEqual(
    lines,
    numbers.map((at) => at + 1),
  )
})
