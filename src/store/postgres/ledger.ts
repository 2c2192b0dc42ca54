/**
 * The ledger in PostgreSQL. Several processes on several nodes may append at once. A transaction
 * first locks the accounts that it charges in the order of their ids, then the row with the newest
 * id, and only then reads the ends of the chains.
 */
import {
  ENTRIES_OF_REQUEST,
  FACT_COLUMNS,
  type Row,
  readEarlier,
  readEntry,
  readFacts,
  readHead,
  readHeads,
  sumByDay,
} from '../accounts/account-rows.ts'
import type { Appended, ChainHead, LedgerState, LedgerStore } from '../accounts-store.ts'
import { readAuditState } from '../audit/audit-store.ts'
import {
  EMPTY_HEAD,
  keyColumnOf,
  type LogHead,
  readOperatorEntry,
  stateOf,
} from '../operator-log.ts'
import { asBytes, RAISE } from './accounts.ts'
import { auditFlight, createAuditStore, LOCK_AUDIT } from './audit.ts'
import { createOperatorLog, findWrongTrigger, LOCK_LOG } from './operator-log.ts'
import { type Flight, Session } from './pool/session.ts'
import { createGrantStore } from './rate-grants.ts'

/** Longest ledger statement in milliseconds; a caller waits 5 s for a charge. */
const CHARGE_MS = 4000
/** Longest statement for a grant of requests; after 450 ms the ledger process counts by itself. */
const GRANT_MS = 1000
/** Two, so that an account locked elsewhere does not block the others. */
const GRANT_CONNECTIONS = 2

const ACCOUNT_COLUMNS = ['id', ...FACT_COLUMNS.map(({ column }) => column)].join(', ')

/** A change of facts waits for a charge that uses them, and a charge for a change. */
const LOCK_ACCOUNTS = {
  name: 'lock_accounts',
  text: `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = ANY($1::text[])
    ORDER BY id FOR NO KEY UPDATE`,
}
/** Held until the commit, so that ids are committed in order and without gaps. */
const LOCK_NEWEST = { name: 'lock_newest', text: 'SELECT id FROM ledger_newest FOR UPDATE' }
/**
 * A separate statement after the locks, because a statement that waits for a lock sees other tables
 * as they were before the wait.
 */
const READ_HEADS = {
  name: 'read_heads',
  text: `SELECT account_id, rows, hash, period, used FROM ledger_head
    WHERE account_id = ANY($1::text[])`,
}

/** Not prepared: its plan may have been made for a shorter ledger. */
const READ_EARLIER =
  'SELECT idempotency, fingerprint, at FROM ledger WHERE idempotency = ANY($1::text[])'

const INSERT = {
  name: 'insert_ledger',
  text: `INSERT INTO ledger (id, account_id, seq, request_id, key_id, period, endpoint,
  cost, at, reason, hash, idempotency, fingerprint)
  SELECT id, account_id, seq, request_id, key_id, period, endpoint, cost, at, reason, decode(hash,
  'hex'), idempotency, fingerprint
  FROM jsonb_to_recordset($1::jsonb) AS e(id bigint, account_id text, seq bigint, request_id text,
    key_id text, period text, endpoint text, cost bigint, at bigint, reason text, hash text,
    idempotency text, fingerprint text)`,
}
const PUT_HEADS = `INSERT INTO ledger_head (account_id, rows, hash, period, used)
  SELECT account_id, rows, decode(hash, 'hex'), period, used
  FROM jsonb_to_recordset($1::jsonb) AS h(account_id text, rows bigint, hash text, period text,
  used bigint)
  ON CONFLICT (account_id) DO UPDATE SET rows = excluded.rows, hash = excluded.hash,
    period = excluded.period, used = excluded.used`
const ADD_USAGE = {
  name: 'add_usage',
  text: `INSERT INTO usage_day AS u (account_id, period, day, endpoint, requests, tokens)
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS s(account_id text, period text, day text,
    endpoint text, requests bigint, tokens bigint)
  ON CONFLICT (account_id, period, day, endpoint) DO UPDATE SET
    requests = u.requests + excluded.requests, tokens = u.tokens + excluded.tokens`,
}

/** Counts days from the rows in the same way as `sumByDay` does when writing. */
const WRONG_USAGE = `WITH sums AS (
    SELECT account_id, period,
      to_char(timestamp 'epoch' + at * interval '1 millisecond', 'YYYY-MM-DD') AS day, endpoint,
      count(*) FILTER (WHERE reason IS NULL) AS requests, sum(cost)::bigint AS tokens
    FROM ledger WHERE endpoint <> 'period' GROUP BY 1, 2, 3, 4
  )
  SELECT account_id FROM (SELECT * FROM sums EXCEPT SELECT * FROM usage_day) missing
  UNION ALL
  SELECT account_id FROM (SELECT * FROM usage_day EXCEPT SELECT * FROM sums) spare LIMIT 1`

const MARK_USED = `UPDATE key SET last_used_at = u.at
  FROM (SELECT key.id, u.at FROM key
    JOIN jsonb_to_recordset($1::jsonb) AS u(id text, at bigint) ON u.id = key.id
    WHERE key.last_used_at IS NULL OR key.last_used_at < u.at
    ORDER BY key.id FOR NO KEY UPDATE OF key) u
  WHERE key.id = u.id`

/** Opens what the ledger process writes: ledger, audit, and rate grants on separate connections. */
export function openPostgresLedger(url: string) {
  const session = new Session(url, CHARGE_MS, { charges: true })
  return {
    store: createLedgerStore(session),
    audit: createAuditStore(session),
    grants: createGrantStore(new Session(url, GRANT_MS, { connections: GRANT_CONNECTIONS })),
    close: () => session.close(),
  }
}

export function createLedgerStore(session: Session, now: () => number = Date.now): LedgerStore {
  const { ask } = session
  return {
    append(accountIds, decide, idempotencyIds = [], audit = undefined) {
      const ids = [...accountIds]
      const isRepeatable = idempotencyIds.length > 0
      const opening = [
        { ...LOCK_ACCOUNTS, values: [ids] },
        LOCK_NEWEST,
        { ...READ_HEADS, values: [ids] },
        ...(isRepeatable ? [{ text: READ_EARLIER, values: [idempotencyIds] }] : []),
        ...(audit === undefined ? [] : [LOCK_AUDIT]),
      ]
      return session.transaction(opening, async ([accounts, newest, heads, ...more]) => {
        const states = readStates((accounts ?? []) as Row[], (heads ?? []) as Row[])
        const [{ id }] = newest as [{ id: number }]
        const earlier = isRepeatable ? (more[0] as Row[]) : []
        const appended = decide(states, id + 1, readEarlier(earlier))
        const closing = writeFlight(appended)
        if (audit !== undefined) {
          const head = readAuditState((more.at(-1) as Row[])[0] ?? {}).newest
          closing.push(...auditFlight(audit(appended.result, head)))
        }
        return { closing, result: appended.result }
      })
    },
    noteUses(uses) {
      const moved = uses.flatMap(({ keyId, rehash }) =>
        rehash === undefined ? [] : [{ id: keyId, ...rehash }],
      )
      const marks = uses.map(({ keyId, at }) => ({ id: keyId, at }))
      const closing: Flight = [
        { text: MARK_USED, values: [JSON.stringify(marks)] },
        ...moved
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map(({ id, hash, secretId }) => ({
            text: "UPDATE key SET hash = $2, secret_id = $3 WHERE id = $1 AND secret_id <> ''",
            values: [id, asBytes(hash), secretId],
          })),
      ]
      if (moved.length === 0) {
        return session.transaction([], async () => ({ closing, result: undefined }))
      }
      return session.transaction([LOCK_LOG], async (_rows, client) => {
        const log = await createOperatorLog(client, now)
        for (const statement of closing) await client.query(statement)
        for (const { id } of moved) await log.log('key', id)
        return { closing: [...log.flight(), ...RAISE], result: undefined }
      })
    },
    async entriesAfter(id, limit) {
      const text = 'SELECT * FROM ledger WHERE id > $1 ORDER BY id LIMIT $2'
      return (await ask<Row>(text, [id, limit])).map(readEntry)
    },
    async entriesOf(accountId, afterSeq, limit) {
      const text = 'SELECT * FROM ledger WHERE account_id = $1 AND seq > $2 ORDER BY seq LIMIT $3'
      return (await ask<Row>(text, [accountId, afterSeq, limit])).map(readEntry)
    },
    async heads(unlikeCheckpoint) {
      const unlike = `LEFT JOIN ledger_checkpoint c USING (account_id)
        WHERE (h.rows, h.hash, h.period, h.used) IS DISTINCT
        FROM (c.rows, c.hash, c.period, c.used)`
      const text = `SELECT h.* FROM ledger_head h ${unlikeCheckpoint ? unlike : ''}`
      return readHeads(await ask<Row>(text, []))
    },
    async newest() {
      const text = (name: string) => `SELECT id, hash FROM ${name} ORDER BY id DESC LIMIT 1`
      const [ledger] = await ask<LogHead>(text('ledger'), [])
      const [operator] = await ask<LogHead>(text('operator_log'), [])
      const [state = {}] = await ask<Row>('SELECT * FROM audit_state', [])
      const audit = readAuditState(state).newest
      return { ledger: ledger ?? EMPTY_HEAD, operator: operator ?? EMPTY_HEAD, audit }
    },
    async operatorEntriesAfter(id, limit) {
      const text = 'SELECT * FROM operator_log WHERE id > $1 ORDER BY id LIMIT $2'
      return (await ask<Row>(text, [id, limit])).map(readOperatorEntry)
    },
    async operatorEntriesOf(subject, limit) {
      const text = 'SELECT * FROM operator_log WHERE subject = $1 ORDER BY id DESC LIMIT $2'
      return (await ask<Row>(text, [subject, limit])).map(readOperatorEntry)
    },
    async entriesOfRequest(requestId) {
      return (await ask<Row>(ENTRIES_OF_REQUEST, [requestId])).map(readEntry)
    },
    async loggedStates(kind) {
      const rows = await ask<Row>(`SELECT * FROM ${kind}`, [])
      return new Map(rows.map((row) => [String(row[keyColumnOf(kind)]), stateOf(kind, row)]))
    },
    wrongTrigger: () => findWrongTrigger(ask),
    async accountWithWrongUsage() {
      const [row] = await ask<{ account_id: string }>(WRONG_USAGE, [])
      return row?.account_id
    },
    async checkedId() {
      const [row] = await ask<{ id: number }>('SELECT id FROM ledger_checked', [])
      return Number(row?.id)
    },
    async checkpoints(accountIds) {
      const some = 'WHERE account_id = ANY($1::text[])'
      const text = `SELECT * FROM ledger_checkpoint ${accountIds === undefined ? '' : some}`
      return readHeads(await ask<Row>(text, accountIds === undefined ? [] : [[...accountIds]]))
    },
    writeCheckpoint(id, heads) {
      // If another node has verified further meanwhile, its checkpoint stays.
      const opening = [{ text: 'SELECT id FROM ledger_checked FOR UPDATE' }]
      return session.transaction(opening, async ([rows]) => {
        const [{ id: checked }] = rows as [{ id: number }]
        const closing: Flight = [
          {
            text: PUT_HEADS.replace('INTO ledger_head', 'INTO ledger_checkpoint'),
            values: [JSON.stringify(headRows(heads))],
          },
          { text: 'UPDATE ledger_checked SET id = $1', values: [id] },
        ]
        return { closing: id > checked ? closing : [], result: undefined }
      })
    },
    snapshot: (work) => session.snapshot(work),
  }
}

function readStates(accounts: Row[], heads: Row[]): Map<string, LedgerState> {
  const headOf = new Map(heads.map((row) => [row.account_id, readHead(row)]))
  return new Map(
    accounts.map((row) => [String(row.id), { facts: readFacts(row), head: headOf.get(row.id) }]),
  )
}

function writeFlight({ entries, heads }: Appended<unknown>): Flight {
  const last = entries.at(-1)
  if (last === undefined) return []
  const rows = entries.map((entry) => ({
    id: entry.id,
    account_id: entry.accountId,
    seq: entry.seq,
    request_id: entry.requestId,
    key_id: entry.keyId,
    period: entry.period,
    endpoint: entry.endpoint,
    cost: entry.cost,
    at: entry.at,
    reason: entry.reason,
    hash: hex(entry.hash),
    idempotency: entry.idempotency ?? null,
    fingerprint: entry.fingerprint ?? null,
  }))
  const sums = [...sumByDay(entries)].map(
    ([account_id, period, day, endpoint, requests, tokens]) => {
      return { account_id, period, day, endpoint, requests, tokens }
    },
  )
  return [
    { ...INSERT, values: [JSON.stringify(rows)] },
    { name: 'put_heads', text: PUT_HEADS, values: [JSON.stringify(headRows(heads))] },
    { ...ADD_USAGE, values: [JSON.stringify(sums)] },
    { name: 'put_newest', text: 'UPDATE ledger_newest SET id = $1', values: [last.id] },
  ]
}

function headRows(heads: Map<string, ChainHead>) {
  return [...heads].map(([account_id, { rows, hash, period, used }]) => {
    return { account_id, rows, hash: hex(hash), period, used }
  })
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}
