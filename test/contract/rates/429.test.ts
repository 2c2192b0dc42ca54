import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BURST } from '../../../src/accounts/failed-keys.ts'
import { NOON, startService, type TestService } from '../../service.ts'
import { OWNERS, PATH as SEARCH } from '../owner-search/roll.ts'

const BRIEF = { state: 'WI', lastName: 'Quillon' }

let service: TestService
before(async () => {
  service = await startService(OWNERS)
})
after(() => service.close())

test('a request beyond requestsPerMinute is 429 with the time to wait', async () => {
  const key = await service.keyFor({ requestsPerMinute: 3 })
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await service.get(SEARCH, BRIEF, { key })).status, 200)
  }
  const { status, body, headers } = await service.get(SEARCH, BRIEF, { key })
  assert.equal(status, 429)
  assert.deepEqual(body, { error: 'Too many requests in a minute for this account' })
  // Clients do not wait for more.
  assert.equal(headers.get('retry-after'), '60')
  assert.equal(headers.get('ratelimit-policy'), '"account";q=3;w=60')
  assert.equal(headers.get('ratelimit'), '"account";r=0;t=60')
  assert.equal(await service.charges(key), 3)
})

test('other accounts and /healthz answer while one is limited', async () => {
  const key = await service.keyFor({ requestsPerMinute: 1 })
  await service.get(SEARCH, BRIEF, { key })
  assert.equal((await service.get(SEARCH, BRIEF, { key })).status, 429)
  assert.equal((await service.get(SEARCH, BRIEF)).status, 200)
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await fetch(`${service.address}/healthz`)).status, 200)
  }
})

test('the rate is checked after 403 and before 400, and a 400 counts', async () => {
  const key = await service.keyFor({ requestsPerMinute: 1 })
  assert.equal((await service.get(SEARCH, {}, { key })).status, 400)
  assert.equal((await service.get(SEARCH, {}, { key })).status, 429)
  await service.changeFacts(key, { suspended: true })
  assert.equal((await service.get(SEARCH, {}, { key })).status, 403)
})

test('a plan with another limit counts within a second', async () => {
  const key = await service.keyFor({ requestsPerMinute: 1 })
  await service.get(SEARCH, BRIEF, { key })
  assert.equal((await service.get(SEARCH, BRIEF, { key })).status, 429)
  await service.changeFacts(key, { requestsPerMinute: 2 })
  assert.equal((await service.get(SEARCH, BRIEF, { key })).status, 200)
})

test('an address without a valid key gets 401 100 times, then 429; a valid key works', async () => {
  service.setClock(NOON + 60_000)
  const ask = (key: string | null) => service.get(SEARCH, BRIEF, { key })
  for (let count = 0; count < BURST; count += 1) {
    assert.equal((await ask(count % 2 === 0 ? null : 'pbk_wrong')).status, 401)
  }
  const refused = await ask(null)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('ratelimit-policy'), '"address";q=20;w=1')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await service.get(SEARCH, BRIEF)).status, 200)
  service.setClock(NOON + 61_000)
  assert.equal((await ask(null)).status, 401)
})
