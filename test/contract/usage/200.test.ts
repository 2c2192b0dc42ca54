import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const ROLL = `state,county,parcelId,ownerName1,nameOrder
WI,Dane,1,"QUILLON, MARA",last-first
`

const service = await startService(ROLL)
after(() => service.close())

test('shows the period, the tokens and the charged requests of the own account', async () => {
  const key = await service.keyFor({ includedTokens: 5, overageCap: 2 })
  const before = await service.get('/public/usage/', {}, { key })
  assert.deepEqual(before.body, {
    period: { start: '2026-03-01', end: '2026-04-01' },
    tokens: { included: 5, cap: 2, used: 0, left: 7 },
    days: [],
  })
  await service.get('/public/premium/owner/', { state: 'WI', lastName: 'Quillon' }, { key })
  await service.get('/public/property/owner/', { state: 'WI', lastName: 'Quillon' }, { key })
  await service.get('/public/premium/owner/', { state: 'WI', lastName: 'Nobody' }, { key })
  const { body } = await service.get('/public/usage/', {}, { key })
  assert.deepEqual(body.tokens, { included: 5, cap: 2, used: 2, left: 5 })
  assert.deepEqual(body.days, [
    { day: '2026-03-10', endpoint: 'ownerSearch', requests: 1, tokens: 1 },
    { day: '2026-03-10', endpoint: 'premiumOwnerSearch', requests: 1, tokens: 1 },
  ])
})

test('costs nothing, also when the tokens are used up', async () => {
  const key = await service.keyFor({ includedTokens: 0 })
  const { status, body } = await service.get('/public/usage/', {}, { key })
  assert.deepEqual([status, body.tokens.left], [200, 0])
  assert.equal(await service.charges(key), 0)
})

test('shows null for unlimited facts', async () => {
  const { body } = await service.get('/public/usage/')
  assert.deepEqual(body.tokens, { included: null, cap: 0, used: 0, left: null })
})
