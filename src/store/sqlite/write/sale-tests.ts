/** Stores what an import measured of a county, and where its parcels come from. */
import type { SaleTestWriter } from '../../changes.ts'
import { openOriginRows } from '../../origins/origin-rows.ts'
import { emptyLog } from '../checkpoint.ts'
import { openDatabase, writing } from '../connection.ts'
import { stampWritten, writePageSums } from '../page-sums.ts'
import { openRollSql } from '../roll-sql.ts'

/**
 * Opens `parcels.db` at a path. The caller holds the import lock. Closing renews the checksums of
 * the pages, which reads the whole file.
 */
export function openSaleTests(path: string): SaleTestWriter {
  const db = openDatabase(path, { kind: 'parcels', synchronous: 'NORMAL' })
  let isChanged = false
  const sql = openRollSql(db)
  const write = async (work: () => Promise<unknown>) => {
    await writing(db, async () => {
      await work()
      stampWritten(db)
    })
    isChanged = true
  }
  return {
    put: (state, fips, result) =>
      write(() =>
        result === null
          ? sql.run('DELETE FROM sale_tests WHERE state = $1 AND fips = $2', [state, fips])
          : sql.insert('sale_tests', 'state, fips, result', [[state, fips, result]]),
      ),
    putQuality: (state, fips, loadedAt, result) =>
      write(() =>
        sql.insert('qualities', 'state, fips, loaded_at, result', [
          [state, fips, loadedAt, result],
        ]),
      ),
    withOrigins: (state, work) => write(() => work(openOriginRows(sql, state))),
    async close() {
      try {
        if (isChanged && (await emptyLog(db))) writePageSums(db)
      } finally {
        db.close()
      }
    },
  }
}
