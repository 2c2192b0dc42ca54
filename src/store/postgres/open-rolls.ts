/** What commands and imports open in PostgreSQL; loaded only where its address is configured. */
import { createExportReader, type ExportReader } from '../export.ts'
import { createHistoryReader } from '../rolls/history-reader.ts'
import { describeServer, openOn, rollConfig } from './pool/connection.ts'
import { asDriverError, explaining } from './pool/errors.ts'
import { Session } from './pool/session.ts'
import { openRollSql } from './roll-sql.ts'
import { checkSchema } from './schema.ts'

export { openCopySource, openCopyTarget } from './copy-ends.ts'
export { openRollEraser } from './write/roll-eraser.ts'
export { openRollRewriter } from './write/roll-rewrite.ts'
export { openRollWriter } from './write/roll-writer.ts'

export function openHistoryReader(url: string) {
  const session = new Session(url, 0)
  return createHistoryReader(
    (text) => session.ask(text, []),
    () => session.close(),
  )
}

/** Opens a snapshot of the database at an address. Throws `CommandError` when it is unreachable. */
export function openExportReader(url: string): Promise<ExportReader> {
  const where = describeServer(url)
  // The snapshot is idle while the file is written.
  const config = rollConfig(url, 0, { idle_in_transaction_session_timeout: 0 })
  return openOn(config, where, async (client) => {
    await checkSchema(client, where)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const sql = explaining(openRollSql(client), asDriverError)
    return createExportReader(sql, () => client.end())
  })
}
