/** Accounts and keys in PostgreSQL: reads for serving, changes for the command line. */

import { randomBytes } from 'node:crypto'
import type { AccountFacts, TokenUse } from '../../model/account.ts'
import { withPlan } from '../../model/plan.ts'
import {
  escapeLike,
  FACT_COLUMNS,
  FACT_NAMES,
  type Row,
  readAccount,
  readKey,
  readKnownKey,
  readOwnFacts,
  readRecord,
  writeFacts,
} from '../accounts/account-rows.ts'
import type { AccountAdmin, AccountReader, KeyHash, UsageDay } from '../accounts-store.ts'
import type { LoggedKind } from '../operator-log.ts'
import {
  groupedRules,
  PENDING_SUPPRESSIONS,
  readRule,
  readSuppression,
  SUPPRESSION_COLUMNS,
  suppressionValues,
} from '../suppressions.ts'
import { createOperatorLog, LOCK_LOG } from './operator-log.ts'
import type { Ask } from './pool/lookup-queue.ts'
import type { Flight, Session } from './pool/session.ts'

/** Opens the reader for serving; it may use read-only connections. */
export function createAccountReader(ask: Ask): AccountReader {
  return {
    async version() {
      const [row] = await ask<{ version: number }>('SELECT version FROM accounts_version', [])
      return Number(row?.version)
    },
    async prices() {
      const rows = await ask<Row>('SELECT operation, tokens FROM price', [])
      return new Map(rows.map((row) => [String(row.operation), Number(row.tokens)]))
    },
    async pendingSuppressions() {
      return (await ask<Row>(PENDING_SUPPRESSIONS, [])).map(readSuppression)
    },
    async keyByHash(hash) {
      const [row] = await ask<Row>(
        `SELECT key.id AS key_id, key.secret_id, key.revoked_at, account.id, account.name,
          ${FACT_NAMES}
        FROM key JOIN account ON account.id = key.account_id WHERE key.hash = $1`,
        [asBytes(hash)],
      )
      return row === undefined ? undefined : { ...readKnownKey(row), account: readAccount(row) }
    },
    async tokenUse(id) {
      const text = 'SELECT period, used FROM ledger_head WHERE account_id = $1'
      const [row] = await ask<TokenUse>(text, [id])
      return row
    },
    usageByDay: (id, period) =>
      ask<UsageDay>(
        `SELECT day, endpoint, requests, tokens FROM usage_day
        WHERE account_id = $1 AND period = $2 ORDER BY day, endpoint`,
        [id, period],
      ),
  }
}

/** Channel that notifies services of committed changes to accounts or keys. */
export const ACCOUNTS_CHANNEL = 'platbook_accounts'
/** Part of every transaction with such a change. */
export const RAISE: Flight = [
  { text: 'UPDATE accounts_version SET version = version + 1' },
  { text: `NOTIFY ${ACCOUNTS_CHANNEL}` },
]
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
  const { ask } = session

  /** `logged`: kinds and primary keys of the changed rows. */
  function change(statements: Flight, logged: [LoggedKind, string][] = []): Promise<void> {
    return session.transaction([LOCK_LOG], async (_rows, client) => {
      const log = await createOperatorLog(client, now)
      for (const statement of statements) await client.query(statement)
      for (const [kind, subject] of logged) await log.log(kind, subject)
      return { closing: [...log.flight(), ...RAISE], result: undefined }
    })
  }

  async function readOne<Result>(
    text: string,
    id: string,
    read: (row: Row) => Result,
  ): Promise<Result | undefined> {
    const [row] = await ask<Row>(text, [id])
    return row === undefined ? undefined : read(row)
  }

  const key = (id: string) => readOne('SELECT * FROM key WHERE id = $1', id, readKey)

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
    async plans() {
      const rows = await ask<Row>('SELECT name, terms FROM plan ORDER BY name', [])
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
    account: (id) => readOne('SELECT * FROM account WHERE id = $1', id, readRecord),
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
    noteLoss: (reason, state) =>
      session.transaction([LOCK_LOG], async (_rows, client) => {
        const log = await createOperatorLog(client, now)
        log.note('loss', reason, state)
        return { closing: log.flight(), result: undefined }
      }),
    noteAction: (operator, state) =>
      session.transaction([LOCK_LOG], async (_rows, client) => {
        const log = await createOperatorLog(client, now)
        log.note('action', operator, state)
        return { closing: log.flight(), result: undefined }
      }),
    raiseVersion: () => change([]),
  }
}

/** The driver takes a `Buffer` for bytes and treats other arrays as lists. */
export function asBytes(bytes: KeyHash['hash']): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
