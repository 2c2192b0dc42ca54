/** Idempotency-Key, through the real server. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { openAccounts } from '../../../src/store/open.ts'
import { NOON, startService } from '../../service.ts'

const ROLL = readFileSync(new URL('../../fixtures/example-roll.csv', import.meta.url), 'utf8')
/** Set: the charge is written, and the answer is lost as when the ledger process is killed. */
let loseOutcome = false
const service = await startService(ROLL, {}, (ledger) => ({
  ...ledger,
  async charge(charge) {
    const outcome = await ledger.charge(charge)
    return loseOutcome ? { kind: 'unavailable', reason: 'killed' } : outcome
  },
}))
after(() => service.close())
const PATH = '/public/premium/owner/'
const QUERY = { state: 'WI', lastName: 'Garcia', limit: 1 }

function ask(key: string, idempotencyKey: string, query: Record<string, string | number> = QUERY) {
  return service.get(PATH, query, { key, headers: { 'idempotency-key': idempotencyKey } })
}

test('100 requests at once with one key are one charge, and all are answered', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(key, 'one')))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const charged = answers.map(({ headers }) => headers.get('x-tokens-charged')).sort()
  assert.deepEqual(charged, [...Array.from({ length: 99 }, () => '0'), '1'])
  assert.equal(await service.charges(key), 1)
  // The token is used up: another key is refused, the same one still answered.
  assert.equal((await ask(key, 'two')).status, 403)
  assert.equal((await ask(key, 'one')).status, 200)
})

test('the same key with another query is 422; the order of parameters is irrelevant', async () => {
  const key = await service.keyFor()
  assert.equal((await ask(key, 'k')).status, 200)
  const other = await ask(key, 'k', { ...QUERY, limit: 2 })
  assert.equal(other.status, 422)
  assert.match(other.body.error, /Idempotency-Key/)
  const { limit, lastName, state } = QUERY
  assert.equal((await ask(key, 'k', { limit, lastName, state })).status, 200)
  const headers = { 'idempotency-key': 'k' }
  const elsewhere = await service.get('/public/property/owner/', QUERY, { key, headers })
  assert.equal(elsewhere.status, 422)
  assert.equal(await service.charges(key), 1)
  const another = await service.keyFor()
  assert.equal((await ask(another, 'k')).headers.get('x-tokens-charged'), '1', 'per account')
})

test('a day later the same key is charged again', async () => {
  const key = await service.keyFor()
  const charged = async () => (await ask(key, 'daily')).headers.get('x-tokens-charged')
  assert.equal(await charged(), '1')
  service.setClock(NOON + 86_399_000)
  assert.equal(await charged(), '0')
  service.setClock(NOON + 86_401_000)
  assert.equal(await charged(), '1')
  assert.equal(await charged(), '0')
  service.setClock(NOON)
})

test('a charge whose answer was lost is not charged again: the retry gets its answer', async () => {
  const key = await service.keyFor({ includedTokens: 1 })
  loseOutcome = true
  assert.equal((await ask(key, 'lost')).status, 503)
  loseOutcome = false
  const retry = await ask(key, 'lost')
  assert.deepEqual([retry.status, retry.headers.get('x-tokens-charged')], [200, '0'])
  assert.equal(await service.charges(key), 1)
})

test('a blocked account learns so, whatever its Idempotency-Key holds', async () => {
  const key = await service.keyFor({ unpaidInvoices: 1 })
  const blocked = await ask(key, 'two words')
  assert.deepEqual([blocked.status, blocked.body.code], [403, 'unpaid_invoices'])
  const limited = await service.keyFor({ requestsPerMinute: 1 })
  assert.equal((await ask(limited, 'two words')).status, 400)
  assert.equal((await ask(limited, 'two words')).status, 429, 'a bad request counts')
  assert.equal((await ask('pbk_unknown', 'two words')).status, 401)
})

test('a key that is too long is 400, and the ledger with keys in it is whole', async () => {
  const key = await service.keyFor()
  assert.equal((await ask(key, 'x'.repeat(255))).status, 200)
  assert.equal((await ask(key, 'x'.repeat(256))).status, 400)
  const accounts = await openAccounts(service.config)
  assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
  await accounts.close()
})
