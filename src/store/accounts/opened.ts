/** What an open store consists of, whichever database holds it. */
import type { LedgerStore } from '../accounts/ledger-rows.ts'
import type { AccountReader, GrantStore } from '../accounts-store.ts'
import { type AuditStore, createAuditStore, type FindSegments } from '../audit/audit-store.ts'
import { createBillingStore } from '../billing-store.ts'
import type { ParcelReader } from '../store.ts'
import { createAccountAdmin } from './admin.ts'
import type { AccountDatabase } from './database.ts'
import { createAccountReader } from './reader.ts'
import { createWatchStore } from './watch-store.ts'

/** What serving and the commands read. */
export type OpenStore = {
  parcels: ParcelReader
  accounts: AccountReader
  close(): Promise<void>
}

/** Accounts, keys and ledger, writable. */
export type OpenAccounts = ReturnType<typeof assembleAccounts>

/** Assembles them over a database. `own`: what the database does in its own way. */
export function assembleAccounts(
  database: AccountDatabase,
  own: { ledger: LedgerStore; segmentsOf: FindSegments; close(): Promise<void> },
) {
  return {
    admin: createAccountAdmin(database),
    reader: createAccountReader(database.ask, database.dialect),
    ledger: own.ledger,
    audit: createAuditStore(database, own.segmentsOf),
    billing: createBillingStore(database),
    watches: createWatchStore(database),
    close: own.close,
  }
}

export type OpenLedger = {
  store: LedgerStore
  audit: AuditStore
  /** Rate limits shared by nodes; `undefined` for a single node. */
  grants?: GrantStore
  close(): Promise<void>
}
