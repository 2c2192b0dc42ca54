/**
 * Records what an import changes, inside its transaction and before the store's tables are written.
 */
import type { DatabaseSync } from 'node:sqlite'
import { compareGroups } from '../../../record/changes.ts'
import { propertyIdOf } from '../../../record/stored.ts'
import { DAY_S, KEPT_DAYS } from '../../changes.ts'
import { carrySql } from './roll-common.ts'

/** The id of the next history entry. */
const NEXT_IMPORT = `(SELECT coalesce((SELECT seq FROM main.sqlite_sequence
  WHERE name = 'imports'), 0) + 1)`

const COLUMNS =
  'state, sequence, what, id, property_id, fips, municipality, groups, parcels, loaded_at, import'

/** Tests whether a scope `s` is loaded for the first time. */
const IS_FRESH = `NOT EXISTS (SELECT 1 FROM main.scopes z
  WHERE z.fips = s.fips AND z.municipality = s.municipality)`

/**
 * Records a row per parcel that `staging.change` lists as new, changed or removed, and one per
 * scope loaded for the first time. New parcels already have ids. `restores`: the staged rows are
 * restored unchanged.
 */
export function noteChanges(db: DatabaseSync, loadedAt: number, restores: boolean): void {
  defineFunctions(db)
  const fieldValues = restores ? 's.field_values' : carrySql('r.field_values', 'g.id')
  const moved = `(s.geometry IS NOT g.geojson ${restores ? '' : 'AND s.geometry IS NOT NULL'})`
  db.exec(
    'CREATE TEMP TABLE listed_changes (state TEXT, what TEXT, id INTEGER, property_id ' +
      'TEXT, fips INTEGER, municipality TEXT, groups INTEGER, parcels INTEGER)',
  )
  const fresh = restores ? '0' : IS_FRESH
  db.exec(`
    INSERT INTO listed_changes
    SELECT s.state, 'loaded', NULL, NULL, s.fips, s.municipality, 0, count(*)
    FROM staging.change c JOIN staging.staged s ON s.seq = c.seq
    WHERE c.what = 'new' AND ${fresh} GROUP BY s.state, s.fips, s.municipality;
    INSERT INTO listed_changes
    SELECT coalesce(s.state, p.state),
      CASE c.what WHEN 'new' THEN 'added' WHEN 'removed' THEN 'removed'
        ELSE iif(p.stripped_key <> s.stripped_key, 'renumbered', 'changed') END,
      c.id, change_property(coalesce(s.field_values, r.field_values)),
      coalesce(s.fips, p.fips), coalesce(s.municipality, p.municipality),
      CASE WHEN c.what IN ('record', 'keys')
        THEN change_groups(r.field_values, ${fieldValues}, ${moved}) ELSE 0 END, NULL
    FROM staging.change c LEFT JOIN staging.staged s ON s.seq = c.seq
    LEFT JOIN main.parcels p ON p.id = c.id LEFT JOIN main.records r ON r.id = c.id
    LEFT JOIN main.geometries g ON g.id = c.id
    WHERE c.what <> 'same' AND NOT (c.what = 'new' AND ${fresh})`)
  writeListed(db, loadedAt)
}

/** Records the first load of a store: one row per scope. */
export function noteFirstLoad(db: DatabaseSync, loadedAt: number): void {
  db.exec(`CREATE TEMP TABLE listed_changes AS
    SELECT state, 'loaded' AS what, NULL AS id, NULL AS property_id, fips, municipality,
      0 AS groups, parcels FROM main.scopes ORDER BY fips, municipality`)
  writeListed(db, loadedAt)
}

function writeListed(db: DatabaseSync, loadedAt: number): void {
  const head = `coalesce((SELECT last FROM main.change_heads h WHERE h.state = l.state), 0)`
  db.prepare(`INSERT INTO main.changes (${COLUMNS})
    SELECT state, ${head} + row_number() OVER (PARTITION BY state ORDER BY rowid), what, id,
      property_id, fips, municipality, groups, parcels, ?, ${NEXT_IMPORT}
    FROM listed_changes l`).run(loadedAt)
  db.exec(`INSERT OR REPLACE INTO main.change_heads (state, last)
    SELECT state, ${head} + count(*) FROM listed_changes l GROUP BY state;
    DROP TABLE listed_changes`)
  db.prepare(`DELETE FROM main.changes WHERE (state, sequence) IN (
    SELECT x.state, x.sequence FROM main.change_heads h JOIN main.changes x
      ON x.state = h.state AND x.loaded_at < ?)`).run(loadedAt - KEPT_DAYS * DAY_S)
}

function defineFunctions(db: DatabaseSync): void {
  db.function('change_groups', { deterministic: true }, (before, after, moved) =>
    compareGroups(String(before), String(after), Number(moved) === 1),
  )
  db.function('change_property', { deterministic: true }, (fieldValues) =>
    propertyIdOf(String(fieldValues)),
  )
}
