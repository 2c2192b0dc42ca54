/**
 * The rolls beside the checkout, by the mappings in the box. They are not part of the project:
 * without them these tests skip.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { Columns, compileValue } from '../../src/import/mapping/expression.ts'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { IS_LONG } from '../repetitions.ts'
import { counts, importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'
import { readTable, writeTable } from './tables.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const skip = existsSync(DATA) ? false : 'the folder of real rolls is not beside the checkout'

/** Parcels of a first load: all are new. */
const loaded = (rows: number, parcels: number, more: Partial<ReturnType<typeof counts>> = {}) => ({
  rows,
  loaded: parcels,
  updated: 0,
  unchanged: 0,
  removed: 0,
  duplicates: 0,
  skipped: 0,
  rejected: 0,
  ...more,
})

test('Philadelphia: 5,336 parcels, 3 blank rows skipped', { skip }, async (t) => {
  const data = makeFolder(t)
  const file = join(DATA, 'pa-philadelphia-opa/opa_properties_public_sample.csv')
  const report = await importRoll(data, [file], { mapping: 'pa-philadelphia-opa' })
  assert.deepEqual(counts(report), loaded(5339, 5336, { skipped: 3 }))
  // Their century was guessed by the publisher: 2068 for 1968.
  assert.deepEqual(report.unread, { transferDate: 125, recordingDate: 125 })
  const again = await importRoll(data, [file], { mapping: 'pa-philadelphia-opa' })
  assert.equal(again.unchanged, 5336)
  const [coverage] = await openLoaded(t, data).coverage()
  assert.equal(coverage?.fips, 42101)
  const full = ['owner', 'address', 'coordinates', 'zipCode', 'marketValue', 'residential'] as const
  for (const field of full) {
    assert.ok((coverage?.filled[field] ?? 0) > 5300, field)
  }
})

test('Easthampton: 5,948 rows, of which 22 are roads and water that nobody is recorded to own', {
  skip,
}, async (t) => {
  const data = makeFolder(t)
  const file = join(DATA, 'ma-easthampton-massgis/parcels_joined.csv')
  const report = await importRoll(data, [file], { mapping: 'ma-massgis-l3' })
  assert.deepEqual(counts(report), loaded(5948, 5926, { skipped: 22 }))
  assert.deepEqual(report.counties, ['25015'])
  const reader = openLoaded(t, data)
  const [coverage] = await reader.coverage()
  assert.equal(coverage?.filled.coordinates, 5926)
})

test('Seneca: 6,562 rows are 6,531 parcels with all their owners', { skip }, async (t) => {
  const data = makeFolder(t)
  const file = join(DATA, 'oh-seneca/Parcels.csv')
  const report = await importRoll(data, [file], { mapping: 'oh-seneca' })
  assert.deepEqual(counts(report), loaded(6562, 6531, { duplicates: 31 }))
  const again = await importRoll(data, [file], { mapping: 'oh-seneca' })
  assert.deepEqual([again.unchanged, again.updated], [6531, 0], 'merging gives the same every time')
})

test('PLUTO: 43,384 tax lots of Manhattan in a zip', { skip }, async (t) => {
  const data = makeFolder(t)
  const file = join(DATA, 'ny-manhattan-pluto/MN.csv.zip')
  const report = await importRoll(data, [file], { mapping: 'ny-pluto', dryRun: true })
  assert.deepEqual(counts(report), loaded(43_384, 43_384))
})

test('PLUTO: 500 lots have the values of the roll', { skip }, async (t) => {
  const data = makeFolder(t)
  const all = await readTable(join(DATA, 'ny-manhattan-pluto/MN.csv.zip'))
  const rows = all.filter((row) => Number(row.APPBBL) > 0 || Number(row.Lot) < 3).slice(0, 500)
  const file = write(data, 'lots.csv', writeTable(rows))
  assert.equal((await importRoll(data, [file], { mapping: 'ny-pluto' })).loaded, 500)
  const reader = openLoaded(t, data)
  for (const row of rows) {
    const lot = await readParcel(reader, 'NY', 36061, row.BBL ?? '')
    const known = Number(row.BldgArea) > 0
    const areas = ['ResArea', 'ComArea', 'RetailArea', 'OfficeArea'].map((column) =>
      known ? Number(row[column]) : null,
    )
    assert.deepEqual(
      [lot.residentialArea, lot.commercialArea, lot.retailArea, lot.officeArea],
      areas,
      String(row.BBL),
    )
    assert.deepEqual(
      [lot.unitCount, lot.totalUnitCount, lot.buildingCount],
      [Number(row.UnitsRes), Number(row.UnitsTotal), Number(row.NumBldgs)],
    )
    assert.equal(lot.taxableValue, Number(row.AssessTot) - Number(row.ExemptTot))
    assert.equal(lot.assessedBuildingValue, Number(row.AssessTot) - Number(row.AssessLand))
    // Some lots name themselves.
    const isFormer = Number(row.APPBBL) !== 0 && row.APPBBL !== row.BBL
    assert.deepEqual(lot.formerParcelIds, isFormer ? [row.APPBBL] : [])
    const isCity = row.OwnerType === 'C' || row.OwnerType === 'O'
    if (row.OwnerType !== 'X' && row.OwnerType !== '')
      assert.equal(lot.ownerType === 'government', isCity, String(row.BBL))
    assert.equal(lot.district, row.CD)
  }
})

test('Lancaster: no parcel of several lots is its first lot alone', { skip }, async () => {
  const rows = await readTable(join(DATA, 'ne-lancaster/lancaster_parcels.csv.gz'))
  const mapping = loadMapping('ne-lancaster')
  const names = Object.keys(rows[0] ?? {})
  const read = compileValue(mapping.fields.lotNum ?? '', new Columns(names, mapping), [])
  const several = rows.filter(
    ({ PRPRTYDSCR = '' }) =>
      / LOTS? \d+ ?(?:-|&) ?\d+\b(?![/.'-])/i.test(PRPRTYDSCR) &&
      PRPRTYDSCR.match(/\bLOTS?\b/gi)?.length === 1,
  )
  assert.ok(several.length > 5900, String(several.length))
  const cut = several.filter((row) => !/[-&]/.test(read?.(Object.values(row)) ?? ''))
  assert.deepEqual(cut.length, 0, `of ${several.length}`)
})

// Lancaster's table, twice imported and looked up: test/lancaster.long.test.ts.
const noZips = skip || (IS_LONG ? false : 'takes a minute: npm run test:long')

test('Lancaster from its 59 zips gives the same records as its table', {
  skip: noZips,
}, async (t) => {
  const data = makeFolder(t)
  const folder = join(DATA, 'ne-lancaster/shapefiles')
  const zips = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
  assert.equal(zips.length, 59)
  const report = await importRoll(data, zips, { mapping: 'ne-lancaster' })
  assert.deepEqual(counts(report), loaded(247_002, 105_243, { duplicates: 141_759 }))
  const table = join(DATA, 'ne-lancaster/lancaster_parcels.csv.gz')
  const again = await importRoll(data, [table], { mapping: 'ne-lancaster' })
  assert.equal(again.loaded + again.removed, 0)
  assert.ok(again.updated < 20, 'the last digit of a few points is rounded otherwise')
})
