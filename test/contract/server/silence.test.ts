/** Logs and metrics never contain a key or a requested owner name: docs/accounts.md, "Keys". */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tellMetrics } from '../../metrics.ts'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'
import { exchange } from './raw.ts'

const NAME = 'ZWETSCHKENBAUM'
const service = await startService(
  makeRoll([{ ownerName1: `${NAME}, MARA`, address: '1 MAIN ST' }]),
  {},
  () => ({
    async charge() {
      throw new Error('the ledger is gone')
    },
    noteUses: () => undefined,
    noteAudit: () => undefined,
    close: async () => undefined,
  }),
)
after(() => service.close())

test('neither a key nor a name is logged or counted, whatever goes wrong', async () => {
  const key = await service.keyFor()
  const owner = '/public/premium/owner/'
  const search = (lastName: string, authorization: string | null = key) =>
    service.get(owner, { state: 'WI', lastName }, { key: authorization })
  const statuses = [
    (await search(NAME)).status,
    (await search(`${NAME}X`)).status,
    (await search(NAME, `Bearer ${key} x`)).status,
    (await search(NAME, `${key}x`)).status,
    (await service.get(owner, `state=WI&lastName=${NAME}%00`, { key })).status,
    (await service.get('/public/property/search/', { state: 'WI', city: NAME }, { key })).status,
  ]
  assert.deepEqual(statuses, [500, 404, 401, 401, 400, 200])
  await exchange(
    service.address,
    `GET ${owner}?lastName=${NAME} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nbroken\r\n\r\n`,
  )
  assert.ok(service.logged.length > 0, 'the outage was logged')
  const output = service.logged.join('\n') + (await tellMetrics(service))
  assert.doesNotMatch(output, new RegExp(NAME, 'i'))
  assert.ok(!output.includes(key), 'the key')
  assert.ok(!output.includes(key.slice(0, 12)), 'the beginning of the key')
})

test('metrics count requests by operation and status, and the tokens charged', async () => {
  const metrics = await tellMetrics(service)
  assert.match(
    metrics,
    /^platbook_requests_total\{operation="premiumOwnerSearch",status="404"\} 1$/m,
  )
  assert.match(metrics, /^platbook_requests_total\{operation="propertySearch",status="200"\} 1$/m)
  assert.match(metrics, /^platbook_tokens_charged_total 0$/m)
  for (const line of metrics.trim().split('\n')) {
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+)$/)
  }
})
