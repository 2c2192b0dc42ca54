/** Opens the history of imports in PostgreSQL. */
import type { HistoryReader } from '../../history.ts'
import { createHistoryReader } from '../../rolls/history-reader.ts'
import { Session } from '../pool/session.ts'

export function openHistoryReader(url: string): HistoryReader {
  const session = new Session(url, 0)
  return createHistoryReader(
    (text) => session.ask(text, []),
    () => session.close(),
  )
}
