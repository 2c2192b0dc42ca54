/** Transactions of the billing store in SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import { type BillingStore, createBillingStore } from '../billing-store.ts'
import { asRefusal } from './connection.ts'
import { createOperatorLog } from './operator-log.ts'

/** While one of its transactions awaits a promise, nothing else may write through `db`. */
export function createSqliteBilling(db: DatabaseSync, now: () => number = Date.now): BillingStore {
  const log = createOperatorLog(db, now)
  let last: Promise<unknown> = Promise.resolve()

  const run = async (text: string, values: (string | number | null)[]) => {
    const named = Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]))
    return db.prepare(text).all(named)
  }
  const accountChanged = async (id: string) => {
    log.log('account', id)
    db.exec('UPDATE state SET version = version + 1')
  }

  return createBillingStore((work) => {
    const next = last.then(async () => {
      try {
        db.exec('BEGIN IMMEDIATE')
        const result = await work({ run, accountChanged })
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw asRefusal(error)
      }
    })
    last = next.catch(() => undefined)
    return next
  })
}
