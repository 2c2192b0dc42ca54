/**
 * The interface to accounts, keys and the ledger in both stores. Times are epoch milliseconds,
 * dates `YYYY-MM-DD` in UTC. Absence is `undefined` or `[]`. A store that cannot answer throws the
 * refusal *unavailable*.
 */
import type { Account, AccountFacts, TokenUse } from '../base/model/account.ts'
import type { Suppression } from '../base/model/suppression.ts'
import type { LogHead } from './operator-log.ts'

/** A stored key: everything except the key itself. */
export type KeyRecord = {
  id: string
  accountId: string
  label: string | null
  /** Its first characters, for recognition: `pbk_a1B2`. */
  prefix: string
  createdAt: number
  /** Rounded to the minute. */
  lastUsedAt: number | null
  /** The key is invalid from this time on; in the future during a rotation's overlap. */
  revokedAt: number | null
}

/** HMAC-SHA-256 of a key (32 bytes), and the id of the server secret used. */
export type KeyHash = { hash: Uint8Array; secretId: string }

export type NewKey = Pick<KeyRecord, 'id' | 'accountId' | 'label' | 'prefix' | 'createdAt'> &
  KeyHash

export type KnownKey = {
  id: string
  secretId: string
  revokedAt: number | null
  account: Account
}

/** A use of a key. With `rehash`, its row is updated to the newest server secret. */
export type KeyUse = { keyId: string; at: number; rehash?: KeyHash }

/** Requests charged on one day. Corrections count as (negative) tokens, not as requests. */
export type UsageDay = { day: string; endpoint: string; requests: number; tokens: number }

/** What serving processes read. */
export type AccountReader = {
  /** Increases with every change of a key or of an account's facts. */
  version(): Promise<number>
  /** Present if the store can report a new version: faster than polling, not guaranteed. */
  onChange?(heard: () => void): void
  prices(): Promise<Prices>
  /** Suppressions in force that stored records do not follow yet; almost always none. */
  pendingSuppressions(): Promise<Suppression[]>
  keyByHash(hash: Uint8Array): Promise<KnownKey | undefined>
  /** Committed use of the newest period with charges; `undefined`: no charge yet. */
  tokenUse(accountId: string): Promise<TokenUse | undefined>
  /** Usage in one billing period, by day and endpoint. `period` is its first day. */
  usageByDay(accountId: string, period: string): Promise<UsageDay[]>
}

/** Token prices by operation, for operations with a price set by the operator. */
export type Prices = ReadonlyMap<string, number>

/** An account with its creation time in epoch milliseconds. */
export type AccountRecord = Account & { createdAt: number }

/** The end of an account's hash chain. */
export type ChainHead = {
  /** Number of rows, which is the newest row's `seq`. */
  rows: number
  hash: Uint8Array
  /** First day of the newest period. */
  period: string
  /** Sum of costs in that period. */
  used: number
}

/** A row of the ledger. `hash` covers the other fields and that of the account's row before. */
export type LedgerEntry = {
  /** 1, 2, 3 … over all accounts. */
  id: number
  accountId: string
  /** 1, 2, 3 … within the account. */
  seq: number
  requestId: string
  /** `null` for a correction. */
  keyId: string | null
  period: string
  endpoint: string
  cost: number
  at: number
  /** The reason of a correction; `null` for a charge. */
  reason: string | null
  /** For a request with an Idempotency-Key; unique over all rows (`ledger/idempotency.ts`). */
  idempotency?: string | null
  fingerprint?: string | null
  hash: Uint8Array
}

/** The `endpoint` of a row that moves an account back a period; its cost is no use of its day. */
export const PERIOD_SET = 'period'

/** What a charge depends on, read in the transaction that writes it. */
export type LedgerState = { facts: AccountFacts; head: ChainHead | undefined }

export type EarlierCharge = { fingerprint: string; at: number }

/** What to append: rows, and the resulting ends of their chains. */
export type Appended<Result> = {
  entries: LedgerEntry[]
  heads: Map<string, ChainHead>
  result: Result
}

export type NewestRows = { ledger: LogHead; operator: LogHead; audit: LogHead }

/** Requests that were granted and not used; `slot` from `Granted`. */
export type UnusedGrant = { slot: number; count: number }

export type Granted = {
  /** Number of requests that may be sent now; fewer than wanted when no more are left. */
  count: number
  /** Identifies the grant when a part of it is returned. */
  slot: number
  /** Milliseconds until more requests are available. */
  retryMs: number
  /** Milliseconds since any node last took requests. */
  quietMs: number
}

/** Rate limits that several nodes share: each node takes requests before it admits them. */
export type GrantStore = {
  /** Gives back `unused`, then takes at least `want` of `limit` requests per `countsMs`. */
  take(asked: {
    accountId: string
    limit: number
    want: number
    countsMs: number
    unused: UnusedGrant[]
  }): Promise<Granted>
  /** Returns unused requests, each account and slot once; an empty list tests the store. */
  giveBack(unused: (UnusedGrant & { accountId: string })[]): Promise<void>
  sweep(countsMs: number): Promise<void>
  close(): Promise<void>
}
