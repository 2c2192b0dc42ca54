/** Allows one import at a time per data folder. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../base/errors.ts'
import { makePrivateFile, makePrivateFolder } from '../base/private-files.ts'

/** Primary result code SQLITE_BUSY. */
const BUSY = 5

/**
 * Takes the import lock of a data folder and returns the function that releases it. Throws
 * `CommandError` when another import holds the lock.
 */
export function lockImport(dataDir: string): () => void {
  makePrivateFolder(dataDir)
  const unlock = takeLock(join(dataDir, 'import.lock'))
  if (unlock !== undefined) return unlock
  throw new CommandError(`another import is loading into ${dataDir}; try again when it has ended`)
}

/**
 * Takes a lock on an empty file and returns the function that releases it, or `undefined` when
 * another process holds the lock.
 *
 * The lock is SQLite's own file lock: the system releases it however the process ends, so it is
 * never stale. A file with a process id was tried first, but two imports that find the same stale
 * file can both take it over.
 */
export function takeLock(path: string): (() => void) | undefined {
  makePrivateFile(path)
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode !== BUSY) throw error
    return undefined
  }
  return () => db.close()
}
