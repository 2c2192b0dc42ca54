/** Changes of accounts, plans, keys and suppressions in SQLite, for the command line. */
import type { DatabaseSync } from 'node:sqlite'
import type { AccountFacts } from '../../base/model/account.ts'
import { withPlan } from '../../base/model/plan.ts'
import {
  escapeLike,
  FACT_COLUMNS,
  readKey,
  readOwnFacts,
  readRecord,
  writeFacts,
} from '../accounts/account-rows.ts'
import type { AccountAdmin, AccountRecord, UsageDay } from '../accounts-store.ts'
import {
  groupedRules,
  readRule,
  readSuppression,
  SUPPRESSION_COLUMNS,
  suppressionValues,
} from '../suppressions.ts'
import { guarded, transaction } from './connection.ts'
import { createOperatorLog } from './operator-log.ts'

/**
 * Opens the reader and writer for the command line. Each change is a short transaction that waits
 * for other writers.
 */
export function createAccountAdmin(db: DatabaseSync, now: () => number = Date.now): AccountAdmin {
  const raise = db.prepare('UPDATE state SET version = version + 1')
  const log = createOperatorLog(db, now)
  const change: Changes['change'] = (work) =>
    transaction(db, () => {
      const result = work()
      raise.run()
      return result
    })
  const changes = { db, change, operatorLog: log }
  return {
    ...changeAccounts(changes),
    ...changePlans(changes),
    ...changeKeys(changes),
    ...changeSuppressions(changes),
    noteLoss: guarded((reason, state) => change(() => log.note('loss', reason, state))),
    noteAction: guarded((operator, state) =>
      transaction(db, () => log.note('action', operator, state)),
    ),
    raiseVersion: guarded(() => change(() => undefined)),
  }
}

type Changes = {
  db: DatabaseSync
  operatorLog: ReturnType<typeof createOperatorLog>
  /** Does the work in a transaction that also notifies the services. */
  change<Result>(work: () => Result): Result
}

type AccountNames =
  | 'createAccount'
  | 'changeFacts'
  | 'account'
  | 'accounts'
  | 'findAccounts'
  | 'usageSince'

function changeAccounts({ db, change, operatorLog }: Changes): Pick<AccountAdmin, AccountNames> {
  const columns = FACT_COLUMNS.map(({ column }) => column)
  const selectAccount = db.prepare('SELECT * FROM account WHERE id = ?')
  const selectAccounts = db.prepare('SELECT * FROM account ORDER BY created_at, id')
  const match = "(? = '' OR id = ? OR name LIKE '%' || ? || '%' ESCAPE '\\')"
  const findAccounts = db.prepare(
    `SELECT * FROM account WHERE ${match} ORDER BY created_at, id LIMIT ? OFFSET ?`,
  )
  const countAccounts = db.prepare(`SELECT count(*) AS total FROM account WHERE ${match}`)
  const usageSince = db.prepare(
    `SELECT day, endpoint, sum(requests) AS requests, sum(tokens) AS tokens FROM usage_day
    WHERE account_id = ? AND day >= ? GROUP BY day, endpoint ORDER BY day, endpoint`,
  )
  const insertAccount = db.prepare(
    `INSERT INTO account (id, name, created_at, ${columns.join(', ')})
    VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')})`,
  )
  const updateFacts = db.prepare(
    `UPDATE account SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
  )
  return {
    createAccount: guarded(({ id, name, createdAt, facts }: AccountRecord) =>
      change(() => {
        insertAccount.run(id, name, createdAt, ...writeFacts(facts))
        operatorLog.log('account', id)
      }),
    ),
    changeFacts: guarded((id: string, decide: (facts: AccountFacts) => AccountFacts) =>
      change(() => {
        const row = selectAccount.get(id)
        if (row === undefined) return undefined
        const facts = decide(readOwnFacts(row))
        updateFacts.run(...writeFacts(facts), id)
        operatorLog.log('account', id)
        return { ...readRecord(row), facts: withPlan(facts) }
      }),
    ),
    account: guarded((id: string) => {
      const row = selectAccount.get(id)
      return row === undefined ? undefined : readRecord(row)
    }),
    accounts: guarded(() => selectAccounts.all().map(readRecord)),
    findAccounts: guarded((text: string, skip: number, limit: number) => {
      const asked = [text, text, escapeLike(text)]
      return {
        accounts: findAccounts.all(...asked, limit, skip).map(readRecord),
        total: Number(countAccounts.get(...asked)?.total),
      }
    }),
    usageSince: guarded((id: string, day: string) =>
      usageSince.all(id, day).map((row) => ({ ...row }) as UsageDay),
    ),
  }
}

function changePlans({
  db,
  change,
  operatorLog,
}: Changes): Pick<AccountAdmin, 'plans' | 'putPlan' | 'putPrice'> {
  const selectPlans = db.prepare('SELECT * FROM plan ORDER BY name')
  const putPlan = db.prepare('INSERT OR REPLACE INTO plan (name, terms) VALUES (?, ?)')
  const giveTerms = db.prepare('UPDATE account SET plan_terms = ? WHERE plan = ? RETURNING id')
  const putPrice = db.prepare('INSERT OR REPLACE INTO price (operation, tokens) VALUES (?, ?)')
  return {
    plans: guarded(
      () => new Map(selectPlans.all().map((row) => [String(row.name), String(row.terms)])),
    ),
    putPlan: guarded((name, terms) =>
      change(() => {
        putPlan.run(name, terms)
        operatorLog.log('plan', name)
        for (const row of giveTerms.all(terms, name)) operatorLog.log('account', String(row.id))
      }),
    ),
    putPrice: guarded((operation, tokens) =>
      change(() => {
        putPrice.run(operation, tokens)
        operatorLog.log('price', operation)
      }),
    ),
  }
}

type KeyNames = 'createKey' | 'key' | 'keys' | 'keysByPrefix' | 'revokeKey' | 'keysBySecret'

function changeKeys({ db, change, operatorLog }: Changes): Pick<AccountAdmin, KeyNames> {
  const insertKey = db.prepare(
    `INSERT INTO key (id, account_id, hash, secret_id, prefix, label, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectKey = db.prepare('SELECT * FROM key WHERE id = ?')
  const selectKeys = db.prepare('SELECT * FROM key WHERE account_id = ? ORDER BY created_at, id')
  const keysByPrefix = db.prepare(
    "SELECT * FROM key WHERE prefix LIKE ? || '%' ESCAPE '\\' ORDER BY created_at DESC, id LIMIT ?",
  )
  const endKey = db.prepare(
    'UPDATE key SET revoked_at = ? WHERE id = ? AND (revoked_at IS NULL OR revoked_at > ?)',
  )
  const forgetKey = db.prepare("UPDATE key SET hash = randomblob(32), secret_id = '' WHERE id = ?")
  const keysBySecret = db.prepare(
    `SELECT secret_id, count(*) AS keys FROM key
    WHERE secret_id <> '' AND (revoked_at IS NULL OR revoked_at > ?) GROUP BY secret_id`,
  )
  return {
    createKey: guarded((key, ends) =>
      change(() => {
        const { id, accountId, hash, secretId, prefix, label, createdAt } = key
        insertKey.run(id, accountId, hash, secretId, prefix, label, createdAt)
        operatorLog.log('key', id)
        if (ends === undefined) return
        endKey.run(ends.at, ends.id, ends.at)
        if (ends.at <= createdAt) forgetKey.run(ends.id)
        operatorLog.log('key', ends.id)
      }),
    ),
    key: guarded((id: string) => {
      const row = selectKey.get(id)
      return row === undefined ? undefined : readKey(row)
    }),
    keys: guarded((accountId: string) => selectKeys.all(accountId).map(readKey)),
    keysByPrefix: guarded((prefix: string, limit: number) =>
      keysByPrefix.all(escapeLike(prefix), limit).map(readKey),
    ),
    revokeKey: guarded((id: string, at: number) =>
      change(() => {
        endKey.run(at, id, at)
        forgetKey.run(id)
        operatorLog.log('key', id)
        const row = selectKey.get(id)
        return row === undefined ? undefined : readKey(row)
      }),
    ),
    keysBySecret: guarded(
      (at: number) =>
        new Map(keysBySecret.all(at).map((row) => [String(row.secret_id), Number(row.keys)])),
    ),
  }
}

type SuppressionNames = 'suppressions' | 'suppressionRules' | 'putSuppressions' | 'markSuppressions'

function changeSuppressions({
  db,
  change,
  operatorLog,
}: Changes): Pick<AccountAdmin, SuppressionNames> {
  const selectSuppressions = db.prepare(
    'SELECT * FROM suppression WHERE created_at >= ? ORDER BY created_at, id',
  )
  const selectRules = db.prepare(groupedRules("group_concat(hashes, '')"))
  const putSuppression = db.prepare(
    `INSERT OR REPLACE INTO suppression (${SUPPRESSION_COLUMNS})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const putPending = db.prepare('INSERT OR IGNORE INTO suppression_pending (id) VALUES (?)')
  const endPending = db.prepare('DELETE FROM suppression_pending WHERE id = ?')
  return {
    suppressions: guarded((since = 0) => selectSuppressions.all(since).map(readSuppression)),
    suppressionRules: guarded(() => selectRules.all().map(readRule)),
    putSuppressions: guarded((all) =>
      change(() => {
        for (const one of all) {
          putSuppression.run(...suppressionValues(one))
          operatorLog.log('suppression', one.id)
        }
      }),
    ),
    markSuppressions: guarded((ids, state) =>
      change(() => {
        for (const id of ids) (state === 'pending' ? putPending : endPending).run(id)
      }),
    ),
  }
}
