/** Which requests are charged: docs/decisions/ledger.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NOON, startService } from '../../service.ts'
import { makeRoll, times } from '../rolls.ts'

const service = await startService(
  makeRoll(times(30, (number) => ({ address: `${number} MAIN ST`, ownerName1: 'VAREK, MARA' }))),
)
after(() => service.close())

const PREMIUM = '/public/premium/owner/'
const PLAIN = '/public/property/owner/'
const query = { state: 'WI', lastName: 'Varek' }

for (const [path, endpoint] of [
  [PREMIUM, 'premiumOwnerSearch'],
  [PLAIN, 'ownerSearch'],
] as const) {
  test(`${path}: one row of one token per 200, whatever the number of properties`, async () => {
    const key = await service.keyFor()
    const ids: (string | null)[] = []
    for (const extra of [{ limit: 1 }, { limit: 25 }, { offset: 29 }, { firstName: 'mara' }]) {
      const { status, headers } = await service.get(path, { ...query, ...extra }, { key })
      assert.equal(status, 200)
      ids.push(headers.get('x-request-id'))
    }
    const entries = await service.entries(key)
    assert.deepEqual(
      entries.map(({ requestId, cost, reason }) => [requestId, cost, reason]),
      ids.map((id) => [id, 1, null]),
    )
    for (const entry of entries) {
      assert.equal(entry.endpoint, endpoint)
      assert.match(entry.keyId ?? '', /^key_/)
      assert.equal(entry.period, '2026-03-01')
      assert.ok(entry.at >= NOON)
    }
  })

  test(`${path}: 400, 404, 405 and HEAD write no row`, async () => {
    const key = await service.keyFor()
    const ask = async (more: Record<string, string>, method = 'GET') =>
      (await service.get(path, { ...query, ...more }, { key, method })).status
    assert.equal(await ask({ limit: '0' }), 400)
    assert.equal(await ask({ state: '' }), 400)
    assert.equal(await ask({ lastName: 'Nobodyatall' }), 404)
    assert.equal(await ask({ state: 'TX' }), 404)
    assert.equal(await ask({}, 'POST'), 405)
    assert.equal(await ask({}, 'HEAD'), 405)
    assert.deepEqual(await service.entries(key), [])
  })
}

test('lookups and property searches write no row', async () => {
  const key = await service.keyFor()
  const asks: [string, Record<string, string>][] = [
    ['/public/property/address/', { address: '1 Main St' }],
    ['/public/property/parcelId/', { county: 'Dane', parcelId: '00001' }],
    ['/public/property/search/', { cursor: '' }],
  ]
  for (const [path, more] of asks) {
    assert.equal((await service.get(path, { state: 'WI', ...more }, { key })).status, 200)
  }
  assert.deepEqual(await service.entries(key), [])
})

test('a key and its account are charged alone', async () => {
  const [one, other] = [await service.keyFor(), await service.keyFor()]
  await service.get(PREMIUM, query, { key: one })
  assert.deepEqual([await service.charges(one), await service.charges(other)], [1, 0])
})

test('with N tokens left and 3N requests at once exactly N are answered', async () => {
  const tokens = 20
  const key = await service.keyFor({ includedTokens: tokens - 5, overageCap: 5 })
  const asks = Array.from({ length: tokens * 3 }, (_, at) =>
    service.get(at % 2 === 0 ? PREMIUM : PLAIN, query, { key }),
  )
  const answers = await Promise.all(asks)
  const answered = answers.filter(({ status }) => status === 200)
  assert.equal(answered.length, tokens)
  for (const { status, body } of answers) {
    if (status === 200) continue
    assert.deepEqual([status, body.code], [403, 'overage_limit_exceeded'])
    assert.equal(body.properties, undefined)
  }
  const left = answered.map(({ headers }) => Number(headers.get('x-tokens-remaining')))
  assert.deepEqual(
    left.sort((a, b) => a - b),
    Array.from({ length: tokens }, (_, at) => at),
  )
  const ids = new Set((await service.entries(key)).map(({ requestId }) => requestId))
  assert.deepEqual(ids, new Set(answered.map(({ headers }) => headers.get('x-request-id'))))
})

test('a new billing period starts with all tokens; a clock set back changes nothing', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  const ask = async () => (await service.get(PREMIUM, query, { key })).status
  assert.deepEqual([await ask(), await ask()], [200, 403])
  service.setClock(Date.UTC(2026, 3, 1))
  assert.deepEqual([await ask(), await ask()], [200, 403])
  service.setClock(NOON)
  assert.equal(await ask(), 403)
  const periods = (await service.entries(key)).map(({ period }) => period)
  assert.deepEqual(periods, ['2026-03-01', '2026-04-01'])
})
