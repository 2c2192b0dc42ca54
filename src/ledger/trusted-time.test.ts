import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAY, makeCharge, makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { dateOf } from '../accounts/period.ts'
import { settlePeriod } from './settle.ts'
import { countedAt, createTrustedTime } from './trusted-time.ts'
import { verifyLedger } from './verify.ts'
import { openLedgerWriter } from './writer.ts'

const DAY = 86_400_000

test('time follows the clock in small steps and the steady clock over a jump', () => {
  let [wall, tick] = [MAY, 0]
  const time = createTrustedTime(
    undefined,
    () => wall,
    () => tick,
  )
  wall += 3_600_000
  assert.equal(time.at(), MAY + 3_600_000)
  wall += 400 * DAY
  tick += 5000
  assert.equal(time.at(), MAY + 3_605_000)
  wall -= 400 * DAY
  assert.equal(time.at(), wall)
})

const cases: [string, string | null, string | null, number, number][] = [
  ['the same month', null, null, MAY + DAY, MAY + DAY],
  ['the next month', null, null, MAY + 20 * DAY, MAY + 20 * DAY],
  ['two months ahead', null, null, MAY + 50 * DAY, MAY],
  ['a year ahead', null, null, MAY + 365 * DAY, MAY],
  ['a year back', null, null, MAY - 365 * DAY, MAY - 365 * DAY],
  ['the next of two weeks', '2026-05-10', '2026-05-24', MAY + 14 * DAY, MAY + 14 * DAY],
  ['the one after it', '2026-05-10', '2026-05-24', MAY + 28 * DAY, MAY],
  ['dates that an operator set', '2027-05-01', '2027-06-01', MAY + 365 * DAY, MAY + 365 * DAY],
]
for (const [name, periodStart, periodEnd, now, counted] of cases) {
  test(`a charge counts at the right time: ${name}`, () => {
    assert.equal(countedAt({ periodStart, periodEnd }, now, MAY), counted)
  })
}

test('a clock a year ahead blocks no account, and is reported once', async () => {
  const { store } = await makeLedgerDatabase(':memory:', { acc_1: { includedTokens: 3 } })
  let wall = MAY
  const reports: string[] = []
  const open = () =>
    openLedgerWriter(store, () => wall, {
      steadyMs: () => 0,
      onClock: (text) => reports.push(text),
    })
  const writer = await open()
  const charge = () => writer.charge(makeCharge('acc_1'))
  assert.equal((await charge()).kind, 'charged')
  wall = MAY + 365 * DAY
  assert.equal((await charge()).kind, 'charged')
  assert.equal((await charge()).kind, 'charged')
  assert.equal((await charge()).kind, 'blocked', 'the jump gives no new tokens')
  assert.equal(reports.length, 1)
  assert.match(reports[0] ?? '', /2027-05-20.*periodStart/)
  // A process started with a wrong clock does not trust it either.
  const later = await open()
  assert.equal((await later.charge(makeCharge('acc_1'))).kind, 'blocked')
  wall = MAY + 12 * DAY
  assert.equal((await charge()).kind, 'charged', 'the next month begins when it begins')
  const periods = (await store.entriesAfter(0, 10)).map(({ period }) => period)
  assert.deepEqual(periods, ['2026-05-01', '2026-05-01', '2026-05-01', '2026-06-01'])
  assert.equal((await verifyLedger(store)).bad, undefined)
  assert.equal(dateOf(wall), '2026-06-01')
  assert.equal(DEFAULT_FACTS.periodStart, null)
})

test('an operator takes an account back out of a period that a wrong clock began', async () => {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_1: { includedTokens: 3 } })
  let wall = MAY
  const writer = await openLedgerWriter(store, () => wall)
  const charge = () => writer.charge(makeCharge('acc_1'))
  await charge()
  wall = MAY + 365 * DAY
  await charge()
  wall = MAY
  const setBack = () =>
    store.append(['acc_1'], (states, nextId) => {
      const state = states.get('acc_1')
      assert.ok(state)
      return settlePeriod({ accountId: 'acc_1', used: 1 }, state, nextId, wall)
    })
  assert.equal((await setBack())?.period, '2026-05-01')
  assert.equal(await setBack(), undefined, 'once')
  const outcome = await charge()
  assert.equal(outcome.kind === 'charged' && outcome.used, 2, 'what was used before counts')
  assert.equal((await verifyLedger(store)).bad, undefined)
  const days = db.prepare('SELECT sum(tokens) AS tokens FROM usage_day').get()
  assert.equal(days?.tokens, 3)
})
