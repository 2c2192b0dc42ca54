/** The writer of what an import measured, in PostgreSQL. */
import type { SaleTestWriter } from '../../changes.ts'
import { createSaleTestWriter } from '../../rolls/sale-tests.ts'
import { clientConfig, connect, describeServer, inTransaction } from '../pool/connection.ts'
import { asDriverError, asRefusal, explainOpening } from '../pool/errors.ts'
import { openRollSql } from '../roll-sql.ts'

/** Opens the database at an address. Throws `CommandError` when it is unreachable. */
export async function openSaleTests(url: string): Promise<SaleTestWriter> {
  const client = await connect(clientConfig(url, 0, {})).catch((error: unknown) => {
    throw explainOpening(asDriverError(error), describeServer(url))
  })
  const writer = createSaleTestWriter(openRollSql(client), async (work) => {
    await inTransaction(client, work).catch((error: unknown) => {
      throw asRefusal(asDriverError(error))
    })
  })
  return { ...writer, close: () => client.end() }
}
