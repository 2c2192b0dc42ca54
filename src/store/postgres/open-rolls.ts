/** What commands and imports open in PostgreSQL; loaded only where its address is configured. */
import { createHistoryReader } from '../rolls/history-reader.ts'
import { Session } from './pool/session.ts'

export { openCopySource, openCopyTarget } from './copy-ends.ts'
export { openExportReader } from './read/export.ts'
export { ensureSchema } from './schema.ts'
export { openRollEraser } from './write/roll-eraser.ts'
export { openRollRewriter } from './write/roll-rewrite.ts'
export { openRollWriter } from './write/roll-writer.ts'
export { openSaleTests } from './write/sale-tests.ts'

export function openHistoryReader(url: string) {
  const session = new Session(url, 0)
  return createHistoryReader(
    (text) => session.ask(text, []),
    () => session.close(),
  )
}
