/** Forgets earlier versions of parcels. */
import type { DatabaseSync } from 'node:sqlite'
import type { RollScope } from '../../history.ts'

/** Forgets the effect of imports of a scope before the newest `keep`. */
export function pruneToNewest(db: DatabaseSync, scope: RollScope, keep: number): void {
  const { state, fips, municipality } = scope
  // The present roll is one of them.
  const oldest = db
    .prepare(`SELECT day, import FROM main.vintages
      WHERE state = ? AND fips = ? AND municipality = ?
      ORDER BY day DESC, import DESC LIMIT 1 OFFSET ?`)
    .get(state, fips, municipality, keep)
  if (oldest !== undefined) pruneBefore(db, scope, Number(oldest.day), Number(oldest.import))
}

/** Forgets what was before the newest roll on or before a day. Returns the number of changes. */
export function pruneToDay(db: DatabaseSync, scope: RollScope, day: number): number {
  const kept = db
    .prepare(`SELECT day, import FROM main.vintages
      WHERE state = ? AND fips = ? AND municipality = ? AND day <= ?
      ORDER BY day DESC, import DESC LIMIT 1`)
    .get(scope.state, scope.fips, scope.municipality, day)
  return kept === undefined ? 0 : pruneBefore(db, scope, Number(kept.day), Number(kept.import))
}

/** Forgets all that was before a vintage of a scope. Returns the number of version rows. */
export function pruneBefore(
  db: DatabaseSync,
  { state, fips, municipality }: RollScope,
  day: number,
  importId: number,
): number {
  db.prepare(`DELETE FROM main.vintages WHERE state = ? AND fips = ? AND municipality = ?
    AND (day, import) < (?, ?)`).run(state, fips, municipality, day, importId)
  db.prepare(`DELETE FROM main.lineage WHERE state = ? AND fips = ? AND municipality = ?
    AND (day, import) <= (?, ?)`).run(state, fips, municipality, day, importId)
  const { changes } = db
    .prepare(`DELETE FROM main.versions WHERE state = ? AND fips = ? AND municipality = ?
      AND (day, import) <= (?, ?)`)
    .run(state, fips, municipality, day, importId)
  if (Number(changes) > 0) dropLostKeys(db, state)
  return Number(changes)
}

/**
 * Forgets what an import, or with `undefined` all imports, kept of scopes; all of a scope that is
 * no longer loaded.
 */
export function forgetVersions(
  db: DatabaseSync,
  scopes: RollScope[],
  importId: number | undefined,
): void {
  for (const { state, fips, municipality } of scopes) {
    for (const table of ['versions', 'vintages', 'lineage']) {
      db.prepare(`DELETE FROM main.${table} WHERE state = ?1 AND fips = ?2 AND municipality = ?3
        AND (import = coalesce(?4, import) OR NOT EXISTS (SELECT 1 FROM main.scopes z
          WHERE z.fips = ?2 AND z.municipality = ?3))`).run(
        state,
        fips,
        municipality,
        importId ?? null,
      )
    }
  }
  for (const state of new Set(scopes.map((scope) => scope.state))) dropLostKeys(db, state)
}

/** Drops keys of parcels that have no version row. */
function dropLostKeys(db: DatabaseSync, state: string): void {
  db.prepare(`DELETE FROM main.past_keys WHERE state = ?1
    AND NOT EXISTS (SELECT 1 FROM main.versions v WHERE v.state = ?1 AND v.id = past_keys.id)`).run(
    state,
  )
}
