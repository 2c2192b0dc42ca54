/** Writes the history of imports, and the records that undo the last import of a scope. */
import type { DatabaseSync } from 'node:sqlite'
import type { ImportEntry, RollScope } from '../../history.ts'
import { stampWritten } from '../page-sums.ts'
import { forgetTokens } from './roll-tokens.ts'
import { PARCEL_COLUMNS } from './staged-columns.ts'

/**
 * Adds an entry to the history and marks the database as changed, inside the caller's transaction.
 * `ids`: the range of new ids; `images` is 0 where earlier records undo another import.
 */
export function addImport(
  db: DatabaseSync,
  entry: Omit<ImportEntry, 'id' | 'scopes'>,
  scopes: RollScope[],
  { firstId, lastId, images }: { firstId: number; lastId: number; images?: 0 },
): void {
  stampWritten(db)
  forgetTokens(db, scopes)
  const row = db
    .prepare(`INSERT INTO main.imports (kind, loaded_at, mapping, files, rows, rejected, skipped,
        duplicates, unplaced, loaded, updated, unchanged, removed, rejects_file, undoes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`)
    .get(
      ...[entry.kind, entry.loadedAt, entry.mapping, JSON.stringify(entry.files), entry.rows],
      ...[entry.rejected, entry.skipped, entry.duplicates, entry.unplaced],
      ...[entry.loaded, entry.updated, entry.unchanged, entry.removed],
      ...[entry.rejectsFile, entry.undoes],
    )
  const insert = db.prepare(`INSERT INTO main.import_scopes
      (import, state, fips, municipality, first_id, last_id, images)
    VALUES (?, ?, ?, ?, ?, ?, coalesce(?, (SELECT count(*) FROM main.import_images
      WHERE fips = ? AND municipality = ?)))`)
  for (const { state, fips, municipality } of scopes) {
    const own = [state, fips, municipality, firstId, lastId, images ?? null]
    insert.run(Number(row?.id), ...own, fips, municipality)
  }
}

/**
 * Stores the rows that `staging.change` will change or remove, replacing those stored earlier for
 * these scopes.
 */
export function keepImages(db: DatabaseSync, scopes: RollScope[]): void {
  dropImages(db, scopes)
  const columns = PARCEL_COLUMNS.split(/,\s*/)
  db.exec(`INSERT INTO main.import_images (id, ${columns.join(', ')}, field_values, keys, geometry)
    SELECT p.id, ${columns.map((name) => `p.${name}`).join(', ')}, r.field_values, r.keys, g.geojson
    FROM staging.change c JOIN main.parcels p ON p.id = c.id JOIN main.records r ON r.id = c.id
    LEFT JOIN main.geometries g ON g.id = c.id
    WHERE c.what IN ('record', 'keys', 'removed') ORDER BY c.id`)
}

/** Deletes the earlier records of these scopes. */
export function dropImages(db: DatabaseSync, scopes: RollScope[]): void {
  const drop = db.prepare('DELETE FROM main.import_images WHERE fips = ? AND municipality = ?')
  for (const { fips, municipality } of scopes) drop.run(fips, municipality)
}
