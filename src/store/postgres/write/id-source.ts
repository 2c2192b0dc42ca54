/** Assigns ids that no parcel or import has had. */
import type { Client } from 'pg'
import { LOCKS } from '../migrate.ts'
import { clientConfig, connect, describeServer } from '../pool/connection.ts'
import { asDriverError, explainOpening } from '../pool/errors.ts'
import { analyzeStaging, type Staging } from './roll-staging.ts'

/** Assigned ids; `lastId` is below `firstId` when there are none. */
export type IdRange = { firstId: number; lastId: number }
export const NO_IDS: IdRange = { firstId: 1, lastId: 0 }

/** Throws what the database throws. */
export type IdSource = {
  /** Returns the first of `count` consecutive record IDs. */
  drawParcels(count: number): Promise<number>
  /** Returns the ids after `used` of a block that ends with `last`. */
  returnParcels(used: number, last: number): Promise<void>
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

/** Returns the ids after `used` of a block that ends with `last`, if none was drawn after it. */
export async function returnIds(client: Client, used: number, last: number): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.space, LOCKS.ids])
  await client.query(
    `SELECT setval('parcel_ids', greatest($1::bigint, 1), $1::bigint > 0) FROM parcel_ids
    WHERE last_value = $2::bigint`,
    [used, last],
  )
  await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.space, LOCKS.ids])
}

/**
 * Draws ids from the main database for databases of single states, because a record ID must be
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
    returnParcels: async (used, last) => returnIds(await opened(), used, last),
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

/**
 * Assigns ids to new parcels in the roll's order, after every id ever assigned, and returns their
 * range. A restored parcel keeps its own. `base`: ids that are drawn already begin after it, one
 * for each row of the roll.
 */
export async function numberNewParcels(
  client: Client,
  staging: Staging,
  ids: IdSource | undefined,
  base: number | undefined,
): Promise<IdRange> {
  const { state, change } = staging
  if (base !== undefined) {
    await client.query(
      `UPDATE ${change} SET id = $2::bigint + seq WHERE state = $1 AND what = 'new' AND id IS NULL`,
      [state, base],
    )
    return NO_IDS
  }
  const { rows } = await client.query(
    `SELECT count(*) AS n FROM ${change} WHERE state = $1 AND what = 'new' AND id IS NULL`,
    [state],
  )
  const count = Number(rows[0]?.n)
  if (count === 0) return NO_IDS
  const firstId = await (ids?.drawParcels(count) ?? drawIds(client, count))
  await client.query(
    `UPDATE ${change} c SET id = n.id FROM (
      SELECT seq, $2::bigint + row_number() OVER (ORDER BY seq) AS id
      FROM ${change} WHERE state = $1 AND what = 'new' AND id IS NULL) n
    WHERE c.state = $1 AND c.what = 'new' AND c.seq = n.seq`,
    [state, firstId - 1],
  )
  await analyzeStaging(client, staging, 'change')
  return { firstId, lastId: firstId + count - 1 }
}
