/** Test fixture: a database with accounts, in memory or in a file. */
import type { DatabaseSync } from 'node:sqlite'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import type { AccountFacts } from '../../src/base/model/account.ts'
import type { Charge } from '../../src/ledger/ledger.ts'
import { createAccountAdmin } from '../../src/store/accounts/admin.ts'
import type { LedgerStore } from '../../src/store/accounts/ledger-rows.ts'
import { openAccountDatabase } from '../../src/store/sqlite/account-database.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { createLedgerStore } from '../../src/store/sqlite/ledger.ts'

export const MAY = Date.UTC(2026, 4, 20, 12)

export async function makeLedgerDatabase(
  path: string,
  accounts: Record<string, Partial<AccountFacts>>,
): Promise<{ db: DatabaseSync; store: LedgerStore }> {
  const db = openDatabase(path, { kind: 'accounts', synchronous: 'FULL' })
  const admin = createAccountAdmin(openAccountDatabase(db))
  for (const [id, facts] of Object.entries(accounts)) {
    await admin.createAccount({
      id,
      name: `Account ${id}`,
      createdAt: MAY,
      facts: { ...DEFAULT_FACTS, ...facts },
    })
  }
  return { db, store: createLedgerStore(db) }
}

let requests = 0

export function makeCharge(accountId: string, more: Partial<Charge> = {}): Charge {
  requests += 1
  const requestId = `req_${requests}`
  return { requestId, accountId, keyId: 'key_1', endpoint: 'premiumOwnerSearch', cost: 1, ...more }
}
