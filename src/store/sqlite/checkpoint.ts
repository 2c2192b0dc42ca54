/** Moves the write-ahead log into the database file. */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseKind, LOG_BYTES, openDatabase } from './connection.ts'

const CHECKPOINT_MS = 50
const CHECKPOINT_TRIES = 100

/** Empties the write-ahead log after its readers; false when one blocks it for over 5 s. */
export function checkpoint(db: DatabaseSync): boolean {
  const usual = db.prepare('PRAGMA busy_timeout').get()?.timeout
  db.exec(`PRAGMA busy_timeout = ${CHECKPOINT_MS * CHECKPOINT_TRIES}`)
  const isEmpty = db.prepare('PRAGMA main.wal_checkpoint(TRUNCATE)').get()?.busy === 0
  db.exec(`PRAGMA busy_timeout = ${usual}`)
  return isEmpty
}

/** Does the same without blocking the process: its own readers may be those that are in the way. */
export async function emptyLog(db: DatabaseSync): Promise<boolean> {
  db.exec('PRAGMA busy_timeout = 1')
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries += 1) {
    if (db.prepare('PRAGMA main.wal_checkpoint(TRUNCATE)').get()?.busy === 0) return true
    await sleep(CHECKPOINT_MS)
  }
  return false
}

/** Empties the log of a file that grew behind a long reader, unless a writer is at work. */
export function shrinkLog(path: string, kind: DatabaseKind): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LOG_BYTES) return
  try {
    using db = openDatabase(path, { kind, busyTimeoutMs: 1 })
    db.exec('PRAGMA main.wal_checkpoint(TRUNCATE)')
  } catch {
    // A folder that may only be read, or a writer that has begun.
  }
}
