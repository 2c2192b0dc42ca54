/** Opens the history of imports in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { HistoryReader } from '../../history.ts'
import { createHistoryReader } from '../../rolls/history-reader.ts'

/** Reads on a connection that `close` ends. */
export function openHistoryReader(db: DatabaseSync): HistoryReader {
  return createHistoryReader(
    async <Row>(text: string) => db.prepare(text).all() as Row[],
    async () => db.close(),
  )
}
