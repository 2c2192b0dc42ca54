/** A consistent copy of a database file while other processes read and write it. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { backup, type DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../../private-files.ts'

/** Pages copied between two reports of progress: 4 MB. */
const PAGES = 1000

/**
 * Copies a database as it stands at this moment into a new file, and returns when the copy is on
 * the disk.
 *
 * An open read transaction pins the moment: without one, SQLite starts the copy anew whenever
 * another process writes, and a copy of a busy file would never end. Writers go on meanwhile; the
 * write-ahead log cannot shrink before the end. Not `VACUUM INTO`: that reads every page through
 * the cache and numbers rows anew. `onProgress`: the share copied, 0 to 1.
 */
export async function copyDatabase(
  db: DatabaseSync,
  path: string,
  onProgress: (share: number) => void = () => undefined,
): Promise<void> {
  makePrivateFile(path)
  db.exec('BEGIN')
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await backup(db, path, {
      rate: PAGES,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(totalPages === 0 ? 1 : (totalPages - remainingPages) / totalPages),
    })
  } finally {
    db.exec('ROLLBACK')
  }
  syncPath(path)
}

/** Makes a file's bytes, or the names in a folder, durable. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
