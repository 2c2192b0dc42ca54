/**
 * Faults found by a second set of ten invented rolls: columns and lines that drafts read wrongly or
 * not at all.
 */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { findLayout } from '../../src/import/readers/preamble.ts'
import type { Draft } from '../../src/inspect/compose/draft.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { csvRow } from '../../src/sample/write.ts'
import { makeFolder, TODAY, write } from '../import/small-roll.ts'
import { inventTruth, type Truth } from './manners/truth.ts'

const TOWNS = [
  { city: 'MILLPORT', zip: '44820', municipality: 'MILLPORT TWP' },
  { city: 'HOLLOW', zip: '44822', municipality: 'HOLLOW TWP' },
]
const PLACE = { state: 'OH', county: 'Crawford' }
type Columns = Record<string, (truth: Truth) => string | number>
const rows = inventTruth('second ten', 'OH', TOWNS, 60)
const idOf = ({ at }: Truth) => `58-${String(at * 31).padStart(6, '0')}`
const nameOf = ({ surname, given }: Truth) => `${surname} ${given}`

async function inspectText(t: TestContext, text: string): Promise<Draft> {
  const file = write(makeFolder(t), 'roll.csv', text)
  return (await inspectFile(file, { today: TODAY, mappings: [], ...PLACE })).draft
}

async function fieldsOf(t: TestContext, columns: Columns) {
  const lines = [
    csvRow(Object.keys(columns)),
    ...rows.map((row) => csvRow(Object.values(columns).map((writeCell) => String(writeCell(row))))),
  ]
  const { fields, buildings, transfers } = draftDocument(await inspectText(t, lines.join('')))
  return { fields, buildings, transfers }
}

test("columns that begin as the owner's name does are the owner's", async (t) => {
  const { fields } = await fieldsOf(t, {
    prop_id: idOf,
    py_owner_name: nameOf,
    py_addr_line1: ({ mailLine }) => mailLine,
    py_addr_city: ({ mailCity }) => mailCity,
    py_addr_zip: ({ mailZip }) => mailZip,
    situs_display: ({ line, town }) => `${line} ${town.city} OH ${town.zip}`,
  })
  assert.deepEqual(fields?.ownerCity, { column: 'py_addr_city' })
  assert.deepEqual(fields?.ownerZipCode, { column: 'py_addr_zip' })
  assert.deepEqual(fields?.addressFull, { column: 'situs_display' })
  assert.equal(fields?.city, undefined)
})

test('a line that ends in the state alone is an address in one line', async (t) => {
  const { fields } = await fieldsOf(t, {
    PARCEL_ID: idOf,
    OWNER: nameOf,
    'SITUS ADDRESS': ({ line, town }) => `${line} ${town.city} OH`,
    'MAILING ADDRESS': ({ mailLine }) => mailLine,
  })
  assert.deepEqual(fields?.addressFull, { column: 'SITUS ADDRESS' })
})

test('St#, BILL_CITY_ST, TOT_35 and ZIP codes with a decimal are what clerks mean', async (t) => {
  const { fields } = await fieldsOf(t, {
    'Parcel #': idOf,
    'Owner 1': nameOf,
    'St#': ({ at }) => at + 12,
    'Street Name': () => 'OAK ST',
    PHY_CITY: ({ town }) => town.city,
    PHY_ZIPCD: ({ town }) => `${town.zip}.0`,
    BILL_ADDR: ({ mailLine }) => mailLine,
    BILL_CITY_ST: ({ mailCity }) => `${mailCity}, OHIO`,
    TOT_APPR: ({ at }) => 100_000 + at * 1000,
    TOT_35: ({ at }) => 35_000 + at * 350,
  })
  assert.deepEqual(fields?.parcelId, { column: 'Parcel #' })
  assert.deepEqual(fields?.streetNumber, { column: 'St#' })
  assert.deepEqual(fields?.zipCode, { column: 'PHY_ZIPCD' })
  assert.deepEqual(fields?.ownerCityStateZip, { column: 'BILL_CITY_ST' })
  assert.deepEqual(fields?.totalMarketValue, { column: 'TOT_APPR' })
  assert.deepEqual(fields?.totalAssessedValue, { column: 'TOT_35' })
})

test('an amount after the date of a sale is its price', async (t) => {
  const { transfers } = await fieldsOf(t, {
    PARCEL_ID: idOf,
    OWNER: nameOf,
    SITUS: ({ line }) => line,
    'Total $': ({ at }) => 90_000 + at * 700,
    'Last Sale': ({ at }) => `${(at % 12) + 1}/${(at % 27) + 1}/2019`,
    Amount: ({ at }) => 50_000 + at * 900,
  })
  assert.deepEqual(transfers?.[0]?.transferDate, { column: 'Last Sale' })
  assert.deepEqual(transfers?.[0]?.transferPrice, { column: 'Amount' })
})

test('a title line whose other fields are empty quotes is not a header', () => {
  const body = Array.from({ length: 9 }, (_, at) => `"${at}","A","B","C"`)
  const text = ['"COUNTY ASSESSMENT OFFICE","","",""', '"PIN","OWNER","SITUS","USE"', ...body]
  assert.deepEqual(findLayout(`${text.join('\n')}\n`), { skip: 1, separator: ',' })
})

test('a ruler of dashes marks columns of fixed width, even with commas in values', async (t) => {
  const pad = (texts: string[]) =>
    texts.map((text, at) => text.padEnd([10, 30, 44][at] ?? 0)).join(' ')
  const text = [
    pad(['PARCEL', 'OWNER NAME', 'SITUS ADDRESS']),
    pad(['-'.repeat(10), '-'.repeat(30), '-'.repeat(44)]),
    ...rows.map((row) => pad([idOf(row), nameOf(row), `${row.line}, ${row.town.city}, OH`])),
  ]
  const draft = await inspectText(t, `${text.join('\n')}\n`)
  const { fields } = draftDocument(draft)
  assert.deepEqual(fields?.parcelId, { column: 'PARCEL' })
  assert.deepEqual(fields?.ownerName1, { column: 'OWNER NAME' })
  assert.deepEqual(fields?.addressFull, { column: 'SITUS ADDRESS' })
})
