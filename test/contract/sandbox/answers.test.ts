import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeSandboxKey } from '../../../src/accounts/api-key.ts'
import { GATE } from '../../../src/accounts/billing-gate.ts'
import { buildSandbox, SANDBOX_SAMPLE } from '../../../src/sandbox/build.ts'
import { NOON, startService, type TestService } from '../../service.ts'

const ROLL =
  'state,county,parcelId,ownerName1,nameOrder,address,city\n' +
  'WI,Dane,REAL-1,GARCIA MARIA,surname-first,1 REAL ST,MADISON\n'

let service: TestService
let key: string
before(async () => {
  service = await startService(ROLL)
  await buildSandbox(service.config.data, () => NOON)
  key = await service.keyFor({ responseShape: 'flat', suspended: true }, makeSandboxKey)
})
after(() => service.close())

const SEARCH = '/public/property/search/'
const OWNERS = '/public/premium/owner/'
const provoke = (value: string, path = OWNERS, query = { state: 'WI' }) =>
  service.get(path, query, { key, headers: { 'x-sandbox': value } })

test('a sandbox key is answered from the sample alone, whatever the account owes', async () => {
  const real = { state: 'WI', county: 'Dane', parcelId: 'REAL-1' }
  assert.equal((await service.get('/public/property/parcelId/', real)).status, 200)
  assert.equal((await service.get('/public/property/parcelId/', real, { key })).status, 404)
  const counts = await Promise.all(
    ['WI', 'FL', 'IL', 'TX'].map(async (state) => {
      const { status, body, headers } = await service.get(SEARCH, { state, limit: 1 }, { key })
      assert.equal(headers.get('x-sandbox'), 'true')
      return status === 200 ? body.metadata.count : 0
    }),
  )
  assert.deepEqual(counts, [1, 1, 1, 1])
  assert.equal(SANDBOX_SAMPLE.parcels, 2000)
})

test('an owner search of the sandbox charges nothing and leaves no usage', async () => {
  const page = await service.get(SEARCH, { state: 'WI', limit: 10 }, { key })
  const named = page.body.properties.find((one: { ownerName1: string }) => one.ownerName1)
  const lastName = named.ownerName1.split(/\W/)[0]
  const found = await service.get(OWNERS, { state: 'WI', nameContains: lastName }, { key })
  assert.equal(found.status, 200)
  assert.equal(found.headers.get('x-tokens-charged'), '0')
  assert.equal(await service.charges(key), 0)
  const usage = await service.get('/public/usage/', {}, { key })
  assert.deepEqual(usage.body.days, [])
  assert.equal(usage.body.tokens.used, 0)
})

test('each code of a 403 can be provoked, on every operation', async () => {
  assert.equal(GATE.length, 10)
  for (const { code, error, action } of GATE) {
    for (const path of [SEARCH, OWNERS, '/public/usage/']) {
      const { status, body } = await provoke(`403/${code}`, path)
      assert.equal(status, 403)
      assert.deepEqual(body, { error, code, action, billing_url: `${service.address}/billing` })
    }
  }
})

test('the other refusals can be provoked too, with the headers that they have', async () => {
  for (const status of [401, 404, 503]) {
    assert.equal((await provoke(String(status))).status, status)
  }
  const texts: [path: string, error: string][] = [
    ['/public/property/address/', 'Address not found'],
    ['/public/property/parcelId/', 'Property not found'],
    [OWNERS, 'No properties found'],
    ['/public/property/owner/', 'No properties found'],
    ['/public/premium/comparables/', 'No comparable properties found'],
    ['/public/quality/', 'The county is not loaded'],
  ]
  for (const [path, error] of texts) {
    assert.deepEqual((await provoke('404', path)).body, { error }, path)
  }
  assert.equal((await provoke('503')).headers.get('retry-after'), '1')
  const url = `${service.address}${SEARCH}?state=WI`
  const many = await fetch(url, { headers: { authorization: key, 'x-sandbox': '429' } })
  assert.equal(many.status, 429)
  assert.equal(many.headers.get('ratelimit'), '"account";r=0;t=1')
  assert.equal(many.headers.get('ratelimit-policy'), '"account";q=60;w=60')
  assert.equal(many.headers.get('retry-after'), '1')
  assert.deepEqual(Object.keys((await many.json()) as object), ['error'])
  const failed = await provoke('500')
  assert.deepEqual([failed.status, failed.body], [500, { error: 'Internal server error' }])
  assert.deepEqual(service.logged, [], 'a provoked 500 is not a defect')
  for (const wrong of ['403', '403/nothing', '418', 'slow=99999', 'slow=-1', 'slow']) {
    const { status, body } = await provoke(wrong)
    assert.equal(status, 400)
    assert.match(body.error, /^X-Sandbox takes/)
  }
})

test('a slow answer comes, after the time asked for', async () => {
  const started = performance.now()
  const { status } = await provoke('slow=300', SEARCH)
  assert.equal(status, 200)
  assert.ok(performance.now() - started >= 299)
})

test('the header has no effect with an ordinary key', async () => {
  const headers = { 'x-sandbox': '403/unpaid_invoices' }
  const answer = await service.get(SEARCH, { state: 'WI' }, { headers })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-sandbox'), null)
})

test('a service whose sandbox is missing builds it at the first sandbox key', async () => {
  const bare = await startService(ROLL)
  try {
    const own = await bare.keyFor({}, makeSandboxKey)
    const { status, body } = await bare.get(SEARCH, { state: 'TX', limit: 1 }, { key: own })
    assert.equal(status, 200)
    assert.equal(body.metadata.count, 1)
  } finally {
    await bare.close()
  }
})
