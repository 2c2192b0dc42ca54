/** Stores what an import measured of a county: tests of sale estimates, and its quality. */
import type { SaleTestWriter } from '../../changes.ts'
import { openDatabase, transaction } from '../connection.ts'
import { renewPageSums, stampWritten } from '../page-sums.ts'

/** Opens `parcels.db` at a path. The caller holds the import lock. */
export function openSaleTests(path: string): SaleTestWriter {
  const db = openDatabase(path, { kind: 'parcels', synchronous: 'NORMAL' })
  return {
    async put(state, fips, result) {
      const changes = transaction(db, () => {
        stampWritten(db)
        return result === null
          ? db.prepare('DELETE FROM main.sale_tests WHERE state = ? AND fips = ?').run(state, fips)
          : db
              .prepare('INSERT OR REPLACE INTO main.sale_tests VALUES (?, ?, ?)')
              .run(state, fips, result)
      })
      if (Number(changes.changes) > 0) renewPageSums(db)
    },
    async putQuality(state, fips, loadedAt, result) {
      transaction(db, () => {
        stampWritten(db)
        db.prepare('INSERT OR REPLACE INTO main.qualities VALUES (?, ?, ?, ?)').run(
          ...([state, fips, loadedAt, result] as const),
        )
      })
      renewPageSums(db)
    },
    async close() {
      db.close()
    },
  }
}
