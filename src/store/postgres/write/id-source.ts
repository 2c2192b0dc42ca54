/** Assigns ids that no parcel or import has had. */
import type { Client } from 'pg'
import { LOCKS } from '../migrate.ts'
import { clientConfig, connect, describeServer } from '../pool/connection.ts'
import { asDriverError, explainOpening } from '../pool/errors.ts'

/** Throws what the database throws. */
export type IdSource = {
  /** Returns the first of `count` consecutive parcel ids. */
  drawParcels(count: number): Promise<number>
  /** Returns the id of the running import: drawn on first use, then constant. */
  drawImport(): Promise<number>
}

/**
 * Returns the first of `count` consecutive ids.
 *
 * Ids are drawn as a block, because on a cluster a statement on a worker cannot use a sequence of
 * the coordinator. A brief lock keeps imports of two states from sharing a block.
 */
export async function drawIds(client: Client, count: number): Promise<number> {
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.space, LOCKS.ids])
  const { rows } = await client.query(
    "SELECT setval('parcel_ids', nextval('parcel_ids') + $1::bigint - 1) AS last",
    [count],
  )
  await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.space, LOCKS.ids])
  return Number(rows[0]?.last) - count + 1
}

/**
 * Draws ids from the main database for databases of single states, because a record id must be
 * unique in the whole service. Connects on first use.
 */
export function openIdSource(url: string): IdSource & { close(): Promise<void> } {
  let client: Promise<Client> | undefined
  let importId: Promise<number> | undefined
  const opened = () => {
    client ??= connect(clientConfig(url, 0, {})).catch((error: unknown) => {
      throw explainOpening(asDriverError(error), describeServer(url))
    })
    return client
  }
  const drawImport = async () => {
    const text = "SELECT nextval(pg_get_serial_sequence('imports', 'id')) AS id"
    const { rows } = await (await opened()).query(text)
    return Number(rows[0]?.id)
  }
  return {
    drawParcels: async (count) => drawIds(await opened(), count),
    drawImport() {
      importId ??= drawImport()
      return importId
    },
    async close() {
      const made = await client?.catch(() => undefined)
      await made?.end().catch(() => undefined)
    },
  }
}
