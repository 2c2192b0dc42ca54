/** What the ledger does in its own way in SQLite: its connection is opened with `FULL`. */
import { DatabaseSync } from 'node:sqlite'
import { type LedgerStore, openLedgerRows } from '../accounts/ledger-rows.ts'
import type { FindSegments } from '../audit/audit-store.ts'
import { mayHold } from '../audit/filter.ts'
import { openAccountDatabase } from './account-database.ts'
import { createTables, guarded } from './connection.ts'

export function createLedgerStore(db: DatabaseSync): LedgerStore {
  const wrongTrigger = guarded(() => findWrongTrigger(db))
  return { ...openLedgerRows(openAccountDatabase(db)), wrongTrigger }
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
