/** `GET /public/premium/owner/` answers 403: docs/api.md, docs/accounts.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { promiseGate } from '../promises.ts'
import { OWNERS, PATH } from './roll.ts'

const service = await startService(OWNERS)
after(() => service.close())
const query = { state: 'WI', lastName: 'Quillon' }

promiseGate(service, { path: PATH, query, tokenCost: 1 })

test('included tokens and overage cap used up: 403 overage_limit_exceeded', async () => {
  const key = await service.keyFor({ includedTokens: 1, overageCap: 1 })
  for (const status of [200, 200, 403, 403]) {
    assert.equal((await service.get(PATH, query, { key })).status, status)
  }
  const { body } = await service.get(PATH, query, { key })
  assert.equal(body.code, 'overage_limit_exceeded')
  assert.equal(body.billing_url, `${service.address}/billing`)
  assert.match(body.action, /^[A-Z].+\.$/)
  assert.equal(await service.charges(key), 2)
})

test('used-up tokens are reported before faults of the query', async () => {
  const key = await service.keyFor({ includedTokens: 0 })
  assert.equal((await service.get(PATH, {}, { key })).status, 403)
  assert.equal((await service.get(PATH, { ...query, lastName: 'None' }, { key })).status, 403)
})

test('a raised cap lets the next request through', async () => {
  const key = await service.keyFor({ includedTokens: 0 })
  assert.equal((await service.get(PATH, query, { key })).status, 403)
  await service.changeFacts(key, { overageCap: 'unlimited' })
  assert.equal((await service.get(PATH, query, { key })).status, 200)
})
