/** Accounts and keys in PostgreSQL, for serving. */
import type { TokenUse } from '../../base/model/account.ts'
import { FACT_NAMES, type Row, readAccount, readKnownKey } from '../accounts/account-rows.ts'
import type { AccountReader, KeyHash, UsageDay } from '../accounts-store.ts'
import { PENDING_SUPPRESSIONS, readSuppression } from '../suppressions.ts'
import type { Ask } from './pool/lookup-queue.ts'
import type { Flight } from './pool/session.ts'

/** Opens the reader for serving; it may use read-only connections. */
export function createAccountReader(ask: Ask): AccountReader {
  return {
    async version() {
      const [row] = await ask<Row>('SELECT version FROM accounts_state', [])
      return Number(row?.version)
    },
    async prices() {
      const rows = await ask<Row>('SELECT operation, tokens FROM price', [])
      return new Map(rows.map((row) => [String(row.operation), Number(row.tokens)]))
    },
    async pendingSuppressions() {
      return (await ask<Row>(PENDING_SUPPRESSIONS, [])).map(readSuppression)
    },
    async keyByHash(hash) {
      const [row] = await ask<Row>(
        `SELECT key.id AS key_id, key.secret_id, key.revoked_at, account.id, account.name,
          ${FACT_NAMES}
        FROM key JOIN account ON account.id = key.account_id WHERE key.hash = $1`,
        [asBytes(hash)],
      )
      return row === undefined ? undefined : { ...readKnownKey(row), account: readAccount(row) }
    },
    async tokenUse(id) {
      const text = 'SELECT period, used FROM ledger_head WHERE account_id = $1'
      const [row] = await ask<TokenUse>(text, [id])
      return row
    },
    usageByDay: (id, period) =>
      ask<UsageDay>(
        `SELECT day, endpoint, requests, tokens FROM usage_day
        WHERE account_id = $1 AND period = $2 ORDER BY day, endpoint`,
        [id, period],
      ),
  }
}

/** Channel that notifies services of committed changes to accounts or keys. */
export const ACCOUNTS_CHANNEL = 'platbook_accounts'
/** Part of every transaction with such a change. */
export const RAISE: Flight = [
  { text: 'UPDATE accounts_state SET version = version + 1' },
  { text: `NOTIFY ${ACCOUNTS_CHANNEL}` },
]

/** The driver takes a `Buffer` for bytes and treats other arrays as lists. */
export function asBytes(bytes: KeyHash['hash']): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
