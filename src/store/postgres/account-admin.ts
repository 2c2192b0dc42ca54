/** Changes of accounts, plans, keys and suppressions in PostgreSQL, for the command line. */
import { randomBytes } from 'node:crypto'
import type { AccountFacts } from '../../base/model/account.ts'
import { withPlan } from '../../base/model/plan.ts'
import {
  escapeLike,
  FACT_COLUMNS,
  type Row,
  readKey,
  readOwnFacts,
  readRecord,
  writeFacts,
} from '../accounts/account-rows.ts'
import type { AccountAdmin, UsageDay } from '../accounts-store.ts'
import type { LoggedKind } from '../operator-log.ts'
import {
  groupedRules,
  readRule,
  readSuppression,
  SUPPRESSION_COLUMNS,
  suppressionValues,
} from '../suppressions.ts'
import { asBytes, RAISE } from './accounts.ts'
import { createOperatorLog, LOCK_LOG } from './operator-log.ts'
import type { Flight, Session } from './pool/session.ts'

const COLUMNS = FACT_COLUMNS.map(({ column }) => column)
const PLACES = COLUMNS.map((_, at) => `$${at + 4}`)
const SET = COLUMNS.map((column, at) => `${column} = $${at + 2}`)
const PUT_SUPPRESSION = `INSERT INTO suppression (${SUPPRESSION_COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE SET until = excluded.until, ended_at = excluded.ended_at`
const END_KEY = `UPDATE key SET revoked_at = $2
  WHERE id = $1 AND (revoked_at IS NULL OR revoked_at > $2)`
const forgetKey = (id: string) => ({
  text: `UPDATE key SET hash = $2, secret_id = '' WHERE id = $1`,
  values: [id, randomBytes(32)],
})

/** Opens the reader and writer for the command line. Each change is one short transaction. */
export function createAccountAdmin(session: Session, now: () => number = Date.now): AccountAdmin {
  const change: Changes['change'] = (statements, logged = []) =>
    session.transaction([LOCK_LOG], async (_rows, client) => {
      const log = await createOperatorLog(client, now)
      for (const statement of statements) await client.query(statement)
      for (const [kind, subject] of logged) await log.log(kind, subject)
      return { closing: [...log.flight(), ...RAISE], result: undefined }
    })
  const note = (kind: 'loss' | 'action', subject: string, state: string) =>
    session.transaction([LOCK_LOG], async (_rows, client) => {
      const log = await createOperatorLog(client, now)
      log.note(kind, subject, state)
      return { closing: log.flight(), result: undefined }
    })
  const changes = { session, now, change }
  return {
    ...changeAccounts(changes),
    ...changePlans(changes),
    ...changeKeys(changes),
    ...changeSuppressions(changes),
    noteLoss: (reason, state) => note('loss', reason, state),
    noteAction: (operator, state) => note('action', operator, state),
    raiseVersion: () => change([]),
  }
}

type Changes = {
  session: Session
  now(): number
  /**
   * Runs the statements in a transaction that also notifies the services. `logged`: kinds and
   * primary keys of the changed rows.
   */
  change(statements: Flight, logged?: [LoggedKind, string][]): Promise<void>
}

async function readOne<Result>(
  { ask }: Session,
  text: string,
  id: string,
  read: (row: Row) => Result,
): Promise<Result | undefined> {
  const [row] = await ask<Row>(text, [id])
  return row === undefined ? undefined : read(row)
}

type AccountNames =
  | 'createAccount'
  | 'changeFacts'
  | 'account'
  | 'accounts'
  | 'findAccounts'
  | 'usageSince'

function changeAccounts({ session, now, change }: Changes): Pick<AccountAdmin, AccountNames> {
  const { ask } = session
  return {
    createAccount: ({ id, name, createdAt, facts }) =>
      change(
        [
          {
            text: `INSERT INTO account (id, name, created_at, ${COLUMNS.join(', ')})
            VALUES ($1, $2, $3, ${PLACES.join(', ')})`,
            values: [id, name, createdAt, ...writeFacts(facts)],
          },
        ],
        [['account', id]],
      ),
    changeFacts: (id: string, decide: (facts: AccountFacts) => AccountFacts) => {
      const locked = { text: 'SELECT * FROM account WHERE id = $1 FOR UPDATE', values: [id] }
      return session.transaction([LOCK_LOG, locked], async ([, rows], client) => {
        const [row] = rows as Row[]
        if (row === undefined) return { closing: [], result: undefined }
        const facts = decide(readOwnFacts(row))
        const text = `UPDATE account SET ${SET.join(', ')} WHERE id = $1`
        const log = await createOperatorLog(client, now)
        await client.query({ text, values: [id, ...writeFacts(facts)] })
        await log.log('account', id)
        return {
          closing: [...log.flight(), ...RAISE],
          result: { ...readRecord(row), facts: withPlan(facts) },
        }
      })
    },
    account: (id) => readOne(session, 'SELECT * FROM account WHERE id = $1', id, readRecord),
    async accounts() {
      return (await ask<Row>('SELECT * FROM account ORDER BY created_at, id', [])).map(readRecord)
    },
    async findAccounts(text, skip, limit) {
      const match = `($1 = '' OR id = $1 OR name ILIKE '%' || $2 || '%')`
      const asked = [text, escapeLike(text)]
      const [rows, [counted]] = await Promise.all([
        ask<Row>(
          `SELECT * FROM account WHERE ${match} ORDER BY created_at, id LIMIT $3 OFFSET $4`,
          [...asked, limit, skip],
        ),
        ask<{ total: number }>(`SELECT count(*) AS total FROM account WHERE ${match}`, asked),
      ])
      return { accounts: rows.map(readRecord), total: Number(counted?.total) }
    },
    async usageSince(accountId, day) {
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

function changePlans({
  session,
  now,
  change,
}: Changes): Pick<AccountAdmin, 'plans' | 'putPlan' | 'putPrice'> {
  return {
    async plans() {
      const rows = await session.ask<Row>('SELECT name, terms FROM plan ORDER BY name', [])
      return new Map(rows.map((row) => [String(row.name), String(row.terms)]))
    },
    putPlan: (name, terms) =>
      session.transaction([LOCK_LOG], async (_rows, client) => {
        const log = await createOperatorLog(client, now)
        await client.query(
          `INSERT INTO plan (name, terms) VALUES ($1, $2)
          ON CONFLICT (name) DO UPDATE SET terms = excluded.terms`,
          [name, terms],
        )
        await log.log('plan', name)
        const text = 'UPDATE account SET plan_terms = $2 WHERE plan = $1 RETURNING id'
        const { rows } = await client.query(text, [name, terms])
        for (const { id } of rows as { id: string }[]) await log.log('account', id)
        return { closing: [...log.flight(), ...RAISE], result: undefined }
      }),
    putPrice: (operation, tokens) =>
      change(
        [
          {
            text: `INSERT INTO price (operation, tokens) VALUES ($1, $2)
              ON CONFLICT (operation) DO UPDATE SET tokens = excluded.tokens`,
            values: [operation, tokens],
          },
        ],
        [['price', operation]],
      ),
  }
}

type KeyNames = 'createKey' | 'key' | 'keys' | 'keysByPrefix' | 'revokeKey' | 'keysBySecret'

function changeKeys({ session, change }: Changes): Pick<AccountAdmin, KeyNames> {
  const { ask } = session
  const key = (id: string) => readOne(session, 'SELECT * FROM key WHERE id = $1', id, readKey)
  return {
    createKey: ({ id, accountId, hash, secretId, prefix, label, createdAt }, ends) =>
      change(
        [
          {
            text: `INSERT INTO key (id, account_id, hash, secret_id, prefix, label, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)`,
            values: [id, accountId, asBytes(hash), secretId, prefix, label, createdAt],
          },
          ...(ends === undefined ? [] : [{ text: END_KEY, values: [ends.id, ends.at] }]),
          ...(ends !== undefined && ends.at <= createdAt ? [forgetKey(ends.id)] : []),
        ],
        [['key', id], ...(ends === undefined ? [] : [['key', ends.id] as [LoggedKind, string]])],
      ),
    key,
    async keys(accountId) {
      const text = 'SELECT * FROM key WHERE account_id = $1 ORDER BY created_at, id'
      return (await ask<Row>(text, [accountId])).map(readKey)
    },
    async keysByPrefix(prefix, limit) {
      const text = `SELECT * FROM key WHERE prefix LIKE $1 || '%'
        ORDER BY created_at DESC, id LIMIT $2`
      return (await ask<Row>(text, [escapeLike(prefix), limit])).map(readKey)
    },
    async revokeKey(id, at) {
      await change([{ text: END_KEY, values: [id, at] }, forgetKey(id)], [['key', id]])
      return key(id)
    },
    async keysBySecret(at) {
      const rows = await ask<{ secret_id: string; keys: number }>(
        `SELECT secret_id, count(*) AS keys FROM key
        WHERE secret_id <> '' AND (revoked_at IS NULL OR revoked_at > $1) GROUP BY secret_id`,
        [at],
      )
      return new Map(rows.map(({ secret_id, keys }) => [secret_id, keys]))
    },
  }
}

type SuppressionNames = 'suppressions' | 'suppressionRules' | 'putSuppressions' | 'markSuppressions'

function changeSuppressions({ session, change }: Changes): Pick<AccountAdmin, SuppressionNames> {
  const { ask } = session
  return {
    async suppressions(since = 0) {
      const text = 'SELECT * FROM suppression WHERE created_at >= $1 ORDER BY created_at, id'
      return (await ask<Row>(text, [since])).map(readSuppression)
    },
    async suppressionRules() {
      return (await ask<Row>(groupedRules("string_agg(hashes, '')"), [])).map(readRule)
    },
    putSuppressions: (all) =>
      change(
        all.map((one) => ({ text: PUT_SUPPRESSION, values: suppressionValues(one) })),
        all.map(({ id }) => ['suppression', id]),
      ),
    markSuppressions: (ids, state) =>
      change(
        ids.map((id) => ({
          text:
            state === 'pending'
              ? 'INSERT INTO suppression_pending (id) VALUES ($1) ON CONFLICT DO NOTHING'
              : 'DELETE FROM suppression_pending WHERE id = $1',
          values: [id],
        })),
      ),
  }
}
