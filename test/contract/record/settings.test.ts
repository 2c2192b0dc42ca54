/** Which account sees which layout, on every operation: docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DEFAULT_FACTS } from '../../../src/accounts/account-facts.ts'
import { type Answer, startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const service = await startService(
  makeRoll([{ parcelId: '1', address: '1 MAIN ST', city: 'Madison', ownerName1: 'VAREK, MARA' }]),
)
after(() => service.close())

const PATH = '/public/property/search/'

const OPERATIONS: [string, Record<string, string>][] = [
  ['/public/premium/owner/', { lastName: 'Varek' }],
  ['/public/property/owner/', { lastName: 'Varek' }],
  ['/public/property/address/', { address: '1 Main St' }],
  ['/public/property/parcelId/', { county: 'Dane', parcelId: '1' }],
  ['/public/property/search/', {}],
  ['/public/property/search/', { cursor: '' }],
]

const SETTINGS = [
  [DEFAULT_FACTS, 'flat'],
  [{ dataReads: 'v3', responseShape: 'nested' }, 'nested'],
  [{ dataReads: 'v3', responseShape: 'flat' }, 'flat'],
  [{ dataReads: 'v2', responseShape: 'nested' }, 'flat'],
  [{ dataReads: 'v2', responseShape: 'flat' }, 'flat'],
] as const

for (const [facts, layout] of SETTINGS) {
  for (const [path, query] of OPERATIONS) {
    const asked = `${path} ${JSON.stringify(query)}`
    test(`${JSON.stringify(facts)} sees ${layout} records at ${asked}`, async () => {
      const key = await service.keyFor(facts)
      const answer = await service.get(path, { state: 'WI', ...query }, { key })
      assert.equal(layoutOf(answer), layout)
    })
  }
}

test('no parameter, header or path chooses the layout', async () => {
  const key = await service.keyFor({ responseShape: 'flat' })
  const query = { state: 'WI', responseShape: 'nested', dataReads: 'v3', v: '3', version: '3' }
  const headers = { accept: 'application/vnd.platbook.v3+json', 'x-response-shape': 'nested' }
  const answer = await service.get('/public/property/search/', query, { key, headers })
  assert.equal(layoutOf(answer), 'flat')
  assert.equal((await service.get('/v3/public/property/search/', query, { key })).status, 404)
})

function layoutOf({ body }: Answer): 'nested' | 'flat' {
  const property = body.property ?? body.properties[0]
  const nested = 'id' in property && 'propertyLocation' in property
  assert.notEqual(nested, '_id' in property && 'streetName' in property)
  return nested ? 'nested' : 'flat'
}

test('records without empty fields conform to the document, in both layouts', async () => {
  for (const responseShape of ['nested', 'flat'] as const) {
    const key = await service.keyFor({ responseShape, emptyFields: 'omit' })
    // Each answer is validated against the document.
    const { status, text } = await service.get(PATH, { state: 'WI' }, { key })
    assert.equal(status, 200)
    assert.doesNotMatch(text.slice(0, text.indexOf('"metadata"')), /:null/)
  }
})
