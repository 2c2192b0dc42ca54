/** Reads the versions of one id while a roll is written. */
import type { DatabaseSync } from 'node:sqlite'
import { VERSION_KINDS, type VersionForm, type VersionRow } from '../../versions/versions.ts'

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
