/** Drafts leave out what they have too little evidence for, and say why. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { inspectCommand } from '../../src/cli/commands/rolls/inspect.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { describeInspection } from '../../src/inspect/show.ts'
import { runCommand } from '../command.ts'
import {
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
  write,
} from '../import/small-roll.ts'
import { type Cell, writeColumns } from './invented-rows.ts'

const pick = (words: string) => (at: number) => words.split(' ')[at % words.split(' ').length] ?? ''
const amount = (at: number, by: number) => ((at * 7919 * by) % 900) * 100 + 50_000
const land = (at: number) => amount(at, 1)
const building = (at: number) => amount(at, 3)
const total = (at: number) => land(at) + building(at)
const book = (at: number) => ((at * 37) % 900) + 100
const area = (at: number) => ((at * 91) % 2000) + 900
const year = (at: number) => 1920 + ((at * 13) % 95)
const place = pick('LINCOLN OMAHA WAVERLY HICKMAN')
const street = (at: number) => `${at * 7 + 11} ${pick('OAK ELM MAPLE')(at)} ST`
const boxed = (at: number) => (at % 5 === 0 ? `PO BOX ${at + 100}` : street(at))
const ROLL: Record<string, Cell> = {
  PARCEL_ID: (at) => `12-${String(at * 37).padStart(6, '0')}`,
  OWNER: (at) =>
    `${pick('ROE DOE VANCE TRENT HARLOW STERN PIKE')(at)} ${pick('JANE PAUL ANNA')(at)}`,
}
const SITE = { SITUS_ADDRESS: street }

/** The columns next to an ID and an owner, the field, and why it is left out. */
const CASES: [Record<string, Cell>, string, RegExp | undefined][] = [
  [{ MARKET_VALUE: total }, 'totalMarketValue', undefined],
  [{ QRX_MARKET_VALUE: total }, 'totalMarketValue', /also says "qrx"/],
  [
    { QRX_MARKET_LAND: land, QRX_MARKET_BLDG: building, QRX_MARKET_TOTAL: total },
    'totalMarketValue',
    undefined,
  ],
  [{ SALE_DATE: year, QRX_BOOK: book, QRX_PAGE: area }, 'transfers.bookNum', /also says "qrx"/],
  [{ DEED_BOOK: book, DEED_PAGE: area }, 'transfers.bookNum', undefined],
  [{ USE_CODE: pick('101 102 201 301') }, 'useCodeLocal', undefined],
  [{ QRX_USE: pick('S V T R') }, 'useCodeLocal', /also says "qrx"/],
  [
    { YEAR_BUILT: year, ACTUAL_YEAR_BUILT: (at) => year(at) + 3 },
    'buildings.yearBuilt',
    /could be/,
  ],
  [
    { TOTAL_TAXABLE: total, NET_TAXABLE: (at) => total(at) - 7000 },
    'taxableValue',
    /could be TOTAL_TAXABLE or NET/,
  ],
  [
    { BLDG_TOT_SQFT: area, BLDG_QRX_SQFT: (at) => area(at) + 90 },
    'buildings.buildingArea',
    /could be BLDG_TOT_SQFT or BLDG_QRX_SQFT/,
  ],
  [
    { LIVING_SQFT: area, BLDG_QRX_SQFT: (at) => area(at) + 90 },
    'buildings.buildingArea',
    undefined,
  ],
  [
    { CITY: place, ...SITE, OWNER_STATE: pick('NE NE IA') },
    'city',
    /of the parcel or of its owner/,
  ],
  [{ ...SITE, SITUS_CITY: place }, 'city', undefined],
  [
    { ASSESSED_LAND: land, ASSESSED_BLDG: building, ASSESSED_VALUE: book, QRX: total },
    'totalAssessedValue',
    undefined,
  ],
  [{ STREET_NAME: pick('OAK ELM MAPLE') }, 'streetName', /no column has the numbers/],
  [
    {
      ...{ HOUSE_NUMBER: book, STREET_NAME: pick('OAK ELM MAPLE') },
      ...{ MARKET_LAND: land, MARKET_BLDG: building, YEAR_BUILT: year, QRX: pick('ST AVE RD') },
    },
    'streetName',
    undefined,
  ],
  [{ SITUS_ADDRESS: boxed }, 'address', /20 % of its lines are post boxes/],
  [
    { OWNER: (at) => `${pick('JANE PAUL ANNA')(at)} ${'ABCH'[at % 4]}` },
    'ownerName1',
    /100 % of its values are a single name/,
  ],
  [{ HOUSE_NUMBER: book, STREET_NAME: pick('OAK ELM MAPLE') }, 'streetName', undefined],
]

function inspectColumns(t: TestContext, columns: Record<string, Cell>) {
  const file = writeColumns(makeFolder(t), { ...ROLL, ...columns })
  const options = { today: TODAY, mappings: [], state: 'NE', county: 'Lancaster' }
  return inspectFile(file, options)
}
const draftOf = async (t: TestContext, columns: Record<string, Cell>) =>
  (await inspectColumns(t, columns)).draft

for (const [columns, field, reason] of CASES) {
  const names = Object.keys(columns).join(', ')
  test(`${field} of ${names} is ${reason === undefined ? 'drafted' : 'left out'}`, async (t) => {
    const inspection = await inspectColumns(t, columns)
    const { draft } = inspection
    const { fields, buildings = [], transfers = [] } = draftDocument(draft)
    const [name = '', group] = field.split('.').toReversed()
    const set = { buildings: buildings[0], transfers: transfers[0] }[group ?? ''] ?? fields
    const entry = draft.entries.find((one) => one.name === name)
    assert.equal(set[name] === undefined, reason !== undefined, entry?.why ?? '')
    if (reason === undefined) return
    assert.match(entry?.why ?? '', reason)
    // The report says of which column, for what, and why.
    const start = `  ${entry?.columns.join(', ')} as ${name}: left out, because `
    const lines = describeInspection(inspection, () => []).filter((one) => one.startsWith(start))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', reason)
  })
}

/** The columns, the field, and the column that is taken for the one that values speak against. */
const TAKEN: [Record<string, Cell>, string, string][] = [
  [{ SITUS_ADDRESS: boxed, SITUS: street }, 'address', 'SITUS'],
  [
    { MARKET_LAND: land, MARKET_BLDG: building, MARKET_VALUE: book, RMV: total },
    'totalMarketValue',
    'RMV',
  ],
]
for (const [columns, field, column] of TAKEN) {
  test(`${field} of ${Object.keys(columns).join(', ')} is ${column}`, async (t) => {
    const { fields } = draftDocument(await draftOf(t, columns))
    assert.deepEqual(fields[field], { column })
  })
}

test('an unknown use is no other one where few speak of dwellings', async (t) => {
  const codesOf = async (words: string) => {
    const { fields } = draftDocument(await draftOf(t, { USE_DESC: pick(words) }))
    return (fields.residential as { codes?: object }).codes
  }
  assert.deepEqual(await codesOf('QRXFAM QRXFAM QRXFAM QRXFAM CONDO RETAIL'), { QRXFAM: null })
  assert.equal(await codesOf('CONDO DUPLEX APARTMENT CONDO QRXHALL'), undefined)
})

test('a line of the legal text with a section alone stays in its place', async (t) => {
  const { fields } = draftDocument(
    await draftOf(t, {
      Legal1: (at) => `LOT ${at + 1} BLK ${(at % 9) + 1}`,
      Legal2: (at) => `${pick('RIVERSIDE HERITAGE WALNUT')(at)} SUB`,
      Legal3: (at) => `SEC ${(at % 36) + 1} 6N 2W`,
    }),
  )
  assert.deepEqual(fields.legalDesc, { join: ['Legal1', 'Legal2', 'Legal3'] })
})

test('a roll that gives no site address does not say which parcels have one', async (t) => {
  for (const [fields, expected] of [
    [{ parcelId: 'ID' }, null],
    [{ parcelId: 'ID', address: 'SITUS' }, false],
  ] as const) {
    const data = makeFolder(t)
    const file = write(data, 'roll.csv', 'ID,SITUS\n12-000001,\n')
    const place = { state: 'NE', county: 'Lancaster' }
    const mapping = { name: 'own', title: 'Own', ...place, fields: { ...fields } }
    await importRoll(data, [file], { mapping })
    const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '12000001')
    assert.equal(parcel.addressAssigned, expected)
  }
})

test('the report names each column that is left out, and each that no field takes', async (t) => {
  const data = makeFolder(t)
  const inspect = async (columns: Record<string, Cell>) => {
    const file = writeColumns(data, { ...ROLL, ...columns })
    return (await runCommand(inspectCommand, [file, '--state', 'NE', '--county', 'Polk'], { data }))
      .out
  }
  const out = await inspect({ QRX_USE: pick('S V T R'), ZZTOP: pick('K7 L8 M9') })
  assert.match(out, /^ {2}QRX_USE as useCodeLocal: left out, because .*"qrx"/m)
  assert.match(out, /^ {2}columns that no field uses are kept \(.*ZZTOP.*\)/m)
  assert.doesNotMatch(await inspect({}), /left out|no field uses/)
})
