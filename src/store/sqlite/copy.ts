/** Makes a consistent copy of a database file during reads and writes by other processes. */
import { backup, type DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../../base/private-files.ts'
import { syncFile } from '../../base/safe-files.ts'

/** Pages copied between two progress reports: 4 MB. */
const PAGES = 1000

/**
 * Copies the present state of a database into a new file; returns when the copy is on disk.
 *
 * An open read transaction fixes the state. Without it SQLite restarts the copy whenever another
 * process writes, so a copy of a busy file would never end. Writers continue meanwhile; the
 * write-ahead log cannot shrink before the end. `VACUUM INTO` is not used because it reads every
 * page through the cache and renumbers rows. `onProgress`: the share copied, 0 to 1.
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
