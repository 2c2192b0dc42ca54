/**
 * Keys of staged parcels, a row each: a parcel's JSON text is read once, and not for each table of
 * its keys. With cheaper statistics this saves the server a fifth of a load.
 */
import type { Client } from 'pg'
import type { KeyTable } from '../../rolls/key-tables.ts'
import { KEYS, unpackHex } from '../pack/unpack.ts'
import { walk } from '../roll-sql.ts'
import { copyIn } from './copy-in.ts'
import { changed, type Staging } from './roll-staging.ts'

/** Parcels that are new or whose keys change, with the text of their keys. */
const parcels = (staging: Staging) =>
  `(SELECT s.state, c.id, s.fips, s.keys FROM ${changed(staging, "IN ('new', 'keys')")}) p`

const tableOf = ({ state }: Staging) => `unfolded_${state.toLowerCase()}`

/**
 * Writes keys of parcels with ids to a temporary table; on a cluster nothing: it cannot join one.
 */
export async function unfoldKeys(client: Client, staging: Staging): Promise<void> {
  if (staging.isShared) return
  const table = tableOf(staging)
  const text = `SELECT p.state, p.id, p.fips, l.key AS list, e.value FROM ${parcels(staging)}
    CROSS JOIN LATERAL jsonb_each(p.keys::jsonb) l
    CROSS JOIN LATERAL jsonb_array_elements(l.value) e`
  await client.query(`DROP TABLE IF EXISTS pg_temp.${table}`)
  // A statement that makes a table takes no values.
  const bound = text.replaceAll('$1', client.escapeLiteral(staging.state))
  await client.query(`CREATE TEMP TABLE ${table} AS ${bound}`)
  await client.query(`ANALYZE ${table} (list)`)
}

/** SQL for elements `e` of one list of the keys of those parcels `p`. `$1` is the state. */
export function changedKeys(staging: Staging, list: KeyTable['list']): string {
  if (staging.isShared) {
    return `${parcels(staging)}
      CROSS JOIN LATERAL jsonb_array_elements(p.keys::jsonb -> '${list}') e`
  }
  return `(SELECT * FROM ${tableOf(staging)} WHERE state = $1 AND list = '${list}') p
    CROSS JOIN LATERAL (SELECT p.value) e`
}

/** Writes the stored keys of parcels that are removed or get other keys into `lost`, a row each. */
export async function stageLostKeys(client: Client, staging: Staging): Promise<void> {
  const { state, change, lost, isShared } = staging
  type Row = { id: number; fips: number; fieldValues: string; keys: string }
  const text = `SELECT c.id, p.fips, r.field_values AS "fieldValues", ${KEYS} FROM ${change} c
    JOIN parcels p ON p.state = $1 AND p.id = c.id
    JOIN records r ON r.state = $1 AND r.id = c.id
    WHERE c.state = $1 AND c.what IN ('removed', 'keys')`
  await client.query(`DELETE FROM ${lost} WHERE state = $1`, [state])
  await client.query('BEGIN')
  for await (const rows of walk<Row>(client, text, [state])) {
    await copyIn(
      client,
      lost,
      rows.flatMap(({ id, fips, fieldValues, keys }) => {
        const lists: Record<string, unknown[]> = JSON.parse(unpackHex(keys, fieldValues))
        return Object.entries(lists).flatMap(([list, items]) =>
          items.map((item) => [state, id, fips, list, JSON.stringify(item)]),
        )
      }),
    )
  }
  await client.query('COMMIT')
  if (!isShared) await client.query(`ANALYZE ${lost} (list)`)
}
