/**
 * What inspect makes of several files: those of one layout are one roll, others are joined to it by
 * a common key.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { listFiles } from '../../src/import/list-files.ts'
import { readMapping } from '../../src/import/mapping/mapping.ts'
import { showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { makeDbf, makeShp, makeZip } from '../import/make-files.ts'
import {
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
  write,
} from '../import/small-roll.ts'
import { type Cells, inventTruth, type Truth, writeTable } from './manners/truth.ts'

const TOWNS = [
  { city: 'MONROE', zip: '48161', municipality: 'FRENCHTOWN TWP' },
  { city: 'TEMPERANCE', zip: '48182', municipality: 'BEDFORD TWP' },
]
const PLACE = { state: 'MI', county: 'Monroe' }
const options = { today: TODAY, mappings: [], ...PLACE }
const ROWS = inventTruth('several', 'MI', TOWNS, 80)

const idOf = ({ at }: Truth) => `58-${String(at * 31).padStart(3, '0')}-${1000 + at * 7}`
const ROLL: Cells = {
  PARCEL_ID: idOf,
  OWNER: ({ surname, given }) => `${surname} ${given}`,
  SITUS_ADDR: ({ line }) => line,
  SITUS_CITY: ({ town }) => town.city,
}

/** What a draft makes of the files when it is loaded. */
async function loadDraft(t: TestContext, files: string[]) {
  const inspection = await inspectFile(files, options)
  const mapping = readMapping(showDraft(inspection.draft), 'the draft')
  const data = makeFolder(t)
  const report = await importRoll(data, files, { mapping, force: true })
  const read = (id: string) =>
    readParcel(openLoaded(t, data), 'MI', 26115, id.replace(/[^A-Z0-9]/g, ''))
  return { inspection, mapping, report, read }
}

test('files of one layout in a folder are one roll; other documents are left out', async (t) => {
  const folder = join(makeFolder(t), 'roll')
  mkdirSync(join(folder, 'north'), { recursive: true })
  write(folder, 'a.csv', writeTable(ROWS.slice(0, 30), ROLL))
  write(join(folder, 'north'), 'b.csv', writeTable(ROWS.slice(30), { ...ROLL, NOTE: () => 'x' }))
  write(folder, 'readme.pdf', '%PDF-1.4')
  const files = listFiles([folder])
  assert.equal(files.length, 2)
  const { inspection, mapping, report } = await loadDraft(t, files)
  assert.equal(inspection.rows, 80)
  assert.deepEqual(
    inspection.layouts.map(({ use, files: some }) => [use, some.length]),
    [['roll', 2]],
  )
  assert.deepEqual(mapping.optional, ['NOTE'])
  assert.equal(mapping.join, undefined)
  assert.equal(report.loaded, 80)
})

test('a file of sales is joined by the key that both write in their own manner', async (t) => {
  const folder = makeFolder(t)
  const roll = write(folder, 'parcels.csv', writeTable(ROWS, ROLL))
  const sold = ROWS.filter(({ at }) => at % 3 === 0)
  const sales: Cells = {
    PIN: (truth) => `000${idOf(truth).replaceAll('-', '')}`,
    SALE_DATE: ({ at }) => `2019-0${1 + (at % 9)}-15`,
    SALE_PRICE: ({ at }) => 100_000 + at * 1500,
    DEED_BOOK: ({ at }) => 200 + at,
  }
  const earlier: Cells = { ...sales, SALE_DATE: () => '2004-05-06', SALE_PRICE: () => 61_500 }
  const second = writeTable(sold, earlier).split('\n').slice(1).join('\n')
  const file = write(folder, 'sales.csv', writeTable(sold, sales) + second)
  for (const files of [
    [roll, file],
    [file, roll],
  ]) {
    const { inspection, mapping, report, read } = await loadDraft(t, files)
    assert.deepEqual(
      inspection.layouts.map(({ use }) => use),
      ['roll', 'joined'],
    )
    assert.match(inspection.layouts[1]?.why ?? '', /PIN is PARCEL_ID of the roll without signs and/)
    assert.match(inspection.layouts[1]?.why ?? '', /has 100 % of its keys, and 34 % of the roll/)
    assert.equal([mapping.join].flat().length, 1)
    assert.equal(report.loaded, 80)
    const parcel = await read(idOf(sold[2] as Truth))
    assert.deepEqual(
      parcel.transfers.map(({ transferPrice }) => transferPrice),
      [100_000 + (sold[2]?.at ?? 0) * 1500, 61_500],
    )
  }
})

test('the amount of one line of land is none of the parcel', async (t) => {
  const values: Cells = { LAND_VALUE: ({ at }) => 90_000 + at * 700 }
  const lines: Cells = { PARCEL_ID: idOf, LAND_ASSD: () => 4300, LAND_ACRES: () => '0.5' }
  const land = writeTable([...ROWS, ...ROWS], lines)
  const folder = makeFolder(t)
  const files = [
    write(folder, 'parcels.csv', writeTable(ROWS, { ...ROLL, ...values })),
    write(folder, 'land.csv', land),
  ]
  const { inspection, mapping, read } = await loadDraft(t, files)
  assert.deepEqual([mapping.fields.acres, mapping.fields.landArea], [undefined, undefined])
  assert.deepEqual(inspection.draft.unused, ['LAND_ASSD', 'LAND_ACRES'])
  const { totalLandValue, assessedLandValue } = await read(idOf(ROWS[3] as Truth))
  assert.equal(totalLandValue ?? assessedLandValue, 90_000 + 2100)
})

test('further sales of a parcel do not count as parcels without a value', async (t) => {
  const folder = makeFolder(t)
  const values: Cells = { PARCEL_ID: idOf, ASSESSED_VALUE: ({ at }) => 90_000 + at * 700 }
  const sales = [2017, 2018, 2019].flatMap((year) =>
    ROWS.map((row) => `${idOf(row)},${year}-01-15`),
  )
  const files = [
    write(folder, 'parcels.csv', writeTable(ROWS, ROLL)),
    write(folder, 'values.csv', writeTable(ROWS, values)),
    write(folder, 'sales.csv', ['PARCEL_ID,SALE_DATE', ...sales].join('\n')),
  ]
  const { mapping } = await loadDraft(t, files)
  assert.equal(mapping.expect?.totalAssessedValue, '>= 90 %')
  const { refused } = await importRoll(makeFolder(t), files, { mapping, dryRun: true })
  assert.equal(refused, null)
})

const plainId = ({ at }: Truth) => String(1001 + at * 7)
for (const [theirs, ours, isJoined] of [
  [(truth) => `${plainId(truth)}.0`, plainId, true],
  [(truth) => `${plainId(truth)}.000`, (truth) => `000${plainId(truth)}`, true],
  [plainId, (truth) => `${plainId(truth)}.0`, true],
  // Near misses: lots behind the point; another number with a point.
  [(truth) => `${plainId(truth)}.${truth.at % 2}`, plainId, false],
  [(truth) => `${plainId(truth)}0.0`, plainId, false],
] satisfies [Cells[string], Cells[string], boolean][]) {
  const [key, own] = [theirs, ours].map((cell) => cell(ROWS[0] as Truth))
  test(`keys like ${key} are ${own}: ${isJoined}`, async (t) => {
    const folder = makeFolder(t)
    const roll = write(folder, 'a.csv', writeTable(ROWS, { ...ROLL, PARCEL_ID: ours }))
    const more: Cells = { PARCEL_ID: theirs, TOTAL_VALUE: ({ at }) => 100_000 + at * 1500 }
    const values = write(folder, 'b.csv', writeTable(ROWS, more))
    const { layouts } = await inspectFile([roll, values], options)
    assert.equal(layouts[1]?.use, isJoined ? 'joined' : 'left out')
    if (!isJoined) return
    assert.match(layouts[1]?.why ?? '', /roll without "\.0"/)
    const { read } = await loadDraft(t, [roll, values])
    const { totalAssessedValue, totalMarketValue } = await read(ours(ROWS[2] as Truth))
    assert.equal(totalAssessedValue ?? totalMarketValue, 103_000)
  })
}

test('a joined column that the roll has too is named apart, and drafted in doubt', async (t) => {
  const folder = makeFolder(t)
  const { SITUS_CITY: _, ...owners } = ROLL
  const roll = write(folder, 'owners.csv', writeTable(ROWS, { ...owners, CITYNAME: () => 'OMAHA' }))
  const sites: Cells = {
    PARCEL_ID: idOf,
    ACRES: ({ at }) => 1 + at / 8,
    CITYNAME: ({ town }) => town.city,
  }
  const site = write(folder, 'sites.csv', writeTable(ROWS, sites))
  const { inspection, read } = await loadDraft(t, [roll, site])
  assert.ok(inspection.columns.some(({ name }) => name === 'CITYNAME (2)'))
  const used = JSON.stringify([inspection.draft.entries, inspection.draft.settings])
  assert.match(used, /CITYNAME \(2\)/)
  assert.doesNotMatch(used, /PARCEL_ID \(2\)/)
  const parcel = await read(idOf(ROWS[5] as Truth))
  assert.equal(parcel.acres, 1 + (ROWS[5]?.at ?? 0) / 8)
})

test('of the rows of several years, the newest are loaded, whatever their order', async (t) => {
  const folder = makeFolder(t)
  const year = (tax: string, factor: number): Cells => ({
    ...ROLL,
    TAX_YEAR: () => tax,
    TOTAL_VALUE: ({ at }) => (100_000 + at * 500) * factor,
  })
  const [old, now] = [writeTable(ROWS, year('2023', 1)), writeTable(ROWS, year('2024', 2))]
  const withoutHeader = (text: string) => text.split('\n').slice(1).join('\n')
  for (const text of [old + withoutHeader(now), now + withoutHeader(old)]) {
    const { mapping, report, read } = await loadDraft(t, [write(folder, 'roll.csv', text)])
    assert.deepEqual(mapping.skip, [{ value: 'TAX_YEAR', is: ['2023'] }])
    assert.deepEqual([report.loaded, report.skipped], [80, 80])
    const parcel = await read(idOf(ROWS[5] as Truth))
    assert.equal(parcel.totalMarketValue, (100_000 + (ROWS[5]?.at ?? 0) * 500) * 2)
  }
})

test('rows of several owners of one year are merged and none is left out', async (t) => {
  const folder = makeFolder(t)
  const owned = (name: string): Cells => ({ ...ROLL, OWNER: () => name, TAX_YEAR: () => '2024' })
  const text = writeTable(ROWS, owned('ROE JANE'))
  const second = writeTable(ROWS.slice(0, 40), owned('VANCE PAUL')).split('\n').slice(1).join('\n')
  const { mapping, report, read } = await loadDraft(t, [write(folder, 'r.csv', text + second)])
  assert.equal(mapping.skip, undefined)
  assert.equal(report.loaded, 80)
  const parcel = await read(idOf(ROWS[5] as Truth))
  assert.deepEqual([parcel.ownerName, parcel.ownerName2], ['ROE JANE', 'VANCE PAUL'])
})

test('a table is joined to the shapes that have nearly all of its parcels', async (t) => {
  const folder = makeFolder(t)
  const rings = ROWS.map(({ at }): [number, number][][] => {
    const [x, y] = [-83.4 + at / 1000, 41.9]
    return [
      [
        [x, y],
        [x, y + 0.0005],
        [x + 0.0005, y + 0.0005],
        [x, y],
      ],
    ]
  })
  const shp = write(folder, 'lots.shp', makeShp(rings))
  write(
    folder,
    'lots.dbf',
    makeDbf(
      [
        ['PARCEL_ID', 14],
        ['ACRES', 8],
      ],
      ROWS.map((row) => [idOf(row), '1.25']),
    ),
  )
  const roll = write(folder, 'owners.csv', writeTable(ROWS, ROLL))
  const { inspection, report, read } = await loadDraft(t, [roll, shp])
  assert.deepEqual(
    inspection.layouts.map(({ use, files }) => [use, files]),
    [
      ['roll', [shp]],
      ['joined', [roll]],
    ],
  )
  assert.equal(report.loaded, 80)
  const parcel = await read(idOf(ROWS[5] as Truth))
  assert.ok(parcel.ownerName !== null && (parcel.latitude ?? 0) > 41)
})

test('tables of one archive are looked at as files of their own', async (t) => {
  const values: Cells = { PARCEL_ID: idOf, TOTAL_MARKET_VALUE: ({ at }) => 90_000 + at * 100 }
  const zip = makeZip({
    'roll.csv': writeTable(ROWS, ROLL),
    'values.csv': writeTable(ROWS, values),
  })
  const file = write(makeFolder(t), 'county.zip', zip)
  const { inspection, report, read } = await loadDraft(t, [file])
  assert.deepEqual(
    inspection.layouts.map(({ use, files }) => [use, files]),
    [
      ['roll', [`${file}!roll.csv`]],
      ['joined', [`${file}!values.csv`]],
    ],
  )
  assert.equal(report.loaded, 80)
  assert.equal((await read(idOf(ROWS[4] as Truth))).totalMarketValue, 90_400)
})

test('numbers of rows join nothing: the other file is left out, with a sentence', async (t) => {
  const folder = makeFolder(t)
  const numbered = { OBJECTID: ({ at }: Truth) => at + 1 }
  const roll = write(folder, 'parcels.csv', writeTable(ROWS, { ...numbered, ...ROLL }))
  const permits: Cells = {
    ...numbered,
    PERMIT: ({ at }) => `BP-${at * 13}`,
    ISSUED: () => '2020-01-01',
  }
  const other = write(folder, 'permits.csv', writeTable(ROWS, permits))
  const { layouts, draft } = await inspectFile([other, roll], options)
  assert.deepEqual(
    layouts.map(({ use, files }) => [use, files]),
    [
      ['roll', [roll]],
      ['left out', [other]],
    ],
  )
  assert.match(layouts[1]?.why ?? '', /no column has the keys of the roll/)
  assert.doesNotMatch(showDraft(draft), /"join": \[/)
})

test('without an ID column block and lot together are the key, also of a join', async (t) => {
  const folder = makeFolder(t)
  const key: Cells = { BLOCK: ({ at }) => 100 + Math.floor(at / 9), LOT: ({ at }) => 1 + (at % 9) }
  const { PARCEL_ID: _, ...rest } = ROLL
  const roll = write(folder, 'roll.csv', writeTable(ROWS, { ...key, ...rest }))
  const values: Cells = { ...key, TOTAL_MARKET_VALUE: ({ at }) => 90_000 + at * 100 }
  const other = write(folder, 'values.csv', writeTable(ROWS, values))
  const { inspection, report, read } = await loadDraft(t, [roll, other])
  assert.match(inspection.draft.warnings.join('\n'), /BLOCK, LOT together are unique in all/)
  assert.equal(report.loaded, 80)
  assert.equal((await read('102-3')).totalMarketValue, 92_000)
})

test('a zipped shapefile without .prj asks for --epsg; inspect guesses the zone', async (t) => {
  const rings = Array.from({ length: 30 }, (_, at): [number, number][][] => {
    const [x, y] = [7_600_000 + at * 400, 650_000 + at * 400]
    return [
      [
        [x, y],
        [x, y + 200],
        [x + 200, y + 200],
        [x, y],
      ],
    ]
  })
  const shp = makeShp(rings)
  for (const [at, value] of [7_600_000, 650_000, 7_612_000, 662_000].entries()) {
    shp.writeDoubleLE(value, 36 + 8 * at)
  }
  const rows = rings.map((_, at) => [`1S1-${1000 + at}`, `CARVER MARY ${at}`])
  const dbf = makeDbf(
    [
      ['TAXLOT', 12],
      ['OWNER', 30],
    ],
    rows,
  )
  const data = makeFolder(t)
  const zip = write(data, 'lots.zip', makeZip({ 'gis/lots.shp': shp, 'gis/lots.dbf': dbf }))
  const place = { state: 'OR', county: 'Washington' }
  const { draft } = await inspectFile(zip, { today: TODAY, mappings: [], ...place })
  const epsg = draft.settings.find(({ name }) => name === 'epsg')
  assert.ok([2913, 2269].includes(Number(epsg?.value)), String(epsg?.value))
  assert.match(draft.warnings.join('\n'), /no \.prj file.*Give --epsg \d+/)
  const mapping = readMapping(
    showDraft({ ...draft, settings: draft.settings.filter((one) => one !== epsg) }),
    'draft',
  )
  await assert.rejects(importRoll(data, [zip], { mapping, geometry: true, force: true }), {
    message: /lots\.shp has no \.prj file.*--epsg CODE/,
  })
})
