/** Forgets earlier versions of parcels. */
import type { RollScope } from '../history.ts'
import type { RollSql } from '../rolls/roll-sql.ts'
import type { Place } from './versions.ts'

/** The rows of a scope. */
const SCOPE = 'state = $1 AND fips = $2 AND municipality = $3'

/** Forgets the effect of imports of a scope before the newest `keep`. */
export async function pruneToNewest(sql: RollSql, scope: RollScope, keep: number): Promise<void> {
  // The present roll is one of them.
  const [oldest] = await sql.ask<Place>(
    `SELECT day, import FROM vintages WHERE ${SCOPE}
      ORDER BY day DESC, import DESC LIMIT 1 OFFSET $4`,
    [scope.state, scope.fips, scope.municipality, keep],
  )
  if (oldest !== undefined) await pruneBefore(sql, scope, oldest)
}

/** Forgets what was before the newest roll on or before a day. Returns the number of changes. */
export async function pruneToDay(sql: RollSql, scope: RollScope, day: number): Promise<number> {
  const [kept] = await sql.ask<Place>(
    `SELECT day, import FROM vintages WHERE ${SCOPE} AND day <= $4
      ORDER BY day DESC, import DESC LIMIT 1`,
    [scope.state, scope.fips, scope.municipality, day],
  )
  return kept === undefined ? 0 : pruneBefore(sql, scope, kept)
}

/** Forgets all that was before a vintage of a scope. Returns the number of version rows. */
export async function pruneBefore(sql: RollSql, scope: RollScope, at: Place): Promise<number> {
  const { state, fips, municipality } = scope
  const values = [state, fips, municipality, at.day, at.import]
  await sql.run(`DELETE FROM vintages WHERE ${SCOPE} AND (day, import) < ($4, $5)`, values)
  await sql.run(`DELETE FROM lineage WHERE ${SCOPE} AND (day, import) <= ($4, $5)`, values)
  const text = `DELETE FROM versions WHERE ${SCOPE} AND (day, import) <= ($4, $5)`
  const forgotten = await sql.run(text, values)
  if (forgotten > 0) await dropLostKeys(sql, state)
  return forgotten
}

/** Forgets what an import (`null`: all) kept of scopes; all of one that is no longer loaded. */
export async function forgetVersions(
  sql: RollSql,
  scopes: readonly RollScope[],
  importId: number | null,
): Promise<void> {
  for (const { state, fips, municipality } of scopes) {
    for (const table of ['versions', 'vintages', 'lineage']) {
      await sql.run(
        `DELETE FROM ${table} WHERE ${SCOPE}
          AND (import = coalesce($4, import) OR NOT EXISTS (SELECT 1 FROM scopes z
            WHERE ${sql.dialect.of('z')} z.fips = $2 AND z.municipality = $3))`,
        [state, fips, municipality, importId],
      )
    }
  }
  for (const state of new Set(scopes.map((scope) => scope.state))) await dropLostKeys(sql, state)
}

/** Drops keys of parcels that have no version row. */
async function dropLostKeys(sql: RollSql, state: string): Promise<void> {
  await sql.run(
    `DELETE FROM past_keys WHERE state = $1
      AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.state = $1 AND v.id = past_keys.id)`,
    [state],
  )
}
