/** `GET /public/ratios/` answers 200, 304, 400 and 404. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { ASKED, HOUSES, PATH, SOLD } from './roll.ts'

const service = await startService(SOLD)
after(() => service.close())

const ask = (query: object = {}) => service.get(PATH, { ...ASKED, ...query })
type Group = { key: string; n: number; median: { value: number } | null; reason?: string }

test('statistics over qualified sales with intervals; others by their reason', async () => {
  const { status, body } = await ask()
  assert.equal(status, 200)
  const [group] = body.groups
  assert.deepEqual([body.groups.length, group.key, group.n], [1, 'all', HOUSES])
  assert.deepEqual(body.excluded, { deed: 1, noValue: 1, trimmed: 1 })
  assert.deepEqual(
    [body.from, body.to, body.complete, body.basis],
    [...['2023-01-01', null, true, 'market']],
  )
  assert.ok(Math.abs(group.median.value - 1) < 1e-5)
  assert.ok(Math.abs(group.cod.value - 6) < 0.01, String(group.cod.value))
  assert.ok(group.cod.low < 6 && group.cod.high > 6)
  assert.deepEqual(
    [group.standard.median, group.standard.prd, group.standard.prb],
    [...[true, true, true]],
  )
  assert.deepEqual((await ask()).body, body)
})

test('basis, period, use and municipality choose other values and other sales', async () => {
  const medianOf = async (query: object) => (await ask(query)).body.groups[0]?.median?.value
  assert.ok(((await medianOf({ basis: 'assessed' })) ?? 1) < 0.5)
  assert.equal((await ask({ from: '2020-01-01' })).body.groups[0].n, HOUSES + 1)
  assert.equal((await ask({ to: '2025-02-28' })).body.groups[0].n, 0)
  assert.equal((await ask({ municipality: 'EVENHAM' })).body.groups[0].n, 20)
  assert.equal((await ask({ useStandardCode: '10*' })).body.groups[0].n, HOUSES)
  assert.equal((await ask({ useStandardCode: '2001' })).body.groups[0].n, 0)
})

test('groups by field and by price; fewer than 20 sales are null with the reason', async () => {
  const keysOf = async (groupBy: string) => {
    const groups: Group[] = (await ask({ groupBy })).body.groups
    return groups.map(({ key, n }) => [key, n])
  }
  assert.deepEqual(await keysOf('municipality'), [
    ['Evenham', 20],
    ['Oddville', 20],
  ])
  assert.deepEqual(await keysOf('useStandardCode'), [['1001', HOUSES]])
  assert.deepEqual(await keysOf('priceQuartile'), [
    ['1', 10],
    ['2', 10],
    ['3', 10],
    ['4', 10],
  ])
  const [few, many]: Group[] = (await ask({ groupBy: 'neighborhood' })).body.groups
  assert.deepEqual(
    [few?.key, few?.median, few?.reason],
    [...['N1', null, '10 sales, fewer than 20']],
  )
  assert.ok(many?.median)
})

test('no personal data, no token, and 304 for the same roll', async () => {
  const key = await service.keyFor({})
  const answer = await service.get(PATH, ASKED, { key })
  assert.doesNotMatch(JSON.stringify(answer.body), /OAK|H12|55025/)
  assert.equal(await service.charges(key), 0)
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
  assert.equal((await service.get(PATH, ASKED, { headers })).status, 304)
  const other = { ...ASKED, basis: 'assessed' }
  assert.equal((await service.get(PATH, other, { headers })).status, 200)
})

test('400 for what is missing or no date, 404 for a county that is not loaded', async () => {
  assert.equal((await service.get(PATH, { state: 'WI' })).status, 400)
  assert.equal((await ask({ from: '2025-1-1' })).status, 400)
  const { status, body } = await ask({ to: '2025-02-30' })
  assert.deepEqual([status, body], [400, { error: 'to must be a date such as 2024-02-29' }])
  assert.equal((await ask({ from: ' 2020-01-01 ' })).body.from, '2020-01-01')
  assert.equal((await ask({ from: '2025-02-02', to: '2025-02-01' })).status, 400)
  assert.equal((await ask({ basis: 'taxable' })).status, 400)
  assert.equal((await ask({ county: 'Adams' })).status, 404)
  assert.equal((await ask({ county: 'Nowhere' })).status, 404)
})
