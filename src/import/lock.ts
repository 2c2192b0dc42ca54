/** One import at a time per data folder. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../errors.ts'
import { makePrivateFile, makePrivateFolder } from '../private-files.ts'

/** Primary result code SQLITE_BUSY. */
const BUSY = 5

/**
 * Takes the import lock of a data folder; the answer gives it back. Throws `CommandError` when
 * another import holds it.
 */
export function lockImport(dataDir: string): () => void {
  makePrivateFolder(dataDir)
  const unlock = takeLock(join(dataDir, 'import.lock'))
  if (unlock !== undefined) return unlock
  throw new CommandError(`another import is loading into ${dataDir}; try again when it has ended`)
}

/**
 * Takes a lock by an empty file; the answer gives it back, `undefined`: another process holds it.
 *
 * The lock is SQLite's own: the system releases it when a process ends in whatever way, so no lock
 * is ever stale and none is taken over from a living process. A file with a process id was tried
 * first; two imports that find the same stale one can both take it over.
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
