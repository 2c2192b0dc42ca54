/** Locks that the system releases however the process ends. */
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './private-files.ts'

/** Primary result code SQLITE_BUSY. */
const BUSY = 5

/**
 * Takes a lock on an empty file and returns the function that releases it, or `undefined` when it
 * is held for `waitMs`. It is SQLite's own lock, so it is never stale, as a process id in a file
 * is.
 */
export function takeLock(path: string, waitMs = 0): (() => void) | undefined {
  makePrivateFile(path)
  const db = new DatabaseSync(path, { timeout: waitMs })
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw error
    return undefined
  }
  return () => {
    if (db.isOpen) db.close()
  }
}
