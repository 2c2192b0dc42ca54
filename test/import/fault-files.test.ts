/** Files by which public reports broke other programs: what each gives, or says. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import type { ImportReport } from '../../src/import/report/import-report.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import type { Parcel } from '../../src/record/parcel.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { importRoll, makeFolder, openLoaded, TODAY } from './small-roll.ts'

const FOLDER = new URL('../../../shared/faults/', import.meta.url).pathname
const skip = existsSync(FOLDER) ? false : 'no ../shared/faults beside the checkout'

type Loaded = { report: ImportReport; parcel(id: string): Promise<Parcel> }

/** Loads a file by the plain layout, or by the columns named. */
async function load(t: TestContext, name: string, fields?: object): Promise<Loaded> {
  const folder = makeFolder(t)
  const own = fields && ({ name: 'own', fields } as MappingDocument)
  const report = await importRoll(folder, [join(FOLDER, name)], {
    ...{ geometry: true, force: true, mapping: own ?? 'platbook' },
    ...(own !== undefined && !('state' in own.fields) && { state: 'NE', county: 'Lancaster' }),
  })
  const reader = openLoaded(t, folder)
  return {
    report,
    async parcel(id) {
      const [county = ''] = report.counties
      const fips = Number(county)
      const state = { 21: 'KY', 31: 'NE', 36: 'NY' }[Math.floor(fips / 1000)] ?? ''
      const [found] = await reader.byParcelId(state, fips, id)
      assert.ok(found, `${name}: no parcel ${id}`)
      return decodeParcel(found.fieldValues)
    },
  }
}

const DBASE = { state: 'STATE', county: 'COUNTY', parcelId: 'PARCELID', ownerName1: 'OWNERNME1' }

const isNear = (value: number | null, other: number, by: number) =>
  assert.ok(value !== null && Math.abs(value - other) <= by, `${value} is not near ${other}`)

test('cells formatted as text are texts', { skip }, async (t) => {
  const { parcel } = await load(t, 'x11.xlsx')
  const { streetNumber, zipCode } = await parcel('12341')
  assert.deepEqual([streetNumber, zipCode], ['122', '68501'])
})

for (const [name, ids] of [
  ['j1.ndjson', ['232605000000011011', '232605000000011012', '232605000000011013']],
  ['gp_float.gpkg', []],
  ['p2.parquet', []],
] as const) {
  test(`${name}: long IDs are as written, or their rows rejected`, { skip }, async (t) => {
    const { report, parcel } = await load(t, name)
    for (const id of ids) assert.equal((await parcel(id)).parcelId, id)
    if (ids.length > 0) return
    assert.ok(report.rejected > 0)
    assert.match(report.reasons[0]?.[0] ?? '', /rounded by the file/)
  })
}

test('s4.csv: impossible dates and placeholders are unknown and counted', { skip }, async (t) => {
  const { report, parcel } = await load(t, 's4.csv')
  for (const at of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 23, 24, 25, 26, 28, 29, 30]) {
    assert.deepEqual((await parcel(`DT${at}`)).transfers[0]?.transferDate ?? null, null, `DT${at}`)
  }
  assert.equal((await parcel('DT12')).transfers[0]?.transferDate, '2027-06-01')
  assert.equal((await parcel('DT16')).transfers[0]?.transferDate, '1776-07-04')
  assert.equal((await parcel('NB5')).acres, null)
  assert.equal((await parcel('NB8')).frontage, null)
  assert.equal((await parcel('NB9')).taxAmount, -12.5)
  assert.equal((await parcel('NB2')).buildings[0]?.bedrooms ?? null, null)
  assert.equal((await parcel('NB4')).buildings[0]?.stories ?? null, null)
  assert.equal((await parcel('NB21')).buildings[0]?.stories, 1.75)
  for (const field of ['acres', 'totalBedrooms', 'stories', 'frontage', 'buildingArea']) {
    assert.ok((report.placeholders[field] ?? 0) > 0, `${field} ${Object.keys(report.placeholders)}`)
  }
})

test('unclosed rings are closed, and rings of NaN are no shape', { skip }, async (t) => {
  const { report, parcel } = await load(t, 'g_unclosed.geojson')
  assert.deepEqual(report.unplaced, [])
  assert.ok(((await parcel('A1')).calculatedAcres ?? 0) > 2)
  const nan = await load(t, 'g_nan.json')
  assert.match(nan.report.unplaced[0]?.reason ?? '', /no numbers/)
  assert.notEqual((await nan.parcel('A1')).calculatedAcres, 0)
})

for (const name of ['gc_late.geojson', 'gd_esri.geojson', 'gc_mystery.geojson']) {
  test(`${name} is placed in Queens`, { skip }, async (t) => {
    const { report, parcel } = await load(t, name)
    assert.deepEqual(report.unplaced, [])
    const { longitude, latitude } = await parcel('A1')
    isNear(longitude, -73.9, 0.01)
    isNear(latitude, 40.7019, 0.01)
  })
}

test('pk_swapdeg: axes are turned round, and said', { skip }, async (t) => {
  const { report, parcel } = await load(t, 'pk_swapdeg.shp', DBASE)
  assert.match(report.doubts.join(), /latitude before longitude/)
  isNear((await parcel('A1')).latitude, 40.8, 0.1)
})

test('pj_nad27 is moved, and said', { skip }, async (t) => {
  const { report } = await load(t, 'pj_nad27.shp', DBASE)
  assert.match(report.doubts.join(), /on NAD27/)
  assert.deepEqual(report.unplaced, [])
})

test('well-known text is read', { skip }, async (t) => {
  const fields = { parcelId: 'PIN', address: 'SITUS', ownerName1: 'OWNER' }
  for (const one of [await load(t, 'csvwkt.csv', fields), await load(t, 'pa_wkt.parquet')]) {
    const { longitude, calculatedAcres } = await one.parcel('A1')
    isNear(longitude, -96.6995, 0.0001)
    assert.ok((calculatedAcres ?? 0) > 2)
  }
})

test('dBASE tables are read in their code page and to their last row', { skip }, async (t) => {
  const named = await load(t, 'sh_c437.shp', DBASE)
  assert.equal((await named.parcel('A1')).ownerName, 'PEÑA JOSÉ')
  const few = await load(t, 'sd_few.shp', DBASE)
  assert.equal(few.report.loaded, 3)
  assert.match(few.report.doubts.join(), /its header counts 2 rows, and it has 3/)
})

test('points outside the county are counted, and refuse the roll', { skip }, async (t) => {
  const file = join(FOLDER, 'g_wrongstate.geojson')
  const dry = await importRoll(makeFolder(t), [file], { dryRun: true })
  assert.equal(dry.outside[0]?.parcels, 40)
  assert.match(dry.refused ?? '', /40 of 40 points of PERRY, KY/)
  const { outside } = await inspectFile(file, { mappings: [], today: TODAY })
  assert.equal(outside[0]?.parcels, 40)
})

for (const [name, warning] of [
  ['ids_15.csv', /60 of 60 parcel IDs of more than 15 digits have zeros/],
  ['ids_zero0.csv', /53 of 59 parcel IDs have 10 digits.*leading zeros may be lost/],
] as const) {
  test(`${name}: damaged IDs are counted in inspect and dry run`, { skip }, async (t) => {
    const file = join(FOLDER, name)
    const county = { state: 'IN', county: 'Washington' }
    const { draft } = await inspectFile(file, { mappings: [], today: TODAY, ...county })
    assert.match(draft.warnings.join('\n'), warning)
    const mapping = { ...draftDocument(draft), name: 'own' } as MappingDocument
    const dry = await importRoll(makeFolder(t), [file], { dryRun: true, mapping, rollYear: 2025 })
    assert.match(dry.preview?.warnings.join('\n') ?? '', warning)
  })
}
