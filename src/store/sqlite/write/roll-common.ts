/** Shared by both ways of writing a roll. */
import type { DatabaseSync } from 'node:sqlite'
import { COVERAGE_COUNTS } from '../../../base/model/coverage.ts'
import { COLUMN_NAMES, COLUMNS, type ColumnValues } from '../../columns.ts'
import type { StagedState } from '../../rolls/roll-sql.ts'
import type { StagedParcel } from '../../store.ts'
import { renewPageSums } from '../page-sums.ts'

/** A connection to the store with a staging file attached as `staging`, and that file's folder. */
export type Opened = { db: DatabaseSync; stagingDir: string }

/** The staging tables, which hold the rows of all states. */
export function stagingOf(state: string): StagedState {
  return { state, staged: 'staging.staged', change: 'staging.change' }
}

/**
 * Returns SQL for the record of a staged row `s` with the parts kept from the stored record.
 * `polygonId`: null when no polygon is stored.
 */
export function carrySql(keptValues: string, polygonId: string): string {
  const keepsPolygon = `s.geometry IS NULL AND ${polygonId} IS NOT NULL`
  return `carry_over(${keptValues}, s.field_values, ${keepsPolygon})`
}

/**
 * Recounts each touched scope, so that `coverage` reads one row per scope. `changed`: it was loaded
 * at `loadedAt`.
 */
export function writeScopes(
  db: DatabaseSync,
  scopes: { fips: number; municipality: string }[],
  loadedAt: number,
  changed: boolean,
): void {
  const sums = COVERAGE_COUNTS.map(
    ({ name, bits }) => `'${name}', coalesce(sum((filled & ${bits}) <> 0), 0)`,
  )
  const write = db.prepare(`INSERT OR REPLACE INTO main.scopes
      (state, fips, municipality, parcels, roll_year, loaded_at, filled)
    SELECT state, fips, municipality, count(*), max(roll_year),
      CASE WHEN ? THEN ? ELSE coalesce((SELECT loaded_at FROM main.scopes o
        WHERE o.fips = p.fips AND o.municipality = p.municipality), ?) END,
      json_object(${sums.join(', ')}, ${BOUNDS_SQL})
    FROM main.parcels p WHERE fips = ? AND municipality = ? GROUP BY fips, municipality`)
  const forget = db.prepare(`DELETE FROM main.scopes WHERE fips = ? AND municipality = ?
    AND NOT EXISTS (SELECT 1 FROM main.parcels p
      WHERE p.fips = main.scopes.fips AND p.municipality = main.scopes.municipality)`)
  for (const { fips, municipality } of scopes) {
    forget.run(fips, municipality)
    write.run(changed ? 1 : 0, loadedAt, loadedAt, fips, municipality)
  }
}

/** SQL for the bounds of a scope's points: west, south, east and north; nulls without a point. */
const BOUNDS_SQL = "'bounds', json_array(min(x), min(y), max(x), max(y))"

/** Does the work that follows the commit of an import. Returns its error, and throws none. */
export function finishCommit(db: DatabaseSync): { fault?: unknown } {
  try {
    renewPageSums(db)
    return {}
  } catch (fault) {
    return { fault }
  }
}

/** Columns of `parcels` after the id; `parcelValues` returns their values. */
export const PARCEL_COLUMNS = COLUMN_NAMES.join(', ')

/** SQLite has no boolean type: 0 and 1 are used. */
export function parcelValues(parcel: ColumnValues): (string | number | null)[] {
  const values: (string | number | null)[] = []
  for (const { property } of COLUMNS) {
    const value = parcel[property]
    values.push(typeof value === 'boolean' ? Number(value) : value)
  }
  return values
}

/**
 * Returns what distinguishes a parcel from others with the same letters and digits; `''` for nearly
 * all.
 */
export function variantOf({ identity, strippedKey }: StagedParcel): string {
  return identity === strippedKey ? '' : identity
}
