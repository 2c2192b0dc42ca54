/** What an open store consists of, whichever database holds it. */
import type { AccountReader, GrantStore, LedgerStore } from '../accounts-store.ts'
import type { AuditStore } from '../audit/audit-store.ts'
import type { BillingStore } from '../billing-store.ts'
import type { ParcelReader } from '../store.ts'
import type { AccountAdmin } from './admin.ts'
import type { WatchStore } from './watch-store.ts'

/** What serving and the commands read. */
export type OpenStore = {
  parcels: ParcelReader
  accounts: AccountReader
  close(): Promise<void>
}

/** Accounts, keys and ledger, writable. */
export type OpenAccounts = {
  admin: AccountAdmin
  reader: AccountReader
  ledger: LedgerStore
  audit: AuditStore
  billing: BillingStore
  watches: WatchStore
  close(): Promise<void>
}

/** The ledger, and the audit that is written with it. */
export type OpenLedger = {
  store: LedgerStore
  audit: AuditStore
  /** Rate limits shared by nodes; `undefined` for a single node. */
  grants?: GrantStore
  close(): Promise<void>
}
