/**
 * The filters of `GET /public/property/search/`, one by one and together:
 * docs/decisions/property-search.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { assertAscending, parcelIds, recordIds } from '../look.ts'
import { makeRoll, type Row } from '../rolls.ts'
import { PATH } from './roll.ts'

/** Few parcels with every filter's field, and some without an address. */
const ROWS: Row[] = [
  {
    parcelId: 'A',
    address: '100 MAIN ST',
    city: 'Madison',
    zipCode: '53703',
    useCode: '1101',
    useCodeLocal: '0101',
    residential: 'true',
    transferDate: '2026-03-09',
  },
  {
    parcelId: 'B',
    address: '100 MAIN ST APT 2B',
    city: 'Madison',
    zipCode: '53704',
    useCode: '1001',
    useCodeLocal: '101',
    residential: 'true',
    transferDate: '2026-02-08',
    ownerName1: 'QUILLON, MARA',
  },
  {
    parcelId: 'C',
    address: '200 ELM ST APT 2B',
    city: 'St. Elmo',
    zipCode: '53703',
    useCode: 'R-2',
    useDescription: 'Single family',
    transferDate: '2025-03-10',
    ownerName1: 'OAKEN SPOON LODGE NO 1205',
  },
  {
    parcelId: 'D',
    county: 'Milwaukee',
    address: '300 OAK ST',
    city: 'Milwaukee',
    zipCode: '53201',
    useCode: '2001',
    useCodeLocal: '0',
    ownerName1: 'QUILLON, THEO & ANN',
  },
  {
    parcelId: 'E',
    county: 'Milwaukee',
    address: '100 MAIN ST',
    city: 'Milwaukee',
    altParcelIds: 'AB-17/3',
  },
  { parcelId: 'V1', city: 'Madison', zipCode: '53703', useCode: '1101', residential: 'true' },
  { parcelId: 'V2', address: 'MAIN ST', city: 'Madison', useCode: '8001', useCodeLocal: 'X9' },
  { parcelId: 'I', state: 'IL', county: 'Cook', address: '1 LAKE ST', city: 'Chicago' },
]

const service = await startService(makeRoll(ROWS))
after(() => service.close())

/** Parcel IDs of a search, as one text: what offset mode and cursor mode both answer. */
async function found(query: Record<string, string> | string): Promise<string> {
  const given = new URLSearchParams(query)
  if (!given.has('state')) given.set('state', 'WI')
  const asked = `${given}&limit=100`
  const byOffset = await service.get(PATH, asked)
  const byCursor = await service.get(PATH, `${asked}&cursor=`)
  assertAscending(recordIds(byOffset))
  assert.deepEqual(byCursor.body.properties, byOffset.body.properties)
  return parcelIds(byOffset).sort().join(' ')
}

const cases: [string, Record<string, string> | string, string][] = [
  ['without filters: the parcels of the state that have a number and a street', {}, 'A B C D E'],
  ['state', { state: 'IL' }, 'I'],
  ['county by name', { county: 'Dane' }, 'A B C'],
  ['county by its code', { county: '55079' }, 'D E'],
  ['county in another form', { county: 'milwaukee co' }, 'D E'],
  ['an unrecognized county finds nothing', { county: 'Nowhere' }, ''],
  ['a county of another state finds nothing', { county: 'Cook' }, ''],
  ['city', { city: 'Madison' }, 'A B'],
  ['city without case and punctuation', { city: 'saint elmo' }, 'C'],
  ['an unrecognized city finds nothing', { city: 'Nowhere' }, ''],
  ['zipCode', { zipCode: '53703' }, 'A C'],
  ['zipCode as ZIP+4: the first five digits count', { zipCode: '53703-1234' }, 'A C'],
  ['zipCode of nine digits', { zipCode: ' 537031234 ' }, 'A C'],
  ['address, as the address lookup matches it', { address: '100 main street' }, 'A B E'],
  ['address with its unit', { address: '100 Main St #2B' }, 'B'],
  ['address that nobody has', { address: '1 Nowhere Rd' }, ''],
  ['address with a missing suffix', { address: '300 Oak' }, 'D'],
  ['unitNumberStripped', { unitNumberStripped: '2b' }, 'B C'],
  ['unit is the same', { unit: '2B' }, 'B C'],
  ['useCode, by a code or by words of the roll', { useCode: '1001' }, 'B C'],
  ['several codes', { useCode: '1101, 2001' }, 'A D'],
  ['first digits', { useCode: '10*' }, 'B C'],
  ['first digits and a code', { useCode: '10*,2001' }, 'B C D'],
  ['first digits of dwellings', { useCode: '1*' }, 'A B C'],
  ['a code that nobody has', { useCode: '1002' }, ''],
  ['a code as recorded, which is no code of the table', { useCode: 'R-2' }, ''],
  ['a code of fewer digits', { useCode: '101' }, ''],
  ['useCode and propertyType', { useCode: '1*', propertyType: 'house' }, 'B C'],
  [
    'useCode and propertyType that exclude each other',
    { useCode: '2*', propertyType: 'house' },
    '',
  ],
  ['useStandardCode is the same', { useStandardCode: '1001' }, 'B C'],
  ['useCode repeated: any of them', 'useCode=1101&useCode=2001', 'A D'],
  [
    'useStandardCode repeated, one by its first digits',
    'useStandardCode=10*&useStandardCode=2001',
    'B C D',
  ],
  ['useStandardCode that nobody has', { useStandardCode: '3000' }, ''],
  ['propertyType house', { propertyType: 'house' }, 'B C'],
  ['property_type SFR is the same', { property_type: 'sfr' }, 'B C'],
  ['propertyType CONDO', { propertyType: 'condo' }, ''],
  ['propertyType any', { propertyType: 'any' }, 'A B C D E'],
  ['propertyType and zipCode', { propertyType: 'house', zipCode: '53703' }, 'C'],
  ['foreclosure: rolls record none', { foreclosure: 'true' }, ''],
  ['foreclosure=false', { foreclosure: 'false' }, 'A B C D E'],
  ['query: an address line', { query: '100 main street' }, 'A B E'],
  ['query: with city and state', { query: '100 Main St, Madison, WI' }, 'A B'],
  ['query: with city, state and ZIP', { query: '300 Oak St, Milwaukee WI 53201' }, 'D'],
  ['query and county', { query: '100 Main St', county: 'Milwaukee' }, 'E'],
  ['query: a street without a number', { query: 'Main St, Madison' }, 'V2'],
  ['query: a parcel ID', { query: 'ab-17/3' }, 'E'],
  ['query: a property ID', { query: '55079-AB-17/3' }, 'E'],
  ['query: an owner', { query: 'Quillon' }, 'B D'],
  ['query: an owner as people write it', { query: 'Mara Quillon' }, 'B'],
  ['query: an owner of two persons, as recorded', { query: 'QUILLON, THEO & ANN' }, 'D'],
  ['query: an owner with a number', { query: 'Oaken Spoon Lodge No 1205' }, 'C'],
  ['query: an owner by the words of the name', { query: 'lodge of oaken spoon' }, ''],
  ['query: an address that is not there is no owner', { query: '1205 Lodge St' }, ''],
  ['query: nothing', { query: '7 Nowhere Rd' }, ''],
  ['residential, by the use code', { residential: 'true' }, 'A B C'],
  ['residential=0', { residential: '0' }, 'D'],
  ['transferedSince one day', { transferedSince: '1' }, 'A'],
  ['transferedSince thirty days', { transferedSince: '30' }, 'A B'],
  ['transferedSince a day less', { transferedSince: '29' }, 'A'],
  ['transferedSince a year', { transferedSince: '365' }, 'A B C'],
  ['transferredSince is the same', { transferredSince: '30' }, 'A B'],
  ['transferedSince a century', { transferedSince: '36500' }, 'A B C'],
  ['includeUnassignedAddress', { includeUnassignedAddress: 'true' }, 'A B C D E V1 V2'],
  ['includeUnassignedAddress=false', { includeUnassignedAddress: 'false' }, 'A B C D E'],
  [
    'includeUnassignedAddress with a city',
    { includeUnassignedAddress: '1', city: 'Madison' },
    'A B V1 V2',
  ],
  [
    'empty filters count as missing',
    { county: '', city: '', zipCode: '', useCode: ' ' },
    'A B C D E',
  ],
  ['county and city', { county: 'Dane', city: 'Milwaukee' }, ''],
  ['city and zipCode', { city: 'Madison', zipCode: '53704' }, 'B'],
  ['address and county', { address: '100 Main St', county: 'Milwaukee' }, 'E'],
  ['address and city', { address: '100 Main St', city: 'Madison' }, 'A B'],
  ['address and unit', { address: '100 Main St', unit: '2B' }, 'B'],
  ['address and residential', { address: '100 Main St', residential: 'true' }, 'A B'],
  ['unit and zipCode', { unit: '2B', zipCode: '53703' }, 'C'],
  ['useCode and zipCode', { useCode: '1101', zipCode: '53703' }, 'A'],
  [
    'useCode, zipCode and those without address',
    { useCode: '1101', zipCode: '53703', includeUnassignedAddress: 'TRUE' },
    'A V1',
  ],
  ['residential and transferedSince', { residential: 'true', transferedSince: '30' }, 'A B'],
  [
    'all of them at once',
    {
      county: 'Dane',
      city: 'Madison',
      zipCode: '53703',
      address: '100 Main St',
      useCode: '11*',
      residential: 'true',
      transferedSince: '2',
    },
    'A',
  ],
]

for (const [what, query, expected] of cases) {
  test(`${what}: ${JSON.stringify(query)} finds ${expected || 'nothing'}`, async () => {
    assert.equal(await found(query), expected)
  })
}

test('an account with useCodes=recorded asks for codes as recorded, and gets them', async () => {
  const key = await service.keyFor({ useCodes: 'recorded' })
  const cases: [string, string][] = [
    ['101', 'A B'],
    ['000101', 'A B'],
    ['r-2', 'C'],
    ['0', 'D'],
    ['1101', ''],
    ['0,R-2', 'C D'],
    ['10*', 'A B'],
    ['r*', 'C'],
    ['R-*', 'C'],
  ]
  for (const [useCode, expected] of cases) {
    const answer = await service.get(PATH, { state: 'WI', limit: 100, useCode }, { key })
    assert.equal(parcelIds(answer).sort().join(' '), expected, useCode)
  }
  const [one] = (await service.get(PATH, { state: 'WI', useCode: 'r-2' }, { key })).body.properties
  const { propertyUseCode, useStandardCode, localUseCode } = one.propertyClassification
  assert.deepEqual([propertyUseCode, useStandardCode, localUseCode], ['R-2', '1001', null])
  const both = await service.get(PATH, { state: 'WI', useCode: '0,R*' }, { key })
  assert.equal(both.status, 400)
})

test('query may name the state itself', async () => {
  for (const query of [
    '100 Main St, Madison, WI',
    '300 Oak St, Milwaukee 53201',
    '55079-AB-17/3',
  ]) {
    const { status, body } = await service.get(PATH, { query })
    assert.equal(status, 200, query)
    assert.ok(body.properties.length > 0, query)
  }
})

test('an address that the search names finds parcels without a number too', async () => {
  assert.equal(await found({ address: 'Main St' }), 'V2')
})

test('an empty result that unassigned addresses would fill says so', async () => {
  const header = async (query: Record<string, string>) => {
    const { status, headers } = await service.get(PATH, { state: 'WI', ...query })
    assert.equal(status, 200)
    return headers.get('x-unassigned-address')
  }
  const unassigned = { city: 'Madison', residential: 'true', zipCode: '53703', useCode: '1101' }
  // V1 has all of these and no address; A has them too, so the result is not empty.
  assert.equal(await header(unassigned), null)
  const none = { city: 'Madison', transferedSince: '1', useCode: 'none' }
  assert.equal(await header(none), null)
  const only = { useCode: '8001' }
  assert.equal(await header(only), 'excluded')
  assert.equal(await header({ ...only, cursor: '' }), 'excluded')
  assert.equal(await header({ ...only, includeUnassignedAddress: 'true' }), null)
})

test('a compound unit as a record shows it finds that record, and no other unit', async (t) => {
  const lines = [
    'APT 4 BLDG B',
    'BLDG 2 UNIT 1A',
    'FL 3 APT 9',
    'APT 1A',
    'UNIT 2',
    'BLDG B',
    'APT 4 BLDG C',
  ]
  const own = await startService(
    makeRoll(lines.map((unit, at) => ({ parcelId: `U${at}`, address: `100 MAIN ST ${unit}` }))),
  )
  t.after(() => own.close())
  const all = await own.get(PATH, { state: 'WI', limit: 100 })
  for (const { propertyIdentification, propertyLocation } of all.body.properties) {
    const { parcelId } = propertyIdentification
    const { unitNumberStripped, unitNumber } = propertyLocation
    for (const asked of [unitNumberStripped, unitNumber]) {
      if (!asked.includes(' ')) continue
      const answer = await own.get(PATH, { state: 'WI', unitNumberStripped: asked })
      assert.equal(parcelIds(answer).join(' '), parcelId, asked)
    }
  }
  const { body } = await own.get(PATH, { state: 'WI', unit: '4 BLDG D' })
  assert.deepEqual(body.properties, [])
})

test('a unit as records show it, without its kind, finds units of every kind', async (t) => {
  const own = await startService(
    makeRoll([
      { parcelId: 'APT', address: '100 MAIN ST APT 4' },
      { parcelId: 'PH', address: '100 MAIN ST PH 4' },
      { parcelId: 'BLDG', address: '100 MAIN ST BLDG 4' },
      { parcelId: 'OTHER', address: '100 MAIN ST PH 5' },
    ]),
  )
  t.after(() => own.close())
  const find = async (unit: string) =>
    parcelIds(await own.get(PATH, { state: 'WI', address: '100 Main St', unit })).join(' ')
  assert.equal(await find('4'), 'APT PH BLDG')
  assert.equal(await find('PH 4'), 'PH')
  assert.equal(await find('APT 4'), 'APT')
})

for (const [county, header] of [
  ['Dana', 'Dane'],
  ['Dane Conty', 'Dane'],
  ['Lacrosse', null],
  ['Zzyzx', 'none'],
  ['x'.repeat(200), 'none'],
  ['Dane', null],
  ['025', null],
  ['55025', null],
] as const) {
  test(`in the county "${county.slice(0, 12)}" X-Unknown-County is ${header}`, async () => {
    const { status, headers, body } = await service.get(PATH, { state: 'WI', county })
    const unknown = headers.get('x-unknown-county')
    assert.equal(status, 200)
    if (header !== null) assert.deepEqual(body.properties, [])
    assert.equal(unknown?.split(', ')[0] ?? null, header)
  })
}
