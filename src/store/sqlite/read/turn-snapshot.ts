/**
 * One read transaction for all statements within one turn of the event loop.
 *
 * A single statement takes the file's shared lock, checks whether the file has changed and releases
 * the lock: three system calls. Under load a turn has many statements.
 * docs/decisions/sqlite-reads.md.
 */
import type { DatabaseSync } from 'node:sqlite'
import { watchTurns } from '../../../base/event-loop.ts'

/**
 * Returns the function to call before each statement. The transaction begins with the second
 * statement of a turn, so a single statement costs no more than before.
 */
export function shareSnapshot(db: DatabaseSync): () => void {
  const begin = db.prepare('BEGIN')
  const end = db.prepare('COMMIT')
  const undo = db.prepare('ROLLBACK')
  let statements = 0
  const endTurn = () => {
    const began = statements > 1
    statements = 0
    if (!began || !db.isOpen) return
    try {
      if (db.isTransaction) end.run()
    } catch {
      // The file cannot be read; the statements have already thrown.
    }
    // SQLite ends a transaction after some errors and keeps it after others. A transaction kept
    // open would hold its snapshot forever.
    if (db.isTransaction) undo.run()
  }
  const isFirstOfTurn = watchTurns(endTurn)
  return () => {
    statements += 1
    if (statements === 1) isFirstOfTurn()
    else if (statements === 2) begin.run()
  }
}
