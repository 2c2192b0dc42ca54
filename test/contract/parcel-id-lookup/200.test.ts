/**
 * `GET /public/property/parcelId/` answers 200: docs/decisions/lookups.md and
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Query, startService } from '../../service.ts'
import { parcelId } from '../look.ts'
import { promiseHttp } from '../promises.ts'
import { PARCELS, PATH, TOWNS, writeTownMapping } from './roll.ts'

const service = await startService(PARCELS)
after(() => service.close())

const ask = (query: Exclude<Query, string>) =>
  service.get(PATH, { state: 'WI', county: 'Dane', ...query })

/** Parcel ID, X-Match and X-Match-Count of a lookup. */
async function look(query: Exclude<Query, string>) {
  const answer = await ask(query)
  const { headers } = answer
  return [parcelId(answer), headers.get('x-match'), headers.get('x-match-count')]
}

promiseHttp(service, {
  path: PATH,
  query: { state: 'WI', county: 'Dane', parcelId: '12-34' },
  tokenCost: 0,
})

test('the body holds one property and nothing else', async () => {
  const { body } = await ask({ parcelId: '0709-123.A' })
  assert.deepEqual(Object.keys(body), ['property'])
  assert.equal(body.property.propertyIdentification.parcelId, '0709-123.A')
})

test('case is ignored and surrounding blanks are cut', async () => {
  for (const asked of ['0709-123.A', '0709-123.a', '  0709-123.A ']) {
    assert.deepEqual(await look({ parcelId: asked }), ['0709-123.A', 'exact', null])
  }
})

test('the form without punctuation finds the one parcel that it names, as normalized', async () => {
  for (const asked of ['0709123A', '07-09-123-a', '0709.123.A', '0709 123 A']) {
    assert.deepEqual(await look({ parcelId: asked }), ['0709-123.A', 'normalized', null], asked)
  }
})

test('inner punctuation counts where two IDs differ in nothing else', async () => {
  assert.deepEqual(await look({ parcelId: '12-34' }), ['12-34', 'exact', null])
  assert.deepEqual(await look({ parcelId: '1-234' }), ['1-234', 'exact', null])
})

test('alternate parcel IDs are searched last', async () => {
  assert.deepEqual(await look({ parcelId: 'old-7' }), ['0709-123.A', 'exact', null])
  assert.equal((await look({ parcelId: '07-09' }))[0], '0709-123.A')
  assert.equal((await look({ parcelId: '07-09', county: 'Milwaukee' }))[0], '07-09')
  assert.equal((await look({ parcelId: '12-34' }))[0], '12-34')
})

test('a former ID in any notation finds the current parcel as former, never as exact', async () => {
  for (const asked of ['1-00001-0101', '1000010101']) {
    assert.deepEqual(await look({ parcelId: asked }), ['88/1', 'former', '2'], asked)
  }
  assert.deepEqual(await look({ parcelId: 'FORMER:1000010101' }), [404, null, null])
})

test('an ID of before that is in use again finds the parcel that has it now', async () => {
  assert.deepEqual(await look({ parcelId: '12-34' }), ['12-34', 'exact', null])
})

test('several parcels of one alternate ID: lowest record ID, all are counted', async () => {
  const ids = await Promise.all(['77/1', '77/2'].map((asked) => ask({ parcelId: asked })))
  const lowest = ids.map(({ body }) => body.property.id).sort()[0]
  const { body, headers } = await ask({ parcelId: 'SHARED' })
  assert.equal(body.property.id, lowest)
  assert.equal(headers.get('x-match-count'), '2')
})

test('towns that number their own parcels: the lowest record ID, and all are counted', async () => {
  await service.importRoll(TOWNS, { mapping: writeTownMapping(service.config.data) })
  const asked = { state: 'MA', county: 'Hampshire', parcelId: '10-1' }
  const { body, headers } = await ask(asked)
  assert.equal(headers.get('x-match-count'), '2')
  const all = await service.get('/public/property/search/', {
    state: 'MA',
    includeUnassignedAddress: true,
  })
  const same = all.body.properties.filter(
    (property: { propertyIdentification: { parcelId: string } }) =>
      property.propertyIdentification.parcelId === '10-1',
  )
  assert.equal(same.length, 2)
  assert.equal(body.property.id, same[0].id)
  assert.deepEqual(await look({ ...asked, parcelId: '10-2' }), ['10-2', 'exact', null])
})

test('the county is taken by name in its forms and by code', async () => {
  for (const county of ['DANE', 'dane county', 'Dane Co.', '025', '55025', ' Dane ']) {
    assert.equal((await look({ parcelId: '12-34', county }))[0], '12-34', county)
  }
})

test('unit, cursor and other parameters of other operations are ignored', async () => {
  const answer = await look({ parcelId: '12-34', cursor: 'x', unit: '4', limit: 'x' })
  assert.equal(answer[0], '12-34')
})

test('the stable id alone finds its parcel, under each of its names', async () => {
  const { body } = await ask({ parcelId: '77/1' })
  const { propertyId } = body.property.propertyIdentification
  for (const name of ['parcelId', 'propertyId', 'realieParcelId']) {
    const answer = await service.get(PATH, { [name]: propertyId })
    assert.deepEqual([parcelId(answer), answer.headers.get('x-match')], ['77/1', 'exact'], name)
  }
  const beside = await service.get(PATH, { state: 'WI', county: 'Dane', parcelId: propertyId })
  assert.equal(parcelId(beside), '77/1')
  const normalized = await service.get(PATH, { propertyId: '55025-0709123A' })
  assert.deepEqual(
    [parcelId(normalized), normalized.headers.get('x-match')],
    ['0709-123.A', 'normalized'],
  )
})

test("the stable id of a town that numbers its own parcels finds that town's", async () => {
  const ids = ['25015-EASTBROOK-10-1', '25015-WESTBROOK-10-1', '25015-westbrook-10-2']
  for (const propertyId of ids) {
    const { body, headers } = await service.get(PATH, { propertyId })
    const shown = body.property.propertyIdentification.propertyId
    assert.equal(shown.toLowerCase(), propertyId.toLowerCase())
    assert.equal(headers.get('x-match-count'), null)
  }
})
