/** Words for an unknown value, in every field where they may occur. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { loadMapping } from '../../src/import/mapping/mapping.ts'
import { csvRow } from '../../src/sample/write.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const place = { state: 'OR', county: 'Washington' }
const fields = {
  parcelId: 'PIN',
  ownerName1: 'OWNER',
  ownerName2: 'OWNER2',
  ownerCareOf: 'CAREOF',
  ownerAddressLine1: 'MAIL',
  ownerCity: 'MAILCITY',
  ownerState: 'MAILSTATE',
  ownerZipCode: 'MAILZIP',
  address: 'SITUS',
  city: 'CITY',
  zipCode: 'ZIP',
  unitNumberStripped: 'UNIT',
  legalDesc: 'LEGAL',
  subdivision: 'SUBDIVISION',
  useDescription: 'USE',
  zoningCode: 'ZONING',
  schoolDistrict: 'SCHOOL',
  neighborhood: 'HOOD',
  acres: 'ACRES',
  totalMarketValue: 'VALUE',
}
const mapping = { ...loadMapping('platbook'), name: 'x', nameOrder: 'last-first' as const, fields }
const columns = Object.values(fields)

test('NULL and bare punctuation are unknown everywhere, UNKNOWN in places and names', async (t) => {
  const words = ['NULL', 'n/a', '.', '-', '--', '?', 'N.A.', '<Null>']
  const places = ['UNKNOWN', 'Unk', 'NONE', 'NOT AVAILABLE']
  const rows = [...words, ...places].map((word, at) =>
    columns.map((column) => (column === 'PIN' ? `R${at}` : word)),
  )
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', [columns, ...rows].map(csvRow).join(''))
  const report = await importRoll(data, [file], { ...place, mapping })
  assert.equal(report.loaded, rows.length)
  const store = openLoaded(t, data)
  const names = Object.keys(fields).filter((name) => name !== 'parcelId')
  for (const at of words.keys()) {
    const parcel = { ...(await readParcel(store, 'OR', 41067, `R${at}`)) } as Record<
      string,
      unknown
    >
    const known = names.filter((name) => (parcel[name] ?? null) !== null)
    assert.deepEqual(known, [], `${words[at]}`)
    assert.deepEqual([parcel.careOf, parcel.ownerStreet, parcel.addressRaw], [null, null, null])
  }
  for (const at of places.keys()) {
    const parcel = await readParcel(store, 'OR', 41067, `R${words.length + at}`)
    const { city, ownerCity, ownerState, careOf, ownerStreet, address, zipCode } = parcel
    const { legalDescription, subdivision, schoolDistrict, neighborhood } = parcel
    const values = [
      ...[city, ownerCity, ownerState, careOf, ownerStreet, address, zipCode],
      ...[legalDescription, subdivision, schoolDistrict, neighborhood],
    ]
    assert.deepEqual(values, Array(values.length).fill(null), `${places[at]}`)
  }
})

test('an area in a unit that the roll does not tell is unknown and counted', async (t) => {
  const unit = { column: 'ZONING', codes: { S: 'square feet' } }
  const sized = { ...mapping, fields: { ...fields, acres: { column: 'ACRES', unit } } }
  const sizes = [
    ...[['43560', 'S', 1] as const, ['1', 'AC', 1] as const, ['2.5 ac', 'FF', 2.5] as const],
    ...[['50', 'FF', null] as const, ['1', 'LOT', null] as const, ['7', '', null] as const],
    ['0', '', null] as const,
  ]
  const rows = sizes.map(([ACRES, ZONING], at) => {
    const row: Record<string, string> = { PIN: `R${at}`, OWNER: 'ROE JANE', ACRES, ZONING }
    return columns.map((column) => row[column] ?? '')
  })
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', [columns, ...rows].map(csvRow).join(''))
  const report = await importRoll(data, [file], { ...place, mapping: sized })
  assert.deepEqual(report.unread, { acres: 3 })
  const store = openLoaded(t, data)
  for (const [at, [, unitText, acres]] of sizes.entries()) {
    const parcel = await readParcel(store, 'OR', 41067, `R${at}`)
    assert.equal(parcel.acres, acres, unitText)
  }
})

test('a ZIP that lost its leading zero, and zeros before a number', async (t) => {
  const row = columns.map((column) => {
    const known: Record<string, string> = { PIN: 'R1', OWNER: 'CARVER MARY' }
    const more = { SITUS: '0000 0123 MAPLE ST', ZIP: '4820', MAILZIP: '2108', MAILSTATE: 'MA' }
    return { ...known, ...more }[column] ?? ''
  })
  const data = makeFolder(t)
  const file = write(data, 'roll.csv', [columns, row].map(csvRow).join(''))
  await importRoll(data, [file], { ...place, mapping })
  const { address, streetNumber, zipCode, ownerZipCode, addressRaw } = await readParcel(
    openLoaded(t, data),
    'OR',
    41067,
    'R1',
  )
  assert.deepEqual(
    [address, streetNumber, zipCode, ownerZipCode, addressRaw],
    ['123 MAPLE ST', '123', '04820', '02108', '0000 0123 MAPLE ST'],
  )
})
