/** Forgets earlier versions of parcels. */
import type { Client } from 'pg'
import type { RollScope } from '../../history.ts'

/** Forgets the effect of imports of a scope before the newest `keep`. */
export async function pruneToNewest(client: Client, scope: RollScope, keep: number): Promise<void> {
  const { state, fips, municipality } = scope
  // The present roll is one of them.
  const { rows } = await client.query(
    `SELECT day, import FROM vintages WHERE state = $1 AND fips = $2 AND municipality = $3
      ORDER BY day DESC, import DESC LIMIT 1 OFFSET $4`,
    [state, fips, municipality, keep],
  )
  const [oldest] = rows
  if (oldest !== undefined) await pruneBefore(client, scope, oldest.day, Number(oldest.import))
}

/** Forgets what was before the newest roll on or before a day. Returns the number of changes. */
export async function pruneToDay(client: Client, scope: RollScope, day: number): Promise<number> {
  const { rows } = await client.query(
    `SELECT day, import FROM vintages
      WHERE state = $1 AND fips = $2 AND municipality = $3 AND day <= $4
      ORDER BY day DESC, import DESC LIMIT 1`,
    [scope.state, scope.fips, scope.municipality, day],
  )
  const [kept] = rows
  return kept === undefined ? 0 : pruneBefore(client, scope, kept.day, Number(kept.import))
}

/** Forgets all that was before a vintage of a scope. Returns the number of version rows. */
export async function pruneBefore(
  client: Client,
  { state, fips, municipality }: RollScope,
  day: number,
  importId: number,
): Promise<number> {
  const values = [state, fips, municipality, day, importId]
  const scope = 'state = $1 AND fips = $2 AND municipality = $3'
  await client.query(`DELETE FROM vintages WHERE ${scope} AND (day, import) < ($4, $5)`, values)
  await client.query(`DELETE FROM lineage WHERE ${scope} AND (day, import) <= ($4, $5)`, values)
  const { rowCount } = await client.query(
    `DELETE FROM versions WHERE ${scope} AND (day, import) <= ($4, $5)`,
    values,
  )
  if ((rowCount ?? 0) > 0) await dropLostKeys(client, state)
  return rowCount ?? 0
}

/**
 * Forgets what an import, or with `undefined` all imports, kept of scopes; all of a scope that is
 * no longer loaded.
 */
export async function forgetVersions(
  client: Client,
  scopes: RollScope[],
  importId: number | undefined,
): Promise<void> {
  for (const { state, fips, municipality } of scopes) {
    for (const table of ['versions', 'vintages', 'lineage']) {
      await client.query(
        `DELETE FROM ${table} WHERE state = $1 AND fips = $2 AND municipality = $3
          AND (import = coalesce($4::bigint, import) OR NOT EXISTS (SELECT 1 FROM scopes z
            WHERE z.state = $1 AND z.fips = $2 AND z.municipality = $3))`,
        [state, fips, municipality, importId ?? null],
      )
    }
  }
  for (const state of new Set(scopes.map((scope) => scope.state))) await dropLostKeys(client, state)
}

/** Drops keys of parcels that have no version row. */
async function dropLostKeys(client: Client, state: string): Promise<void> {
  await client.query(
    `DELETE FROM past_keys k WHERE k.state = $1
      AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.state = $1 AND v.id = k.id)`,
    [state],
  )
}
