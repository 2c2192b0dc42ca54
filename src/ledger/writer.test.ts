import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAY, makeCharge, makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import type { Fault } from './chain.ts'
import { UNAVAILABLE } from './ledger.ts'
import { verifyLedger } from './verify.ts'
import { openLedgerWriter } from './writer.ts'

const now = () => MAY
const times = <Made>(count: number, make: () => Made) => Array.from({ length: count }, make)

test('what arrives while a group is written goes into the next one', async () => {
  const { store } = await makeLedgerDatabase(':memory:', { acc_a: {} })
  let groups = 0
  const counting: LedgerStore = {
    ...store,
    append: (accounts, decide) => {
      groups += 1
      return store.append(accounts, decide)
    },
  }
  const writer = await openLedgerWriter(counting, now)
  const first = times(500, () => writer.charge(makeCharge('acc_a')))
  await Promise.race(first)
  const second = times(500, () => writer.charge(makeCharge('acc_a')))
  const outcomes = await Promise.all([...first, ...second])
  assert.ok(outcomes.every(({ kind }) => kind === 'charged'))
  assert.equal(groups, 2)
  assert.equal((await verifyLedger(store)).rows, 1000)
})

test('a charge that nobody waits for any more is not written', async () => {
  const { store } = await makeLedgerDatabase(':memory:', { acc_a: { includedTokens: 1 } })
  const writer = await openLedgerWriter(store, now)
  const outcomes = await Promise.all([
    writer.charge(makeCharge('acc_a'), () => false),
    writer.charge(makeCharge('acc_a'), () => true),
  ])
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['unavailable', 'charged'],
  )
  assert.equal((await verifyLedger(store)).rows, 1)
})

test('a full disk makes charges unavailable without writing, until there is space', async () => {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_a: {} })
  const errors: unknown[] = []
  const writer = await openLedgerWriter(store, now, { onError: (error) => errors.push(error) })
  const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number }
  db.exec(`PRAGMA max_page_count = ${pages}`)
  const endpoint = 'x'.repeat(1000)
  const refused = await Promise.all(
    times(100, () => writer.charge(makeCharge('acc_a', { endpoint }))),
  )
  assert.ok(refused.every(({ kind }) => kind === 'unavailable'))
  assert.equal(errors.length, 1)
  assert.equal((await verifyLedger(store)).rows, 0)
  db.exec(`PRAGMA max_page_count = ${pages + 1000}`)
  const charged = await Promise.all(
    times(100, () => writer.charge(makeCharge('acc_a', { endpoint }))),
  )
  assert.ok(charged.every(({ kind }) => kind === 'charged'))
  const { rows, bad } = await verifyLedger(store)
  assert.deepEqual({ rows, bad }, { rows: 100, bad: undefined })
})

test('a broken chain found at the start refuses every charge', async () => {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_a: {}, acc_b: {} })
  const before = await openLedgerWriter(store, now)
  await before.charge(makeCharge('acc_a'))
  await before.charge(makeCharge('acc_a'))
  db.exec('DROP TRIGGER ledger_stays_unchanged; UPDATE ledger SET cost = 0 WHERE id = 2')
  const faults: Fault[] = []
  const writer = await openLedgerWriter(store, now, { onFault: (fault) => faults.push(fault) })
  assert.deepEqual(
    faults.map(({ id, account, seq }) => ({ id, account, seq })),
    [{ id: 2, account: 'acc_a', seq: 2 }],
  )
  const refusal = { kind: 'unavailable', reason: UNAVAILABLE.broken }
  assert.deepEqual(await writer.charge(makeCharge('acc_b')), refusal)
  assert.equal(writer.fault(), faults[0])
})

test('a row that is changed while the service runs is found as checkpoints follow', async () => {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_a: {} })
  const faults: Fault[] = []
  const writer = await openLedgerWriter(store, now, { onFault: (fault) => faults.push(fault) })
  await Promise.all(times(100, () => writer.charge(makeCharge('acc_a'))))
  db.exec('DROP TRIGGER ledger_stays_unchanged; UPDATE ledger SET cost = 9 WHERE id = 70')
  await Promise.all(times(600, () => writer.charge(makeCharge('acc_a'))))
  await writer.charge(makeCharge('acc_a'))
  assert.equal(faults[0]?.id, 70)
})

test('caps stay exact under load with the clock set ahead, back and past a period', async () => {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_a: { includedTokens: 40 } })
  const clocks = [MAY, Date.UTC(2026, 4, 31, 23, 59, 59, 999), Date.UTC(2026, 5, 1), MAY]
  const jumps = [...clocks, Date.UTC(2027, 4, 20), MAY, Date.UTC(2026, 11, 31)]
  let turn = 0
  const writer = await openLedgerWriter(store, () => jumps[turn % jumps.length] as number)
  const load = times(8, async () => {
    for (let count = 0; count < 60; count += 1) {
      turn += Number(Math.random() < 0.1)
      await writer.charge(makeCharge('acc_a'))
    }
  })
  await Promise.all(load)
  const sums = db.prepare(
    'SELECT period, sum(cost) AS used, min(id) AS first FROM ledger GROUP BY 1',
  )
  const periods = sums.all() as { period: string; used: number; first: number }[]
  for (const { period, used } of periods) assert.ok(used <= 40, `${used} in ${period}`)
  const byFirst = [...periods].sort((a, b) => a.first - b.first)
  assert.deepEqual(byFirst, periods, 'periods only go forward')
  assert.equal((await verifyLedger(store)).bad, undefined)
})

test('closing lets waiting charges have their outcome and takes no new ones', async () => {
  const { store } = await makeLedgerDatabase(':memory:', { acc_a: {} })
  const writer = await openLedgerWriter(store, now)
  const waiting = times(10, () => writer.charge(makeCharge('acc_a')))
  await writer.close()
  for (const outcome of await Promise.all(waiting)) assert.equal(outcome.kind, 'charged')
  const late = await writer.charge(makeCharge('acc_a'))
  assert.deepEqual(late, { kind: 'unavailable', reason: UNAVAILABLE.closed })
})
