import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { MAY, makeCharge, makeLedgerDatabase } from '../../../test/ledger/fixture.ts'
import { settle } from '../../ledger/settle.ts'
import { openLedgerWriter } from '../../ledger/writer.ts'
import { createAccountReader } from '../accounts/reader.ts'
import { openAccountDatabase } from './account-database.ts'

async function makeLedger() {
  const made = await makeLedgerDatabase(':memory:', { acc_a: {}, acc_b: {} })
  const writer = await openLedgerWriter(made.store, () => MAY)
  for (let row = 0; row < 4; row += 1) await writer.charge(makeCharge('acc_a'))
  return made
}

/** Statements that the triggers of the migration reject. */
const REFUSED = [
  'UPDATE ledger SET cost = 0 WHERE id = 1',
  'UPDATE ledger SET reason = NULL',
  'DELETE FROM ledger WHERE id = 4',
  'DELETE FROM ledger',
  "DELETE FROM ledger_head WHERE account_id = 'acc_a'",
  'INSERT OR REPLACE INTO ledger SELECT * FROM ledger WHERE id = 2',
  // Skips the next number of the chain.
  `INSERT INTO ledger (id, account_id, seq, request_id, key_id, period, endpoint, cost, at, reason,
    hash)
    SELECT 9, account_id, 5, request_id, key_id, period, endpoint, cost, at, reason, hash
    FROM ledger WHERE id = 1`,
]

test('the database refuses to change, remove or replace a row, or to leave a gap', async () => {
  const { db } = await makeLedger()
  const rows = () => db.prepare('SELECT * FROM ledger').all()
  const before = rows()
  for (const sql of REFUSED) assert.throws(() => db.exec(sql), /append-only|keeps its/, sql)
  assert.deepEqual(rows(), before)
})

test('rows, head and the day’s sum are written together or not at all', async () => {
  const { db, store } = await makeLedger()
  const state = () =>
    ['ledger', 'ledger_head', 'usage_day'].map((table) =>
      db.prepare(`SELECT * FROM ${table}`).all(),
    )
  const before = state()
  const failing = store.append(['acc_a', 'acc_b'], (states, nextId) => {
    const settled = settle([makeCharge('acc_b'), makeCharge('acc_a')], states, { nextId, now: MAY })
    const [first, second] = settled.entries
    assert.ok(first && second)
    return { ...settled, entries: [first, { ...second, id: second.id + 1 }] }
  })
  await assert.rejects(failing)
  assert.deepEqual(state(), before)
})

test('the use that serving reads is what was charged', async () => {
  const { db, store } = await makeLedger()
  const reader = readerOf(db)
  assert.deepEqual(await reader.tokenUse('acc_a'), { period: '2026-05-01', used: 4 })
  assert.equal(await reader.tokenUse('acc_b'), undefined)
  assert.deepEqual(await reader.usageByDay('acc_a', '2026-05-01'), [
    { day: '2026-05-20', endpoint: 'premiumOwnerSearch', requests: 4, tokens: 4 },
  ])
  assert.equal(await store.accountWithWrongUsage(), undefined)
})

function readerOf(db: DatabaseSync) {
  const { ask, dialect } = openAccountDatabase(db)
  return createAccountReader(ask, dialect)
}
