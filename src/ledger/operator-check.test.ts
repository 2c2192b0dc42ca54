import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { MAY, makeLedgerDatabase } from '../../test/ledger/fixture.ts'
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { createAccountAdmin } from '../store/accounts/admin.ts'
import type { LedgerStore } from '../store/accounts-store.ts'
import { openAccountDatabase } from '../store/sqlite/account-database.ts'
import { createLedgerStore } from '../store/sqlite/ledger.ts'
import { checkOperatorLog } from './operator-check.ts'
import { verifyLedger } from './verify.ts'

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

test('accounts from before there was a log are in it with the first change', async () => {
  const { db, store, admin } = await makeDatabase()
  db.exec('DROP TRIGGER operator_log_stays_whole; DELETE FROM operator_log')
  assert.equal(await checkOperatorLog(withoutTriggers(db)), undefined)
  await admin.createAccount({ id: 'acc_3', name: 'C', createdAt: MAY, facts: DEFAULT_FACTS })
  assert.equal(await checkOperatorLog(withoutTriggers(db)), undefined)
  assert.equal((await store.newest()).operator.id, 5)
})

/** A store whose triggers a test has dropped. */
function withoutTriggers(db: DatabaseSync): LedgerStore {
  return { ...createLedgerStore(db), wrongTrigger: async () => undefined }
}
