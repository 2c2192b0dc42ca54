/** Rewrites earlier versions of parcels, because an operator suppresses them. */
import type { DatabaseSync } from 'node:sqlite'
import type { RollScope } from '../../history.ts'
import { type Rewrite, rewriteVersions } from '../../rewrite.ts'
import { mayName, VERSION_KINDS } from '../../versions/versions.ts'
import { openChains } from './chains.ts'
import { openReplacement } from './keep.ts'

/**
 * Rewrites the versions of parcels, before their present records are rewritten. `present`: ids of
 * parcels whose present record may be concerned. Returns the keys that they had and have.
 */
export function rewriteKept(
  db: DatabaseSync,
  rewrite: Rewrite,
  present: readonly number[],
): LostKeys[] {
  const lost: LostKeys[] = []
  const { versionsOf, formOf: presentOf } = openChains(db)
  const replace = openReplacement(db)
  for (const [id, scope] of listConcerned(db, new Set(present))) {
    const { state } = scope
    const next = rewriteVersions(rewrite, scope, presentOf(id), versionsOf(state, id))
    if (next === undefined) continue
    replace(scope, id, next.rows)
    lost.push(...next.lost.map(([before, after]) => ({ state, before, after })))
  }
  return lost
}

/** Parcels of which some version may be concerned, by id. */
function listConcerned(db: DatabaseSync, present: ReadonlySet<number>): Map<number, RollScope> {
  const rows = db.prepare('SELECT state, id, fips, municipality, what, difference FROM versions')
  type Row = RollScope & { id: number; what: number; difference: string }
  const found = new Map<number, RollScope>()
  for (const row of rows.iterate() as Iterable<Row>) {
    const { state, id, fips, municipality, difference } = row
    const what = VERSION_KINDS[row.what] ?? 'changed'
    if (present.has(id) || mayName({ what, difference }))
      found.set(id, { state, fips, municipality })
  }
  return found
}

/** Keys in the form of `parcel-keys.ts`. */
export type LostKeys = { state: string; before: string; after: string | undefined }
