/** Changes of accounts, plans, keys and suppressions, for the command line. */
import { randomBytes } from 'node:crypto'
import { type AccountFacts, withPlan } from '../../base/model/account.ts'
import type { Suppression } from '../../base/model/suppression.ts'
import type { AccountRecord, NewKey, UsageDay } from '../accounts-store.ts'
import { appending, type OperatorLog } from '../operator-log.ts'
import {
  escapeLike,
  FACT_COLUMNS,
  GROUPED_RULES,
  readKey,
  readOwnFacts,
  readRecord,
  readRule,
  readSuppression,
  writeFacts,
} from './account-rows.ts'
import { type AccountDatabase, openTable, run, type Steps } from './database.ts'
import { cellsOf, insertInto } from './table-rows.ts'

const COLUMNS = FACT_COLUMNS.map(({ column }) => column)
const PLACES = COLUMNS.map((_, at) => `$${at + 4}`)
const SET_FACTS = COLUMNS.map((column, at) => `${column} = $${at + 2}`).join(', ')
const MATCH = `($1 = '' OR id = $1 OR lower(name) LIKE '%' || lower($2) || '%' ESCAPE '\\')`
const PUT_SUPPRESSION = `${insertInto('suppression')}
  ON CONFLICT (id) DO UPDATE SET until = excluded.until, ended_at = excluded.ended_at`
const MARKS = {
  pending: 'INSERT INTO suppression_pending (id) VALUES ($1) ON CONFLICT DO NOTHING',
  settled: 'DELETE FROM suppression_pending WHERE id = $1',
}

/** Opens the reader and writer for the command line. Each change is one short transaction. */
export function createAccountAdmin(database: AccountDatabase) {
  const change: Change = (work) =>
    appending(database, function* (log) {
      const result = yield* work(log)
      yield database.dialect.raise
      return result
    })
  return {
    ...changeAccounts(database, change),
    ...changePlans(database, change),
    ...changeKeys(database, change),
    ...changeSuppressions(database, change),
    /** Logs that an operator accepted missing rows. `state`: JSON of what was missing. */
    noteLoss: (reason: string, state: string) => change((log) => log.note('loss', reason, state)),
    /** Logs an operator's action in the console. `state`: JSON without secrets. */
    noteAction: (operator: string, state: string) =>
      appending(database, (log) => log.note('action', operator, state)),
    /** Tells all processes that data outside the database changed, such as the server secrets. */
    raiseVersion: () => change(function* () {}),
  }
}

export type AccountAdmin = ReturnType<typeof createAccountAdmin>

/** Does the work in a transaction that also notifies the services. */
type Change = <Result>(work: (log: OperatorLog) => Steps<Result>) => Promise<Result>

/** Sets an account's own facts; used within a transaction. */
export function* setFacts(id: string, facts: AccountFacts, log: OperatorLog): Steps<void> {
  yield* run(`UPDATE account SET ${SET_FACTS} WHERE id = $1`, [id, ...writeFacts(facts)])
  yield* log.log('account', id)
}

function changeAccounts({ ask }: AccountDatabase, change: Change) {
  const { all, one } = openTable(ask, 'account', readRecord)
  return {
    createAccount: ({ id, name, createdAt, facts }: AccountRecord) =>
      change(function* (log) {
        yield* run(
          `INSERT INTO account (id, name, created_at, ${COLUMNS.join(', ')})
          VALUES ($1, $2, $3, ${PLACES.join(', ')})`,
          [id, name, createdAt, ...writeFacts(facts)],
        )
        yield* log.log('account', id)
      }),
    /** Replaces an account's own facts, without those of its plan, by the result of `decide`. */
    changeFacts: (id: string, decide: (facts: AccountFacts) => AccountFacts) =>
      change(function* (log) {
        const [row] = yield* run('SELECT * FROM account WHERE id = $1', [id])
        if (row === undefined) return undefined
        const facts = decide(readOwnFacts(row))
        yield* setFacts(id, facts, log)
        return { ...readRecord(row), facts: withPlan(facts) }
      }),
    account: (id: string) => one('WHERE id = $1', [id]),
    /** Oldest first. */
    accounts: () => all('ORDER BY created_at, id'),
    /** Accounts by part of a name (any case) or id, oldest first; `''`: all. `total`: of all. */
    async findAccounts(text: string, skip: number, limit: number) {
      const asked = [text, escapeLike(text)]
      const page = `WHERE ${MATCH} ORDER BY created_at, id LIMIT $3 OFFSET $4`
      const [accounts, [counted]] = await Promise.all([
        all(page, [...asked, limit, skip]),
        ask(`SELECT count(*) AS total FROM account WHERE ${MATCH}`, asked),
      ])
      return { accounts, total: Number(counted?.total) }
    },
    /** Use since a day (`YYYY-MM-DD`), over all billing periods, by day and endpoint. */
    async usageSince(accountId: string, day: string) {
      const rows = await ask<UsageDay>(
        `SELECT day, endpoint, sum(requests) AS requests, sum(tokens) AS tokens FROM usage_day
        WHERE account_id = $1 AND day >= $2 GROUP BY day, endpoint ORDER BY day, endpoint`,
        [accountId, day],
      )
      return rows.map((row) => ({
        ...row,
        requests: Number(row.requests),
        tokens: Number(row.tokens),
      }))
    },
  }
}

function changePlans({ ask }: AccountDatabase, change: Change) {
  return {
    /** Terms of each plan as JSON (`model/account.ts`), by name. */
    async plans() {
      const rows = await ask('SELECT name, terms FROM plan ORDER BY name')
      return new Map(rows.map((row) => [String(row.name), String(row.terms)]))
    },
    /** Creates a plan, or changes it for all accounts that have it. */
    putPlan: (name: string, terms: string) =>
      change(function* (log) {
        yield* run(
          `INSERT INTO plan (name, terms) VALUES ($1, $2)
          ON CONFLICT (name) DO UPDATE SET terms = excluded.terms`,
          [name, terms],
        )
        yield* log.log('plan', name)
        const text = 'UPDATE account SET plan_terms = $2 WHERE plan = $1 RETURNING id'
        const changed = yield* run(text, [name, terms])
        for (const { id } of changed) yield* log.log('account', String(id))
      }),
    putPrice: (operation: string, tokens: number) =>
      change(function* (log) {
        yield* run(
          `INSERT INTO price (operation, tokens) VALUES ($1, $2)
          ON CONFLICT (operation) DO UPDATE SET tokens = excluded.tokens`,
          [operation, tokens],
        )
        yield* log.log('price', operation)
      }),
  }
}

/** Ends a key at a time, unless it has ended earlier. `isOver`: its hash is deleted too. */
function* endKey(id: string, at: number, isOver: boolean, log: OperatorLog): Steps<void> {
  yield* run(
    `UPDATE key SET revoked_at = $2
    WHERE id = $1 AND (revoked_at IS NULL OR revoked_at > $2)`,
    [id, at],
  )
  if (isOver) {
    const text = "UPDATE key SET hash = $2, secret_id = '' WHERE id = $1"
    yield* run(text, [id, randomBytes(32)])
  }
  yield* log.log('key', id)
}

function changeKeys({ ask }: AccountDatabase, change: Change) {
  const { all, one } = openTable(ask, 'key', readKey)
  return {
    /**
     * Adds a key. `ends`: in the same transaction another key ends, unless it ends earlier. It is
     * revoked when it ends by the new key's creation.
     */
    createKey: (key: NewKey, ends?: { id: string; at: number }) =>
      change(function* (log) {
        yield* run(insertInto('key'), cellsOf('key', key))
        yield* log.log('key', key.id)
        if (ends !== undefined) yield* endKey(ends.id, ends.at, ends.at <= key.createdAt, log)
      }),
    key: (id: string) => one('WHERE id = $1', [id]),
    /** Oldest first. */
    keys: (accountId: string) => all('WHERE account_id = $1 ORDER BY created_at, id', [accountId]),
    /** Keys whose prefix begins with a text, the newest first, at most `limit`. */
    keysByPrefix: (prefix: string, limit: number) =>
      all('WHERE substr(prefix, 1, length($1)) = $1 ORDER BY created_at DESC, id LIMIT $2', [
        prefix,
        limit,
      ]),
    /** Ends a key at `at` or earlier, and deletes its hash: a clock set back cannot revive it. */
    revokeKey: (id: string, at: number) =>
      change(function* (log) {
        yield* endKey(id, at, true, log)
        const [row] = yield* run('SELECT * FROM key WHERE id = $1', [id])
        return row && readKey(row)
      }),
    /** Number of keys valid at `at`, by the server secret of their hash. */
    async keysBySecret(at: number) {
      const rows = await ask(
        `SELECT secret_id, count(*) AS keys FROM key
        WHERE secret_id <> '' AND (revoked_at IS NULL OR revoked_at > $1) GROUP BY secret_id`,
        [at],
      )
      return new Map(rows.map((row) => [String(row.secret_id), Number(row.keys)]))
    },
  }
}

function changeSuppressions({ ask }: AccountDatabase, change: Change) {
  const { all } = openTable(ask, 'suppression', readSuppression)
  return {
    /** Oldest first, those that have ended too. `since`: made then or later, epoch milliseconds. */
    suppressions: (since = 0) => all('WHERE created_at >= $1 ORDER BY created_at, id', [since]),
    /** The suppressions in force: their hashes, many in one text. */
    suppressionRules: async () => (await ask(GROUPED_RULES)).map(readRule),
    /** Adds suppressions, or replaces those with the same ids. */
    putSuppressions: (all: Suppression[]) =>
      change(function* (log) {
        yield all.map((one) => ({ text: PUT_SUPPRESSION, values: cellsOf('suppression', one) }))
        for (const { id } of all) yield* log.log('suppression', id)
      }),
    /** Sets whether stored records follow these suppressions; until then answers are filtered. */
    markSuppressions: (ids: string[], state: 'pending' | 'settled') =>
      change(function* () {
        yield ids.map((id) => ({ text: MARKS[state], values: [id] }))
      }),
  }
}
