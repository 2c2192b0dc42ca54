/** The audit in SQLite, in the same database as the ledger. */
import type { DatabaseSync } from 'node:sqlite'
import {
  type AuditEntry,
  type AuditStore,
  readAudit,
  readAuditState,
  SEGMENT_ROWS,
} from '../audit/audit-store.ts'
import { mayHold, probeOf } from '../audit/filter.ts'
import type { LogHead } from '../operator-log.ts'
import { guarded, snapshot, transaction } from './connection.ts'

type AuditWriter = {
  newest(): LogHead
  /** Appends entries; called in the transaction of the answers they record. */
  append(entries: readonly AuditEntry[]): void
}

export function createAuditWriter(db: DatabaseSync): AuditWriter {
  const state = db.prepare('SELECT * FROM audit_state')
  const insert = db.prepare(
    `INSERT INTO audit (id, at, account_id, key_id, request_id, operation, query, ids, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const move = db.prepare('UPDATE audit_state SET newest_id = ?, newest_hash = ?')
  return {
    newest: () => readAuditState(state.get() ?? {}).newest,
    append(entries) {
      for (const entry of entries) {
        const { id, at, accountId, keyId, requestId, operation, query, ids, hash } = entry
        insert.run(id, at, accountId, keyId, requestId, operation, query, ids, hash)
      }
      const last = entries.at(-1)
      if (last !== undefined) move.run(last.id, last.hash)
    },
  }
}

export function createAuditStore(db: DatabaseSync): AuditStore {
  const state = db.prepare('SELECT * FROM audit_state')
  const after = db.prepare('SELECT * FROM audit WHERE id > ? ORDER BY id LIMIT ?')
  const segmentWith = (condition: string) =>
    db.prepare(`SELECT * FROM audit WHERE id > ? AND id <= ? AND ${condition} ORDER BY id`)
  const showing = segmentWith('instr(char(10) || ids || char(10), ?) > 0')
  const ofAccount = segmentWith('account_id = ?')
  const filteredTo = db.prepare(
    `SELECT coalesce(max(segment), base_id / ${SEGMENT_ROWS}) AS segment
    FROM audit_state LEFT JOIN audit_filter`,
  )
  const filters = db.prepare('SELECT segment, bits FROM audit_filter ORDER BY segment')
  const filter = db.prepare('SELECT bits FROM audit_filter WHERE segment = ?')
  const putFilter = db.prepare('INSERT OR IGNORE INTO audit_filter (segment, bits) VALUES (?, ?)')
  const entry = db.prepare('SELECT id, at, hash FROM audit WHERE id = ?')
  const moveBase = db.prepare('UPDATE audit_state SET base_id = ?, base_hash = ?')
  const trim = db.prepare('DELETE FROM audit WHERE id <= ?')
  const trimFilter = db.prepare('DELETE FROM audit_filter WHERE segment <= ?')
  const readState = () => readAuditState(state.get() ?? {})
  return {
    state: guarded(readState),
    entriesAfter: guarded((id, limit) => after.all(id, limit).map(readAudit)),
    entriesOf: guarded((segment, asked) => {
      const to = segment * SEGMENT_ROWS
      const rows =
        'accountId' in asked
          ? ofAccount.all(to - SEGMENT_ROWS, to, asked.accountId)
          : showing.all(to - SEGMENT_ROWS, to, `\n${asked.propertyId}\n`)
      return rows.map(readAudit)
    }),
    filteredTo: guarded(() => Number(filteredTo.get()?.segment)),
    segmentsOf: guarded((key) => {
      const probe = probeOf(key)
      const found: number[] = []
      for (const { segment, bits } of filters.iterate()) {
        if (mayHold(bits as Uint8Array, probe)) found.push(Number(segment))
      }
      return found
    }),
    filterOf: guarded((segment) => filter.get(segment)?.bits as Uint8Array | undefined),
    putFilter: guarded((segment, bits) => {
      putFilter.run(segment, bits)
    }),
    trim: guarded((before) =>
      transaction(db, () => {
        const last = readState().base.id + SEGMENT_ROWS
        const row = entry.get(last)
        if (row === undefined || Number(row.at) >= before) return false
        moveBase.run(last, row.hash as Uint8Array)
        trim.run(last)
        trimFilter.run(last / SEGMENT_ROWS)
        return true
      }),
    ),
    snapshot: (work) => snapshot(db, work),
  }
}
