/** One import at a time per data folder. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../errors.ts'
import { makePrivateFile, makePrivateFolder } from '../private-files.ts'

/** Primary result code SQLITE_BUSY. */
const BUSY = 5

/**
 * Takes the import lock of a data folder; the answer gives it back.
 *
 * The lock is SQLite's own on an empty file: the system lets go of it when a process ends in whatever way, so no lock is ever stale and none is
 * taken over from a living process. A file with a process id was tried first; two imports that find the same stale one can both take it over.
 * Throws `CommandError` when another import holds it.
 */
export function lockImport(dataDir: string): () => void {
  makePrivateFolder(dataDir)
  const path = join(dataDir, 'import.lock')
  makePrivateFile(path)
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    const { errcode } = error as { errcode?: number }
    if (errcode !== BUSY) throw error
    throw new CommandError(
      `another import is loading into ${dataDir}; try again when it has ended`,
      1,
      error,
    )
  }
  return () => db.close()
}
