/** The city of a lookup may be the municipality of the parcel. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { parcelId } from '../look.ts'
import { writeTownMapping } from '../parcel-id-lookup/roll.ts'
import { makeRoll } from '../rolls.ts'

const at = (id: string, city: string, jurisdiction: string) => ({
  parcelId: id,
  address: '200 ELM ST',
  city,
  jurisdiction,
})

const service = await startService(
  makeRoll([
    at('A', 'Madison', 'Town of Blooming Grove'),
    at('B', 'Stoughton', 'Pleasant Springs Twp'),
    at('C', 'Blooming Grove', 'City of Monona'),
    { ...at('D', '', 'Village of Oregon'), address: '300 OAK AVE' },
  ]),
)
after(() => service.close())

const ask = async (query: Record<string, string>) => {
  const place = { state: 'WI', county: 'Dane', address: '200 Elm St' }
  const answer = await service.get('/public/property/address/', { ...place, ...query })
  return answer.status === 200 ? [parcelId(answer), answer.headers.get('x-match')] : answer.status
}

test('the municipality finds a parcel whose mail comes through another city', async () => {
  assert.deepEqual(await ask({ city: 'Pleasant Springs' }), ['B', 'exact'])
  assert.deepEqual(await ask({ city: 'Pleasant Springs Township' }), ['B', 'exact'])
  assert.deepEqual(await ask({ city: 'Stoughton' }), ['B', 'exact'])
  assert.deepEqual(await ask({ city: 'Monona' }), ['C', 'exact'])
})

test('the city of the post comes before a municipality of the same name', async () => {
  assert.deepEqual(await ask({ city: 'Blooming Grove' }), ['C', 'exact'])
  assert.deepEqual(await ask({ city: 'Town of Blooming Grove' }), ['A', 'exact'])
})

test('a municipality after the line is understood too', async () => {
  assert.deepEqual(await ask({ address: '200 Elm St, Pleasant Springs WI' }), ['B', 'exact'])
})

test('another place is not found', async () => {
  assert.equal(await ask({ city: 'Verona' }), 404)
})

test('a record without a city is found by its municipality and by its post office', async () => {
  for (const city of ['Oregon', 'Fitchburg']) {
    assert.deepEqual(await ask({ address: '300 Oak Ave', city }), ['D', 'exact'])
  }
})

test('apn may be each ID by which the parcel is found, of its own municipality', async () => {
  const town = { state: 'MA', county: 'Hampshire', parcelId: '10-1', city: 'Northam' }
  const roll = makeRoll([
    { ...town, municipality: 'EASTBROOK', address: '5 FERRY RD', formerParcelIds: '7-00-9' },
    { ...town, municipality: 'WESTBROOK', address: '6 FERRY RD', altParcelIds: 'W 1' },
    { ...town, municipality: 'WESTBROOK', address: '7 FERRY RD', parcelId: '101' },
  ])
  await service.importRoll(roll, { mapping: writeTownMapping(service.config.data) })
  const cases: [address: string, apn: string, status: number][] = [
    ['5 Ferry Rd', '10-1', 200],
    ['5 Ferry Rd', '25015-eastbrook-10-1', 200],
    ['5 Ferry Rd', '25015-WESTBROOK-10-1', 400],
    ['5 Ferry Rd', '7009', 200],
    ['6 Ferry Rd', '7009', 400],
    ['6 Ferry Rd', '25015-WESTBROOK-10-1', 200],
    ['6 Ferry Rd', 'w 1', 200],
    ['6 Ferry Rd', '10.1', 200],
    ['6 Ferry Rd', '101', 400],
    ['6 Ferry Rd', '55025-10-1', 400],
  ]
  for (const [address, apn, right] of cases) {
    const { status } = await service.get('/public/property/address/', { state: 'MA', address, apn })
    assert.equal(status, right, `${address} ${apn}`)
  }
})
