/** Makes a consistent copy of a database file during reads and writes by other processes. */
import { backup, type DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../../base/private-files.ts'
import { syncFile } from '../../base/safe-files.ts'

/** Pages copied between two progress reports: 4 MB. */
const PAGES = 1000

/**
 * Copies the present state of a database into a new file; returns when the copy is on disk.
 *
 * An open read transaction fixes the state: without it SQLite restarts the copy whenever another
 * process writes. The write-ahead log cannot shrink meanwhile. `VACUUM INTO` would read every page
 * through the cache and renumber rows. `onProgress`: the share copied.
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
  syncFile(path)
}
