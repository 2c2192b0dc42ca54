/** Checks the triggers of the account tables in SQLite. */
import { DatabaseSync } from 'node:sqlite'
import { createTables } from './connection.ts'

/**
 * Returns a trigger that differs from the baseline: changed, missing or additional; `undefined`
 * when all match.
 */
export function findWrongTrigger(db: DatabaseSync): string | undefined {
  const fresh = new DatabaseSync(':memory:')
  try {
    createTables(fresh, 'accounts')
    const [wanted, found] = [readTriggers(fresh), readTriggers(db)]
    return [...new Set([...wanted.keys(), ...found.keys()])].find(
      (name) => wanted.get(name) !== found.get(name),
    )
  } finally {
    fresh.close()
  }
}

function readTriggers(db: DatabaseSync): Map<string, string> {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]))
}
