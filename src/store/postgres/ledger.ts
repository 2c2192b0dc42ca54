/**
 * The ledger in PostgreSQL, to which several nodes may append. A transaction first locks the
 * accounts that it charges by their ids, then the newest id. Only then it reads the chains' ends.
 */
import {
  FACT_COLUMNS,
  readEarlier,
  readFacts,
  readHead,
  sumByDay,
} from '../accounts/account-rows.ts'
import type { AccountDatabase, Ask } from '../accounts/database.ts'
import { type LedgerStore, openLedgerRows } from '../accounts/ledger-rows.ts'
import { columnsOf, type Row } from '../accounts/table-rows.ts'
import type { Appended, LedgerState } from '../accounts-store.ts'
import {
  type AuditEntry,
  createAuditStore,
  type FindSegments,
  readAuditState,
} from '../audit/audit-store.ts'
import { PROBES } from '../audit/filter.ts'
import { openAccountDatabase } from './account-database.ts'
import { type Flight, Session } from './pool/session.ts'
import { createGrantStore } from './rate-grants.ts'

/** Longest ledger statement in milliseconds; a caller waits 5 s for a charge. */
const CHARGE_MS = 4000
/** Longest statement for a lease of requests; after 450 ms the ledger process counts by itself. */
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
/** After the locks: a statement that waits for one sees other tables as they were before. */
const READ_HEADS = {
  name: 'read_heads',
  text: `SELECT account_id, rows, hash, period, used FROM ledger_head
    WHERE account_id = ANY($1::text[])`,
}

/** Not prepared: its plan may have been made for a shorter ledger. */
const READ_EARLIER =
  'SELECT idempotency, fingerprint, at FROM ledger WHERE idempotency = ANY($1::text[])'

const TYPES = { text: 'text', number: 'bigint', flag: 'boolean', bytes: 'text' } as const

const INSERT = { name: 'insert_ledger', text: insertMany('ledger') }
const PUT_HEADS = `${insertMany('ledger_head')}
  ON CONFLICT (account_id) DO UPDATE SET rows = excluded.rows, hash = excluded.hash,
    period = excluded.period, used = excluded.used`
const ADD_USAGE = {
  name: 'add_usage',
  text: `${insertMany('usage_day', 'u')}
  ON CONFLICT (account_id, period, day, endpoint) DO UPDATE SET
    requests = u.requests + excluded.requests, tokens = u.tokens + excluded.tokens`,
}

/** Opens what the ledger process writes: ledger, audit, and rate grants on separate connections. */
export function openPostgresLedger(url: string) {
  const session = new Session(url, CHARGE_MS, { charges: true })
  const database = openAccountDatabase(session)
  return {
    store: createLedgerStore(session, database),
    audit: createAuditStore(database, findSegments(database.ask)),
    grants: createGrantStore(new Session(url, GRANT_MS, { connections: GRANT_CONNECTIONS })),
    close: () => session.close(),
  }
}

export function createLedgerStore(session: Session, database: AccountDatabase): LedgerStore {
  return {
    ...openLedgerRows(database),
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
    wrongTrigger: () => findWrongTrigger(database.ask),
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
  const newHeads = [...heads].map(([accountId, head]) => ({ accountId, ...head }))
  return [
    { ...INSERT, values: [toJson('ledger', entries)] },
    { name: 'put_heads', text: PUT_HEADS, values: [toJson('ledger_head', newHeads)] },
    { ...ADD_USAGE, values: [toJson('usage_day', sumByDay(entries))] },
    { name: 'put_newest', text: 'UPDATE ledger_newest SET id = $1', values: [last.id] },
  ]
}

/** Each trigger of the baseline, with its table and the required text of its function. */
const TRIGGERS: Record<string, string> = {
  ledger_stays_whole: 'ledger',
  ledger_head_stays: 'ledger_head',
  operator_log_stays_whole: 'operator_log',
  audit_stays_unchanged: 'audit',
  audit_is_trimmed_only: 'audit',
}
const FUNCTION_RAISES = /^\s*BEGIN\s+RAISE EXCEPTION '[^']+';\s*END\s*$/

/** Returns a trigger that is missing, disabled, or different from the baseline. */
async function findWrongTrigger(ask: Ask): Promise<string | undefined> {
  const rows = await ask<{ name: string; on: string; enabled: string; source: string }>(
    `SELECT t.tgname AS name, c.relname AS on, t.tgenabled AS enabled, p.prosrc AS source
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
  )
  const whole = rows.filter(
    ({ on, enabled, source, name }) =>
      TRIGGERS[name] === on && enabled === 'O' && FUNCTION_RAISES.test(source),
  )
  const names = new Set(whole.map(({ name }) => name))
  return Object.keys(TRIGGERS).find((name) => !names.has(name))
}

/** Returns the statement that inserts the rows of `$1`, see `toJson`. `alias`: of the table. */
function insertMany(table: string, alias = 't'): string {
  const columns = columnsOf(table)
  const names = columns.map(({ name }) => name).join(', ')
  const read = columns.map(({ name, kind }) => (kind === 'bytes' ? `decode(${name}, 'hex')` : name))
  const types = columns.map(({ name, kind }) => `${name} ${TYPES[kind]}`)
  return `INSERT INTO ${table} AS ${alias} (${names}) SELECT ${read.join(', ')}
    FROM jsonb_to_recordset($1::jsonb) AS e(${types.join(', ')})`
}

/** Returns the rows of values as the JSON list that `insertMany` reads; bytes in hex. */
function toJson(table: string, values: Iterable<object>): string {
  const columns = columnsOf(table)
  const rows = Iterator.from(values).map((value) =>
    Object.fromEntries(
      columns.map(({ name, property }) => {
        const cell = (value as Record<string, unknown>)[property]
        return [name, cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell]
      }),
    ),
  )
  return JSON.stringify(rows.toArray())
}

/** Held until the commit, so that ids have no gaps. Taken after the locks of the ledger. */
const LOCK_AUDIT = {
  name: 'lock_audit',
  text: 'SELECT base_id, base_hash, newest_id, newest_hash FROM audit_state FOR UPDATE',
}

const INSERT_AUDIT = { name: 'insert_audit', text: insertMany('audit') }

/** Tests all bits of a key: a byte's bits are numbered from the lowest, as in `filter.ts`. */
const HELD = Array.from(
  { length: PROBES },
  (_, at) => `get_bit(bits, ($1::bigint + ${at} * $2::bigint) % (octet_length(bits) * 8)) = 1`,
).join(' AND ')

function auditFlight(entries: readonly AuditEntry[]): Flight {
  const last = entries.at(-1)
  if (last === undefined) return []
  return [
    { ...INSERT_AUDIT, values: [toJson('audit', entries)] },
    {
      name: 'put_audit_state',
      text: 'UPDATE audit_state SET newest_id = $1, newest_hash = $2',
      values: [last.id, Buffer.from(last.hash)],
    },
  ]
}

/** Finds the filters that may contain a key. */
export function findSegments(ask: Ask): FindSegments {
  return async ({ first, step }) => {
    const text = `SELECT segment FROM audit_filter WHERE ${HELD} ORDER BY segment`
    return (await ask(text, [first, step])).map(({ segment }) => Number(segment))
  }
}
