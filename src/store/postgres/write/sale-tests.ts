/** Stores what an import measured of a county, and where its parcels come from. */
import type { SaleTestWriter } from '../../changes.ts'
import { openOriginRows } from '../../origins/origin-rows.ts'
import { clientConfig, connect, describeServer, inTransaction } from '../pool/connection.ts'
import { asDriverError, asRefusal, explainOpening } from '../pool/errors.ts'
import { openRollSql } from '../roll-sql.ts'

/** Opens the database at an address. Throws `CommandError` when it is unreachable. */
export async function openSaleTests(url: string): Promise<SaleTestWriter> {
  const client = await connect(clientConfig(url, 0, {})).catch((error: unknown) => {
    throw explainOpening(asDriverError(error), describeServer(url))
  })
  const run = async (text: string, values: unknown[]) => {
    try {
      await client.query(text, values)
    } catch (error) {
      throw asRefusal(asDriverError(error))
    }
  }
  return {
    put: (state, fips, result) =>
      result === null
        ? run('DELETE FROM sale_tests WHERE state = $1 AND fips = $2', [state, fips])
        : run(
            `INSERT INTO sale_tests (state, fips, result) VALUES ($1, $2, $3)
              ON CONFLICT (state, fips) DO UPDATE SET result = excluded.result`,
            [state, fips, result],
          ),
    putQuality: (state, fips, loadedAt, result) =>
      run(
        `INSERT INTO qualities (state, fips, loaded_at, result) VALUES ($1, $2, $3, $4)
          ON CONFLICT (state, fips, loaded_at) DO UPDATE SET result = excluded.result`,
        [state, fips, loadedAt, result],
      ),
    async withOrigins(state, work) {
      const rows = openOriginRows(openRollSql(client), state)
      await inTransaction(client, () => work(rows)).catch((error: unknown) => {
        throw asRefusal(asDriverError(error))
      })
    },
    close: () => client.end(),
  }
}
