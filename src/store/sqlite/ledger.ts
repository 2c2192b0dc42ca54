/** The ledger in SQLite. It has its own connection, opened with `synchronous: 'FULL'`. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { readEarlier, readFacts, readHead, sumByDay } from '../accounts/account-rows.ts'
import { type LedgerStore, openLedgerRows } from '../accounts/ledger-rows.ts'
import { cellsOf, insertInto } from '../accounts/table-rows.ts'
import type { ChainHead, LedgerEntry, LedgerState } from '../accounts-store.ts'
import { type AuditEntry, type FindSegments, readAuditState } from '../audit/audit-store.ts'
import { mayHold } from '../audit/filter.ts'
import { openAccountDatabase } from './account-database.ts'
import { createTables, guarded, transaction } from './connection.ts'

/** Opens the ledger. `now`: epoch milliseconds, for the operator log. */
export function createLedgerStore(db: DatabaseSync, now: () => number = Date.now): LedgerStore {
  return {
    ...openLedgerRows(openAccountDatabase(db, now)),
    ...writeCharges(db, createAuditWriter(db)),
    wrongTrigger: guarded(() => findWrongTrigger(db)),
  }
}

function writeCharges(db: DatabaseSync, auditWriter: AuditWriter): Pick<LedgerStore, 'append'> {
  const nextId = db.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM ledger')
  const state = db.prepare(
    `SELECT account.*, h.rows, h.hash, h.period, h.used
    FROM account LEFT JOIN ledger_head AS h ON h.account_id = account.id WHERE account.id = ?`,
  )
  const insert = db.prepare(insertInto('ledger', '?'))
  const earlier = db.prepare(
    'SELECT idempotency, fingerprint, at FROM ledger WHERE idempotency = ?',
  )
  const putHead = db.prepare(
    `${insertInto('ledger_head', '?')} ON CONFLICT (account_id) DO UPDATE SET rows = excluded.rows,
      hash = excluded.hash, period = excluded.period, used = excluded.used`,
  )
  const addUsage = db.prepare(
    `${insertInto('usage_day', '?')} ON CONFLICT DO UPDATE SET
      requests = requests + excluded.requests, tokens = tokens + excluded.tokens`,
  )

  function write(entries: LedgerEntry[], newHeads: Map<string, ChainHead>): void {
    for (const entry of entries) insert.run(...cellsOf<SQLInputValue>('ledger', entry))
    for (const sum of sumByDay(entries)) addUsage.run(...cellsOf<SQLInputValue>('usage_day', sum))
    for (const [accountId, head] of newHeads) {
      putHead.run(...cellsOf<SQLInputValue>('ledger_head', { accountId, ...head }))
    }
  }

  return {
    append: guarded((accountIds, decide, idempotencyIds = [], audit = undefined) =>
      transaction(db, () => {
        const states = new Map<string, LedgerState>()
        for (const id of accountIds) {
          const row = state.get(id)
          if (row !== undefined) states.set(id, { facts: readFacts(row), head: readHead(row) })
        }
        const found = idempotencyIds.map((id) => earlier.get(id))
        const charges = readEarlier(found.filter((row) => row !== undefined))
        const decided = decide(states, Number(nextId.get()?.id), charges)
        write(decided.entries, decided.heads)
        if (audit !== undefined) auditWriter.append(audit(decided.result, auditWriter.newest()))
        return decided.result
      }),
    ),
  }
}

/** Returns a trigger that is changed, missing or additional; `undefined` when all match. */
function findWrongTrigger(db: DatabaseSync): string | undefined {
  using fresh = new DatabaseSync(':memory:')
  createTables(fresh, 'accounts')
  const [wanted, found] = [readTriggers(fresh), readTriggers(db)]
  return [...new Set([...wanted.keys(), ...found.keys()])].find(
    (name) => wanted.get(name) !== found.get(name),
  )
}

function readTriggers(db: DatabaseSync): Map<string, string> {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]))
}

type AuditWriter = ReturnType<typeof createAuditWriter>

export function createAuditWriter(db: DatabaseSync) {
  const state = db.prepare('SELECT * FROM audit_state')
  const insert = db.prepare(insertInto('audit', '?'))
  const move = db.prepare('UPDATE audit_state SET newest_id = ?, newest_hash = ?')
  return {
    newest: () => readAuditState(state.get() ?? {}).newest,
    /** Appends entries; called in the transaction of the answers they record. */
    append(entries: readonly AuditEntry[]) {
      for (const entry of entries) insert.run(...cellsOf<SQLInputValue>('audit', entry))
      const last = entries.at(-1)
      if (last !== undefined) move.run(last.id, last.hash)
    },
  }
}

export function findSegments(db: DatabaseSync): FindSegments {
  const filters = db.prepare('SELECT segment, bits FROM audit_filter ORDER BY segment')
  return guarded((probe) => {
    const found: number[] = []
    for (const { segment, bits } of filters.iterate()) {
      if (mayHold(bits as Uint8Array, probe)) found.push(Number(segment))
    }
    return found
  })
}
