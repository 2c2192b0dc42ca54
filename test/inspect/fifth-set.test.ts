/** Faults found by a fifth set of invented rolls, of sixteen manners of publishing. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { inspectFile } from '../../src/inspect/inspect.ts'
import { looksDated } from '../../src/inspect/sample/text-kinds.ts'
import { csvRow } from '../../src/sample/write.ts'
import { makeFolder, TODAY, write } from '../import/small-roll.ts'
import { inventTruth, type Truth } from './manners/truth.ts'

const TOWNS = [{ city: 'MIO', zip: '48647', municipality: 'MIO TWP' }]
const PLACE = { state: 'MI', county: 'Oscoda' }
const rows = inventTruth('fifth set', 'MI', TOWNS, 60)
type Columns = Record<string, (truth: Truth) => string | number>
const idOf = (at: number) => `002-${String(at * 31).padStart(6, '0')}`

async function draftOf(t: TestContext, name: string, text: string) {
  const file = write(makeFolder(t), name, text)
  const { draft } = await inspectFile(file, { today: TODAY, mappings: [], ...PLACE })
  return draftDocument(draft)
}

function draftOfTable(t: TestContext, columns: Columns) {
  const lines = rows.map((row) => Object.values(columns).map((cell) => String(cell(row))))
  const text = [Object.keys(columns), ...lines].map((line) => csvRow(line)).join('')
  return draftOf(t, 'roll.csv', text)
}
const ROLL: Columns = {
  PARCEL_NO: ({ at }) => idOf(at),
  OWNER_NAME: ({ surname, given }) => `${surname} ${given}`,
  SITUS_ADDR: ({ line }) => line,
}

test('objects in a list of a JSON row are owners, buildings, sales and years', async (t) => {
  const second = { ownerName: 'TRENT HELEN' }
  const text = JSON.stringify(
    rows.map(({ surname, given, line, at }) => ({
      parcelNumber: idOf(at),
      ownership: [{ ownerName: `${surname} ${given}` }, ...(at % 3 === 1 ? [second] : [])],
      propertyAddress: line,
      valuations: [
        { taxYear: 2024, assessedValue: 100 * at },
        { taxYear: 2025, assessedValue: 110 * at + 500 },
      ],
      saleHistory: [{ saleDate: '2014-06-14', salePrice: 41_000 + at, year: 2014 }].concat(
        at % 2 === 0 ? [] : [{ saleDate: '2019-02-03', salePrice: 52_000 + at, year: 2019 }],
      ),
      improvements: [1970 + (at % 40), 1980].map((yearBuilt) => ({ yearBuilt, bedrooms: 2 })),
    })),
  )
  const { fields, buildings, transfers, optional } = await draftOf(t, 'roll.json', text)
  assert.deepEqual(fields?.ownerName1, { column: 'ownership.1.ownerName' })
  assert.deepEqual(fields?.ownerName2, { column: 'ownership.2.ownerName' })
  assert.deepEqual(fields?.totalAssessedValue, { column: 'valuations.2025.assessedValue' })
  assert.deepEqual(fields?.taxYear, { column: 'valuations.2025.taxYear' })
  assert.deepEqual(
    buildings?.map(({ yearBuilt }) => yearBuilt),
    [{ column: 'improvements.1.yearBuilt' }, { column: 'improvements.2.yearBuilt' }],
  )
  assert.deepEqual(
    transfers?.map(({ transferPrice }) => transferPrice),
    [{ column: 'saleHistory.1.salePrice' }, { column: 'saleHistory.2.salePrice' }],
  )
  assert.deepEqual(optional, [
    'ownership.2.ownerName',
    'saleHistory.2.saleDate',
    'saleHistory.2.salePrice',
  ])
})

for (const [name, cell, is] of [
  ['STATUS', (at: number) => (at % 9 === 2 ? 'D' : at % 9 === 5 ? 'I' : 'A'), ['D', 'I']],
  ['Parcel Status', (at: number) => (at % 9 === 2 ? 'Retired' : 'Active'), ['RETIRED']],
  ['STATUS', (at: number) => (at % 9 === 2 ? 'R' : 'C'), undefined],
  ['STATUS', (at: number) => (at % 2 === 0 ? 'Inactive' : 'Active'), undefined],
  ['Sale Status', (at: number) => (at % 9 === 2 ? 'Void' : 'Active'), undefined],
  ['Exempt Status', (at: number) => (at % 9 === 2 ? 'Inactive' : 'Active'), undefined],
] as const) {
  const shown = is === undefined ? 'says nothing of a parcel' : `leaves out ${is.join(', ')}`
  test(`${name} with ${cell(2)} in some rows ${shown}`, async (t) => {
    const { skip } = await draftOfTable(t, { ...ROLL, [name]: ({ at }) => cell(at) })
    assert.deepEqual(skip, is && [{ value: name, is: [...is] }])
  })
}

test('dBASE cuts the second word of a name to two letters', async (t) => {
  const { fields } = await draftOfTable(t, {
    PARCELNUMB: ({ at }) => idOf(at),
    OWNERNAME: ({ surname, given }) => `${surname} ${given}`,
    OWNERNAM_1: ({ spouse, at }) => (at % 3 === 0 ? `TRENT ${spouse}` : ''),
    PROPERTYAD: ({ line }) => line,
    PROPERTYCI: ({ town }) => town.city,
    PROPERTYZI: ({ town }) => town.zip,
    ASSESSEDLA: ({ land }) => land,
    ASSESSEDIM: ({ building }) => building,
    ASSESSEDTO: ({ land, building }) => land + building,
  })
  assert.deepEqual(
    [fields?.ownerName2, fields?.city, fields?.zipCode, fields?.assessedLandValue],
    ['OWNERNAM_1', 'PROPERTYCI', 'PROPERTYZI', 'ASSESSEDLA'].map((column) => ({ column })),
  )
  assert.deepEqual(fields?.totalAssessedValue, { column: 'ASSESSEDTO' })
})

test("Texas's value before the cap is not assessed; the county's is taxable", async (t) => {
  const capOf = (at: number) => (at % 4 === 0 ? 12_300 : 0)
  const { fields } = await draftOfTable(t, {
    ...ROLL,
    Market: ({ total }) => total + 50_000,
    Appraised: ({ total }) => total + 40_000,
    Assessed: ({ total, at }) => total + 40_000 - capOf(at),
    'Taxable (ISD)': ({ total, at }) => total + 10_000 - capOf(at),
    'Taxable (County)': ({ total, at }) => total + 30_000 - capOf(at),
  })
  assert.deepEqual(fields?.totalAssessedValue, { column: 'Assessed' })
  assert.deepEqual(fields?.taxableValue, { column: 'Taxable (County)' })
})

test('a deed with the letters of book and page, and dates with the day first', async (t) => {
  const dayFirst = ({ sold }: Truth) => sold.split('-').toReversed().join('.')
  const { transfers } = await draftOfTable(t, {
    ...ROLL,
    DEED: ({ at }) => `B${1200 + at}/P${30 + at}`,
    FECHA_VENTA: dayFirst,
    PRECIO_VENTA: ({ price }) => price,
  })
  const [sale] = transfers ?? []
  assert.deepEqual(Object.keys(sale ?? {}).toSorted(), [
    'bookNum',
    'pageNum',
    'transferDate',
    'transferPrice',
  ])
  assert.deepEqual(sale?.transferDate, { column: 'FECHA_VENTA', date: 'DD/MM/YYYY' })
})

test('the price of a table of land is no sale', async (t) => {
  const folder = makeFolder(t)
  const tableOf = (columns: Columns) =>
    [
      csvRow(['PARID', ...Object.keys(columns)]),
      ...rows.map((row) =>
        csvRow([idOf(row.at), ...Object.values(columns).map((cell) => String(cell(row)))]),
      ),
    ].join('')
  const { PARCEL_NO: _, ...own } = ROLL
  const files = [
    write(folder, 'parcels.csv', tableOf(own)),
    write(
      folder,
      'sales.csv',
      tableOf({ SALEDT: ({ sold }) => sold, PRICE: ({ price }) => price }),
    ),
    write(folder, 'land.csv', tableOf({ LTYPE: () => 'S', PRICE: ({ land }) => land })),
  ]
  const { draft } = await inspectFile(files, { today: TODAY, mappings: [], ...PLACE })
  const { transfers } = draftDocument(draft)
  assert.deepEqual(transfers?.length, 1)
})

for (const [name, marks, expected] of [
  ['Action', ['C', 'D', 'A'], ['C', 'A']],
  ['CHG_TYPE', ['UPDATE', 'DELETE', 'NEW'], ['UPDATE', 'NEW']],
  ['Action', ['Pending', 'Closed', 'Open'], undefined],
  ['Sale Change Code', ['C', 'D', 'A'], undefined],
  ['FRACTION', ['A', 'C', 'D'], undefined],
  ['Value Change Flag', ['N', 'N', 'N'], undefined],
] as const) {
  const shown = expected === undefined ? 'are no changes' : 'replace other rows of the parcel'
  test(`rows of a second file with ${marks.join(', ')} as ${name} ${shown}`, async (t) => {
    const folder = makeFolder(t)
    const columns: Columns = { ...ROLL, LAND: ({ land }) => land, TOTAL: ({ total }) => total }
    const rowOf = (row: Truth) => Object.values(columns).map((cell) => String(cell(row)))
    const [head, all] = [Object.keys(columns), rows.map(rowOf)]
    const changed = all
      .slice(0, 12)
      .map((row, at) => [...row.with(1, `TRENT ${at}`), marks[at % 3] ?? ''])
    const files = [
      write(folder, 'roll.csv', [head, ...all].map((row) => csvRow(row)).join('')),
      write(folder, 'news.csv', [[...head, name], ...changed].map((row) => csvRow(row)).join('')),
    ]
    const { draft } = await inspectFile(files, { today: TODAY, mappings: [], ...PLACE })
    const { repeats } = draftDocument(draft)
    assert.deepEqual(repeats?.prefer, expected && { column: name, value: [...expected] })
    assert.equal(repeats?.merge.length, expected === undefined ? 4 : 0)
  })
}

test('a day before its month is a date, and a parcel ID is none', () => {
  for (const text of ['14/04/2018', '14.04.2018', '14-04-1998', '04/14/2018'])
    assert.ok(looksDated(text, TODAY), text)
  for (const text of ['04-01-00-100-000', '14-05-01-100-001', '14-05-01', '14-05-1101', '14.05'])
    assert.ok(!looksDated(text, TODAY), text)
})

test('an adjusted price of a sale is not its price', async (t) => {
  const sale: Columns = { SALE_DATE: () => '3/5/2019', ADJ_SALE_PRICE: ({ total }) => total }
  const { transfers } = await draftOfTable(t, { ...ROLL, ...sale })
  assert.deepEqual(transfers, [{ transferDate: { column: 'SALE_DATE' } }])
})
