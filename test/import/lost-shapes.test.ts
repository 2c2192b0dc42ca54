/** Shapes that cannot be placed are counted with the reason; those that can be are placed. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import { readProjection } from '../../src/import/readers/json-shapes.ts'
import { makeDbf, makeShp } from './make-files.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const SQUARE = [
  [-83.2, 37.25],
  [-83.199, 37.25],
  [-83.199, 37.251],
  [-83.2, 37.251],
  [-83.2, 37.25],
]
const row = { state: 'KY', county: 'Perry', parcelId: 'A1', ownerName1: 'HARLOW PAUL' }

async function load(t: TestContext, name: string, text: string | Buffer) {
  const folder = makeFolder(t)
  const file = write(folder, name, text)
  const report = await importRoll(folder, [file], { geometry: true, force: true })
  const parcel = await readParcel(openLoaded(t, folder), 'KY', 21193, 'A1')
  return { report, parcel, reasons: report.unplaced.map(({ reason }) => reason) }
}

const geoJson = (geometry: unknown, more = {}) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: row, geometry }],
    ...more,
  })
const esriJson = (geometry: unknown, more = {}) =>
  JSON.stringify({ ...more, features: [{ attributes: row, geometry }] })
const crs = (name: string) => ({ crs: { type: 'name', properties: { name } } })

const KENTUCKY_FEET =
  'PROJCS["x",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",' +
  'SPHEROID["GRS_1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["Degree",' +
  '0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",' +
  '1640416.666666667],PARAMETER["False_Northing",1640416.666666667],' +
  'PARAMETER["Central_Meridian",-85.75],PARAMETER["Standard_Parallel_1",36.73333333333333],' +
  'PARAMETER["Standard_Parallel_2",37.93333333333333],PARAMETER["Latitude_Of_Origin",' +
  '36.33333333333334],UNIT["US survey foot",0.304800609601219]]'
const FEET = { type: 'Point', coordinates: [2_380_000, 1_985_000] }

test('a shape is placed by whatever the file says of its system', async (t) => {
  const spatialReference = { wkt: KENTUCKY_FEET }
  for (const [name, text] of [
    ['late.geojson', geoJson(FEET, crs('urn:ogc:def:crs:EPSG::2247'))],
    ['esri.geojson', geoJson(FEET, crs('urn:ogc:def:crs:ESRI::102680'))],
    ['code.geojson', geoJson(FEET, { crs: { type: 'EPSG', properties: { code: 2247 } } })],
    ['named.geojson', geoJson(FEET, { crs: { type: 'EPSG', properties: { code: 'EPSG:2247' } } })],
    ['wkid.json', esriJson({ x: 2_380_000, y: 1_985_000 }, { spatialReference: { wkid: 102680 } })],
    ['wkt.json', esriJson({ x: 2_380_000, y: 1_985_000 }, { spatialReference })],
    ['own.json', esriJson({ x: 2_380_000, y: 1_985_000, spatialReference: { wkid: 2247 } })],
  ] as const) {
    const { parcel, reasons } = await load(t, name, text)
    assert.deepEqual(reasons, [], name)
    assert.ok(Math.abs((parcel.latitude ?? 0) - 37.25) < 0.1, `${name}: ${parcel.latitude}`)
    assert.ok(Math.abs((parcel.longitude ?? 0) + 83.2) < 0.1, `${name}: ${parcel.longitude}`)
  }
})

test('a code of a parcel is no system', () => {
  for (const crs of ['{}', '{"type":"name","properties":{}}', 'null']) {
    const text = `{"crs":${crs},"features":[{"properties":{"code":"2247"}}]}`
    assert.equal(readProjection(text, {}), undefined, text)
  }
})

test('a system is found by its name, and the first point decides its unit', async (t) => {
  for (const name of [
    'NAD83 / Kentucky South (ftUS)',
    'NAD83(2011) / Kentucky South',
    'NAD_1983_StatePlane_Kentucky_South_FIPS_1602_Feet',
    'urn:ogc:def:crs:EPSG:6.9:2247',
  ]) {
    const { parcel, reasons, report } = await load(t, 'a.geojson', geoJson(FEET, crs(name)))
    assert.deepEqual(reasons, [], name)
    assert.ok(Math.abs((parcel.longitude ?? 0) + 83.2) < 0.1, `${name}: ${parcel.longitude}`)
    const isOther = name.endsWith('South')
    assert.equal(report.doubts.length, isOther ? 1 : 0, name)
    if (isOther) assert.match(report.doubts[0] ?? '', /are those of EPSG:2247 Kentucky South/)
  }
  for (const [name, reason] of [
    ['NAD83 / Kentucky South Valley', /is not known/],
    ['NAD83 / New York Long Island', /outside the system/],
    ['Local 83', /is not known/],
  ] as const) {
    const { reasons } = await load(t, 'a.geojson', geoJson(FEET, crs(name)))
    assert.match(reasons[0] ?? '', reason, name)
  }
  for (const name of ['WGS 84', 'NAD83', 'GCS_North_American_1983', 'OGC:CRS84']) {
    const point = { type: 'Point', coordinates: [-83.2, 37.25] }
    assert.equal((await load(t, 'a.geojson', geoJson(point, crs(name)))).parcel.longitude, -83.2)
  }
})

test('a system after the features of a packed file is used, or said', async (t) => {
  const late = Buffer.from(geoJson(FEET, crs('EPSG:2247')))
  const { parcel, report } = await load(t, 'late.geojson.gz', gzipSync(late))
  assert.ok(Math.abs((parcel.longitude ?? 0) + 83.2) < 0.1, String(parcel.longitude))
  assert.deepEqual(report.doubts, [])
  const esri = Buffer.from(esriJson({ x: 2_380_000, y: 1_985_000 }).slice(0, -1))
  const wkid = Buffer.concat([esri, Buffer.from(',"spatialReference":{"wkid":2247}}')])
  const own = await load(t, 'late.json.gz', gzipSync(wkid))
  assert.ok(Math.abs((own.parcel.longitude ?? 0) + 83.2) < 0.1, String(own.parcel.longitude))
  const degrees = { type: 'Point', coordinates: [-83.2, 37.25] }
  const older = gzipSync(geoJson(degrees, crs('EPSG:4267')))
  const said = (await load(t, 'a.geojson.gz', older)).report.doubts
  assert.match(said[0] ?? '', /names its coordinate system after its features/)
  const plain = gzipSync(geoJson(degrees, crs('EPSG:4326')))
  assert.deepEqual((await load(t, 'a.geojson.gz', plain)).report.doubts, [])
})

test('NAD27 by its codes is moved, and said', async (t) => {
  const degrees = { type: 'Point', coordinates: [-83.2, 37.25] }
  const zone = { type: 'Point', coordinates: [2_742_000, 338_000] }
  for (const [shape, code] of [
    [degrees, 4267],
    [zone, 26780],
    [{ type: 'Point', coordinates: [304_900, 4_124_700] }, 26717],
  ] as const) {
    const { parcel, report } = await load(t, 'a.geojson', geoJson(shape, crs(`EPSG:${code}`)))
    assert.deepEqual(
      report.doubts.map((text) => /on NAD27/.test(text)),
      [true],
    )
    assert.ok(Math.abs((parcel.longitude ?? 0) + 83.2) < 0.3, `${code} ${parcel.longitude}`)
    assert.ok(Math.abs((parcel.latitude ?? 0) - 37.25) < 0.3, `${code} ${parcel.latitude}`)
    if (code === 4267) assert.notEqual(parcel.longitude, -83.2)
  }
})

test('rings are closed, axes turned round, collections joined', async (t) => {
  const open = SQUARE.slice(0, 4)
  const swapped = SQUARE.map(([x, y]) => [y, x])
  for (const [name, text] of [
    ['open.geojson', geoJson({ type: 'Polygon', coordinates: [open] })],
    ['open.json', esriJson({ rings: [open] })],
    ['swapped.geojson', geoJson({ type: 'Polygon', coordinates: [swapped] })],
    ['many.geojson', geoJson({ type: 'MultiPolygon', coordinates: [[SQUARE]] })],
    [
      'collection.geojson',
      geoJson({
        type: 'GeometryCollection',
        geometries: [
          { type: 'Polygon', coordinates: [SQUARE] },
          { type: 'Point', coordinates: SQUARE[0] },
        ],
      }),
    ],
  ] as const) {
    const { parcel, report } = await load(t, name, text)
    assert.deepEqual(report.unplaced, [], name)
    assert.equal(parcel.longitude, -83.1995, name)
    assert.ok((parcel.calculatedAcres ?? 0) > 2.4, name)
    assert.equal(report.doubts.length, name.startsWith('swapped') ? 1 : 0, name)
  }
})

test('a hole that lies outside its polygon takes no area from it', async (t) => {
  const square = (west: number, south: number, width: number) => [
    [west, south],
    [west + width, south],
    [west + width, south + width],
    [west, south + width],
    [west, south],
  ]
  const [lot, inner] = [square(-83.2, 37.25, 0.001), square(-83.1998, 37.2502, 0.0005)]
  const acresOf = async (...polygons: number[][][][]) => {
    const [first] = polygons
    const geometry =
      polygons.length === 1
        ? { type: 'Polygon', coordinates: first }
        : { type: 'MultiPolygon', coordinates: polygons }
    const { parcel } = await load(t, 'holes.geojson', geoJson(geometry))
    return parcel.calculatedAcres ?? 0
  }
  const [whole, hole] = [await acresOf([lot]), await acresOf([inner])]
  const far = square(-83.19, 37.25, 0.001)
  const beside = square(-83.199, 37.25, 0.0005)
  const [edge, island] = [square(-83.2, 37.2502, 0.0005), square(-83.1997, 37.2503, 0.0001)]
  const islands = await acresOf([island])
  for (const [what, polygons, expected] of [
    ['a hole', [[lot, inner]], whole - hole],
    ['the larger ring is the outer one', [[inner, lot]], whole - hole],
    ['a polygon beside it', [[lot, far]], 2 * whole],
    ['the same, and a hole', [[lot, far, inner]], 2 * whole - hole],
    ['the same, and a hole at the edge', [[lot, edge, far]], 2 * whole - hole],
    ['a neighbour at the edge', [[lot, beside]], whole + hole],
    ['an island in the hole', [[lot, inner, island]], whole - hole + islands],
    ["another polygon's hole", [[far, inner], [lot]], 2 * whole - hole],
  ] as const) {
    const acres = await acresOf(...polygons.map((rings) => [...rings]))
    assert.ok(Math.abs(acres - expected) < 0.001, `${what}: ${acres}, not ${expected}`)
  }
})

test('a shape that has no place is counted with the reason, and the row is kept', async (t) => {
  const nan = ['NaN', 'NaN']
  for (const [name, text, reason] of [
    ['nan.json', esriJson({ rings: [[nan, nan, nan, nan]] }), /no numbers/],
    ['null.geojson', geoJson({ type: 'Polygon', coordinates: [[[null, 1]]] }), /no numbers/],
    ['empty.geojson', geoJson({ type: 'Polygon', coordinates: [] }), /empty/],
    ['empty.json', esriJson({ rings: [] }), /empty/],
    ['curve.json', esriJson({ curveRings: [[[0, 0]]] }), /kind curveRings/],
    ['line.geojson', geoJson({ type: 'LineString', coordinates: SQUARE }), /kind LineString/],
    ['feet.geojson', geoJson(FEET), /the file says degrees/],
    ['named.geojson', geoJson(FEET, crs('Perry County Grid')), /"Perry County Grid" is not known/],
    ['flat.geojson', geoJson({ type: 'Polygon', coordinates: [SQUARE.slice(0, 2)] }), /no area/],
  ] as const) {
    const { reasons, parcel } = await load(t, name, text)
    assert.match(reasons[0] ?? '', reason, name)
    assert.equal(parcel.calculatedAcres, null, name)
  }
  const { reasons } = await load(t, 'none.geojson', geoJson(null))
  assert.deepEqual(reasons, [], 'a row without a shape has lost none')
})

test('well-known text in a column is read', async (t) => {
  const ring = SQUARE.map((point) => point.join(' ')).join(',')
  for (const wkt of [
    `POLYGON ((${ring}))`,
    `SRID=4326;MULTIPOLYGON(((${ring})))`,
    `POLYGON Z((${SQUARE.map((point) => `${point.join(' ')} 5`).join(', ')}))`,
  ]) {
    const csv = `state,county,parcelId,ownerName1,WKT\nKY,Perry,A1,HARLOW PAUL,"${wkt}"\n`
    const { parcel, report } = await load(t, 'wkt.csv', csv)
    assert.deepEqual(report.unplaced, [], wkt)
    assert.equal(parcel.longitude, -83.1995, wkt)
    assert.ok((parcel.calculatedAcres ?? 0) > 2.4, wkt)
  }
  const csv = 'state,county,parcelId,ownerName1,shape\nKY,Perry,A1,HARLOW PAUL,IRREGULAR\n'
  assert.equal((await load(t, 'word.csv', csv)).parcel.latitude, null)
})

test('dBASE tables are read in their code page, to their last row', async (t) => {
  const columns: [string, number][] = [
    ...(['state', 'county', 'parcelId'] as const).map((name): [string, number] => [name, 10]),
    ['ownerName1', 20],
  ]
  const name = Buffer.concat([
    Buffer.from('PE'),
    Buffer.from([0xa5]),
    Buffer.from('A JOS'),
    Buffer.from([0x90]),
  ])
  const rows = ['A1', 'A2', 'A3'].map((id) => ['KY', 'Perry', id, name])
  const folder = makeFolder(t)
  const dbf = makeDbf(columns, rows)
  dbf[29] = 1
  dbf.writeUInt32LE(2, 4)
  const file = write(folder, 'a.shp', makeShp(rows.map(() => [SQUARE as [number, number][]])))
  write(folder, 'a.dbf', dbf)
  write(folder, 'a.prj', 'GEOGCS["GCS_WGS_1984"]')
  const report = await importRoll(folder, [file])
  assert.equal(report.loaded, 3)
  assert.match(report.doubts[0] ?? '', /its header counts 2 rows, and it has 3/)
  const parcel = await readParcel(openLoaded(t, folder), 'KY', 21193, 'A3')
  assert.equal(parcel.ownerName, 'PEÑA JOSÉ')
})

test('NAD27 is moved by three parameters, and said', async (t) => {
  const folder = makeFolder(t)
  const rows = [['KY', 'Perry', 'A1', 'HARLOW PAUL']]
  const columns = ['state', 'county', 'parcelId', 'ownerName1'].map((name): [string, number] => [
    name,
    20,
  ])
  const file = write(folder, 'a.shp', makeShp([[SQUARE as [number, number][]]]))
  write(folder, 'a.dbf', makeDbf(columns, rows))
  write(folder, 'a.prj', 'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927"]]')
  const report = await importRoll(folder, [file])
  assert.match(report.doubts[0] ?? '', /on NAD27/)
  const parcel = await readParcel(openLoaded(t, folder), 'KY', 21193, 'A1')
  // NADCON moves this place by about 9 m to the north and 5 m to the east.
  assert.ok(Math.abs((parcel.latitude ?? 0) - 37.2505) > 0.00004, String(parcel.latitude))
  assert.ok(Math.abs((parcel.latitude ?? 0) - 37.2505) < 0.0003, String(parcel.latitude))
})

const NAMES = ['state', 'county', 'parcelId', 'ownerName1']
const COLUMNS = NAMES.map((name): [string, number] => [name, 20])

test('a .prj file is read with a mark or in UTF-16; an empty one is as none', async (t) => {
  const text = 'GEOGCS["GCS_WGS_1984"]'
  for (const [prj, isKnown] of [
    [Buffer.from(`\ufeff${text}`), true],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), true],
    [Buffer.from(`\r\n${text}\n`), true],
    [Buffer.from(' \r\n'), false],
    [Buffer.from(''), false],
  ] as const) {
    const folder = makeFolder(t)
    const file = write(folder, 'a.shp', makeShp([[SQUARE as [number, number][]]]))
    write(folder, 'a.dbf', makeDbf(COLUMNS, [['KY', 'Perry', 'A1', 'HARLOW PAUL']]))
    write(folder, 'a.prj', prj)
    const load = importRoll(folder, [file], { geometry: true })
    if (!isKnown) await assert.rejects(load, /no \.prj file, or an empty one/)
    else {
      assert.deepEqual((await load).unplaced, [])
      const parcel = await readParcel(openLoaded(t, folder), 'KY', 21193, 'A1')
      assert.equal(parcel.longitude, -83.1995)
    }
  }
})

test('a surface of patches is no point', async (t) => {
  const folder = makeFolder(t)
  const shp = makeShp([[SQUARE as [number, number][]]])
  shp.writeInt32LE(31, 108)
  const file = write(folder, 'a.shp', shp)
  write(folder, 'a.dbf', makeDbf(COLUMNS, [['KY', 'Perry', 'A1', 'HARLOW PAUL']]))
  write(folder, 'a.prj', 'GEOGCS["GCS_WGS_1984"]')
  const { unplaced } = await importRoll(folder, [file])
  assert.match(unplaced[0]?.reason ?? '', /kind type 31/)
})

test('numbers of memo blocks are no texts; money and times of FoxPro are read', async (t) => {
  const folder = makeFolder(t)
  const price = Buffer.alloc(8)
  price.writeBigInt64LE(1_234_500_000n)
  const time = Buffer.alloc(8)
  time.writeInt32LE(2_458_558, 0)
  const columns: [string, number][] = [...COLUMNS, ['legalDesc', 10], ['landValue', 8], ['at', 8]]
  const id = ['KY', 'Perry', 'A1', 'HARLOW PAUL']
  const dbf = makeDbf(columns, [[...id, '        12', price, time]])
  for (const [at, type] of [...'MYT'].entries()) dbf.write(type, 32 * (5 + at) + 11)
  const fields = {
    ...Object.fromEntries(NAMES.map((name) => [name, name])),
    ...{ legalDescription: 'legalDesc', assessedLandValue: 'landValue' },
  }
  const mapping = {
    name: 'own',
    title: 'own',
    fields,
    transfers: [{ transferDate: 'at' }],
  } as MappingDocument
  const report = await importRoll(folder, [write(folder, 'a.dbf', dbf)], { mapping })
  assert.match(report.doubts[0] ?? '', /memo columns legalDesc are in another file/)
  const parcel = await readParcel(openLoaded(t, folder), 'KY', 21193, 'A1')
  assert.equal(parcel.legalDescription, null)
  assert.equal(parcel.assessedLandValue, 123_450)
  assert.equal(parcel.transfers[0]?.transferDate, '2019-03-15')
})

test('numbers of doubles are whole where their digits are, and a cut letter is none', async (t) => {
  const folder = makeFolder(t)
  const columns: [string, number][] = [...COLUMNS.slice(0, 2), ['parcelId', 19], ['ownerName1', 4]]
  const of = (id: string, owner: string | Buffer) => ['KY', 'Perry', id, owner]
  const dbf = makeDbf(columns, [
    of('101.00000000000', Buffer.from('PEÑÁ').subarray(0, 4)),
    of('1.01687000120e+10', 'ANN'),
    of('1.02000000000e+02', Buffer.from('ANNÁ').subarray(0, 4)),
    // Near misses: decimals that a county wrote, a double without its last digits.
    of('101.010', 'ROE'),
    of('102.500', 'PEÑ'),
    of('1.01687000120e+14', 'ROE'),
  ])
  dbf.write('F', 32 * 3 + 11)
  write(folder, 'a.cpg', 'UTF-8')
  const report = await importRoll(folder, [write(folder, 'a.dbf', dbf)])
  assert.deepEqual([report.loaded, report.rejected], [5, 1])
  const reader = openLoaded(t, folder)
  const names = ['101', '10168700012', '102', '101010', '102500'].map(
    async (id) => (await readParcel(reader, 'KY', 21193, id)).ownerName,
  )
  assert.deepEqual(await Promise.all(names), ['PEÑ', 'ANN', 'ANN', 'ROE', 'PEÑ'])
})

const polygon = { type: 'Polygon', coordinates: [SQUARE] }
const feature = (geometry: unknown, more = {}) => ({
  ...{ type: 'Feature', properties: { ...row, ...more } },
  geometry,
})
const features = (...list: object[]) =>
  JSON.stringify({ type: 'FeatureCollection', features: list })
const table = (...shapes: string[]) =>
  ['state,county,parcelId,latitude,geometry', ...shapes].join('\n')
const MOVED = { latitude: 37.9, longitude: -83.1 }
const flat = 'KY,Perry,A1,37.9'
const cell = `"${JSON.stringify(polygon).replaceAll('"', '""')}"`
const point = { type: 'Point', coordinates: [-83.1, 37.3] }

/** A later roll with `--geometry`, and whether the parcel then has its polygon. */
for (const [what, name, text, stays] of [
  ['a feature without a shape', 'b.geojson', features(feature(null)), false],
  ['one whose point moved', 'b.geojson', features(feature(null, MOVED)), false],
  ['an empty polygon', 'b.geojson', features(feature({ ...polygon, coordinates: [] })), false],
  ['an unknown shape', 'b.geojson', features(feature({ type: 'Circle' })), false],
  ['a row of a sequence', 'b.geojsonl', `${JSON.stringify(feature(null))}\n`, false],
  ['Esri JSON', 'b.json', esriJson(null), false],
  ['two rows of it', 'b.geojson', features(feature(null), feature(null, { acres: 2 })), false],
  ['an empty cell', 'b.csv', table(`${flat},`, `KY,Perry,A2,37.9,${cell}`), false],
  ['one of two rows', 'b.geojson', features(feature(null), feature(polygon)), true],
  ['the same polygon', 'b.geojson', features(feature(polygon)), true],
  ['a filled cell', 'b.csv', table(`${flat},${cell}`), true],
  ['a point of an export', 'b.geojson', features(feature(point)), false],
  ['a feature that says nothing', 'b.geojson', features(feature(undefined)), true],
  ['Esri JSON of a table', 'b.json', JSON.stringify({ features: [{ attributes: row }] }), true],
  ['plain JSON', 'b.json', JSON.stringify([row]), true],
  ['a table', 'b.csv', 'state,county,parcelId\nKY,Perry,A1', true],
] as const) {
  test(`the polygon ${stays ? 'stays' : 'goes'} with --geometry: ${what}`, async (t) => {
    const folder = makeFolder(t)
    const options = { geometry: true, force: true }
    await importRoll(folder, [write(folder, 'a.geojson', features(feature(polygon)))], options)
    await importRoll(folder, [write(folder, name, text)], options)
    const reader = openLoaded(t, folder)
    const { calculatedAcres, id } = await readParcel(reader, 'KY', 21193, 'A1')
    const [record] = await reader.byIds('KY', [id])
    assert.deepEqual([record?.geometry != null, calculatedAcres !== null], [stays, stays])
  })
}

test('without --geometry a polygon stays', async (t) => {
  const folder = makeFolder(t)
  const file = write(folder, 'a.geojson', features(feature(polygon)))
  await importRoll(folder, [file], { geometry: true, force: true })
  const next = write(folder, 'b.geojson', features(feature(null, MOVED)))
  await importRoll(folder, [next], { force: true })
  const { calculatedAcres, latitude } = await readParcel(openLoaded(t, folder), 'KY', 21193, 'A1')
  assert.deepEqual([latitude, calculatedAcres !== null], [MOVED.latitude, true])
})

const OWN: MappingDocument = {
  name: 'lost-shapes',
  title: 'Invented county',
  source: { name: 'Invented', license: 'none' },
  state: 'KY',
  county: 'Perry',
  fields: { parcelId: 'parcelId' },
}
const other = (geometry: unknown) => ({
  ...{ type: 'Feature', properties: { ...row, parcelId: 'A2' } },
  geometry,
})
const lines = (geometry: unknown) => `${JSON.stringify({ attributes: row, geometry })}\n`

/** A county's own file with `--geometry`: only one with polygons says which rows have none. */
for (const [what, name, text, stays] of [
  ['a file with another polygon', 'b.geojson', features(feature(null), other(polygon)), false],
  ['a file without any shape', 'b.geojson', features(feature(null), other(null)), true],
  ['a file of points', 'b.geojson', features(feature(null), other(point)), true],
  ['a server that gives no shapes', 'b.ndjson', lines(null).repeat(2), true],
  ['a blank among points', 'b.csv', 'parcelId,the_geom\nA1,\nA2,POINT (-83.1 37.2)\n', true],
  ['a blank among polygons', 'b.csv', `parcelId,the_geom\nA1,\nA2,${cell}\n`, false],
] as const) {
  test(`the polygon ${stays ? 'stays' : 'goes'} with an own mapping: ${what}`, async (t) => {
    const folder = makeFolder(t)
    const options = { geometry: true, force: true, mapping: OWN }
    const first = write(folder, 'a.geojson', features(feature(polygon), other(polygon)))
    await importRoll(folder, [first], options)
    await importRoll(folder, [write(folder, name, text)], options)
    const reader = openLoaded(t, folder)
    const { id } = await readParcel(reader, 'KY', 21193, 'A1')
    const [record] = await reader.byIds('KY', [id])
    assert.equal(record?.geometry != null, stays)
  })
}

test('rows before the first polygon of a file lose theirs too, and are counted', async (t) => {
  const folder = makeFolder(t)
  const options = { geometry: true, mapping: OWN }
  const own = (at: number, geometry: unknown) => feature(geometry, { parcelId: `B${at}` })
  const all = Array.from({ length: 1200 }, (_, at) => own(at, polygon))
  await importRoll(folder, [write(folder, 'a.geojson', features(...all))], options)
  const late = (from: number) =>
    write(folder, 'b.geojson', features(...all.map((one, at) => (at < from ? own(at, null) : one))))
  const refused = /601 of the 1,200 parcels with a polygon in PERRY, KY would lose it.*--force/
  await assert.rejects(importRoll(folder, [late(601)], options), refused)
  const dry = await importRoll(folder, [late(601)], { ...options, dryRun: true })
  assert.match(String(dry.refused), refused)
  const { doubts, updated } = await importRoll(folder, [late(600)], options)
  assert.deepEqual(doubts, [
    '600 parcels of PERRY, KY lose their polygons: their rows have no shape',
  ])
  assert.equal(updated, 600)
  assert.deepEqual((await importRoll(folder, [late(600)], options)).doubts, [])
  const bare = write(folder, 'c.csv', `parcelId\n${all.map((_, at) => `B${at}`).join('\n')}\n`)
  assert.deepEqual((await importRoll(folder, [bare], { mapping: OWN })).doubts, [])
})

test('a layer of a GeoPackage without shapes takes no polygon away', async (t) => {
  const folder = makeFolder(t)
  await importRoll(folder, [write(folder, 'a.geojson', features(feature(polygon)))], {
    geometry: true,
    force: true,
  })
  const file = join(folder, 'b.gpkg')
  const db = new DatabaseSync(file)
  db.exec(`CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, srs_id INTEGER);
    CREATE TABLE lots (fid INTEGER PRIMARY KEY, state TEXT, county TEXT, parcelId TEXT);
    INSERT INTO gpkg_contents VALUES ('lots', 'attributes', 0);
    INSERT INTO lots VALUES (1, 'KY', 'Perry', 'A1')`)
  db.close()
  await importRoll(folder, [file], { geometry: true, force: true })
  const reader = openLoaded(t, folder)
  const { id } = await readParcel(reader, 'KY', 21193, 'A1')
  const [record] = await reader.byIds('KY', [id])
  assert.ok(record?.geometry != null)
})
