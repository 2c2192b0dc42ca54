/** Stores what an import measured of a county, and where its parcels come from. */
import { openOriginRows, writeOrigins } from '../origins/origin-rows.ts'
import type { WrittenOrigins } from '../origins/origins.ts'
import type { RollSql } from './roll-sql.ts'

/** Writes what follows the commit of an import. Throws what the store throws. */
export type AfterWriter = ReturnType<typeof createAfterWriter>

/** Each call is one transaction. */
export function createAfterWriter(sql: RollSql) {
  return {
    /** Replaces a county's test; `null` removes it. */
    put: (state: string, fips: number, result: string | null) =>
      sql.transact(() =>
        result === null
          ? sql.run('DELETE FROM sale_tests WHERE state = $1 AND fips = $2', [state, fips])
          : sql.run(
              `INSERT INTO sale_tests (state, fips, result) VALUES ($1, $2, $3)
                ON CONFLICT (state, fips) DO UPDATE SET result = excluded.result`,
              [state, fips, result],
            ),
      ),
    /** Adds the quality that an import measured. `loadedAt`: epoch seconds of the import. */
    putQuality: (state: string, fips: number, loadedAt: number, result: string) =>
      sql.transact(() =>
        sql.run(
          `INSERT INTO qualities (state, fips, loaded_at, result) VALUES ($1, $2, $3, $4)
            ON CONFLICT (state, fips, loaded_at) DO UPDATE SET result = excluded.result`,
          [state, fips, loadedAt, result],
        ),
      ),
    /** Writes where the parcels of a state come from. */
    putOrigins: (state: string, origins: WrittenOrigins) =>
      sql.transact(() => writeOrigins(openOriginRows(sql, state), origins)),
  }
}
