/** The writer of what an import measured, in the embedded store. */
import type { SaleTestWriter } from '../../changes.ts'
import { createSaleTestWriter } from '../../rolls/sale-tests.ts'
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
  const writer = createSaleTestWriter(openRollSql(db), async (work) => {
    await writing(db, async () => {
      await work()
      stampWritten(db)
    })
    isChanged = true
  })
  return {
    ...writer,
    async close() {
      try {
        if (isChanged && (await emptyLog(db))) writePageSums(db)
      } finally {
        db.close()
      }
    },
  }
}
