/**
 * Formats of layers: GeoPackage, GeoParquet, GeoJSON sequences and Esri JSON, as they should be and
 * as they should not.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { listFiles } from '../../src/import/list-files.ts'
import { readWkb } from '../../src/import/readers/wkb.ts'
import { repetitions } from '../repetitions.ts'
import { makeZip } from './make-files.ts'
import { counts, importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const SQUARE = [
  [-96.7, 40.8],
  [-96.69, 40.8],
  [-96.69, 40.81],
  [-96.7, 40.81],
  [-96.7, 40.8],
]

/** A polygon as well-known binary. `z`: with heights. */
function wkb(points = SQUARE, { z = false, announced = points.length } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt8(1, 0)
  head.writeUInt32LE(z ? 1003 : 3, 1)
  head.writeUInt32LE(1, 5)
  head.writeUInt32LE(announced, 9)
  const body = points.map(([x = 0, y = 0]) => {
    const point = Buffer.alloc(z ? 24 : 16)
    point.writeDoubleLE(x, 0)
    point.writeDoubleLE(y, 8)
    return point
  })
  return Buffer.concat([head, ...body])
}

/** A geometry blob with an envelope of two dimensions. */
function blob(shape: Buffer): Buffer {
  const head = Buffer.alloc(40)
  head.write('GP', 0)
  head.writeUInt8(0b0000_0011, 3)
  return Buffer.concat([head, shape])
}

type Made = { shape?: Buffer | null; layers?: string[]; parcelId?: string }

/** A GeoPackage of invented parcels, with a code table. */
function makeGeoPackage(
  path: string,
  { shape = blob(wkb()), layers = ['lots'], parcelId = 'P-1' }: Made = {},
) {
  const db = new DatabaseSync(path)
  db.exec(`CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER, organization TEXT,
      organization_coordsys_id INTEGER, definition TEXT, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS[]', '');
    CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
    CREATE TABLE gpkg_data_columns (table_name TEXT, column_name TEXT, constraint_name TEXT);
    CREATE TABLE gpkg_data_column_constraints (constraint_name TEXT, constraint_type TEXT,
      value TEXT, description TEXT);
    INSERT INTO gpkg_data_column_constraints VALUES ('uses', 'enum', '100', 'Single family');
    CREATE TABLE streets (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT)`)
  for (const name of layers) {
    const layer = name.replaceAll('"', '""')
    db.exec(`CREATE TABLE "${layer}" (fid INTEGER PRIMARY KEY, geom BLOB, parcelId TEXT,
        ownerName1 TEXT, useCode INTEGER, totalAssessedValue INTEGER);
      INSERT INTO gpkg_contents VALUES ('${name}', 'features', 4326);
      INSERT INTO gpkg_geometry_columns VALUES ('${name}', 'geom', 4326);
      INSERT INTO gpkg_data_columns VALUES ('${name}', 'useCode', 'uses')`)
    db.prepare(`INSERT INTO "${layer}" VALUES (1, ?, ?, 'ROE, JANE', 100, 9007199254740993)`).run(
      shape,
      parcelId,
    )
    db.prepare(`INSERT INTO "${layer}" VALUES (2, NULL, 'P-2', 'DOE, JOHN', 7, NULL)`).run()
  }
  db.close()
  return path
}

const MAPPING = {
  name: 'layers',
  title: 'An invented layer',
  state: 'NE',
  county: 'Lancaster',
  fields: {
    parcelId: 'parcelId',
    ownerName1: 'ownerName1',
    useCodeLocal: 'useCode',
    useDescription: 'd_useCode',
  },
}
const OPTIONS = { mapping: MAPPING, geometry: true }

async function load(t: TestContext, path: string, options: object = OPTIONS) {
  const data = makeFolder(t)
  const report = await importRoll(data, [path], options)
  return { report, reader: openLoaded(t, data) }
}

test('a GeoPackage gives rows, texts of its codes, points and polygons', async (t) => {
  const folder = makeFolder(t)
  const bare = makeGeoPackage(join(folder, 'roll.gpkg'))
  const named = write(folder, 'download', readFileSync(bare))
  const zip = write(folder, 'roll.zip', makeZip({ 'in/roll.gpkg': readFileSync(bare) }))
  for (const path of [bare, named, zip, `${bare}!LOTS`, `${zip}!roll.gpkg!lots`]) {
    const { report, reader } = await load(t, path)
    assert.equal(counts(report).loaded, 2, path)
    const parcel = await readParcel(reader, 'NE', 31109, 'P1')
    assert.equal(parcel.propertyUseDescription, 'Single family')
    assert.equal(parcel.localUseCode, '100')
    assert.deepEqual([parcel.longitude, parcel.latitude], [-96.695, 40.805])
    const [stored] = await reader.byParcelId('NE', 31109, 'P1')
    assert.deepEqual(JSON.parse(stored?.geometry ?? '{}').coordinates, [SQUARE])
    assert.equal((await readParcel(reader, 'NE', 31109, 'P2')).propertyUseDescription, null)
  }
})

test('of several layers of a GeoPackage one has to be named', async (t) => {
  const folder = makeFolder(t)
  const path = makeGeoPackage(join(folder, 'two.gpkg'), { layers: ['lots', 'old "lots"'] })
  await assert.rejects(
    load(t, path),
    /holds the layers lots, old "lots": name one, as .*two\.gpkg!lots/,
  )
  await assert.rejects(load(t, `${path}!nothing`), /holds no layer nothing; it holds lots/)
  assert.equal((await load(t, `${path}!old "lots"`)).report.loaded, 2)
})

test('a damaged shape or a NUL rejects its row of a GeoPackage', async (t) => {
  const folder = makeFolder(t)
  const faults: [string, Made, RegExp][] = [
    ['count', { shape: blob(wkb(SQUARE, { announced: 4_000_000_000 })) }, /cut short/],
    ['cut', { shape: blob(wkb().subarray(0, 40)) }, /cut short/],
    ['magic', { shape: Buffer.from('no shape') }, /not a geometry of a GeoPackage/],
    ['large', { shape: Buffer.alloc(9_000_000) }, /not a geometry of a GeoPackage/],
    ['nul', { parcelId: 'P\0-1' }, /NUL character/],
  ]
  for (const [name, made, reason] of faults) {
    const { report } = await load(t, makeGeoPackage(join(folder, `${name}.gpkg`), made))
    assert.equal(report.loaded, 1, name)
    assert.equal(report.rejected, 1, name)
    assert.match(String(report.reasons[0]?.[0]), reason)
  }
})

test('a truncated or false GeoPackage is an error in one sentence', async (t) => {
  const folder = makeFolder(t)
  const whole = makeGeoPackage(join(folder, 'cut.gpkg'))
  truncateSync(whole, 6000)
  await assert.rejects(load(t, whole), /is not a GeoPackage, or is cut short or damaged/)
  const other = join(folder, 'other.db')
  const db = new DatabaseSync(other)
  db.exec('CREATE TABLE roll (id)')
  db.close()
  await assert.rejects(load(t, other), /is not a GeoPackage/)
  const garbage = write(folder, 'garbage.gpkg', `SQLite format 3\0${'x'.repeat(5000)}`)
  await assert.rejects(load(t, garbage), /is not a GeoPackage/)
})

test('a file geodatabase is refused with the command that converts it', async (t) => {
  const folder = makeFolder(t)
  mkdirSync(join(folder, 'county.gdb'))
  write(folder, 'county.gdb/a00000001.gdbtable', 'x')
  const refusal = /county\.gdb is an Esri file geodatabase.*ogr2ogr -f GPKG county\.gpkg "/
  for (const path of [folder, join(folder, 'county.gdb')])
    assert.throws(() => listFiles([path]), refusal)
  const zip = makeZip({ 'county.gdb/a00000001.gdbtable': 'x' })
  await assert.rejects(
    load(t, write(folder, 'roll.zip', zip)),
    /holds an Esri file geodatabase.*ogr2ogr/,
  )
})

const parquet = (geometry: Uint8Array, geo?: string) =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'parcelId', data: ['P-1', 'P-2'], type: 'STRING' },
        { name: 'ownerName1', data: ['ROE, JANE', 'DOE, JOHN'], type: 'STRING' },
        { name: 'geom', data: [geometry, null], type: 'BYTE_ARRAY' },
      ],
      ...(geo !== undefined && { kvMetadata: [{ key: 'geo', value: geo }] }),
    }),
  )
const geo = (crs?: object) =>
  JSON.stringify({
    version: '1.1.0',
    primary_column: 'geom',
    columns: { geom: { encoding: 'WKB', geometry_types: ['Polygon'], ...(crs && { crs }) } },
  })
const PLAIN = {
  ...OPTIONS,
  mapping: { ...MAPPING, fields: { parcelId: 'parcelId', ownerName1: 'ownerName1' } },
}

test('GeoParquet gives points and polygons, in its own projection', async (t) => {
  const folder = makeFolder(t)
  const mercator = SQUARE.map(([x = 0, y = 0]) => [
    (x * Math.PI * 6378137) / 180,
    Math.log(Math.tan(Math.PI / 4 + (y * Math.PI) / 360)) * 6378137,
  ])
  const files = {
    'plain.parquet': parquet(wkb(), geo()),
    'heights.parquet': parquet(wkb(SQUARE, { z: true }), geo()),
    'mercator.parquet': parquet(wkb(mercator), geo({ id: { authority: 'EPSG', code: 3857 } })),
    'untold.parquet': parquet(wkb()),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const { report, reader } = await load(t, write(folder, name, bytes), PLAIN)
    assert.equal(report.loaded, 2, name)
    const parcel = await readParcel(reader, 'NE', 31109, 'P1')
    assert.equal(parcel.longitude, -96.695, name)
    assert.ok(Math.abs((parcel.latitude ?? 0) - 40.805) < 0.00001, name)
    assert.equal(
      (await reader.byParcelId('NE', 31109, 'P1'))[0]?.geometry?.slice(0, 17),
      '{"type":"Polygon"',
    )
  }
})

test('GeoParquet with a damaged shape, bad metadata or a cut end', async (t) => {
  const folder = makeFolder(t)
  const cut = parquet(wkb(SQUARE, { announced: 1_000_000 }), geo())
  const { report } = await load(t, write(folder, 'shape.parquet', cut), PLAIN)
  assert.deepEqual([report.loaded, report.rejected], [1, 1])
  const odd = write(folder, 'odd.parquet', parquet(wkb(), '{"columns":[1'))
  assert.equal((await load(t, odd, PLAIN)).report.loaded, 2)
  const whole = parquet(wkb(), geo())
  for (const length of [5, 60, whole.length - 9]) {
    const path = write(folder, 'end.parquet', whole.subarray(0, length))
    await assert.rejects(load(t, path, PLAIN), /is not a Parquet file, or is cut short/)
  }
})

const FEATURES = ['P-1', 'P-2'].map((parcelId) => ({
  type: 'Feature',
  properties: { parcelId, ownerName1: 'ROE, JANE' },
  geometry: { type: 'Polygon', coordinates: [SQUARE] },
}))

test('a GeoJSON sequence may have record separators, over lines or not', async (t) => {
  const folder = makeFolder(t)
  const texts = {
    'plain.geojsonl': FEATURES.map((one) => `${JSON.stringify(one)}\n`),
    'separated.geojsons': FEATURES.map((one) => `\u001e${JSON.stringify(one)}\n`),
    'pretty.geojsons': FEATURES.map((one) => `\u001e${JSON.stringify(one, null, 2)}\n`),
  }
  for (const [name, lines] of Object.entries(texts)) {
    const { report } = await load(t, write(folder, name, lines.join('')), PLAIN)
    assert.deepEqual([report.loaded, report.rejected], [2, 0], name)
  }
  const cut = texts['pretty.geojsons'].join('').slice(0, -40)
  const { report } = await load(t, write(folder, 'cut.geojsons', cut), PLAIN)
  assert.deepEqual([report.loaded, report.rejected], [1, 1])
})

test('the domains of an Esri JSON file are columns next to its codes', async (t) => {
  const folder = makeFolder(t)
  const answer = {
    geometryType: 'esriGeometryPolygon',
    spatialReference: { wkid: 4326 },
    fields: [
      { name: 'parcelId', type: 'esriFieldTypeString', domain: null },
      {
        name: 'useCode',
        alias: 'a "quoted ] name',
        domain: { type: 'codedValue', codedValues: [{ name: 'Single family', code: 100 }] },
      },
    ],
    features: [
      {
        attributes: { parcelId: 'P-1', ownerName1: 'ROE', useCode: 100 },
        geometry: { rings: [SQUARE] },
      },
      { attributes: { parcelId: 'P-2', ownerName1: 'DOE', useCode: 5 } },
    ],
  }
  for (const text of [JSON.stringify(answer), JSON.stringify(answer, null, 1)]) {
    const { reader } = await load(t, write(folder, 'answer.json', text))
    const parcel = await readParcel(reader, 'NE', 31109, 'P1')
    assert.equal(parcel.propertyUseDescription, 'Single family')
    assert.equal(parcel.localUseCode, '100')
    assert.equal((await readParcel(reader, 'NE', 31109, 'P2')).propertyUseDescription, null)
  }
})

test('well-known binary of any bytes is a shape or a RangeError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.nat(7), (bytes, kind) => {
      if (bytes.length > 4) bytes.set([1, kind, 0, 0, 0])
      try {
        readWkb(bytes)
      } catch (error) {
        assert.ok(error instanceof RangeError)
      }
    }),
    { numRuns: repetitions(100) },
  )
  const nested = Buffer.concat(
    Array.from({ length: 50_000 }, () => Buffer.from([1, 7, 0, 0, 0, 1, 0, 0, 0])),
  )
  assert.throws(() => readWkb(nested), RangeError)
})
