/** What verification of the ledger reads, how far it has come, and the uses of keys. */
import type {
  Appended,
  ChainHead,
  EarlierCharge,
  KeyUse,
  LedgerState,
  NewestRows,
} from '../accounts-store.ts'
import { AUDIT_STATE, type AuditEntry, readAuditState } from '../audit/audit-store.ts'
import {
  appending,
  EMPTY_HEAD,
  keyColumnOf,
  type LoggedKind,
  type LogHead,
  readOperatorEntry,
  stateOf,
} from '../operator-log.ts'
import {
  FACT_COLUMNS,
  readEarlier,
  readEntry,
  readFacts,
  readHeads,
  sumByDay,
} from './account-rows.ts'
import {
  type AccountDatabase,
  type Dialect,
  lastStep,
  openTable,
  type Statement,
  type Steps,
} from './database.ts'
import { insertInto, type Row } from './table-rows.ts'

const HEADS = 'SELECT h.* FROM ledger_head h'
const UNLIKE = `LEFT JOIN ledger_checkpoint c USING (account_id)
  WHERE (h.rows, h.hash, h.period, h.used) IS DISTINCT FROM (c.rows, c.hash, c.period, c.used)`
const PUT_HEAD = `ON CONFLICT (account_id) DO UPDATE SET rows = excluded.rows,
  hash = excluded.hash, period = excluded.period, used = excluded.used`
const ADD_USAGE = `ON CONFLICT (account_id, period, day, endpoint) DO UPDATE SET
  requests = t.requests + excluded.requests, tokens = t.tokens + excluded.tokens`
const PUT_CHECKPOINT = {
  name: 'put_checkpoint',
  text: `${insertInto('ledger_checkpoint')} ${PUT_HEAD}`,
}
/** Among the newest million. */
const OF_REQUEST = `WHERE id > (SELECT max(id) FROM ledger) - 1000000 AND request_id = $1
  ORDER BY id`
const MARK_USED = {
  name: 'mark_used',
  text: `UPDATE key SET last_used_at = $2
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
}

/** Counts days from the rows in the same way as `sumByDay` does when writing. */
const wrongUsage = (day: string) => `WITH sums AS (
    SELECT account_id, period, ${day} AS day, endpoint,
      count(*) FILTER (WHERE reason IS NULL) AS requests, CAST(sum(cost) AS bigint) AS tokens
    FROM ledger WHERE endpoint <> 'period' GROUP BY 1, 2, 3, 4
  )
  SELECT account_id FROM (SELECT * FROM sums EXCEPT SELECT * FROM usage_day) missing
  UNION ALL
  SELECT account_id FROM (SELECT * FROM usage_day EXCEPT SELECT * FROM sums) spare LIMIT 1`

export type LedgerStore = ReturnType<typeof openLedgerRows> & {
  /** Name of a trigger that is missing, changed or foreign to this program. */
  wrongTrigger(): Promise<string | undefined>
}

const ACCOUNT_COLUMNS = ['id', ...FACT_COLUMNS.map(({ column }) => column)].join(', ')

/** What is decided from the present state; the audit follows from the result. */
type Appending<Result> = {
  decide(
    states: Map<string, LedgerState>,
    nextId: number,
    earlier: Map<string, EarlierCharge>,
  ): Appended<Result>
  idempotencyIds: readonly string[]
  audit: ((result: Result, head: LogHead) => AuditEntry[]) | undefined
}

/** Opens all of the ledger but what each database does in its own way. */
export function openLedgerRows(database: AccountDatabase) {
  const { ask, dialect, snapshot } = database
  const statements = makeStatements(dialect)
  const ledger = openTable(ask, 'ledger', readEntry)
  const operatorLog = openTable(ask, 'operator_log', readOperatorEntry)
  const newest = async (table: string) => {
    const [row] = await ask(`SELECT id, hash FROM ${table} ORDER BY id DESC LIMIT 1`)
    return row === undefined ? EMPTY_HEAD : { id: Number(row.id), hash: row.hash as Uint8Array }
  }
  return {
    /**
     * Runs one durable transaction. Reads the states of the accounts that exist, lets `decide`
     * choose what to append, and appends it with the new heads and the days' usage: all is on disk,
     * or nothing. `earlier`: charges with one of `idempotencyIds`. `audit`: entries appended to the
     * audit after `head`, its end.
     */
    append: <Result>(
      accountIds: Iterable<string>,
      decide: Appending<Result>['decide'],
      idempotencyIds: readonly string[] = [],
      audit: Appending<Result>['audit'] = undefined,
    ): Promise<Result> => {
      const ids = [...accountIds]
      return database.transact(() => append(statements, ids, { decide, idempotencyIds, audit }))
    },
    /** Entries with a greater id, ascending. */
    entriesAfter: (id: number, limit: number) =>
      ledger.all('WHERE id > $1 ORDER BY id LIMIT $2', [id, limit]),
    entriesOf: (accountId: string, afterSeq: number, limit: number) =>
      ledger.all('WHERE account_id = $1 AND seq > $2 ORDER BY seq LIMIT $3', [
        ...[accountId, afterSeq, limit],
      ]),
    /** Heads stored with accounts; `unlikeCheckpoint`: those unlike their checkpoint. */
    heads: async (unlikeCheckpoint: boolean) =>
      readHeads(await ask(unlikeCheckpoint ? `${HEADS} ${UNLIKE}` : HEADS)),
    async newest(): Promise<NewestRows> {
      const ledger = await newest('ledger')
      const operator = await newest('operator_log')
      const [state = {}] = await ask('SELECT * FROM audit_state')
      return { ledger, operator, audit: readAuditState(state).newest }
    },
    /** Entries of the operator log with a greater id, ascending. */
    operatorEntriesAfter: (id: number, limit: number) =>
      operatorLog.all('WHERE id > $1 ORDER BY id LIMIT $2', [id, limit]),
    /** The newest entries of one subject, the newest first. */
    operatorEntriesOf: (subject: string, limit: number) =>
      operatorLog.all('WHERE subject = $1 ORDER BY id DESC LIMIT $2', [subject, limit]),
    /** Entries of a request among the newest million, which takes seconds: no index has them. */
    entriesOfRequest: (requestId: string) => ledger.all(OF_REQUEST, [requestId]),
    /** Every row of a logged table in the operator log's form, by primary key. */
    async loggedStates(kind: LoggedKind) {
      const rows = await ask(`SELECT * FROM ${kind}`)
      return new Map(rows.map((row) => [String(row[keyColumnOf(kind)]), stateOf(kind, row)]))
    },
    /** An account whose daily usage differs from the sum of its entries; reads all entries. */
    async accountWithWrongUsage() {
      const [row] = await ask(wrongUsage(dialect.dayOf('at')))
      return row?.account_id as string | undefined
    },
    /** The last verified entry's id, 0 when there is none. */
    async checkedId() {
      const [row] = await ask('SELECT id FROM ledger_checked')
      return Number(row?.id)
    },
    async checkpoints(accountIds?: Iterable<string>) {
      const text = 'SELECT * FROM ledger_checkpoint'
      if (accountIds === undefined) return readHeads(await ask(text))
      const some = `${text} WHERE account_id ${dialect.isIn('$1', 'text')}`
      return readHeads(await ask(some, [[...accountIds]]))
    },
    /** Stores that all entries up to `id` were verified, with the heads at that point. */
    writeCheckpoint: (id: number, heads: Map<string, ChainHead>) =>
      database.transact(() => putCheckpoint(id, heads, dialect.forUpdate)),
    noteUses(uses: KeyUse[]): Promise<void> {
      const inOrder = [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
      const marks = inOrder.map(({ keyId, at }) => ({ ...MARK_USED, values: [keyId, at] }))
      const moved = inOrder.flatMap(({ keyId, rehash }) =>
        rehash === undefined ? [] : [{ keyId, values: [keyId, rehash.hash, rehash.secretId] }],
      )
      if (moved.length === 0) {
        return database.transact(function* () {
          yield marks
        })
      }
      const text = "UPDATE key SET hash = $2, secret_id = $3 WHERE id = $1 AND secret_id <> ''"
      return appending(database, function* (log) {
        yield [...marks, ...moved.map(({ values }) => ({ text, values }))]
        for (const { keyId } of moved) yield* log.log('key', keyId)
        yield dialect.raise
      })
    },
    /** Runs `work` on a consistent snapshot of the data. */
    snapshot,
  }
}

/** If another process has verified further meanwhile, its checkpoint stays. */
function* putCheckpoint(id: number, heads: Map<string, ChainHead>, lock: string): Steps<void> {
  const [rows] = yield [{ text: `SELECT id FROM ledger_checked${lock}` }]
  const [checked] = rows as Row[]
  if (id <= Number(checked?.id)) return
  yield [
    ...[...heads].map(([account, { rows, hash, period, used }]) => ({
      ...PUT_CHECKPOINT,
      values: [account, rows, hash, period, used],
    })),
    { text: 'UPDATE ledger_checked SET id = $1', values: [id] },
  ]
}

/** The statements of an append; their texts are made once. */
function makeStatements({ forUpdate, insert, isIn, newest, readAccounts }: Dialect) {
  return {
    readAccounts: readAccounts(ACCOUNT_COLUMNS),
    // Not prepared: its plan may have been made for a shorter ledger.
    readEarlier: {
      text: `SELECT idempotency, fingerprint, at FROM ledger
        WHERE idempotency ${isIn('$1', 'text')}`,
    },
    lockAudit: { name: 'lock_audit', text: `${AUDIT_STATE}${forUpdate}` },
    newest,
    insertEntries: insert('ledger'),
    putHeads: insert('ledger_head', PUT_HEAD),
    addUsage: insert('usage_day', ADD_USAGE),
    insertAudit: insert('audit'),
    putAuditState: {
      name: 'put_audit_state',
      text: 'UPDATE audit_state SET newest_id = $1, newest_hash = $2',
    },
  }
}

/**
 * Locks the accounts by their ids and then the newest id, so that several nodes may append. The
 * ends of the chains are read after it.
 */
function* append<Result>(
  own: ReturnType<typeof makeStatements>,
  ids: string[],
  { decide, idempotencyIds, audit }: Appending<Result>,
): Steps<Result> {
  const isRepeatable = idempotencyIds.length > 0
  const accounts = own.readAccounts(ids)
  const found = yield [
    ...accounts,
    own.newest.read,
    ...(isRepeatable ? [{ ...own.readEarlier, values: [idempotencyIds] }] : []),
    ...(audit === undefined ? [] : [own.lockAudit]),
  ]
  const states = readStates(found.splice(0, accounts.length).flat())
  const [[{ id } = {}] = [], ...more] = found
  const earlier = readEarlier(isRepeatable ? (more[0] ?? []) : [])
  const decided = decide(states, Number(id) + 1, earlier)
  const { entries, result } = decided
  const closing: Statement[] = []
  const last = entries.at(-1)
  if (last !== undefined) {
    const newHeads = [...decided.heads].map(([accountId, head]) => ({ accountId, ...head }))
    closing.push(...own.insertEntries(entries), ...own.putHeads(newHeads))
    closing.push(...own.addUsage(sumByDay(entries)), ...own.newest.write(last.id))
  }
  if (audit !== undefined) {
    const audited = audit(result, readAuditState(more.at(-1)?.[0] ?? {}).newest)
    const { id: auditId, hash } = audited.at(-1) ?? {}
    if (auditId !== undefined) {
      closing.push(...own.insertAudit(audited), { ...own.putAuditState, values: [auditId, hash] })
    }
  }
  yield lastStep(closing)
  return result
}

/** A row is an account, its head, or both. */
function readStates(rows: Row[]): Map<string, LedgerState> {
  const headOf = readHeads(rows.filter((row) => (row.rows ?? null) !== null))
  const accounts = rows.filter((row) => row.id !== undefined)
  return new Map(
    accounts.map((row) => {
      const id = String(row.id)
      return [id, { facts: readFacts(row), head: headOf.get(id) }]
    }),
  )
}
