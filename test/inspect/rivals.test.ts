/** Drafts where two columns could be the same thing: fill, contents and repetition decide. */
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { draftDocument } from '../../src/inspect/compose/show-draft.ts'
import { type Inspection, inspectFile } from '../../src/inspect/inspect.ts'
import { csvRow } from '../../src/sample/write.ts'
import {
  importRoll,
  makeFolder,
  openLoaded,
  readParcel,
  TODAY,
  write,
} from '../import/small-roll.ts'

const ROWS = 60
const NAMES = 'ROE DOE VANCE TRENT HARLOW STERN PIKE KOWAL LINDQ ESPINO'.split(' ')
const GIVEN = 'JANE PAUL ANNA IDA NOAH MARY JOHN CLARA'.split(' ')
type Cell = (at: number) => string | number

const name = (at: number) => `${NAMES[at % 10]} ${GIVEN[at % 8]}`
const street = (at: number) => `${at * 7 + 11} ${['OAK', 'ELM', 'MAPLE'][at % 3]} ST`
const ID = { PARCEL_ID: (at: number) => `12-${String(at * 37).padStart(6, '0')}` }
const BASE: Record<string, Cell> = { ...ID, OWNER: name, SITUS_ADDRESS: street }
const sometimes =
  (share: number, text: Cell): Cell =>
  (at) =>
    (at * 7919) % 100 < share ? text(at) : ''

async function inspectColumns(
  t: TestContext,
  columns: Record<string, Cell>,
  place: { state?: string | undefined; county?: string } = { state: 'NE', county: 'Lancaster' },
) {
  const lines = Array.from({ length: ROWS }, (_, at) =>
    csvRow(Object.values(columns).map((cell) => String(cell(at)))),
  )
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', [csvRow(Object.keys(columns)), ...lines].join(''))
  const inspection = await inspectFile(file, {
    today: TODAY,
    mappings: MAPPINGS.map(loadMapping),
    ...place,
  })
  return { data, file, inspection, document: draftDocument(inspection.draft) }
}

const MAPPINGS = [
  ...['ny-statewide', 'az-pima', 'az-maricopa', 'mt-cadastral', 'fl-dor-nal', 'ny-pluto'],
  'tx-pacs',
]

const whyOf = ({ draft }: Inspection, field: string) =>
  draft.entries.find((entry) => entry.name === field)?.why ?? ''

test('the fuller of owner and taxpayer is the owner, and the other one the second', async (t) => {
  const columns = {
    ...ID,
    TAXPAYER_NAME: name,
    TAXPAYER_ADDRESS: street,
    OWNER_NAME: sometimes(8, (at) => `OTHER ${GIVEN[at % 8]}`),
    OWNER_ADDRESS: sometimes(6, street),
    SITUS: street,
  }
  const { document, inspection } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.ownerName1, { column: 'TAXPAYER_NAME' })
  assert.deepEqual(document.fields.ownerName2, { column: 'OWNER_NAME' })
  assert.match(whyOf(inspection, 'ownerName1'), /the owner's own column in \d %/)
})

test('an owner’s column as full as the taxpayer’s is the owner', async (t) => {
  const columns = { ...ID, TAXPAYER_NAME: name, OWNER_NAME: sometimes(90, name), SITUS: street }
  const { document } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.ownerName1, { column: 'OWNER_NAME' })
})

test('a draft with few owners expects half of the parcels to have one', async (t) => {
  const few = { ...BASE, OWNER: sometimes(8, name) }
  const { document, inspection } = await inspectColumns(t, few)
  assert.equal(document.expect?.ownerName1, '>= 50 %')
  assert.ok(inspection.draft.warnings.some((text) => /ownerName1/.test(text)))
})

test('owner_one and owner_two are both owners, and a care-of is one by row', async (t) => {
  const columns = {
    ...ID,
    owner_one: name,
    owner_two: (at: number) =>
      at % 11 === 0 ? `c/o Agent ${at}` : at % 2 === 0 ? name(at + 3) : '',
    property_address: street,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const care = await readParcel(store, 'NE', 31109, '12000000')
  assert.deepEqual([care.ownerName2, care.careOf], [null, 'AGENT 0'])
  const two = await readParcel(store, 'NE', 31109, '12000074')
  assert.equal(two.ownerName2, name(5))
})

test('a place line has its own ZIP; a column of other ZIPs is of the site', async (t) => {
  const columns = {
    ...BASE,
    MAIL_ADDRESS: (at: number) => `${at + 5} PINE AVE`,
    MAIL_CITY_STATE: (at: number) => `APEX NC ${27500 + (at % 40)}-1234`,
    ZIPNUM: (at: number) => 68500 + (at % 9),
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(document.fields.ownerZipCode, undefined)
  assert.deepEqual(document.fields.ownerCityStateZip, { column: 'MAIL_CITY_STATE' })
})

test('lines of an envelope move up: names, street and place are found by row', async (t) => {
  const lines = (at: number) => {
    const place = `CANBY                     MN 5622${at % 10}`
    if (at % 4 === 0) return ['JANE TRENT', street(at), place, '']
    if (at % 7 === 0) return [`C/O AGENT ${at % 3}`, street(at), place, '']
    return at % 5 === 0 ? [street(at), 'APT 4', place, ''] : [street(at), place, '', '']
  }
  const line = (of: number) => (at: number) => lines(at)[of] ?? ''
  const columns = {
    ...ID,
    TAXPAYER_N: (at: number) => `${name(at)} AND`,
    TAXPAYER_A: line(0),
    TAXPAYER_1: line(1),
    TAXPAYER_2: line(2),
    TAXPAYER_3: line(3),
    PROPERTY_A: (at: number) => `${at + 400} 5TH ST`,
  }
  const { data, file, document } = await inspectColumns(t, columns, {
    state: 'MN',
    county: 'Yellow Medicine',
  })
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const read = (at: number) =>
    readParcel(store, 'MN', 27173, `12${String(at * 37).padStart(6, '0')}`)
  const [named, plain, unit, care] = [await read(4), await read(1), await read(5), await read(7)]
  assert.deepEqual([named.ownerName2, named.ownerStreet], ['JANE TRENT', street(4)])
  assert.deepEqual([plain.ownerName2, plain.ownerStreet], [null, street(1)])
  assert.deepEqual([unit.ownerStreet, unit.ownerCity], [`${street(5)} APT 4`, 'CANBY'])
  assert.deepEqual([care.careOf, care.ownerName2], ['AGENT 1', null])
})

test('an owner’s line above an envelope is no second name of it', async (t) => {
  const columns = {
    ...ID,
    OWNER_LINE1: (at: number) => name(at),
    OWNER_LINE2: (at: number) => (at % 9 === 0 ? 'PAUL HARLOW' : ''),
    ADDRESS_LINE1: (at: number) => street(at),
    ADDRESS_LINE2: (at: number) => (at % 8 === 0 ? 'APT 3' : `APEX NC 2750${at % 9}-1234`),
    ADDRESS_LINE3: (at: number) => (at % 8 === 0 ? `APEX NC 2750${at % 9}-1234` : ''),
    SITE_ADDRESS: (at: number) => `${at + 400} 5TH ST`,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const read = (at: number) =>
    readParcel(store, 'NE', 31109, `12${String(at * 37).padStart(6, '0')}`)
  const [plain, named, unit] = [await read(1), await read(9), await read(8)]
  assert.deepEqual([plain.ownerName2, plain.ownerStreet], [null, street(1)])
  assert.deepEqual([named.ownerName2, named.ownerStreet], ['PAUL HARLOW', street(9)])
  assert.deepEqual([unit.ownerName2, unit.ownerStreet], [null, `${street(8)} APT 3`])
})

test('a second name in the street’s column is one where the next line is a street', async (t) => {
  const columns = {
    ...BASE,
    MAIL_ADDRESS1: (at: number) => (at % 6 === 0 ? 'PAUL HARLOW' : street(at)),
    MAIL_ADDRESS2: (at: number) => (at % 6 === 0 ? street(at) : at % 5 === 0 ? 'APT 3' : ''),
    MAIL_CITY: () => 'LINCOLN',
    MAIL_STATE: () => 'NE',
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const named = await readParcel(store, 'NE', 31109, '12000222')
  assert.deepEqual([named.ownerName2, named.ownerStreet], ['PAUL HARLOW', street(6)])
  const plain = await readParcel(store, 'NE', 31109, '12000037')
  assert.deepEqual([plain.ownerName2, plain.ownerStreet], [null, street(1)])
})

test('a book with which IDs begin and a page of a plat are no deed’s', async (t) => {
  const columns = {
    ...BASE,
    Book: () => '12',
    'MCR PAGE': (at: number) => (at % 3) + 10,
    'MCR BOOK': (at: number) => (at % 3) + 400,
    'Sale Date': (at: number) => `${(at % 9) + 1}/1/2019`,
  }
  const { document, inspection } = await inspectColumns(t, columns)
  const transfers = document.transfers?.flatMap((one) => Object.keys(one)) ?? []
  assert.ok(!transfers.includes('bookNum') && !transfers.includes('pageNum'), transfers.join())
  assert.match(whyOf(inspection, 'bookNum'), /parcel IDs begin with it|not a deed's/)
})

test('a deed’s book and page stay a deed’s', async (t) => {
  const columns = {
    ...BASE,
    BOOK: (at: number) => 4000 + at * 3,
    PAGE: (at: number) => 10 + ((at * 31) % 400),
    SALE_DATE: (at: number) => `${(at % 9) + 1}/1/2019`,
  }
  const { document } = await inspectColumns(t, columns)
  const [transfer] = document.transfers ?? []
  assert.deepEqual([transfer?.bookNum, transfer?.pageNum], [{ column: 'BOOK' }, { column: 'PAGE' }])
})

test('a deed’s date that is not the sale’s makes a transfer of its own', async (t) => {
  const columns = {
    ...BASE,
    'Deed Number': (at: number) => `2011${String(at * 77).padStart(5, '0')}`,
    'Deed Date': (at: number) => `${(at % 9) + 1}/12/2016`,
    'Sale Date': sometimes(60, (at) => `${(at % 9) + 1}/1/${2003 + (at % 9)}`),
    'Sale Price': sometimes(60, (at) => 90000 + at * 100),
  }
  const { document, inspection } = await inspectColumns(t, columns)
  const [deed, sale] = document.transfers ?? []
  assert.deepEqual(deed?.transferDate, { column: 'Deed Date' })
  assert.deepEqual(deed?.transferDocNum, { column: 'Deed Number' })
  assert.equal(deed?.transferPrice, undefined)
  assert.deepEqual(
    [sale?.transferDate, sale?.transferPrice],
    [{ column: 'Sale Date' }, { column: 'Sale Price' }],
  )
  assert.match(whyOf(inspection, 'transferDate'), /of their own|its name says so/)
})

test('a deed’s date near the sale’s is of one transfer; the fuller one is first', async (t) => {
  const columns = {
    ...BASE,
    'Deed Date': (at: number) => `${(at % 9) + 1}/12/2016`,
    'Sale Date': sometimes(60, (at) => `${(at % 9) + 1}/1/2016`),
    'Sale Price': sometimes(60, (at) => 90000 + at * 100),
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(document.transfers?.length, 1)
  assert.deepEqual(document.transfers?.[0]?.transferDate, { first: ['Deed Date', 'Sale Date'] })
})

test('of the taxes of two years the newest is used, with its year', async (t) => {
  const columns = {
    ...BASE,
    taxes_2018: (at: number) => 1000 + at,
    taxes_2019: (at: number) => 1100 + at,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.taxValue, { column: 'taxes_2019' })
  await importRoll(data, [file], { mapping: document, force: true })
  const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '12000037')
  assert.deepEqual([parcel.taxAmount, parcel.taxYear], [1101, 2019])
})

for (const [town, agrees] of [
  ['town', 0.8],
  ['town', 1],
] as const) {
  const kind = agrees === 1 ? 'a city' : 'a municipality'
  test(`a town that is the mail's city in ${agrees * 100} % is ${kind}`, async (t) => {
    const towns = ['Milan', 'Red Hook', 'Rhinebeck']
    const columns = {
      ...BASE,
      OWNER_ADDRESS: street,
      OWNER_CITY: (at: number) => (at % 5 === 0 && agrees < 1 ? 'Tivoli' : (towns[at % 3] ?? '')),
      OWNER_STATE: () => 'NY',
      [town]: (at: number) => towns[at % 3] ?? '',
    }
    const { document } = await inspectColumns(t, columns, { state: 'NY', county: 'Dutchess' })
    assert.deepEqual(document.fields.city, agrees === 1 ? { column: town } : undefined)
    assert.deepEqual(document.fields.municipality, { column: town })
  })
}

test('the text of a code is drafted, and a style is no construction', async (t) => {
  const columns = {
    ...BASE,
    HEAT_TYPE: (at: number) => (at % 4) + 1,
    HEAT_DESC: (at: number) => ['Hot air', 'Hot water', 'Steam', 'Electric'][at % 4] ?? '',
    STYLE: (at: number) => ['Ranch', 'Colonial', 'Cape'][at % 3] ?? '',
  }
  const { document } = await inspectColumns(t, columns)
  const [building] = document.buildings ?? []
  assert.deepEqual(building?.heatingType, { column: 'HEAT_DESC' })
  assert.equal(building?.constructionType, undefined)
  assert.deepEqual(building?.buildingStyle, { column: 'STYLE' })
})

test('rows with a word as their ID are skipped; an undetermined situs is none', async (t) => {
  const columns = {
    PARCEL_NUM: (at: number) => (at % 15 === 0 ? 'ROW' : at === 7 ? 'WATER' : ID.PARCEL_ID(at)),
    OWNER: name,
    SITUS: (at: number) => (at === 1 ? 'XXX Undetermined Situs' : street(at)),
  }
  const { data, file, document } = await inspectColumns(t, columns)
  assert.deepEqual(document.skip, [{ value: 'PARCEL_NUM', is: ['ROW', 'WATER'] }])
  const report = await importRoll(data, [file], { mapping: document, force: true })
  assert.equal(report.loaded, 55)
  const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '12000037')
  assert.equal(parcel.address, null)
})

test('IDs that are words stay parcels where most are', async (t) => {
  const letters = (at: number) => String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))
  const columns = { PARCEL_ID: (at: number) => `${letters(at)}X`, OWNER: name, SITUS: street }
  const { document } = await inspectColumns(t, columns)
  assert.equal(document.skip, undefined)
})

test('a layer’s printed ID is the parcel’s, and MAILADDRS the mail', async (t) => {
  const columns = {
    PPN: (at: number) => `${21034000 + at * 7}.0`,
    PNUM: (at: number) => String(21034000 + at * 7).replace(/^(..)(...)(...)$/, '$1-$2-$3'),
    OWNER: name,
    PROP_ADDR: street,
    MAILADDRS: (at: number) => `${at + 5} PINE AVE`,
    CITY: () => 'LINCOLN',
    ST: () => 'NE',
    ZIP: () => '68501',
  }
  const { document } = await inspectColumns(t, columns)
  const { parcelId, ownerAddressLine1, ownerCity, ownerState, ownerZipCode, city } = document.fields
  assert.deepEqual(parcelId, { column: 'PNUM' })
  assert.deepEqual(
    [ownerAddressLine1, ownerCity, ownerState, ownerZipCode],
    ['MAILADDRS', 'CITY', 'ST', 'ZIP'].map((column) => ({ column })),
  )
  assert.equal(city, undefined)
})

const SERIAL = { PID: (at: number) => 501 + at }
const MAP_LOT = { 'Map-Lot-Sub': (at: number) => `${1 + (at % 40)}-${at}-0` }

test('a serial number is not the ID where another one is printed', async (t) => {
  const tall = (at: number) => 232010000100 + at * 1055
  const printed: [string, Record<string, Cell>, string?][] = [
    ['Map-Lot-Sub', { ...SERIAL, ...MAP_LOT }],
    ['Map-Lot-Sub', { ...MAP_LOT, ...SERIAL }],
    ['MBLU', { ...SERIAL, MBLU: (at) => `${1 + (at % 9)}/ ${at}/ / /` }],
    ['parcel_no', { prop_id: (at) => 10_000 + at * 3, parcel_no: tall }],
    ['PIN', { AIN: (at) => 100_000 + at * 11, PIN: (at) => `5105W33${1000 + at}` }],
    ['geo_id', { prop_id: (at) => 10_000 + at * 3, geo_id: tall }, 'WA'],
  ]
  for (const [id, columns, state] of printed) await assertId(t, columns, id, state)
})

test('a number stays the ID where nothing else is one', async (t) => {
  const stay: [string, Record<string, Cell>, string?][] = [
    ['PID', SERIAL],
    ['PID', { ...SERIAL, LegalText: (at) => `LOT ${at} BLK 2` }],
    ['PID', { ...SERIAL, Account: (at) => `R-${1000 + at}` }],
    ['PID', { ...SERIAL, 'Map-Lot': (at) => `${1 + (at % 40)}-${at % 20}` }],
    ['PID', { ...SERIAL, 'Map-Lot': (at) => (at % 3 > 0 ? `${1 + (at % 40)}-${at}` : '') }],
    ['APN', { APN: (at) => 12_345_678 + at, ...MAP_LOT }],
    ['ParcelID', { ParcelID: (at) => 104_512 + at * 7919, ...MAP_LOT }],
    ['prop_id', { prop_id: (at) => 10_000 + at * 3, geo_id: (at) => `SP-${1000 + at}` }, 'TX'],
    ['prop_id', { prop_id: (at) => 10_000 + at * 3, geo_id: (at) => `SP-${1000 + at}` }],
  ]
  for (const [id, columns, state] of stay) await assertId(t, columns, id, state)
})

async function assertId(
  t: TestContext,
  columns: Record<string, Cell>,
  id: string,
  state?: string,
): Promise<void> {
  const { document } = await inspectColumns(
    t,
    { ...columns, OWNER: name, SITUS: street },
    { state },
  )
  assert.deepEqual(document.fields.parcelId, { column: id }, JSON.stringify([id, state]))
}

const money = (base: number) => (at: number) => base + ((at * 7919) % 500) * 100
const parts = (from: string, columns: Record<string, Cell>) =>
  Object.fromEntries(Object.entries(columns).map(([name, cell]) => [from + name, cell]))
const words = (texts: string) => {
  const all = texts.split(' ')
  return (at: number) => all[at % all.length] ?? ''
}
const NUMBERED = { STRNUM: (at: number) => 11 + at * 7, STRPRE: words('N S E W') }
const TYPED = { STRTYP: words('ST AVE RD') }
const STREETS = words('SUNSET OAK ELM MAPLE CEDAR PINE')
const PLAIN = { PARCEL_ID: ID.PARCEL_ID, OWNER: name }
const SURVEY = { S: (at: number) => 1 + (at % 36), T: (at: number) => 30 + (at % 9), R: () => 15 }
const DEEDS = (at: number) => 100 + at

const HOUSES = { SITUS_HOUS: NUMBERED.STRNUM, SITUS_STRE: STREETS }
const CAPPED: Record<string, Cell> = {
  ...{ Land_Value: () => 9000, Improvement_Value: (at) => money(81_000)(at) },
  Total_Value: money(90_000),
  Appraised_Value: (at) => money(90_000)(at) - (at % 4 === 0 ? 3100 : 0),
}
const USE_TEXTS = {
  TYPE_AND_USE: words('1 11 45'),
  TYPE_USE_DECODE: words('SINGLFAM APTGARDN CHURCH'),
}
const both = (at: number) => `${name(at)} & ${name(at + 1)}`

test('neighbours say what a column is', async (t) => {
  const found: [string, string | undefined, Record<string, Cell>][] = [
    ['streetName', 'LOCATE', { ...NUMBERED, LOCATE: STREETS, ...TYPED }],
    ['streetName', 'XQZ9', { HOUSE_NO: NUMBERED.STRNUM, XQZ9: STREETS, ...TYPED }],
    ['streetName', undefined, { LOCATE: STREETS, ...NUMBERED, ...TYPED }],
    [
      'streetName',
      'ST_NAME',
      { ...NUMBERED, LOCATE: words('A B C D E F'), ST_NAME: STREETS, ...TYPED },
    ],
    ['streetName', undefined, { ...NUMBERED, LOCATE: words('1 2 3 4 5 6 7'), ...TYPED }],
    ['township', 'STR_T', parts('STR_', SURVEY)],
    ['range', 'PLS_R', parts('PLS_', SURVEY)],
    ['township', undefined, { STR_T: words('ST AVE RD') }],
    [
      'ownerZipCode',
      'MailToPostalCode',
      { MailToAddress: street, MailToPostalCode: () => '68501' },
    ],
    [
      'totalAssessedValue',
      'AssessedTo',
      { ...{ LandAsd: money(9000) }, AssessedTo: money(50_000) },
    ],
    ['taxableValue', 'tax', { ass: money(60_000), tax: money(45_000) }],
    ['taxValue', 'tax', { ass: money(60_000), tax: (at) => 900 + at * 7 }],
    ['taxValue', 'tax', { ass: money(60_000), tax: (at) => 2000 + at * 17.31 }],
    ['totalMarketValue', 'Total_Value', CAPPED],
    ['totalAssessedValue', 'Appraised_Value', CAPPED],
    ['totalMarketValue', 'Appraised_Value', { Appraised_Value: money(90_000) }],
    ['address', 'LOCN', { LOCN: street }],
    ['address', undefined, { LOCN: (at) => `L${at}` }],
    ['streetType', 'SITUS_TYPE', { ...HOUSES, SITUS_TYPE: TYPED.STRTYP }],
    ['streetType', undefined, { ...HOUSES, SITUS_TYPE: words('CHURCH FACTORY HOUSE') }],
    ['city', 'd_CITY', { SITUS: street, CITY: words('RAL CAR'), d_CITY: words('RALEIGH CARY') }],
    ['city', 'CITY', { SITUS: street, CITY: words('RALEIGH CARY') }],
    ['useDescription', 'TYPE_USE_DECODE', USE_TEXTS],
    ['useCodeLocal', 'TYPE_AND_USE', USE_TEXTS],
    ['totalBathrooms', undefined, { POWDER_ROOMS: () => 1 }],
    ['ownerName2', undefined, { OWNER: both, Owner_Line_2: (at) => name(at + 1) }],
    ['ownerName2', 'Owner_Line_2', { Owner_Line_2: (at) => name(at + 1) }],
  ]
  for (const [field, column, columns] of found) {
    const { document } = await inspectColumns(t, { ...PLAIN, ...columns })
    const value = document.fields[field]
    const own =
      typeof value === 'object' && value !== null && 'column' in value ? value.column : value
    assert.equal(own, column, `${field} of ${Object.keys(columns)}: ${JSON.stringify(value)}`)
  }
})

test('books and pages of one beginning are the deed’s, and sales are apart', async (t) => {
  const books = async (columns: Record<string, Cell>) =>
    (await inspectColumns(t, { ...BASE, ...columns })).document.transfers ?? []
  const [deed] = await books({ CUBOOK: DEEDS, CUPAGE: (at) => 900 - at })
  assert.deepEqual([deed?.bookNum, deed?.pageNum], [{ column: 'CUBOOK' }, { column: 'CUPAGE' }])
  for (const plain of [
    { CUBOOK: DEEDS, ZZPAGE: (at: number) => 900 - at },
    { PLATBOOK: DEEDS, PLATPAGE: (at: number) => 900 - at },
    { FACEBOOK: words('yes no') },
    { '(CUBOOK': DEEDS, ZZPAGE: (at: number) => 900 - at },
  ])
    assert.deepEqual(
      (await books(plain)).filter((one) => 'bookNum' in one),
      [],
      Object.keys(plain).join(),
    )
  const day = (at: number) => `${1 + (at % 12)}/15/${1990 + (at % 30)}`
  const sales = await books({
    ...{ 'Last Sale Date': day, 'Last Sale Price': money(90_000) },
    ...{ 'Prior Sale Date': sometimes(40, day), 'Prior Sale Price': sometimes(40, money(80_000)) },
  })
  assert.deepEqual(
    sales.map(({ transferDate }) => transferDate),
    [{ column: 'Last Sale Date' }, { column: 'Prior Sale Date' }],
  )
})

test('columns that each hold a part are joined or added', async (t) => {
  const draft = async (columns: Record<string, Cell>) =>
    JSON.stringify((await inspectColumns(t, { ...BASE, ...columns })).document.fields)
  const classes = (total: Cell): Record<string, Cell> => ({
    ...{
      ASRLANDRES: (at) => (at % 3 === 0 ? 0 : 9000),
      ASRLANDCOM: (at) => (at % 3 === 0 ? 7000 : 0),
    },
    ...{
      ASRIMPRES: (at) => (at % 3 === 0 ? 0 : 50_000 + at),
      ASRIMPCOM: (at) => (at % 3 === 0 ? 81_000 : 0),
    },
    TOTASSMT: total,
  })
  const sum = (at: number) => (at % 3 === 0 ? 88_000 : 59_000 + at)
  const added = await draft(classes(sum))
  assert.match(added, /"assessedLandValue":\{"sum":\["ASRLANDRES","ASRLANDCOM"\]/)
  assert.match(added, /"assessedBuildingValue":\{"sum":\["ASRIMPRES","ASRIMPCOM"\]/)
  assert.doesNotMatch(await draft(classes((at) => sum(at) + 5000)), /"sum"/)
  const numbered = { 'LAND VALUE': () => 9000, 'IMPR 1 VALUE': (at: number) => 50_000 + at }
  const second = { 'IMPR 2 VALUE': sometimes(30, () => 4000) }
  const all = (at: number) => 59_000 + at + (Number(second['IMPR 2 VALUE'](at)) || 0)
  assert.match(
    await draft({ ...numbered, ...second, 'TOTAL TRUE VALUE': all }),
    /"sum":\["IMPR 1 VALUE"/,
  )
  const legal = {
    LEGAL1: (at: number) => `LOT ${at} BLK 2 LONG`,
    LEGAL2: sometimes(30, words('VIEW R12')),
  }
  assert.match(await draft({ ...legal, LEGAL3: () => '' }), /"join":\["LEGAL1","LEGAL2"/)
  const { document } = await inspectColumns(t, {
    ...{ ...ID, NAME1: name, NAME_ADD2: (at) => (at % 4 === 0 ? name(at + 1) : street(at)) },
    ...{
      NAME_ADD3: (at) => (at % 4 === 0 ? street(at) : ''),
      CITY: () => 'LINCOLN',
      STATE: () => 'NE',
    },
    ...{ ZIP: () => '68501', SITUS: street },
  })
  assert.match(JSON.stringify(document.fields.ownerAddressLine1), /NAME_ADD3/)
})

test('mail is the owner’s, a high number a range, a small sale value a code', async (t) => {
  const draft = async (columns: Record<string, Cell>) =>
    (await inspectColumns(t, { ...ID, ...columns })).document
  const town = (city: string) => () => `${city} NE 68501`
  const { fields: mail } = await draft({
    ...{ OWNAME: name, OWADR1: street, OWADR2: town('LINCOLN') },
    ...{ TXNAME: name, TXADR1: street, TXADR2: town('OMAHA'), PHYSADDR: street },
  })
  assert.match(JSON.stringify(mail.ownerCityStateZip), /OWADR2/)
  assert.doesNotMatch(JSON.stringify(mail), /TXADR/)
  const numbers = { ADRNO: (at: number) => 11 + at * 7, ADRADD: sometimes(20, (at) => 15 + at * 7) }
  const { fields: site } = await draft({
    OWNER: name,
    ...numbers,
    ADRSTR: STREETS,
    ADRSUF: words('ST AVE'),
  })
  assert.match(JSON.stringify(site.streetNumber), /ADRADD.*\$1-\$2/)
  const { fields: owner } = await draft({
    ...{ last_name: words(NAMES.join(' ')), first_name: words(GIVEN.join(' ')) },
    ...{ name_suffix: sometimes(5, words('JR III SR')), SITUS: street },
  })
  assert.match(JSON.stringify(owner.ownerName1), /first_name.*name_suffix/)
  const dated = { OWNER: name, SALEDT: (at: number) => `1/${1 + (at % 28)}/2019` }
  const priceOf = async (columns: Record<string, Cell>) =>
    (await draft({ ...dated, ...columns })).transfers?.[0]?.transferPrice
  const code = { PRICE: money(90_000), SALEVAL: words('0 1 2 15') }
  assert.deepEqual(await priceOf(code), { column: 'PRICE' })
  assert.deepEqual(await priceOf({ SALEVAL: money(90_000) }), { column: 'SALEVAL' })
  const formatted = await inspectColumns(t, {
    ...{ PID: (at) => 7411 + at * 7919, PINFormat: (at) => `58-C-${at}-B`, OWNER: name },
  })
  assert.deepEqual(formatted.document.fields.parcelId, { column: 'PINFormat' })
})

test('an amount of 0 dollars is no homestead', async (t) => {
  for (const zero of ['0', '$0', '0.00', '$0.00', '$ 0', '']) {
    const columns = {
      ...BASE,
      HOMESTEAD_EXEMPTION: (at: number) => (at % 3 > 0 ? zero : '$46,350'),
    }
    const { data, file, document } = await inspectColumns(t, columns)
    await importRoll(data, [file], { mapping: document, force: true })
    const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '12000037')
    assert.equal(parcel.ownerOccupied, null, zero)
  }
})

test('codes that the table of the state’s mapping knows give use codes', async (t) => {
  const columns = {
    ...BASE,
    property_type: (at: number) => [210, 220, 311, 411, 270][at % 5] ?? '',
  }
  const { document } = await inspectColumns(t, columns, { state: 'NY', county: 'Dutchess' })
  const rule = document.fields.useCode
  assert.ok(typeof rule === 'object' && rule.column === 'property_type', JSON.stringify(rule))
  const other = { ...BASE, property_type: (at: number) => ['QX', 'QY', 'QZ'][at % 3] ?? '' }
  const near = await inspectColumns(t, other, { state: 'NY', county: 'Dutchess' })
  assert.equal(near.document.fields.useCode, undefined)
})

test('a county gets the codes of another one where its state has one table', async (t) => {
  const puc = { ...BASE, PUC: (at: number) => ['0131', '0325', '0012', '9700'][at % 4] ?? '' }
  const place = { state: 'AZ', county: 'Pinal' }
  const { document } = await inspectColumns(t, puc, place)
  const rule = document.fields.useCode
  assert.ok(typeof rule === 'object' && rule.column === 'PUC', JSON.stringify(rule))
  const other = { ...BASE, PUC: (at: number) => ['13100', '7A', '4455'][at % 3] ?? '' }
  assert.equal((await inspectColumns(t, other, place)).document.fields.useCode, undefined)
})

test('a column named as an ID is the ID, however damaged; a price never is', async (t) => {
  const price = (at: number) => 150_000 + at * 1000
  for (const id of [
    (at: number) => (at % 3 === 0 ? `1230000000${at + 10}` : '1.23E+11'),
    (at: number) => `1.2345678901234${at % 10}E16`,
    (at: number) => `${at + 12}.001`,
  ]) {
    const columns = { ...BASE, PARCEL_ID: id, SALE_PRICE: price, TOTAL_VALUE: price }
    const { document } = await inspectColumns(t, columns)
    assert.deepEqual(document.fields.parcelId, { column: 'PARCEL_ID' })
  }
})

const PLACED = { ...BASE, SITE_CITY: () => 'LINCOLN' }
const UNITS: [string, Record<string, Cell>, string | undefined][] = [
  ['begin the IDs', { Unit: () => '12' }, 'jurisdiction'],
  ['begin the IDs with a zero', { Unit: () => '012' }, 'jurisdiction'],
  ['are called a number', { 'Unit No': () => '12' }, 'jurisdiction'],
  ['are of a few codes', { UNIT: (at) => ['A', 'B', 'C'][at % 3] ?? '' }, undefined],
  ['are of a few numbers', { TAX_UNIT_NO: (at) => (at % 4) + 1 }, undefined],
  ['fill some rows', { UNIT: sometimes(30, () => '12') }, 'unitNumberStripped'],
  ['differ in each row', { UNIT: (at) => at + 101 }, 'unitNumberStripped'],
  [
    'are of one house',
    { UNIT: (at) => (at % 5) + 1, SITUS_ADDRESS: () => '11 OAK ST' },
    'unitNumberStripped',
  ],
  [
    'are letters of few rows',
    { UNIT: (at: number) => (at % 13 === 0 ? 'B' : '') },
    'unitNumberStripped',
  ],
  ['are counted', { UNITS: (at) => (at % 3) + 1 }, 'unitCount'],
]

for (const [title, columns, field] of UNITS) {
  test(`units that ${title} are ${field ?? 'no units of buildings'}`, async (t) => {
    const { document } = await inspectColumns(t, { ...PLACED, ...columns })
    const [name = ''] = Object.keys(columns)
    const uses = Object.entries(document.fields).filter(([, rule]) => columnOf(rule) === name)
    assert.deepEqual(
      uses.map(([of]) => of).filter((of) => of !== 'municipality'),
      field === undefined ? [] : [field],
    )
  })
}

/** The column of a rule that is not commented out. */
const columnOf = (rule: unknown) =>
  typeof rule === 'string' ? rule : (rule as { column?: string } | undefined)?.column

const paged = (at: number) => `${1500 + at}/${(at * 31) % 400}`
const BOOKS: [string, string, Cell, [string | null, string | null]][] = [
  ['signs', 'LiberPage', paged, ['1501', '31']],
  ['letters', 'LiberPage', (at) => `L ${1500 + at} P ${at * 31}`, ['1501', '31']],
  ['letters of Maine', 'DEED_REF', (at) => `B${1500 + at}P${at * 31}`, ['1501', '31']],
  ['a deed book', 'Deed Bk/Pg', (at) => `DB ${1500 + at} PG ${at * 31}`, ['1501', '31']],
  ['words', 'BOOK_PAGE', (at) => `VOL ${1500 + at} PG ${at * 31}`, ['1501', '31']],
  [
    'several forms',
    'LiberPage',
    (at) => (at % 2 === 0 ? paged(at) : `L ${1500 + at} P ${at * 31}`),
    ['1501', '31'],
  ],
  [
    'forms and documents',
    'LiberPage',
    (at) => (at % 3 === 0 ? `20190${10000 + at}` : paged(at)),
    ['1501', '31'],
  ],
  ['documents alone', 'DEED_REF', (at) => `20190${10000 + at}`, [null, null]],
  ['documents of a year', 'DEED_REF', (at) => `2019-${10000 + at}`, [null, null]],
  ['words of a note', 'LiberPage', (at) => `SEE FILE ${at}`, [null, null]],
  ['plats', 'PLAT_REF', paged, [null, null]],
]

for (const [title, column, cell, [book, page]] of BOOKS) {
  test(`book and page of ${title} in ${column}: ${book ?? 'none'}`, async (t) => {
    const columns = { ...BASE, SALE_DATE: (at: number) => `${(at % 9) + 1}/1/2019`, [column]: cell }
    const { data, file, document } = await inspectColumns(t, columns)
    await importRoll(data, [file], { mapping: document, force: true })
    const parcel = await readParcel(openLoaded(t, data), 'NE', 31109, '12000037')
    const [deed] = parcel.transfers
    assert.deepEqual([deed?.book ?? null, deed?.page ?? null], [book, page])
  })
}

const whole = (at: number) => 90_000 + at * 100
const own = (at: number) => (at % 2 === 0 ? 6000 : 0)
const old = (at: number) => (at % 5 === 0 ? 5000 : 0)
const less =
  (...parts: ((at: number) => number)[]) =>
  (at: number) =>
    parts.reduce((left, part) => left - part(at), whole(at))
const EXEMPTIONS: [string, Record<string, Cell>, unknown][] = [
  [
    'two kinds add up',
    { 'Owner Occupied Exemption': own, 'Senior Exemption': old, 'Taxable Value': less(own, old) },
    ['Owner Occupied Exemption', 'Senior Exemption'],
  ],
  [
    'three kinds add up',
    { VET_EX: own, SENIOR_EX: old, BLIND_EX: own, TAXABLE: less(own, old, own) },
    ['VET_EX', 'SENIOR_EX', 'BLIND_EX'],
  ],
  [
    'numbered ones add up',
    { EXEMPT1: own, EXEMPT2: old, TAXABLE: less(own, old) },
    ['EXEMPT1', 'EXEMPT2'],
  ],
  ['without a taxable value they add up', { VET_EX: own, SENIOR_EX: old }, ['VET_EX', 'SENIOR_EX']],
  [
    'a sum that is not what is less is doubted',
    { VET_EX: own, SENIOR_EX: old, TAXABLE: less(own) },
    undefined,
  ],
  [
    'a total is the amount',
    { VET_EX: own, TOTAL_EXEMPTION: own, TAXABLE: less(own) },
    'TOTAL_EXEMPTION',
  ],
  [
    'a plain one is the total',
    { SENIOR_EXEMPT: old, EXEMPT_AMT: old, TAXABLE: less(old) },
    'EXEMPT_AMT',
  ],
  ['one alone is the amount', { EXEMPTION_AMOUNT: own, TAXABLE: less(own) }, 'EXEMPTION_AMOUNT'],
  [
    'a code is no amount',
    { EXEMPT_AMT: own, EXEMPT_CODE: (at) => (at % 2 === 0 ? 210 : 41), TAXABLE: less(own) },
    'EXEMPT_AMT',
  ],
  [
    'a flag is no amount',
    { EXEMPTION: own, SENIOR_EX: (at) => (at % 5 === 0 ? 'Y' : 'N'), TAXABLE: less(own) },
    'EXEMPTION',
  ],
]

for (const [title, columns, expected] of EXEMPTIONS) {
  test(`exemptions: ${title}`, async (t) => {
    const all = { ...BASE, TOTAL_ASSESSED_VALUE: whole, ...columns }
    const { document } = await inspectColumns(t, all)
    const rule = document.fields.exemptionAmount as { sum?: string[]; column?: string } | undefined
    assert.deepEqual(rule?.sum ?? rule?.column, expected)
  })
}

const USE_OF = ['Single family', 'Duplex', 'Condominium', 'Retail store', 'Office', 'Warehouse']
const CLASS_OF = [
  'Residential',
  'Residential',
  'Residential',
  'Commercial',
  'Commercial',
  'Industrial',
]
const CODE_OF = ['1112', '1115', '1230', '2212', '2220', '2235']
const cycle = (texts: readonly string[]) => (at: number) => texts[at % texts.length] ?? ''
const uses = cycle(USE_OF)
const classes = cycle(CLASS_OF)
const codes = cycle(CODE_OF)
/** A title, the columns of uses, and the columns of the description and of the code. */
const USES: [string, Record<string, Cell>, string | undefined, string | undefined][] = [
  ['a text that gives the class', { CLASS: classes, Function: uses }, 'Function', undefined],
  ['a text and its code', { CLASS: classes, AbsDesc: uses, AbsCode: codes }, 'AbsDesc', 'AbsCode'],
  [
    'both codes',
    {
      PROP_CLASS: (at) => (CLASS_OF[at % 6] ?? '')[0] ?? '',
      CLASS_DESC: classes,
      FN_CD: codes,
      FN: uses,
    },
    'FN',
    'FN_CD',
  ],
  ['a text alone without a name for it', { ACCTTYPE: uses }, 'ACCTTYPE', undefined],
  ['a text of a group', { GROUP: uses, CLASS_DESC: classes }, 'GROUP', undefined],
  [
    'a text that does not give the class',
    { CLASS: classes, Function: (at) => uses(at * 7 + (at % 5)) },
    'CLASS',
    undefined,
  ],
  ['a text of few rows', { CLASS: classes, Function: sometimes(50, uses) }, 'CLASS', undefined],
  ['the style of a building', { CLASS: classes, BLDG_STYLE: uses }, 'CLASS', undefined],
  ['a zoning that gives the class', { CLASS: classes, ZONING_DESC: uses }, 'CLASS', undefined],
  [
    'texts that are no uses',
    { CLASS: classes, Function: (at) => `Residential group ${classes(at)[0]}${at % 6}` },
    'CLASS',
    undefined,
  ],
]

for (const [title, columns, text, code] of USES) {
  test(`of columns of uses ${text} is the description: ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...BASE, ...columns })
    const { useDescription, useCodeLocal } = document.fields
    assert.equal(columnOf(useDescription), text)
    if (code !== undefined) assert.equal(columnOf(useCodeLocal), code)
  })
}

const gross = (at: number) => 90_000 + at * 100
const third = (at: number) => (at % 3 === 0 ? gross(at) - 48_000 : gross(at))
const NETS: [string, Record<string, Cell>, string | undefined][] = [
  ['less in some rows', { 'AV Total': gross, 'Net AV': third }, 'Net AV'],
  [
    'less by a deduction',
    { 'AV Total': gross, 'Std Deduction': (at) => gross(at) - third(at), 'Net AV': third },
    'Net AV',
  ],
  ['less by two deductions', { TOTAL_ASSESSED: gross, NET_ASSESSED: third }, 'NET_ASSESSED'],
  [
    'more in some rows',
    { 'AV Total': gross, 'Net AV': (at) => (at % 3 === 0 ? gross(at) + 900 : third(at + 1)) },
    undefined,
  ],
  ['the same', { 'AV Total': gross, 'Net AV': gross }, undefined],
  [
    'a share of the market value',
    { 'Market Total': gross, 'Net Assessed Value': (at) => gross(at) / 5 },
    undefined,
  ],
  ['a tax', { 'AV Total': gross, 'Net Tax': (at) => third(at) / 50 }, undefined],
  [
    'next to a column of its own',
    { 'AV Total': gross, 'Net AV': third, 'Taxable Value': third },
    'Taxable Value',
  ],
]

for (const [title, columns, expected] of NETS) {
  test(`a net value is taxable where it is after deductions: ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...BASE, ...columns })
    assert.equal(columnOf(document.fields.taxableValue), expected)
  })
}

for (const [few, column] of [
  [70, 'CLASS_DESC'],
  [100, 'Occupancy'],
] as const) {
  test(`an occupancy in ${few} % of rows next to a class: ${column}`, async (t) => {
    const occupancy = cycle(['Dwelling', 'Duplex', 'Apartment'])
    const columns = { Occupancy: sometimes(few, occupancy), CLASS_DESC: few < 100 ? classes : '' }
    const own = few < 100 ? columns : { Occupancy: occupancy }
    const { document } = await inspectColumns(t, { ...BASE, ...(own as Record<string, Cell>) })
    assert.equal(columnOf(document.fields.useDescription), column)
  })
}

const house = (at: number) => at * 7 + 11
const roads = (at: number) =>
  ['OAK HILL', 'ELM', 'STIEGER LAKE', 'LARK', 'PIKE', 'MAPLE'][at % 6] ?? ''
const types = cycle(['ST', 'AVE', 'LN', 'RD'])
const ROADS: [string, Record<string, Cell>, string[]][] = [
  [
    'a number of buildings',
    { BLDG_NUM: house, STREETNAME: roads, STREETTYPE: types },
    ['BLDG_NUM', 'STREETNAME', 'STREETTYPE'],
  ],
  [
    'types by their values',
    { ADDRST: roads, ADDRNO: house, ADDRSF: types },
    ['ADDRNO', 'ADDRST', 'ADDRSF'],
  ],
  [
    'a name between them',
    { STRNUM: house, LOCATE: roads, STRTYP: types },
    ['STRNUM', 'LOCATE', 'STRTYP'],
  ],
  [
    'types of their own name first',
    { HOUSE_NO: house, STREET_NAME: roads, XTYP: types, STREET_TYPE: types },
    ['HOUSE_NO', 'STREET_NAME', 'STREET_TYPE'],
  ],
  [
    'a count of buildings',
    { HOUSE_NO: house, STREET_NAME: roads, STREET_TYPE: types, BLDG_NUM: cycle(['1', '2', '1']) },
    ['HOUSE_NO', 'STREET_NAME', 'STREET_TYPE'],
  ],
]

for (const [title, columns, expected] of ROADS) {
  test(`parts of a street are known by their neighbours: ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...ID, OWNER: name, ...columns })
    const { streetNumber, streetName, streetType, address } = document.fields
    assert.deepEqual([streetNumber, streetName, streetType].map(columnOf), expected)
    assert.equal(address, undefined)
  })
}

test('the mail has parts of its own: direction at the end, unit, and else a box', async (t) => {
  const columns = {
    ...BASE,
    mail_address_number: (at: number) => (at % 5 === 0 ? '' : house(at)),
    mail_address_street: (at: number) => (at % 5 === 0 ? '' : roads(at)),
    mail_address_suff: (at: number) => (at % 5 === 0 ? '' : types(at)),
    mail_address_dir: sometimes(20, (at) => (at % 5 === 0 ? '' : 'N')),
    mail_address_unit: sometimes(9, (at) => (at % 5 === 0 ? '' : '4')),
    mail_address_city: () => 'ALDA',
    mail_address_state: () => 'NE',
    mail_address_zip: () => '68810',
    mail_address_po_box: (at: number) => (at % 5 === 0 ? (['77', 'PO Box 9'][at % 2] ?? '') : ''),
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const lineOf = async (at: number) => {
    const id = `12${String(at * 37).padStart(6, '0')}`
    return (await readParcel(store, 'NE', 31109, id)).ownerStreet
  }
  const ends = (at: number) =>
    `${(at * 7919) % 100 < 20 ? ' N' : ''}${(at * 7919) % 100 < 9 ? ' #4' : ''}`
  for (const at of [1, 2, 3, 13, 26, 37])
    assert.equal(await lineOf(at), `${house(at)} ${roads(at)} ${types(at)}${ends(at)}`)
  assert.deepEqual([await lineOf(10), await lineOf(5)], ['PO BOX 77', 'PO BOX 9'])
})

test('a second owner has a middle name, and a suffix is a name’s where it is JR', async (t) => {
  const columns = {
    ...ID,
    SITUS_ADDRESS: street,
    primary_owner_first_name: (at: number) => GIVEN[at % 8] ?? '',
    primary_owner_mi: () => 'C',
    primary_owner_last_name: (at: number) => NAMES[at % 10] ?? '',
    primary_owner_suffix: sometimes(30, (at) => ['JR', 'III'][at % 2] ?? ''),
    additional_owner_1_first: (at: number) => GIVEN[(at + 1) % 8] ?? '',
    additional_owner_1_mi: () => 'B',
    additional_owner_1_last_name: (at: number) => NAMES[at % 10] ?? '',
    additional_owner_2_last_name: () => '',
  }
  const { document } = await inspectColumns(t, columns)
  const first = ['primary_owner_first_name', 'primary_owner_mi', 'primary_owner_suffix']
  const second = ['additional_owner_1_first', 'additional_owner_1_mi']
  assert.deepEqual(document.fields.ownerName1, {
    join: ['primary_owner_last_name', { join: first }],
    with: ', ',
  })
  assert.deepEqual(document.fields.ownerName2, {
    join: ['additional_owner_1_last_name', { join: second }],
    with: ', ',
  })
})

test('a letter after a house number is part of it, a range before it too', async (t) => {
  const columns = {
    ...ID,
    OWNER: name,
    HOUSE_NR_LO: house,
    HOUSE_NR_HI: (at: number) => house(at) + (at % 4 === 0 ? 2 : 0),
    HOUSE_NR_SFX: (at: number) => (at % 13 === 0 ? 'B' : ''),
    SDIR: cycle(['N', 'S', 'W']),
    STREET: roads,
    STTYPE: types,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const numberOf = async (at: number) => {
    const id = `12${String(at * 37).padStart(6, '0')}`
    const { streetNumber, streetNumberHigh } = await readParcel(store, 'NE', 31109, id)
    return [streetNumber, streetNumberHigh].filter((text) => text !== null).join('-')
  }
  assert.equal(await numberOf(13), `${house(13)}B`)
  assert.equal(await numberOf(1), `${house(1)}`)
  assert.equal(await numberOf(4), `${house(4)}-${house(4) + 2}`)
})

test('New Jersey’s block, lot and qualifier are the ID; elsewhere an account', async (t) => {
  const columns = {
    Municipality: (at: number) => `13${25 + (at % 4)}`,
    Block: (at: number) => (at % 3 === 0 ? `${at}.01` : at + 1),
    Lot: (at: number) => (at % 7) + 1,
    Qual: (at: number) => (at === 8 ? 'C0027' : ''),
    Account: (at: number) => String(at * 13 + 7).padStart(8, '0'),
    'Property Location': street,
    "Owner's Name": name,
  }
  const idOf = async (place: { state: string; county: string }) =>
    (await inspectColumns(t, columns, place)).document.fields.parcelId
  const own = await idOf({ state: 'NJ', county: 'Monmouth' })
  assert.deepEqual(own, { join: ['Block', 'Lot', 'Qual'], with: '-' })
  assert.deepEqual(await idOf({ state: 'NE', county: 'Lancaster' }), { column: 'Account' })
})

test('a page is no deed’s where parcel IDs begin with its book', async (t) => {
  const columns = (book: Cell, page: Cell) => ({
    PARCEL: (at: number) => `${170 + (at % 9)}-${String(at * 3).padStart(4, '0')}-0001-00`,
    OWNER: name,
    SITUS_ADDRESS: street,
    BOOK: book,
    PAGE: page,
    SALE_DATE: (at: number) => `20${10 + (at % 9)}-05-04`,
  })
  const pageOf = async (book: Cell, page: Cell) =>
    JSON.stringify((await inspectColumns(t, columns(book, page))).document.transfers)
  const own = (at: number) => String(at * 3).padStart(4, '0')
  assert.doesNotMatch(await pageOf((at) => 170 + (at % 9), own), /PAGE|BOOK/)
  assert.doesNotMatch(await pageOf((at) => 4000 + at * 3, own), /PAGE/)
  assert.match(
    await pageOf(
      (at) => 4000 + at * 3,
      (at) => at * 7 + 900,
    ),
    /BOOK.*PAGE/,
  )
})

const LETTERS: [string, Record<string, Cell>, string | undefined][] = [
  [
    'a number that gives the letter',
    { CLASS: cycle(['510', '500', '447']), EXLUCODE: cycle(['S', 'V', 'O']) },
    'CLASS',
  ],
  [
    'a number of something else',
    { CLASS: (at) => 500 + (at % 7), EXLUCODE: cycle(['S', 'V', 'O']) },
    undefined,
  ],
]
for (const [title, columns, expected] of LETTERS) {
  test(`of two codes of use: ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...BASE, ...columns })
    assert.equal(columnOf(document.fields.useCodeLocal), expected)
  })
}

const exempt = (at: number) => (at % 3 === 0 ? 25_000 : 0)
const TAKEN: [string, Cell, string[]][] = [
  ['less the exemption', (at) => gross(at) - exempt(at), ['Total', 'Assessment']],
  ['the total itself', gross, ['Assessment', '']],
]
for (const [title, assessment, [total, taxable]] of TAKEN) {
  test(`Maine’s assessment next to a total: ${title}`, async (t) => {
    const columns = {
      ...BASE,
      Land: (at: number) => gross(at) - 50_000,
      Building: () => 50_000,
      Total: gross,
      Exemption: exempt,
      Assessment: assessment,
    }
    const { document } = await inspectColumns(t, columns, { state: 'ME', county: 'Hancock' })
    const { totalAssessedValue, taxableValue } = document.fields
    assert.deepEqual(
      [totalAssessedValue, taxableValue].map((one) => columnOf(one) ?? ''),
      [total, taxable],
    )
  })
}

test('a line of the envelope that is the second owner’s is not joined to itself', async (t) => {
  const place = (at: number) => `ALDA, NE 6881${at % 10}`
  const columns = {
    ...BASE,
    OWNER_MORE: sometimes(20, (at) => `${GIVEN[at % 8]} ROE`),
    OWN_ADD_L1: street,
    OWN_ADD_L2: (at: number) => (at % 6 === 0 ? 'APT 4' : place(at)),
    OWN_ADD_L3: (at: number) => (at % 6 === 0 ? place(at) : ''),
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(columnOf(document.fields.ownerName2), 'OWNER_MORE')
})

const grid = (at: number) => `${at * 7 + 11} W ${(at % 9) * 50 + 50} N`
const some = (at: number) => (at % 10 === 3 ? '' : street(at))
const cities = cycle(['MILLPORT', 'HOLLOW', 'TRENTON'])
const MAILED: Record<string, Cell> = {
  ...BASE,
  MAIL_ADDRESS: (at) => `PO BOX ${at + 100}`,
  MAIL_CITY: cities,
  MAIL_STATE: () => 'NE',
}
const built = (share: number, first: number) => sometimes(share, (at) => first + ((at * 13) % 70))
const alone =
  (share: number): Cell =>
  (at) =>
    (at * 7919) % 100 < share ? 0 : 1950 + (at % 60)
const cover = cycle(['H', 'N', 'N', 'D'])

/** Half are near misses. Place, columns, a field, and the columns from which it comes. */
const BY_ROW: [string, Record<string, Cell>, string, string | undefined, string?][] = [
  ['a grid address', { PARCEL_ADD: grid, ...ID, OWNER: name }, 'address', 'PARCEL_ADD'],
  ['a survey', { ...ID, DESCR: (at) => `${at} N 12 LOT`, OWNER: name }, 'address', undefined],
  [
    'two lines',
    { ...BASE, SITUS_ADDRESS: some, LOCAPROP: street },
    'address',
    'SITUS_ADDRESS LOCAPROP',
  ],
  ['another line', { ...BASE, SITUS_ADDRESS: some, LOCAPROP: grid }, 'address', 'SITUS_ADDRESS'],
  ['a full line', { ...BASE, LOCAPROP: street }, 'address', 'SITUS_ADDRESS'],
  [
    'dwellings and others',
    { ...BASE, resb_yearbuilt: built(60, 1930), cib_yearbuilt: alone(60) },
    'buildings.yearBuilt',
    'resb_yearbuilt cib_yearbuilt',
  ],
  [
    'a part of the dwellings',
    { ...BASE, yearbuilt: built(100, 1930), resb_yearbuilt: built(60, 1950) },
    'buildings.yearBuilt',
    'yearbuilt',
  ],
  ['codes of taxing units', { ...MAILED, city: cycle(['TMI', 'THO']) }, 'city', undefined],
  ['short cities', { ...MAILED, city: cycle(['TROY', 'MILLPORT']) }, 'city', 'city'],
  [
    'a county’s own city',
    { ...MAILED, MAIL_CITY: cycle(['TROY', 'ALBANY']), city: cycle(['TROY', 'PERU']) },
    'city',
    'city',
  ],
  ['who lives there', { ...BASE, OWNER_OCC_CODE: cover }, 'ownerOccupied', 'OWNER_OCC_CODE'],
  [
    'classes of a homestead',
    { ...BASE, HOMESTEAD_CODE: cycle(['A', 'B', 'C']) },
    'ownerOccupied',
    undefined,
  ],
  ['a declaration', { ...BASE, HSDECL: cycle(['Y', 'N', 'N']) }, 'ownerOccupied', 'HSDECL'],
  ['a first home', { ...BASE, PRIMARY_RE: cycle(['Y', 'N']) }, 'ownerOccupied', 'PRIMARY_RE'],
  ['a first use', { ...BASE, PRIMARY_USE: cycle(['Y', 'N']) }, 'ownerOccupied', undefined],
  ['acres of pasture', { ...BASE, GrazingAcres: (at) => at + 0.25 }, 'acres', undefined],
  [
    'all acres',
    { ...BASE, GrazingAcres: (at) => at + 0.25, TotalAcres: (at) => at + 0.75 },
    'acres',
    'TotalAcres',
  ],
  [
    'a unit below the street',
    { ...ID, OWNER: name, AddressLine1: street, AddressLine2: sometimes(20, (at) => `UNIT ${at}`) },
    'unitNumberStripped',
    'AddressLine2',
  ],
  [
    'a place below the street',
    { ...ID, OWNER: name, AddressLine1: street, AddressLine2: sometimes(20, cities) },
    'unitNumberStripped',
    undefined,
  ],
  [
    'a deed’s number after its page',
    { ...BASE, volume: (at) => 400 + at, page: (at) => at + 1, number: (at) => 2_020_000 + at * 7 },
    'transfers.transferDocNum',
    'number',
  ],
  [
    'a number of a house',
    { ...ID, OWNER: name, number: (at) => at * 7 + 11, street: cycle(['OAK', 'ELM']) },
    'transfers.transferDocNum',
    undefined,
  ],
  [
    'an account of the assessor',
    { ...BASE, AssessmentCode: (at) => `00000${10_000 + at * 3}` },
    'taxAccountNumber',
    'AssessmentCode',
  ],
  [
    'a code of the assessor',
    { ...BASE, AssessmentCode: (at) => 100 + (at % 4) },
    'taxAccountNumber',
    undefined,
  ],
  ['a city of the site alone', { ...ID, SITE_CITY: cities, CITY: cities }, 'ownerCity', undefined],
  [
    'a third legal line of places',
    { ...BASE, ...legalLines(), SITUS_CITY: cities },
    'ownerCity',
    undefined,
  ],
  [
    'a state’s codes',
    { ...BASE, DOR_UC: cycle(['001', '000', '060']) },
    'useDescription',
    'DOR_UC',
    'FL',
  ],
  [
    'codes of another list',
    { ...BASE, DOR_UC: cycle(['601', '602', '613']) },
    'useDescription',
    undefined,
    'FL',
  ],
  [
    'short codes of another column',
    { ...BASE, CLASS: cycle(['1', '2', '4']) },
    'useDescription',
    undefined,
    'NY',
  ],
  [
    'the state’s market value',
    { PARCELID: ID.PARCEL_ID, OWNER: name, TotalValue: (at) => 90_000 + at * 700 },
    'totalMarketValue',
    'TotalValue',
    'MT',
  ],
  [
    'a value of another state',
    { PARCELID: ID.PARCEL_ID, OWNER: name, TotalValue: (at) => 90_000 + at * 700 },
    'totalMarketValue',
    undefined,
  ],
]

const companies = sometimes(30, (at) => `HARLOW ${at} HOLDINGS LLC`)
const people =
  (of: Cell): Cell =>
  (at) =>
    (at * 7919) % 100 < 30 ? '' : of(at)
const persons = {
  LAST_NAME: people((at) => NAMES[at % 10] ?? ''),
  FIRST_NAME: people((at) => GIVEN[at % 8] ?? ''),
}
const inParts = 'LAST_NAME FIRST_NAME'
const amount = (at: number) => 90_000 + at * 700
const serial = (at: number) => 966_183_100 + at * 977
const days = (at: number) => `20${10 + (at % 9)}0${(at % 9) + 1}12`
BY_ROW.push(
  [
    'companies',
    { ...ID, SITUS: street, ORG_NAME: companies, ...persons },
    'ownerName1',
    `${inParts} ORG_NAME`,
  ],
  [
    'firms',
    { ...ID, SITUS: street, company: companies, ...persons },
    'ownerName1',
    `${inParts} company`,
  ],
  ['a trade', { ...ID, SITUS: street, BUSINESS_NAME: street, ...persons }, 'ownerName1', inParts],
  [
    'cut lines',
    {
      ...BASE,
      DESCRIPTIO: cycle(['OAK RIDGE', 'PIKE HILL']),
      DESCRIPT_1: (at) => `LOT ${at} BLK 7`,
    },
    'legalDesc',
    'DESCRIPTIO DESCRIPT_1',
  ],
  ['words', { ...BASE, DESCRIPTIO: cycle(['ONE FAMILY', 'CHURCH']) }, 'legalDesc', undefined],
  [
    'a number with its extension',
    {
      OWNER: name,
      SITUS: street,
      pin: serial,
      pinext: () => '',
      pinnum: (at) => `${serial(at)}00000`,
    },
    'parcelId',
    'pinnum',
  ],
  [
    'a number and a longer one',
    { OWNER: name, SITUS: street, pin: serial, pin14: (at) => `${serial(at)}00000` },
    'parcelId',
    'pin',
  ],
  [
    'years',
    { ...BASE, ACT: built(100, 1930), EFF: built(100, 1950) },
    'buildings.yearBuilt',
    'ACT',
  ],
  ['amounts', { ...BASE, ACT: amount }, 'buildings.yearBuilt', undefined],
  [
    'a sale with flags',
    { ...BASE, S_DATE: days, VI: cycle(['I', 'V']), AMT: amount },
    'transfers.transferPrice',
    'AMT',
  ],
  ['an amount alone', { ...BASE, AMT: amount }, 'transfers.transferPrice', undefined],
  [
    'gross and net',
    { ...BASE, grossassessed: amount, netassessed: (at) => amount(at) - (at % 3) * 1000 },
    'totalAssessedValue',
    'grossassessed',
  ],
  [
    'an old owner',
    { ...BASE, SALE_DATE: days, SALE_OLDOW: name },
    'transfers.grantor',
    'SALE_OLDOW',
  ],
  [
    'an old price',
    { ...BASE, SALE_DATE: days, SALE_OLDPR: amount },
    'transfers.grantor',
    undefined,
  ],
  [
    'dwellings and stores',
    { ...BASE, DWEL_SFLA: built(60, 1930), COMM_SF: alone(60) },
    'buildings.buildingArea',
    'DWEL_SFLA COMM_SF',
  ],
  [
    'years of documents',
    { ...BASE, deed: (at) => `20${10 + (at % 9)}-${at * 977 + 13_000}` },
    'transfers.transferDocNum',
    'deed',
  ],
  ['kinds of deeds', { ...BASE, deed: cycle(['WD', 'QC']) }, 'transfers.transferDocNum', undefined],
  [
    'a bare column',
    { ...BASE, LAND_EST: amount, BUILDING: (at) => 90_000 + at * 1000 },
    'totalBuildingValue',
    'BUILDING',
  ],
  [
    'a number of buildings',
    { ...BASE, LAND_EST: amount, BUILDING: (at) => at % 4 },
    'totalBuildingValue',
    undefined,
  ],
  [
    'a county’s four digits',
    { ...BASE, DOR_C: cycle(['0100', '1100', '6000']) },
    'useCode',
    'DOR_C',
    'FL',
  ],
  ['four signs', { ...BASE, DOR_C: cycle(['01A0', '11A0', '60A0']) }, 'useCode', undefined, 'FL'],
)

function legalLines(): Record<string, Cell> {
  return {
    'LEGAL: Line 1': (at) => `LOT ${at} BLK 2`,
    'LEGAL: Line 2': street,
    'LEGAL: Line 3': cycle(['MEADOW LAKES', 'OAK RIDGE', 'PIKE HILLS']),
  }
}

for (const [title, columns, path, expected, state = 'NE'] of BY_ROW) {
  test(`${path} of ${title}: ${expected ?? 'none'}`, async (t) => {
    const place = state === 'NE' ? {} : { state }
    const { inspection } = await inspectColumns(t, columns, { state: 'NE', ...place })
    const [name = '', section = 'fields'] = path.split('.').toReversed()
    const entry = inspection.draft.entries.find(
      (one) => one.section === section && one.name === name && one.certainty >= 0.6,
    )
    assert.equal(entry?.columns.join(' '), expected)
  })
}

test('a GeoJSON whose names are those of a layout of fixed width is read as JSON', async (t) => {
  const names = loadMapping('tx-pacs').fixedWidth?.[0]?.columns.slice(0, 40) ?? []
  const features = Array.from({ length: ROWS }, (_, at) => ({
    ...{ type: 'Feature', id: at, geometry: null },
    properties: Object.fromEntries(names.map((one) => [one.name, `${at}`])),
  }))
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  const file = write(makeFolder(t), 'roll.geojson', text)
  const { rows, columns } = await inspectFile(file, {
    ...{ today: TODAY, state: 'TX', county: 'Bell', mappings: [loadMapping('tx-pacs')] },
  })
  assert.deepEqual([rows, columns.length], [ROWS, names.length])
})

test('`PSALEDATE` next to `SALEDATE` is the sale before; of several pages the first', async (t) => {
  const columns = {
    ...BASE,
    'Book & Page': (at: number) =>
      `B${4000 + at}P${at + 7}${at % 3 === 0 ? ` B${900 + at}P4` : ''}`,
    SALEDATE: (at: number) => `201${at % 9}-05-04`,
    SALEPRICE: (at: number) => 90_000 + at * 100,
    PSALEDATE: (at: number) => `200${at % 9}-05-04`,
    PSALEPRICE: (at: number) => 60_000 + at * 100,
    PGRANTOR: name,
  }
  const { data, file, document } = await inspectColumns(t, columns)
  await importRoll(data, [file], { mapping: document, force: true })
  const { transfers } = await readParcel(openLoaded(t, data), 'NE', 31109, '12000111')
  const shown = transfers.map((one) => [one.transferDate, one.transferPrice, one.book, one.page])
  assert.deepEqual(shown, [
    ['2013-05-04', 90_300, '4003', '10'],
    ['2003-05-04', 60_300, null, null],
  ])
})

const ALONE: [string, Record<string, Cell>, string | undefined][] = [
  ['of the owner', { CNTCTLAST: name }, 'CNTCTLAST'],
  ['next to an owner', { XPERS: name, OWNER_NAME: name }, 'OWNER_NAME'],
  ['of two columns', { XPERS: name, YPERS: (at) => name(at + 1) }, undefined],
  ['of grantors', { GRANTOR: name }, undefined],
]
for (const [title, columns, expected] of ALONE) {
  test(`names in a column whose name says nothing: ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...ID, SITUS_ADDRESS: street, ...columns })
    assert.equal(columnOf(document.fields.ownerName1), expected)
  })
}

test('grantees with addresses are the owners where no other column is', async (t) => {
  const columns = {
    ...ID,
    GranteeLas: name,
    GranteeFul: street,
    GranteeCit: cities,
    GranteeSta: () => 'NE',
    GranteeZip: (at: number) => 68500 + (at % 9),
  }
  const { document } = await inspectColumns(t, columns)
  const { ownerName1, ownerAddressLine1, ownerCity, ownerZipCode, city, zipCode } = document.fields
  const own = [ownerName1, ownerAddressLine1, ownerCity, ownerZipCode].map(columnOf)
  assert.deepEqual(own, ['GranteeLas', 'GranteeFul', 'GranteeCit', 'GranteeZip'])
  assert.deepEqual([city, zipCode], [undefined, undefined])
  const { document: other } = await inspectColumns(t, { ...columns, OWNER: name })
  assert.equal(columnOf(other.fields.ownerName1), 'OWNER')
  assert.notEqual(columnOf(other.fields.ownerCity), 'GranteeCit')
})

const below = (places: string) => ({
  ...ID,
  OWNER: name,
  address1: street,
  address2: cycle(places.split('|')),
})
for (const [places, field] of [
  ['ALDA NE 68810|ATLANTA GA 30309|APEX NC 27502', 'ownerAddressLine1'],
  ['ALDA NE 68810|CAIRO NE 68824', 'address'],
] as const) {
  test(`address1 above ${places} is the ${field}`, async (t) => {
    const { document } = await inspectColumns(t, below(places))
    assert.match(JSON.stringify(document.fields[field]), /address1/)
    const other = field === 'address' ? 'ownerAddressLine1' : 'address'
    assert.equal(document.fields[other], undefined)
  })
}

test('a company is the owner where no person is, and an initial is of the name', async (t) => {
  const isFirm = (at: number) => at % 4 === 0
  const columns = {
    ...ID,
    SITUS_ADDRESS: street,
    Company: (at: number) => (isFirm(at) ? `HARLOW ${at} LLC` : ''),
    'First Name': (at: number) => (isFirm(at) ? '' : (GIVEN[at % 8] ?? '')),
    'Middle Initial': (at: number) => (isFirm(at) ? '' : 'Q'),
    'Last Name': (at: number) => (isFirm(at) ? '' : (NAMES[at % 10] ?? '')),
    'Co Owner First Name': sometimes(30, (at) => GIVEN[at % 8] ?? ''),
    'Co Owner Last Name': sometimes(30, (at) => NAMES[at % 10] ?? ''),
  }
  const { document } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.ownerName1, {
    first: [
      { join: ['Last Name', { join: ['First Name', 'Middle Initial'] }], with: ', ' },
      'Company',
    ],
  })
  assert.deepEqual(document.fields.ownerName2, {
    join: ['Co Owner Last Name', { join: ['Co Owner First Name'] }],
    with: ', ',
  })
})

test('of two taxable values the one after exemptions is taxable', async (t) => {
  const columns = {
    ...BASE,
    TOTTXBLE: gross,
    TOTALEXEMP: exempt,
    NETTAXABLE: (at: number) => gross(at) - exempt(at),
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(columnOf(document.fields.taxableValue), 'NETTAXABLE')
  const { document: alone } = await inspectColumns(t, { ...BASE, TOTTXBLE: gross })
  assert.equal(columnOf(alone.fields.taxableValue), 'TOTTXBLE')
})

test('five nines before a street are no number of a house, four may be one', async (t) => {
  const line = (at: number) => (at % 9 === 4 ? '99999 ELM ST' : `99${at + 10} OAK ST`)
  const { document } = await inspectColumns(t, { ...BASE, SITUS_ADDRESS: line })
  const replace = [{ pattern: '^9{5,} +(?=\\S)', with: '' }]
  assert.partialDeepStrictEqual(document.fields.address, { column: 'SITUS_ADDRESS', replace })
  const { document: plain } = await inspectColumns(t, { ...BASE, SITUS_ADDRESS: street })
  assert.deepEqual(plain.fields.address, { column: 'SITUS_ADDRESS' })
})

const PAIRED = {
  STNUM: house,
  STNAME: roads,
  TYPESFX: types,
  MASTNUM: (at: number) => (at % 6 === 0 ? '' : at + 400),
  MASTNAME: (at: number) => (at % 6 === 0 ? 'C/O AGENT ROE' : roads(at + 1)),
  MATYPESFX: (at: number) => (at % 6 === 0 ? '' : types(at)),
  MALINE2: (at: number) => (at % 6 === 0 ? `${at + 9} PINE AVE` : at % 7 === 0 ? 'STE 4' : ''),
  MACITY: cities,
  MASTATE: () => 'NE',
  MAZIP: (at: number) => 68500 + (at % 9),
}

test('letters of two pairs of columns are the mail’s', async (t) => {
  const { data, file, document } = await inspectColumns(t, { ...BASE, ...PAIRED })
  const { ownerCity, ownerZipCode, city } = document.fields
  assert.deepEqual([ownerCity, ownerZipCode, city].map(columnOf), ['MACITY', 'MAZIP', undefined])
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  const at = async (row: number) => {
    const id = `12${String(row * 37).padStart(6, '0')}`
    const { ownerStreet, careOf } = await readParcel(store, 'NE', 31109, id)
    return [ownerStreet, careOf]
  }
  assert.deepEqual(await at(1), [`401 ${roads(2)} ${types(1)}`, null])
  assert.deepEqual(await at(6), ['15 PINE AVE', 'AGENT ROE'])
})

const BUILT = (years: number) => (at: number) => 1950 + (at % 60) + years
const NEXT: [string, string | undefined, Record<string, Cell>][] = [
  ['yearBuilt', 'ACTUAL_YEAR_BUILT', { BLDG_YEAR_BUILT: BUILT(3), ACTUAL_YEAR_BUILT: BUILT(0) }],
  [
    'effectiveYearBuilt',
    'BLDG_YEAR_BUILT',
    { BLDG_YEAR_BUILT: BUILT(3), ACTUAL_YEAR_BUILT: BUILT(0) },
  ],
  ['yearBuilt', 'BLDG_YEAR_BUILT', { BLDG_YEAR_BUILT: BUILT(0) }],
  [
    'buildingArea',
    'BLDG_UNDER_AIR_SQ_FOOTAGE',
    {
      BLDG_TOT_SQ_FOOTAGE: (at) => 1500 + at * 7,
      BLDG_UNDER_AIR_SQ_FOOTAGE: (at) => 1200 + at * 7,
    },
  ],
  ['buildingArea', 'BLDG_TOT_SQ_FOOTAGE', { BLDG_TOT_SQ_FOOTAGE: (at) => 1500 + at * 7 }],
]
for (const [field, column, columns] of NEXT) {
  test(`${field} of ${Object.keys(columns)}`, async (t) => {
    const { document } = await inspectColumns(t, { ...BASE, ...columns })
    const [, first] = /"column":"(\w+)"/.exec(JSON.stringify(document.buildings ?? '')) ?? []
    const own = columnOf(document.buildings?.[0]?.[field])
    assert.equal(own ?? first, column)
  })
}

const acres = (at: number) => (0.11 + at / 50).toFixed(3)
const LAND: [string, string | undefined, Record<string, Cell>][] = [
  [
    'as many acres',
    'SIZESQFT',
    { SIZESQFT: (at) => Math.round(Number(acres(at)) * 43_560), SIZEACRES: acres },
  ],
  ['other acres', undefined, { SIZESQFT: (at) => 1200 + at * 7, SIZEACRES: acres }],
]
for (const [title, column, columns] of LAND) {
  test(`square feet next to ${title}`, async (t) => {
    const { document } = await inspectColumns(t, { ...BASE, ...columns })
    assert.equal(columnOf(document.fields.landArea), column)
  })
}

test('last year’s value and a map’s book are not the roll’s', async (t) => {
  const columns = {
    ...BASE,
    LY_JUSTVAL: (at: number) => 90_000 + at * 100,
    MCR_BOOK: (at: number) => 100 + at,
    MCR_PAGE: (at: number) => (at % 50) + 1,
    SALE_DATE: (at: number) => `201${at % 9}-05-04`,
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(document.fields.totalMarketValue, undefined)
  assert.doesNotMatch(JSON.stringify(document.transfers), /MCR/)
})

test('a mailing line with its city gives way to one without it', async (t) => {
  const whole = (at: number) => `${street(at)} ${cities(at)} NE 6850${at % 9}`
  const columns = {
    ...BASE,
    MAIL_ADDRESS: whole,
    MAIL_ADDR1: street,
    MAIL_CITY: cities,
    MAIL_STATE: () => 'NE',
    MAIL_ZIP: (at: number) => 68500 + (at % 9),
  }
  const { document } = await inspectColumns(t, columns)
  assert.equal(columnOf(document.fields.ownerAddressLine1), 'MAIL_ADDR1')
  const { MAIL_ADDR1: _, ...alone } = columns
  const { document: other, inspection } = await inspectColumns(t, alone)
  assert.equal(other.fields.ownerAddressLine1, undefined)
  assert.match(whyOf(inspection, 'ownerAddressLine1'), /100 % of its lines end in a ZIP code/)
})

test('a name in a slot before the number is no part of the address', async (t) => {
  const slot = (at: number) => (at % 4 === 0 ? `BRIARWOOD         ${street(at)}` : street(at))
  const { data, file, document } = await inspectColumns(t, { ...ID, OWNER: name, PHYS_ADDR: slot })
  await importRoll(data, [file], { mapping: document, force: true })
  const { streetNumber, streetName } = await readParcel(
    openLoaded(t, data),
    ...(['NE', 31109, '12000148'] as const),
  )
  assert.deepEqual([streetNumber, streetName], ['39', 'ELM'])
  const plain = (at: number) => (at % 4 === 0 ? `HIGHWAY ${at} W` : street(at))
  const { document: other } = await inspectColumns(t, { ...ID, OWNER: name, PHYS_ADDR: plain })
  assert.deepEqual(other.fields.address, { column: 'PHYS_ADDR' })
})

test('lines below the taxpayer are an envelope; the municipality is the site’s', async (t) => {
  const place = (at: number) => `${cities(at)} NE 6850${at % 9}`
  const columns = {
    ...ID,
    HOUSE_NO: house,
    STREET_NM: roads,
    MAILING_MUNIC_NM: cities,
    OWNER_NM: name,
    TAXPAYER_NM: name,
    TAXPAYER_NM_1: (at: number) => (at % 6 === 0 ? 'C/O AGENT ROE' : street(at)),
    TAXPAYER_NM_2: (at: number) => (at % 6 === 0 ? street(at) : place(at)),
    TAXPAYER_NM_3: (at: number) => (at % 6 === 0 ? place(at) : ''),
  }
  const { data, file, document } = await inspectColumns(t, columns)
  assert.equal(columnOf(document.fields.city), 'MAILING_MUNIC_NM')
  await importRoll(data, [file], { mapping: document, force: true })
  const store = openLoaded(t, data)
  for (const at of [1, 6]) {
    const id = `12${String(at * 37).padStart(6, '0')}`
    const { ownerStreet, ownerCity, ownerState } = await readParcel(store, 'NE', 31109, id)
    assert.deepEqual([ownerStreet, ownerCity, ownerState], [street(at), cities(at), 'NE'])
  }
})

test('a property address without numbers, next to a house number, is the street', async (t) => {
  const roadsOf = (at: number) =>
    ['N HIGHLAND AVE', 'SHADY AVE', 'LIBRARY RD', 'WALNUT ST'][at % 4] ?? ''
  const columns = { ...ID, OWNER: name, PROPERTYHOUSENUM: house, PROPERTYADDRESS: roadsOf }
  const { document } = await inspectColumns(t, columns)
  const { streetNumber, streetName } = document.fields
  assert.deepEqual([streetNumber, streetName].map(columnOf), [
    'PROPERTYHOUSENUM',
    'PROPERTYADDRESS',
  ])
})

test('a highway’s kind before its number is of the street’s name', async (t) => {
  const columns = {
    ...ID,
    OWNER: name,
    ANUMBER: house,
    ST_PRE_TYP: (at: number) => (at % 4 === 0 ? 'Highway' : ''),
    ST_NAME: (at: number) => (at % 4 === 0 ? '61' : roads(at)),
    ST_POS_TYP: (at: number) => (at % 4 === 0 ? '' : types(at)),
  }
  const { document } = await inspectColumns(t, columns)
  assert.deepEqual(document.fields.streetName, { join: ['ST_PRE_TYP', 'ST_NAME'] })
  assert.equal(columnOf(document.fields.streetType), 'ST_POS_TYP')
})
