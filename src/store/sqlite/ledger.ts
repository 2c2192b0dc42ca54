/** The ledger in SQLite. It has its own connection, opened with `synchronous: 'FULL'`. */
import type { DatabaseSync } from 'node:sqlite'
import { readEarlier, readFacts, readHead, sumByDay } from '../accounts/account-rows.ts'
import { openLedgerRows } from '../accounts/ledger-rows.ts'
import type { ChainHead, LedgerEntry, LedgerState, LedgerStore } from '../accounts-store.ts'
import { openAccountDatabase } from './account-database.ts'
import { createAuditWriter } from './audit.ts'
import { guarded, transaction } from './connection.ts'
import { findWrongTrigger } from './triggers.ts'

/** Opens the ledger. `now`: epoch milliseconds, for the operator log. */
export function createLedgerStore(db: DatabaseSync, now: () => number = Date.now): LedgerStore {
  return {
    ...openLedgerRows(openAccountDatabase(db, now)),
    ...writeCharges(db, createAuditWriter(db)),
    wrongTrigger: guarded(() => findWrongTrigger(db)),
  }
}

type AuditWriter = ReturnType<typeof createAuditWriter>

function writeCharges(db: DatabaseSync, auditWriter: AuditWriter): Pick<LedgerStore, 'append'> {
  const nextId = db.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM ledger')
  const state = db.prepare(
    `SELECT account.*, h.rows, h.hash, h.period, h.used
    FROM account LEFT JOIN ledger_head AS h ON h.account_id = account.id WHERE account.id = ?`,
  )
  const insert = db.prepare(
    `INSERT INTO ledger (id, account_id, seq, request_id, key_id, period, endpoint, cost, at,
      reason, hash, idempotency, fingerprint)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const earlier = db.prepare(
    'SELECT idempotency, fingerprint, at FROM ledger WHERE idempotency = ?',
  )
  const putHead = db.prepare(
    'INSERT INTO ledger_head (account_id, rows, hash, period, used) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (account_id) DO UPDATE SET rows = excluded.rows, hash = excluded.hash, ' +
      'period = excluded.period, used = excluded.used',
  )
  const addUsage = db.prepare(
    `INSERT INTO usage_day (account_id, period, day, endpoint, requests, tokens)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      requests = requests + excluded.requests, tokens = tokens + excluded.tokens`,
  )

  function write(entries: LedgerEntry[], newHeads: Map<string, ChainHead>): void {
    for (const entry of entries) {
      const { id, accountId, seq, requestId, keyId, period, endpoint, cost, at, reason } = entry
      insert.run(
        ...[id, accountId, seq, requestId, keyId],
        ...[period, endpoint, cost, at, reason, entry.hash],
        ...[entry.idempotency ?? null, entry.fingerprint ?? null],
      )
    }
    for (const sum of sumByDay(entries)) addUsage.run(...sum)
    for (const [account, { rows, hash, period, used }] of newHeads) {
      putHead.run(account, rows, hash, period, used)
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
