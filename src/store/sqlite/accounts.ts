/** Accounts and keys in SQLite, for serving. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { TokenUse } from '../../base/model/account.ts'
import { FACT_NAMES, readAccount, readKnownKey } from '../accounts/account-rows.ts'
import type { AccountReader, KnownKey, UsageDay } from '../accounts-store.ts'
import { PENDING_SUPPRESSIONS, readSuppression } from '../suppressions.ts'
import { guarded } from './connection.ts'

type Row = Record<string, SQLOutputValue>
/** Opens the reader for serving; `db` may be read-only. */
export function createAccountReader(db: DatabaseSync): AccountReader {
  const version = db.prepare('SELECT version FROM state')
  const keyByHash = db.prepare(
    `SELECT key.id AS key_id, key.secret_id, key.revoked_at, account.id, account.name, ${FACT_NAMES}
    FROM key JOIN account ON account.id = key.account_id WHERE key.hash = ?`,
  )
  const prices = db.prepare('SELECT operation, tokens FROM price')
  const pending = db.prepare(PENDING_SUPPRESSIONS)
  const tokenUse = db.prepare('SELECT period, used FROM ledger_head WHERE account_id = ?')
  const usageByDay = db.prepare(
    `SELECT day, endpoint, requests, tokens FROM usage_day
    WHERE account_id = ? AND period = ? ORDER BY day, endpoint`,
  )
  return {
    version: guarded(() => Number(version.get()?.version)),
    prices: guarded(
      () => new Map(prices.all().map((row) => [String(row.operation), Number(row.tokens)])),
    ),
    pendingSuppressions: guarded(() => pending.all().map(readSuppression)),
    keyByHash: guarded((hash: Uint8Array): KnownKey | undefined => {
      const row = keyByHash.get(hash)
      return row === undefined ? undefined : { ...readKnownKey(row), account: readAccount(row) }
    }),
    tokenUse: guarded((id: string) => copy<TokenUse>(tokenUse.get(id))),
    usageByDay: guarded((id: string, period: string) =>
      usageByDay.all(id, period).map((row) => ({ ...row }) as UsageDay),
    ),
  }
}

/**
 * Copies a row to a plain object: rows of `node:sqlite` have no prototype, so they never equal a
 * literal.
 */
function copy<Shape>(row: Row | undefined): Shape | undefined {
  return row === undefined ? undefined : ({ ...row } as Shape)
}
