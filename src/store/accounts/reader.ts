/** Accounts and keys, for serving. */
import type { TokenUse } from '../../base/model/account.ts'
import type { AccountReader, UsageDay } from '../accounts-store.ts'
import { FACT_NAMES, PENDING_SUPPRESSIONS, readAccount, readSuppression } from './account-rows.ts'
import type { Ask, Dialect } from './database.ts'

/** Opens the reader for serving; the connection may be read-only. */
export function createAccountReader(ask: Ask, { versions }: Dialect): AccountReader {
  return {
    async version() {
      const [row] = await ask(`SELECT version FROM ${versions}`)
      return Number(row?.version)
    },
    async prices() {
      const rows = await ask('SELECT operation, tokens FROM price')
      return new Map(rows.map((row) => [String(row.operation), Number(row.tokens)]))
    },
    pendingSuppressions: async () => (await ask(PENDING_SUPPRESSIONS)).map(readSuppression),
    async keyByHash(hash) {
      const [row] = await ask(
        `SELECT key.id AS key_id, key.secret_id, key.revoked_at, account.id, account.name,
          ${FACT_NAMES}
        FROM key JOIN account ON account.id = key.account_id WHERE key.hash = $1`,
        [hash],
      )
      return row === undefined
        ? undefined
        : {
            id: String(row.key_id),
            secretId: String(row.secret_id),
            revokedAt: row.revoked_at as number | null,
            account: readAccount(row),
          }
    },
    async tokenUse(id) {
      const text = 'SELECT period, used FROM ledger_head WHERE account_id = $1'
      const [row] = await ask<TokenUse>(text, [id])
      return row === undefined ? undefined : { ...row }
    },
    async usageByDay(id, period) {
      const rows = await ask<UsageDay>(
        `SELECT day, endpoint, requests, tokens FROM usage_day
        WHERE account_id = $1 AND period = $2 ORDER BY day, endpoint`,
        [id, period],
      )
      return rows.map((row) => ({ ...row }))
    },
  }
}
