/** Stores what an import measured of a county, and where its parcels come from. */
import type { AfterWriter } from '../changes.ts'
import { openOriginRows } from '../origins/origin-rows.ts'
import { writeOrigins } from '../origins/origins.ts'
import type { RollSql } from './roll-sql.ts'

/** `transact`: does the work in one transaction, and throws what callers expect of the store. */
export function createAfterWriter(
  sql: RollSql,
  transact: (work: () => Promise<unknown>) => Promise<void>,
): Omit<AfterWriter, 'renewSums'> {
  return {
    put: (state, fips, result) =>
      transact(() =>
        result === null
          ? sql.run('DELETE FROM sale_tests WHERE state = $1 AND fips = $2', [state, fips])
          : sql.run(
              `INSERT INTO sale_tests (state, fips, result) VALUES ($1, $2, $3)
                ON CONFLICT (state, fips) DO UPDATE SET result = excluded.result`,
              [state, fips, result],
            ),
      ),
    putQuality: (state, fips, loadedAt, result) =>
      transact(() =>
        sql.run(
          `INSERT INTO qualities (state, fips, loaded_at, result) VALUES ($1, $2, $3, $4)
            ON CONFLICT (state, fips, loaded_at) DO UPDATE SET result = excluded.result`,
          [state, fips, loadedAt, result],
        ),
      ),
    putOrigins: (state, origins) =>
      transact(() => writeOrigins(openOriginRows(sql, state), origins)),
  }
}
