/**
 * Damages a ledger with its triggers dropped, as with an editor; every change must be found and
 * named.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAY, makeCharge, makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import { repetitions } from '../../test/repetitions.ts'
import { createAccountAdmin } from '../store/accounts/admin.ts'
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import type { ChainHead } from '../store/accounts-store.ts'
import { openAccountDatabase } from '../store/sqlite/account-database.ts'
import { createLedgerStore } from '../store/sqlite/ledger.ts'
import { settleCredit } from './settle.ts'
import { CHECKPOINT_ROWS, checkOperatorLog, createFollower, verifyLedger } from './verify.ts'
import { openLedgerWriter } from './writer.ts'

const ROWS = 24

/**
 * Three accounts, two periods, charges and credits; rows are unevenly distributed over the
 * accounts.
 */
async function makeLedger(): Promise<{ db: DatabaseSync; store: LedgerStore }> {
  const made = await makeLedgerDatabase(':memory:', { acc_a: {}, acc_b: {}, acc_c: {} })
  const clock = { now: MAY }
  const writer = await openLedgerWriter(made.store, () => clock.now)
  for (let row = 1; row <= ROWS; row += 1) {
    const account = ['acc_a', 'acc_b', 'acc_a', 'acc_c'][row % 4] as string
    if (row === 14) clock.now += 20 * 86_400_000
    if (row % 6 === 4) await credit(made.store, account)
    else await writer.charge(makeCharge(account))
  }
  await writer.close()
  return made
}

function credit(store: LedgerStore, accountId: string): Promise<unknown> {
  const fields = { accountId, tokens: 1, reason: 'a reason', requestId: 'credit_1' }
  return store.append([accountId], (states, nextId) => {
    const state = states.get(accountId)
    assert.ok(state)
    return settleCredit(fields, state, nextId, MAY)
  })
}

function unlock(db: DatabaseSync): void {
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`)
  db.exec('PRAGMA foreign_keys = OFF')
}

const whole = await makeLedger()
const image = whole.db.serialize()

/** The fault that is found in a copy of a whole ledger in which this is done past its triggers. */
async function findFault(sql: string) {
  const db = new DatabaseSync(':memory:')
  db.deserialize(image)
  const triggers = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all()
  unlock(db)
  for (const text of [sql, ...triggers.map((trigger) => String(trigger.sql))]) db.exec(text)
  const { bad } = await verifyLedger(createLedgerStore(db))
  db.close()
  return bad
}

test('a whole ledger is whole, and its heads are the newest hashes', async () => {
  const { db, store } = await makeLedger()
  const { rows, heads, bad } = await verifyLedger(store)
  assert.equal(bad, undefined)
  assert.equal(rows, ROWS)
  for (const [account, { hash }] of heads) {
    const newest = 'SELECT hash FROM ledger WHERE account_id = ? ORDER BY seq DESC LIMIT 1'
    assert.deepEqual(db.prepare(newest).get(account)?.hash, hash)
  }
  assert.equal(heads.size, 3)
})

const CHANGES: Record<string, string> = {
  account_id: "CASE account_id WHEN 'acc_a' THEN 'acc_b' ELSE 'acc_a' END",
  seq: 'seq + 100',
  request_id: "request_id || ' '",
  key_id: "CASE WHEN key_id IS NULL THEN 'key_1' END",
  period: "CASE period WHEN '2026-05-01' THEN '2026-06-01' ELSE '2026-05-01' END",
  endpoint: "endpoint || '2'",
  cost: '-cost',
  at: 'at + 1',
  reason: "CASE WHEN reason IS NULL THEN '' END",
  hash: 'randomblob(32)',
}

test('any single changed column of any row is found, and the row is named', async () => {
  const read = whole.db.prepare('SELECT account_id, seq FROM ledger WHERE id = ?')
  for (const [column, value] of Object.entries(CHANGES)) {
    // Uses a free number, because the table enforces uniqueness within an account.
    const free = column === 'account_id' ? ', seq = seq + 100' : ''
    for (let id = 1; id <= ROWS; id += 1) {
      const before = read.get(id)
      const bad = await findFault(`UPDATE ledger SET ${column} = ${value}${free} WHERE id = ${id}`)
      assert.equal(bad?.id, id, `${column} of row ${id}: ${JSON.stringify(bad)}`)
      if (column !== 'account_id') {
        assert.deepEqual([bad?.account, bad?.seq], [before?.account_id, before?.seq])
      }
    }
  }
})

test('any missing row is found and named, the last ones of an account too', async () => {
  const read = whole.db.prepare('SELECT account_id, seq FROM ledger WHERE id = ?')
  for (let id = 1; id <= ROWS; id += 1) {
    const before = read.get(id)
    const bad = await findFault(`DELETE FROM ledger WHERE id = ${id}`)
    assert.deepEqual(
      { id: bad?.id, account: bad?.account, seq: bad?.seq },
      { id, account: before?.account_id, seq: before?.seq },
    )
  }
})

test('any two swapped rows are found at the first of them', async () => {
  const pair = fc.uniqueArray(fc.integer({ min: 1, max: ROWS }), { minLength: 2, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(pair, async (ids) => {
      const [low = 0, high = 0] = ids.sort((a, b) => a - b)
      const bad = await findFault(`UPDATE ledger SET id = 1000 WHERE id = ${low};
        UPDATE ledger SET id = ${low} WHERE id = ${high};
        UPDATE ledger SET id = ${high} WHERE id = 1000`)
      assert.equal(bad?.id, low)
    }),
    { numRuns: repetitions(8) },
  )
})

test('a cut-off end, of one account or of all, is found', async () => {
  for (let kept = 0; kept < ROWS; kept += 1) {
    const bad = await findFault(`DELETE FROM ledger WHERE id > ${kept}`)
    assert.equal(bad?.id, kept + 1)
    assert.match(bad?.problem ?? '', /missing at the end/)
  }
})

const BESIDE = [
  'UPDATE ledger_head SET rows = rows + 1',
  'UPDATE ledger_head SET rows = rows - 1',
  "UPDATE ledger_head SET hash = randomblob(32) WHERE account_id = 'acc_b'",
  'UPDATE ledger_head SET used = used - 1',
  "UPDATE ledger_head SET period = '2026-07-01'",
  "DELETE FROM ledger_head WHERE account_id = 'acc_c'",
  "INSERT INTO ledger_head VALUES ('acc_x', 1, randomblob(32), '2026-05-01', 1)",
  'UPDATE usage_day SET tokens = tokens - 1',
  "UPDATE usage_day SET day = '2026-05-21' WHERE account_id = 'acc_a' AND day = '2026-05-20'",
  'UPDATE usage_day SET requests = requests + 1',
  "DELETE FROM usage_day WHERE account_id = 'acc_a'",
  'INSERT INTO ledger_checkpoint SELECT account_id, rows, hash, period, used + 1 FROM ledger_head',
  "INSERT INTO ledger_checkpoint VALUES ('acc_a', 900, randomblob(32), '2026-05-01', 3)",
  'UPDATE ledger_checked SET id = 900',
]

test('a change of the data next to the rows is found', async () => {
  for (const sql of BESIDE) {
    assert.ok((await findFault(sql)) !== undefined, sql)
  }
  assert.equal(await findFault(''), undefined)
})

test('a rewritten history with fitting hashes is found by a head kept elsewhere', async () => {
  const { heads } = await verifyLedger((await makeLedger()).store)
  const kept = new Map([...heads].map(([id, { hash }]) => [id, Buffer.from(hash).toString('hex')]))
  const { store } = await makeLedger() // other request ids: another history
  assert.equal((await verifyLedger(store)).bad, undefined)
  const { bad } = await verifyLedger(store, { kept })
  assert.equal(bad?.account, 'acc_b')
  const same = await makeLedger()
  const own = await verifyLedger(same.store)
  const ownKept = [...own.heads].map(
    ([id, { hash }]: [string, ChainHead]) => [id, Buffer.from(hash).toString('hex')] as const,
  )
  await credit(same.store, 'acc_a')
  assert.equal((await verifyLedger(same.store, { kept: new Map(ownKept) })).bad, undefined)
})

test('a start verifies only rows since the last checkpoint, and finds damage there', async () => {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_a: {}, acc_b: {} })
  const writer = await openLedgerWriter(store, () => MAY)
  const total = 2 * CHECKPOINT_ROWS + 700
  for (let done = 0; done < total; done += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        writer.charge(makeCharge(index % 3 === 0 ? 'acc_b' : 'acc_a')),
      ),
    )
  }
  await writer.close()
  assert.ok((await store.checkedId()) >= 2 * CHECKPOINT_ROWS - 700)
  assert.equal((await verifyLedger(store)).bad, undefined, 'checkpoints agree with the rows')

  let walked = 0
  const counting: LedgerStore = {
    ...store,
    entriesAfter: async (id, limit) => {
      const entries = await store.entriesAfter(id, limit)
      walked += entries.length
      return entries
    },
  }
  assert.equal(await (await createFollower(counting)).verifyTail(), undefined)
  assert.ok(walked < CHECKPOINT_ROWS + 700, `${walked} rows walked`)

  unlock(db)
  db.exec(`UPDATE ledger SET cost = 2 WHERE id = ${total - 5}`)
  assert.equal((await (await createFollower(store)).verifyTail())?.id, total - 5)
  db.exec(`UPDATE ledger SET cost = 1 WHERE id = ${total - 5}`)
  assert.equal(await (await createFollower(store)).verifyTail(), undefined)
  db.exec(`DELETE FROM ledger WHERE id = ${total}`)
  assert.equal((await (await createFollower(store)).verifyTail())?.id, total)
  db.close()
})

async function makeDatabase() {
  const { db, store } = await makeLedgerDatabase(':memory:', { acc_1: {}, acc_2: {} })
  const admin = createAccountAdmin(openAccountDatabase(db, () => MAY))
  const key = { accountId: 'acc_1', label: null, prefix: 'pbk_abcd', createdAt: MAY }
  const hash = () => ({ hash: randomBytes(32), secretId: 'one' })
  await admin.createKey({ id: 'key_1', ...key, ...hash() })
  await admin.createKey({ id: 'key_2', ...key, ...hash() }, { id: 'key_1', at: MAY + 1000 })
  await admin.changeFacts('acc_2', (facts) => ({ ...facts, includedTokens: 5 }))
  await admin.revokeKey('key_2', MAY + 5)
  const rehash = { hash: randomBytes(32), secretId: 'two' }
  await store.noteUses([{ keyId: 'key_1', at: MAY, rehash }])
  return { db, store, admin }
}

test('accounts and keys that only the program changed agree with the operator log', async () => {
  const { db, store } = await makeDatabase()
  assert.equal(await checkOperatorLog(store), undefined)
  assert.equal((await verifyLedger(store)).bad, undefined)
  const kinds = db.prepare('SELECT kind, subject FROM operator_log ORDER BY id').all()
  assert.deepEqual(
    kinds.map(({ kind, subject }) => `${kind} ${subject}`),
    [
      ...['account acc_1', 'account acc_2', 'key key_1', 'key key_2', 'key key_1'],
      ...['account acc_2', 'key key_2', 'key key_1'],
    ],
  )
})

const changes: [string, string, RegExp][] = [
  ['a fact', "UPDATE account SET included_tokens = 9 WHERE id = 'acc_2'", /acc_2.*included_tokens/],
  ['a suspension', "UPDATE account SET suspended = 1 WHERE id = 'acc_1'", /acc_1.*suspended/],
  ["a key's owner", "UPDATE key SET account_id = 'acc_2' WHERE id = 'key_1'", /key_1.*account_id/],
  ["a key's end", "UPDATE key SET revoked_at = NULL WHERE id = 'key_2'", /key_2.*revoked_at/],
  ["a key's hash", "UPDATE key SET hash = x'00' WHERE id = 'key_2'", /key_2.*hash/],
  ['a removed key', "DELETE FROM key WHERE id = 'key_1'", /key key_1 is gone/],
  [
    'a slipped-in key',
    'INSERT INTO key (id, account_id, hash, secret_id, prefix, created_at) VALUES ' +
      "('key_9', 'acc_1', x'01', 'one', 'pbk_', 1)",
    /key key_9 is not in the operator log/,
  ],
  ['a dropped trigger', 'DROP TRIGGER ledger_stays_whole', /trigger ledger_stays_whole/],
  [
    'a trigger that does nothing',
    'DROP TRIGGER ledger_head_stays; CREATE TRIGGER ledger_head_stays BEFORE DELETE ON ' +
      'ledger_head BEGIN SELECT 1; END',
    /trigger ledger_head_stays/,
  ],
  [
    'a trigger of someone else',
    'CREATE TRIGGER other AFTER INSERT ON ledger BEGIN UPDATE account SET suspended = 0; END',
    /trigger other/,
  ],
]

for (const [what, sql, problem] of changes) {
  test(`${what} that was written past the program is found`, async () => {
    const { db, store } = await makeDatabase()
    db.exec(sql)
    assert.match((await verifyLedger(store)).bad?.problem ?? '', problem)
  })
}

test('each column of each row of the operator log is covered by its hashes', async () => {
  const { db } = await makeDatabase()
  db.exec('DROP TRIGGER operator_log_stays_unchanged')
  const rows = db.prepare('SELECT id FROM operator_log').all()
  for (const { id } of rows) {
    for (const set of [
      'at = at + 1',
      "kind = 'loss'",
      "subject = 'x'",
      "state = '{}'",
      "hash = x'00'",
    ]) {
      db.exec('BEGIN')
      db.prepare(`UPDATE operator_log SET ${set} WHERE id = ?`).run(Number(id))
      const bad = await checkOperatorLog(withoutTriggers(db))
      assert.match(bad?.problem ?? '', new RegExp(`row ${id} of the operator log was changed`))
      db.exec('ROLLBACK')
    }
  }
})

test('an operator log that was emptied is a difference', async () => {
  const { db } = await makeDatabase()
  const triggers = db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)
  db.exec('DELETE FROM operator_log')
  const bad = await checkOperatorLog(withoutTriggers(db))
  assert.match(bad?.problem ?? '', /is not in the operator log/)
})

/** A store whose triggers a test has dropped. */
function withoutTriggers(db: DatabaseSync): LedgerStore {
  return { ...createLedgerStore(db), wrongTrigger: async () => undefined }
}
