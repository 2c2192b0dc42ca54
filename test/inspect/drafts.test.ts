/** Drafts of unusual rolls: no ID, townships, odd lines, words that begin like others. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { readMapping, type ValueRule } from '../../src/import/mapping/mapping.ts'
import type { Draft } from '../../src/inspect/compose/draft.ts'
import { draftDocument, showDraft } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { csvRow } from '../../src/sample/write.ts'
import { makeFolder, TODAY, write } from '../import/small-roll.ts'
import { inventTruth, type Truth } from './manners/truth.ts'

const TOWNS = [
  { city: 'MONROE', zip: '48161', municipality: 'FRENCHTOWN TWP' },
  { city: 'TEMPERANCE', zip: '48182', municipality: 'BEDFORD TWP' },
]
const PLACE = { state: 'MI', county: 'Monroe' }

/** Drafts a roll of 60 rows with a column for each entry, the owner's beside it. */
async function draftOf(
  t: TestContext,
  columns: Record<string, (truth: Truth) => string | number>,
): Promise<Draft> {
  const all = { OWNER: ({ surname, given }: Truth) => `${surname} ${given}`, ...columns }
  const rows = inventTruth('drafts', 'MI', TOWNS, 60)
  const text = [
    csvRow(Object.keys(all)),
    ...rows.map((row) => csvRow(Object.values(all).map((writeCell) => String(writeCell(row))))),
  ]
  const file = write(makeFolder(t), 'roll.csv', text.join(''))
  const options = { today: TODAY, mappings: [], ...PLACE }
  return (await inspectFile(file, options)).draft
}

const ID = { PARCEL_ID: ({ at }: Truth) => `58-${String(at * 31).padStart(6, '0')}` }
const fieldsOf = (draft: Draft) => draftDocument(draft).fields

for (const [name, writeOne] of Object.entries({
  TOWNSHIP: ({ town }: Truth) => town.municipality,
  MUNI: ({ town }: Truth) => town.city,
  'Borough Name': ({ town }: Truth) => town.city,
  CITY_NAME: ({ town }: Truth) => town.municipality,
})) {
  test(`${name} is the municipality, never the city of the post`, async (t) => {
    const draft = await draftOf(t, { ...ID, SITUS: ({ line }) => line, [name]: writeOne })
    const { city, jurisdiction } = fieldsOf(draft)
    assert.equal(city, undefined)
    assert.deepEqual(jurisdiction, { column: name })
    const doubt = draft.entries.find((entry) => entry.name === 'city')
    assert.match(doubt?.why ?? '', /no column has the city of the post/)
  })
}

test('a municipality in the mail is a city: nothing else can be meant', async (t) => {
  const draft = await draftOf(t, {
    ...ID,
    SITUS: ({ line }) => line,
    SITUS_CITY: ({ town }) => town.city,
    MAIL_ADDR: ({ mailLine }) => mailLine,
    MAIL_MUNICIPALITY: ({ mailCity }) => mailCity,
    MAIL_STATE: ({ mailState }) => mailState,
  })
  const { city, ownerCity } = fieldsOf(draft)
  assert.deepEqual([city, ownerCity], [{ column: 'SITUS_CITY' }, { column: 'MAIL_MUNICIPALITY' }])
})

test('dwellings are recognised by whole words; the draft lists matches per pattern', async (t) => {
  const draft = await draftOf(t, {
    ...ID,
    SITUS: ({ line }) => line,
    USE_DESC: ({ use }) => use.words,
  })
  const rule = fieldsOf(draft).residential as ValueRule
  const gives = (text: string) =>
    rule.cases?.find(({ pattern }) => new RegExp(pattern, 'iu').test(text))?.gives ?? rule.otherwise
  const homes = 'RES;RESID;SINGLE FAM;1-FAMILY;TWO FAMILY;MULTI-FAMILY;CONDO;APTS;MOBILE HOME'
  for (const text of homes.split(';')) assert.equal(gives(text), true, text)
  const others = 'RESTAURANT;RESERVOIR;RESEARCH;FAMILY RESTAURANT;VACANT RESIDENTIAL;OFFICE CONDO'
  for (const text of others.split(';')) assert.equal(gives(text), false, text)
  const text = showDraft(draft)
  assert.match(text, /"gives": true, "\/\/ catches": "SINGLE FAMILY RESIDENCE \(9\), RES COND/)
  assert.match(text, /"\/\/ others": "RES[A-Z]+[^"]*RES[A-Z]+/)
  assert.doesNotThrow(() => readMapping(text, 'the draft'))
})

test('remarks show of names no more than their first word', async (t) => {
  const draft = await draftOf(t, {
    ...ID,
    SITUS: ({ line }) => line,
    MAIL_ADDR: ({ at, given, mailLine }) => (at % 4 === 0 ? `C/O ${given} DOE` : mailLine),
    MAIL_CITY: ({ mailCity }) => mailCity,
  })
  assert.match(showDraft(draft), /"\/\/ catches": "C\/O … \(15\)"/)
})

test('without an ID, identifying columns are joined; the draft counts repeats', async (t) => {
  const draft = await draftOf(t, {
    Block: ({ block }) => block,
    Lot: ({ lot }) => lot,
    SITUS: ({ line }) => line,
    TOTAL: ({ total }) => total,
  })
  const { parcelId } = fieldsOf(draft)
  assert.deepEqual(parcelId, { join: ['Block', 'Lot'], with: '-' })
  assert.match(draft.warnings.join(), /Block, Lot together are unique in all of the rows/)
})

test('a qualifier is added to the ID only if it distinguishes rows', async (t) => {
  const columns = {
    Block: ({ block }: Truth) => block,
    Lot: ({ lot }: Truth) => 1 + (lot % 6),
    Qualifier: ({ lot }: Truth) => (lot === 7 ? 'C0001' : ''),
    SITUS: ({ line }: Truth) => line,
  }
  const { parcelId } = fieldsOf(await draftOf(t, columns))
  assert.deepEqual(parcelId, { join: ['Block', 'Lot', 'Qualifier'], with: '-' })
})

test('address and unit are the ID of a roll that has nothing else', async (t) => {
  const draft = await draftOf(t, { SITUS: ({ line }) => line, UNIT: ({ unit }) => unit })
  assert.deepEqual((fieldsOf(draft).parcelId as ValueRule).join, ['SITUS', 'UNIT'])
  assert.match(draft.warnings.join(), /no column is a parcel ID/)
})

test('numbers after the street move to its front, but not the number of a highway', async (t) => {
  const lines = ['OLD MILL RD 0', 'COUNTY RD 300', 'COUNTY RD 300 1234']
  const draft = await draftOf(t, {
    ...ID,
    SITUS: ({ at, number, street, type }) => lines[at] ?? `${street} ${type} ${number}`,
  })
  const rule = fieldsOf(draft).address as ValueRule
  const tidy = (text: string) =>
    (rule.replace ?? []).reduce((left, { pattern, with: by }) => {
      return left.replace(new RegExp(pattern, 'iu'), by)
    }, text)
  assert.equal(tidy('OAK HILL DR 0412'), '412 OAK HILL DR')
  assert.deepEqual(lines.map(tidy), ['OLD MILL RD', 'COUNTY RD 300', '1234 COUNTY RD 300'])
})

test('years and months in four digits are dates, and years stay years', async (t) => {
  const draft = await draftOf(t, {
    ...ID,
    SITUS: ({ line }) => line,
    SALE_DATE: ({ sold }) => `${sold.slice(2, 4)}${sold.slice(5, 7)}`,
    YEAR_BUILT: ({ built }) => built,
  })
  const { transfers, buildings } = draftDocument(draft)
  assert.deepEqual(transfers, [{ transferDate: { column: 'SALE_DATE', date: 'YYMM' } }])
  assert.deepEqual(buildings, [{ yearBuilt: { column: 'YEAR_BUILT' } }])
})

for (const [name, latitude, longitude, county] of [
  ['green.csv', 42.68, -89.02, 'Rock'],
  ['parcels.csv', 42.68, -89.02, 'Rock'],
  ['green.csv', 42.7, -89.369, 'Green'],
  ['rock.csv', 42.7, -89.369, 'Rock'],
] as const) {
  test(`${name} with points at ${latitude}, ${longitude} is of ${county}`, async (t) => {
    const rows = Array.from({ length: 40 }, (_, at) =>
      csvRow([`G-${1000 + at}`, `${at + 1} QUARRY RD`, '53545', `${latitude}`, `${longitude}`]),
    )
    const text = [csvRow(['PIN', 'SITE_ADDR', 'SITE_ZIP', 'LAT', 'LON']), ...rows].join('')
    const file = write(makeFolder(t), name, text)
    const { draft } = await inspectFile(file, { today: TODAY, mappings: [] })
    assert.equal(draftDocument(draft).county, county)
  })
}
