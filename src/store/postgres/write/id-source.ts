/** Assigns ids that no parcel or import has had. */
import type { Client } from 'pg'
import { type IdRange, NO_IDS } from '../../rolls/import-rows.ts'
import { LOCKS } from '../schema.ts'
import { analyzeStaging, type Staging } from './roll-staging.ts'

/**
 * Returns the first of `count` consecutive ids, drawn as a block: a worker of a cluster cannot use
 * the coordinator's sequence. A brief lock keeps imports of two states from sharing it.
 */
export async function drawIds(client: Client, count: number): Promise<number> {
  const text = "SELECT setval('parcel_ids', nextval('parcel_ids') + $1::bigint - 1) AS last"
  const [row] = await askLocked(client, text, [count])
  return Number(row?.last) - count + 1
}

async function askLocked(client: Client, text: string, values: number[]) {
  await client.query('SELECT pg_advisory_lock($1, $2)', [LOCKS.space, LOCKS.ids])
  const { rows } = await client.query(text, values)
  await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS.space, LOCKS.ids])
  return rows
}

/** Returns the ids after `used` of a block that ends with `last`, if none was drawn after it. */
export async function returnIds(client: Client, used: number, last: number): Promise<void> {
  const text = `SELECT setval('parcel_ids', greatest($1::bigint, 1), $1::bigint > 0)
    FROM parcel_ids WHERE last_value = $2::bigint`
  await askLocked(client, text, [used, last])
}

/** Assigns ids to new parcels in the roll's order, not to restored ones; returns their range. */
export async function numberNewParcels(client: Client, staging: Staging): Promise<IdRange> {
  const { state, change } = staging
  const { rows } = await client.query(
    `SELECT count(*) AS n FROM ${change} WHERE state = $1 AND what = 'new' AND id IS NULL`,
    [state],
  )
  const count = Number(rows[0]?.n)
  if (count === 0) return NO_IDS
  const firstId = await drawIds(client, count)
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
