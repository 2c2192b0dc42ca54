/**
 * One read transaction for all that is read in a turn of the event loop.
 *
 * A statement on its own takes the file's shared lock, asks whether the file has changed and gives
 * the lock back: three system calls. Under load a turn has many statements.
 * docs/decisions/sqlite-reads.md.
 */

import type { DatabaseSync } from 'node:sqlite'
import { watchTurns } from '../../../event-loop.ts'

/**
 * Tells what to call before each statement. The transaction begins with a turn's second, so that
 * one alone costs what it did.
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
      // The file cannot be read; the statements have thrown that already.
    }
    // SQLite ends a transaction by itself after some errors, and keeps it after others; kept, it
    // would hold its snapshot for ever.
    if (db.isTransaction) undo.run()
  }
  const isFirstOfTurn = watchTurns(endTurn)
  return () => {
    statements += 1
    if (statements === 1) isFirstOfTurn()
    else if (statements === 2) begin.run()
  }
}
