/** The audit in SQLite, in the same database as the ledger. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { cellsOf, insertInto } from '../accounts/table-rows.ts'
import { type AuditEntry, type FindSegments, readAuditState } from '../audit/audit-store.ts'
import { mayHold, probeOf } from '../audit/filter.ts'
import type { LogHead } from '../operator-log.ts'
import { guarded } from './connection.ts'

type AuditWriter = {
  newest(): LogHead
  /** Appends entries; called in the transaction of the answers they record. */
  append(entries: readonly AuditEntry[]): void
}

export function createAuditWriter(db: DatabaseSync): AuditWriter {
  const state = db.prepare('SELECT * FROM audit_state')
  const insert = db.prepare(insertInto('audit', '?'))
  const move = db.prepare('UPDATE audit_state SET newest_id = ?, newest_hash = ?')
  return {
    newest: () => readAuditState(state.get() ?? {}).newest,
    append(entries) {
      for (const entry of entries) insert.run(...cellsOf<SQLInputValue>('audit', entry))
      const last = entries.at(-1)
      if (last !== undefined) move.run(last.id, last.hash)
    },
  }
}

/** Finds the filters that may contain a key. */
export function findSegments(db: DatabaseSync): FindSegments {
  const filters = db.prepare('SELECT segment, bits FROM audit_filter ORDER BY segment')
  return guarded((key) => {
    const probe = probeOf(key)
    const found: number[] = []
    for (const { segment, bits } of filters.iterate()) {
      if (mayHold(bits as Uint8Array, probe)) found.push(Number(segment))
    }
    return found
  })
}
