/** Rewrites earlier versions of parcels, because an operator suppresses them. */
import type { DatabaseSync } from 'node:sqlite'
import type { RollScope } from '../../history.ts'
import { type Rewrite, rewriteVersions } from '../../rewrite.ts'
import { VERSION_KINDS, type VersionForm, type VersionRow } from '../../versions/versions.ts'
import { openVersionRows } from './keep.ts'

/**
 * Rewrites the versions of all parcels, before their present records are rewritten. Returns the
 * keys that they had and have.
 */
export function rewriteKept(db: DatabaseSync, rewrite: Rewrite): LostKeys[] {
  const lost: LostKeys[] = []
  const { versionsOf, formOf: presentOf } = openChains(db)
  const write = openVersionRows(db)
  const erase = db.prepare('DELETE FROM main.versions WHERE state = ? AND id = ?')
  const forget = db.prepare('DELETE FROM main.past_keys WHERE state = ? AND id = ?')
  const ids = db
    .prepare('SELECT DISTINCT state, id, fips, municipality FROM main.versions')
    .all() as (RollScope & { id: number })[]
  for (const { id, ...scope } of ids) {
    const next = rewriteVersions(rewrite, scope, presentOf(id), versionsOf(scope.state, id))
    if (next === undefined) continue
    const { state } = scope
    erase.run(state, id)
    forget.run(state, id)
    for (const { row, keys } of next.rows) write(scope, row, keys)
    lost.push(...next.lost.map(([before, after]) => ({ state, before, after })))
  }
  return lost
}

/** Keys in the form of `parcel-keys.ts`. */
export type LostKeys = { state: string; before: string; after: string | undefined }

/** Returns functions that read the version rows of an id, newest first, and its present record. */
export function openChains(db: DatabaseSync) {
  const rows = db.prepare(`SELECT id, day, import, what, loaded_at AS loadedAt, difference
    FROM main.versions WHERE state = ? AND id = ? ORDER BY day DESC, import DESC`)
  const present = db.prepare(`SELECT r.field_values AS fieldValues, r.keys, g.geojson AS geometry
    FROM main.records r LEFT JOIN main.geometries g ON g.id = r.id WHERE r.id = ?`)
  return {
    versionsOf: (state: string, id: number): VersionRow[] =>
      (rows.all(state, id) as (Omit<VersionRow, 'what'> & { what: number })[]).map((row) => ({
        ...row,
        what: VERSION_KINDS[row.what] ?? 'changed',
      })),
    formOf: (id: number) => present.get(id) as VersionForm | undefined,
  }
}
