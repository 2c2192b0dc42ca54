/**
 * `GET /public/property/address/` answers 200: docs/decisions/lookups.md and
 * docs/decisions/http-interface.md, rule 9 of docs/matching.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { parcelId } from '../look.ts'
import { promiseHttp } from '../promises.ts'
import { ADDRESSES, PATH } from './roll.ts'

const service = await startService(ADDRESSES)
after(() => service.close())

const ask = (query: Exclude<Query, string>) => service.get(PATH, { state: 'WI', ...query })

/** Parcel ID, X-Match and X-Match-Count of a lookup. */
async function look(query: Exclude<Query, string>) {
  const answer = await ask(query)
  const { headers } = answer
  return [parcelId(answer), headers.get('x-match'), headers.get('x-match-count')]
}

promiseHttp(service, { path: PATH, query: { state: 'WI', address: '100 Main St' }, tokenCost: 0 })

test('the body holds one property and nothing else', async () => {
  const { body } = await ask({ address: '100 Main St' })
  assert.deepEqual(Object.keys(body), ['property'])
  assert.equal(body.property.propertyLocation.address, '100 MAIN ST')
})

test('case, blanks and punctuation do not matter', async () => {
  for (const address of [
    '100 main st',
    ' 100  MAIN  STREET ',
    '100 Main St.',
    '100, Main Street',
  ]) {
    assert.deepEqual(await look({ address }), ['MAIN', 'exact', null], address)
  }
})

test('a state answers its own parcels only', async () => {
  assert.deepEqual(await look({ state: 'IL', address: '100 Main St' }), ['IL', 'exact', null])
})

test('further situs addresses of a parcel are searched too', async () => {
  assert.deepEqual(await look({ address: '12 Side Street' }), ['MAIN', 'exact', null])
})

test('it costs no token', async () => {
  const { headers } = await ask({ address: '100 Main St' })
  assert.equal(headers.get('x-tokens-charged'), null)
  assert.equal(headers.get('x-tokens-remaining'), null)
})

test('city with county distinguishes parcels of two cities', async () => {
  const elm = { address: '200 Elm St', county: 'Dane' }
  assert.deepEqual(await look({ ...elm, city: 'Madison' }), ['ELM-M', 'exact', null])
  assert.deepEqual(await look({ ...elm, city: 'STOUGHTON' }), ['ELM-S', 'exact', null])
})

test('a city is compared without case and punctuation, and St is Saint', async () => {
  for (const city of ['St. Elmo', 'st elmo', 'SAINT ELMO', 'St.Elmo', ' saint  elmo ']) {
    const found = await look({ address: '1300 Grove St', county: 'Dane', city })
    assert.equal(found[0], 'GROVE', city)
  }
})

test('county distinguishes parcels of two counties, by name or code', async () => {
  const oak = { address: '300 Oak Ave' }
  assert.equal((await look({ ...oak, county: 'Dane' }))[0], 'OAK-D')
  assert.equal((await look({ ...oak, county: 'Milwaukee County' }))[0], 'OAK-M')
  assert.equal((await look({ ...oak, county: '55079' }))[0], 'OAK-M')
})

test('a parcel whose roll records no city is found by its county', async () => {
  const query = { address: '300 Oak Ave', county: 'Dane', city: 'Madison' }
  assert.equal((await look(query))[0], 'OAK-D')
})

test('a unit asked: the parcel with that unit', async () => {
  assert.deepEqual(await look({ address: '400 Lake Dr', unit: '2B' }), ['LAKE-2B', 'exact', null])
  assert.deepEqual(await look({ address: '400 Lake Dr', unit: '2b' }), ['LAKE-2B', 'exact', null])
  assert.deepEqual(await look({ address: '400 Lake Dr', unit: '3C' }), ['LAKE-3C', 'exact', null])
})

test('unit and unitNumberStripped mean the same, and unit wins', async () => {
  const lake = { address: '400 Lake Dr' }
  assert.equal((await look({ ...lake, unitNumberStripped: '3C' }))[0], 'LAKE-3C')
  assert.equal((await look({ ...lake, unit: '2B', unitNumberStripped: '3C' }))[0], 'LAKE-2B')
  assert.equal((await look({ ...lake, unit: '', unitNumberStripped: '3C' }))[0], 'LAKE-3C')
})

test('the unit may be part of the address', async () => {
  for (const address of ['400 Lake Dr Apt 2B', '400 LAKE DR #2B', '400 lake dr, unit 2b']) {
    assert.deepEqual(await look({ address }), ['LAKE-2B', 'exact', null], address)
  }
})

test('a unit that nobody has: the parcel without one, as unit-dropped', async () => {
  assert.deepEqual(await look({ address: '400 Lake Dr', unit: '9Z' }), [
    'LAKE',
    'unit-dropped',
    '3',
  ])
  assert.deepEqual(await look({ address: '100 Main St', unit: '1' }), [
    'MAIN',
    'unit-dropped',
    null,
  ])
})

test('no unit asked: the parcel without one, and how many stood there', async () => {
  assert.deepEqual(await look({ address: '400 Lake Dr' }), ['LAKE', 'exact', '3'])
  assert.deepEqual(await look({ address: '400 Lake Dr', unit: ' ' }), ['LAKE', 'exact', '3'])
})

test('no unit asked and all have one: the lowest record ID', async () => {
  const [first, second] = await Promise.all([
    ask({ address: '500 Hill Rd', unit: '1' }),
    ask({ address: '500 Hill Rd', unit: '2' }),
  ])
  const lowest = [first, second].map(({ body }) => body.property.id).sort()[0]
  const { body, headers } = await ask({ address: '500 Hill Rd' })
  assert.equal(body.property.id, lowest)
  assert.equal(headers.get('x-match'), 'one-of-many')
  assert.equal(headers.get('x-match-count'), '2')
  assert.equal(headers.get('x-match-units'), '1, 2')
  assert.equal(headers.get('x-match-alike'), '2')
  const base = await ask({ address: '400 Lake Dr' })
  assert.equal(base.headers.get('x-match-alike'), null)
})

test('two parcels of one address and city: lowest record ID, both are counted', async () => {
  const { body, headers } = await ask({ address: '600 Pond Ln' })
  assert.equal(headers.get('x-match'), 'exact')
  assert.equal(headers.get('x-match-count'), '2')
  assert.equal(headers.get('x-match-alike'), '2')
  const all = await service.get('/public/property/search/', { state: 'WI', address: '600 Pond Ln' })
  assert.equal(body.property.id, all.body.properties[0].id)
})

test('a unit in one city has no effect on another city', async () => {
  assert.deepEqual(await look({ address: '1200 Park Pl', unit: '6' }), ['PARK-6M', 'exact', null])
  const there = { address: '1200 Park Pl', unit: '5', county: 'Dane', city: 'Stoughton' }
  assert.deepEqual(await look(there), ['PARK-5S', 'exact', null])
})

test('a parcel without a city is ignored if one has the requested city', async () => {
  const asked = { address: '1600 Fern Way', unit: '4', county: 'Dane' }
  assert.deepEqual(await look(asked), ['FERN-4', 'exact', null])
  assert.deepEqual(await look({ ...asked, city: 'Madison' }), ['FERN', 'unit-dropped', null])
})

const words: [string, string, string][] = [
  ['702 River St', 'RIVER', 'range'],
  ['800 Hwy 51', 'HWY', 'highway'],
  ['900 Birch St', 'BIRCH-N', 'directional'],
  ['1000 Ridge', 'RIDGE', 'suffix'],
  ['1100 Mill View Dr', 'MILL', 'spacing'],
]
for (const [address, parcel, match] of words) {
  test(`${address} is found with X-Match: ${match}`, async () => {
    assert.deepEqual(await look({ address }), [parcel, match, null])
  })
}

test('a city or ZIP after the line is removed when it is the record’s', async () => {
  for (const address of [
    '100 Main St, Madison',
    '100 Main St 53703',
    '100 Main St Madison WI 53703',
  ]) {
    assert.equal((await look({ address }))[0], 'MAIN', address)
  }
})

test('X-Match-Units names the first twenty units, each as unit takes it', async () => {
  const { headers } = await ask({ address: '1700 Tower Ct' })
  const units = (headers.get('x-match-units') ?? '').split(', ')
  assert.deepEqual(
    [headers.get('x-match'), headers.get('x-match-count'), units.length],
    ['one-of-many', '25', 20],
  )
  for (const unit of units) {
    const found = await look({ address: '1700 Tower Ct', unit })
    assert.deepEqual(found.slice(1), ['exact', null], unit)
  }
})

test('a road without a number that several parcels share: the lowest, as one of many', async () => {
  assert.deepEqual(await look({ address: 'W Creek Rd' }), ['CREEK-1', 'one-of-many', '3'])
})

test('the only parcel has a unit that was not asked: unit-added', async () => {
  assert.deepEqual(await look({ address: '1800 Mill St' }), ['REAR', 'unit-added', null])
  assert.deepEqual(await look({ address: '1800 Mill St Rear' }), ['REAR', 'exact', null])
  assert.deepEqual(await look({ address: '1800 Mill St', county: 'Dane' }), [
    'REAR',
    'unit-added',
    null,
  ])
})

test('zipCode selects between two cities; only its first five digits count', async () => {
  const oak = { address: '1900 Fir St' }
  assert.deepEqual(await look({ ...oak, zipCode: '53703' }), ['FIR-M', 'exact', null])
  for (const zipCode of ['53589', '53589-1234', '535891234']) {
    assert.deepEqual(await look({ ...oak, zipCode }), ['FIR-S', 'exact', null], zipCode)
  }
  assert.deepEqual(await look({ address: '100 Main St', zipCode: '99999' }), [
    'MAIN',
    'exact',
    null,
  ])
})

test('fips without its leading zero, as spreadsheets have it, is the same county', async () => {
  for (const fips of ['01001', '1001']) {
    const { status, body } = await service.get(PATH, { apn: '7', fips })
    assert.deepEqual([status, body], [404, { error: 'Address not found' }], fips)
    const elsewhere = await service.get(PATH, { state: 'WI', address: '100 Main St', fips })
    assert.equal(elsewhere.body.error, 'state and fips name different states', fips)
  }
})

test('apn and fips replace state and address', async () => {
  const { body } = await service.get(PATH, { state: 'WI', address: '100 Main St' })
  const { parcelId, propertyId } = body.property.propertyIdentification
  const fips = propertyId.slice(0, 5)
  const found = await service.get(PATH, { apn: parcelId.toLowerCase(), fips })
  assert.equal(found.status, 200)
  assert.equal(found.headers.get('x-match'), 'exact')
  assert.equal(found.body.property.id, body.property.id)
  const explained = await service.get(PATH, { apn: parcelId, fips, explain: true })
  assert.equal(explained.body.property.id, body.property.id)
  assert.match(explained.body.explain.words[0], /parcel ID/i)
  assert.ok(explained.body.explain.provenance)
  const byAddress = await service.get(PATH, { address: '100 Main St', fips })
  assert.equal(byAddress.body.property.id, body.property.id)
})
