/** Moves the write-ahead log into the database file. */
import type { DatabaseSync } from 'node:sqlite'

/**
 * Empties the write-ahead log. Waits for readers; returns false when one blocks it for more than 5
 * s.
 */
export function checkpoint(db: DatabaseSync): boolean {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const row = db.prepare('PRAGMA main.wal_checkpoint(TRUNCATE)').get()
    if (row?.busy === 0) return true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  return false
}
