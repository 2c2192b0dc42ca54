/** Stores what an import measured of a county, and where its parcels come from. */
import type { SaleTestWriter } from '../../changes.ts'
import { emptyLog } from '../checkpoint.ts'
import { openDatabase } from '../connection.ts'
import { openOriginRows } from '../origins/origin-rows.ts'
import { stampWritten, writePageSums } from '../page-sums.ts'

/**
 * Opens `parcels.db` at a path. The caller holds the import lock. Closing renews the checksums of
 * the pages, which reads the whole file.
 */
export function openSaleTests(path: string): SaleTestWriter {
  const db = openDatabase(path, { kind: 'parcels', synchronous: 'NORMAL' })
  let isChanged = false
  const write = async (work: () => void | Promise<void>) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      await work()
      stampWritten(db)
      db.exec('COMMIT')
      isChanged = true
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  return {
    put: (state, fips, result) =>
      write(() => {
        if (result !== null) {
          db.prepare('INSERT OR REPLACE INTO main.sale_tests VALUES (?, ?, ?)').run(
            ...([state, fips, result] as const),
          )
        } else
          db.prepare('DELETE FROM main.sale_tests WHERE state = ? AND fips = ?').run(state, fips)
      }),
    putQuality: (state, fips, loadedAt, result) =>
      write(() => {
        db.prepare('INSERT OR REPLACE INTO main.qualities VALUES (?, ?, ?, ?)').run(
          ...([state, fips, loadedAt, result] as const),
        )
      }),
    withOrigins: (state, work) => write(() => work(openOriginRows(db, state))),
    async close() {
      try {
        if (isChanged && (await emptyLog(db))) writePageSums(db)
      } finally {
        db.close()
      }
    },
  }
}
