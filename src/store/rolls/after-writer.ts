/** Stores what an import measured of a county, and where its parcels come from. */
import type { AfterWriter } from '../changes.ts'
import { openOriginRows } from '../origins/origin-rows.ts'
import { writeOrigins } from '../origins/origins.ts'
import type { RollSql } from './roll-sql.ts'

/** Each call is one transaction. */
export function createAfterWriter(sql: RollSql): AfterWriter {
  return {
    put: (state, fips, result) =>
      sql.transact(() =>
        result === null
          ? sql.run('DELETE FROM sale_tests WHERE state = $1 AND fips = $2', [state, fips])
          : sql.run(
              `INSERT INTO sale_tests (state, fips, result) VALUES ($1, $2, $3)
                ON CONFLICT (state, fips) DO UPDATE SET result = excluded.result`,
              [state, fips, result],
            ),
      ),
    putQuality: (state, fips, loadedAt, result) =>
      sql.transact(() =>
        sql.run(
          `INSERT INTO qualities (state, fips, loaded_at, result) VALUES ($1, $2, $3, $4)
            ON CONFLICT (state, fips, loaded_at) DO UPDATE SET result = excluded.result`,
          [state, fips, loadedAt, result],
        ),
      ),
    putOrigins: (state, origins) =>
      sql.transact(() => writeOrigins(openOriginRows(sql, state), origins)),
  }
}
