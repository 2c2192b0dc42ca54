/**
 * What is asked of accounts, keys and the ledger, by SQLite and by PostgreSQL.
 *
 * Times are epoch milliseconds, dates `YYYY-MM-DD` in UTC. Absence is `undefined` or `[]`. A store
 * that cannot answer throws the refusal *unavailable*.
 */
import type { Account, AccountFacts, TokenUse } from '../model/account.ts'
import type { StoredRule, Suppression } from '../model/suppression.ts'
import type { AuditEntry } from './audit/audit-store.ts'
import type { LoggedKind, LogHead, OperatorEntry } from './operator-log.ts'

/** A key as it is kept: never the key itself. */
export type KeyRecord = {
  id: string
  accountId: string
  label: string | null
  /** Its first characters, to tell it by: `pbk_a1B2`. */
  prefix: string
  createdAt: number
  /** To the minute. */
  lastUsedAt: number | null
  /** From then on it is invalid; in the future while a rotation overlaps. */
  revokedAt: number | null
}

/** HMAC-SHA-256 of a key (32 bytes), and which server secret it was made with. */
export type KeyHash = { hash: Uint8Array; secretId: string }

export type NewKey = Pick<KeyRecord, 'id' | 'accountId' | 'label' | 'prefix' | 'createdAt'> &
  KeyHash

/** A key with its account, as a request needs them. */
export type KnownKey = {
  id: string
  secretId: string
  revokedAt: number | null
  account: Account
}

/** That a key was used; with `rehash` its row moves on to the newest server secret. */
export type KeyUse = { keyId: string; at: number; rehash?: KeyHash }

/** Requests charged on one day. Corrections count as tokens (negative), not as requests. */
export type UsageDay = { day: string; endpoint: string; requests: number; tokens: number }

/** What serving asks. */
export type AccountReader = {
  /** Grows with every change of a key or an account's facts. */
  version(): Promise<number>
  /**
   * Where the store can tell by itself that the version has grown: sooner than by asking for it,
   * but not for certain.
   */
  onChange?(heard: () => void): void
  prices(): Promise<Prices>
  /** Suppressions in force that what is stored does not follow yet; nearly always none. */
  pendingSuppressions(): Promise<Suppression[]>
  keyByHash(hash: Uint8Array): Promise<KnownKey | undefined>
  /** The committed use of the newest period that has any; `undefined`: nothing was ever charged. */
  tokenUse(accountId: string): Promise<TokenUse | undefined>
  /** Days of one billing period, by day and endpoint; `period` is its first day. */
  usageByDay(accountId: string, period: string): Promise<UsageDay[]>
}

/** Tokens by operation, where the operator has set a price. */
export type Prices = ReadonlyMap<string, number>

/** An account with its creation, epoch milliseconds. */
export type AccountRecord = Account & { createdAt: number }

/** What the command line asks beside it. */
export type AccountAdmin = {
  createAccount(account: AccountRecord): Promise<void>
  /** Terms of each plan as JSON (`model/plan.ts`), by name. */
  plans(): Promise<Map<string, string>>
  /** Makes a plan, or changes it with all accounts that have it. */
  putPlan(name: string, terms: string): Promise<void>
  putPrice(operation: string, tokens: number): Promise<void>
  /**
   * Replaces an account's own facts, without those of its plan, by what `change` makes of them, in
   * one transaction.
   */
  changeFacts(
    id: string,
    change: (facts: AccountFacts) => AccountFacts,
  ): Promise<AccountRecord | undefined>
  account(id: string): Promise<AccountRecord | undefined>
  /** Oldest first. */
  accounts(): Promise<AccountRecord[]>
  /**
   * Accounts whose name holds a text (any case) or whose id is it, oldest first, `limit` of them
   * after `skip`; `''`: all. `total` counts all that match.
   */
  findAccounts(
    text: string,
    skip: number,
    limit: number,
  ): Promise<{ accounts: AccountRecord[]; total: number }>
  /** Use from a day (`YYYY-MM-DD`) on, over all billing periods, by day and endpoint. */
  usageSince(accountId: string, day: string): Promise<UsageDay[]>
  /**
   * Adds a key; with `ends` another one's end is set in the same transaction, if that is earlier
   * than the one it has. One that ends when the new one is made is revoked.
   */
  createKey(key: NewKey, ends?: { id: string; at: number }): Promise<void>
  key(id: string): Promise<KeyRecord | undefined>
  /** Oldest first. */
  keys(accountId: string): Promise<KeyRecord[]>
  /**
   * Ends a key at `at` or, when it has ended earlier, leaves that; and drops its hash, so that no
   * clock that is set back revives it.
   */
  revokeKey(id: string, at: number): Promise<KeyRecord | undefined>
  /** How many keys that are valid at `at` are hashed under each server secret. */
  keysBySecret(at: number): Promise<Map<string, number>>
  /**
   * Appends to the operator log that an operator knows of rows that are missing. `state`: JSON of
   * what was missing.
   */
  noteLoss(reason: string, state: string): Promise<void>
  /**
   * Appends to the operator log what an operator did in the console. `state`: JSON without secrets.
   */
  noteAction(operator: string, state: string): Promise<void>
  /**
   * Suppressions, those that have ended among them; oldest first. `since`: only those that were
   * made then or later, in epoch milliseconds.
   */
  suppressions(since?: number): Promise<Suppression[]>
  /** What is suppressed now: the hashes of many suppressions in few texts. */
  suppressionRules(): Promise<StoredRule[]>
  /** Adds suppressions, or changes those of the same ids, in one transaction. */
  putSuppressions(suppressions: Suppression[]): Promise<void>
  /**
   * Says whether what is stored follows these suppressions; until then answers are filtered by
   * them.
   */
  markSuppressions(ids: string[], state: 'pending' | 'settled'): Promise<void>
  /**
   * Tells all processes that something they remember has changed beside the database: the server
   * secrets.
   */
  raiseVersion(): Promise<void>
}

/** Where an account's chain stands. */
export type ChainHead = {
  /** Number of rows; the newest has this `seq`. */
  rows: number
  hash: Uint8Array
  /** First day of the newest period. */
  period: string
  /** Sum of costs in that period. */
  used: number
}

/** A row of the ledger. `hash` covers all other fields and the hash of the account's row before. */
export type LedgerEntry = {
  /** 1, 2, 3 … over all accounts. */
  id: number
  accountId: string
  /** 1, 2, 3 … within the account. */
  seq: number
  requestId: string
  /** `null`: a correction. */
  keyId: string | null
  period: string
  endpoint: string
  cost: number
  at: number
  /** Why, for a correction; `null`: a charge. */
  reason: string | null
  /** Of a request with an Idempotency-Key: no two rows have the same (`ledger/idempotency.ts`). */
  idempotency?: string | null
  /** Which query it was. */
  fingerprint?: string | null
  hash: Uint8Array
}

/**
 * The `endpoint` of the row by which an operator takes an account back into an earlier period. Its
 * cost is no use of its day.
 */
export const PERIOD_SET = 'period'

/** What a charge is decided on, read in the transaction that writes it. */
export type LedgerState = { facts: AccountFacts; head: ChainHead | undefined }

/** A charge that stands under an idempotency id already. */
export type EarlierCharge = { fingerprint: string; at: number }

/** What to append: rows, and where that leaves the chains they belong to. */
export type Appended<Result> = {
  entries: LedgerEntry[]
  heads: Map<string, ChainHead>
  result: Result
}

/** Where the ledger and the operator log end: the newest row of each. */
export type NewestRows = { ledger: LogHead; operator: LogHead; audit?: LogHead }

/** What the ledger asks. */
export type LedgerStore = {
  /**
   * One durable transaction: reads the states of these accounts (those that exist), lets `decide`
   * choose what to append, and appends it with the new heads and the days' usage. When it returns,
   * all of it is on the disk; when it throws, nothing is. `earlier`: the charges that stand under
   * `idempotencyIds`. `audit`: what goes to the end of the audit in the same transaction, where it
   * ends at `head`.
   */
  append<Result>(
    accountIds: Iterable<string>,
    decide: (
      states: Map<string, LedgerState>,
      nextId: number,
      earlier: Map<string, EarlierCharge>,
    ) => Appended<Result>,
    idempotencyIds?: readonly string[],
    audit?: (result: Result, head: LogHead) => AuditEntry[],
  ): Promise<Result>
  noteUses(uses: KeyUse[]): Promise<void>
  /** Entries with a greater id, ascending. */
  entriesAfter(id: number, limit: number): Promise<LedgerEntry[]>
  entriesOf(accountId: string, afterSeq: number, limit: number): Promise<LedgerEntry[]>
  /**
   * The heads that stand on the accounts; with `unlikeCheckpoint` only those that differ from their
   * checkpoint.
   */
  heads(unlikeCheckpoint: boolean): Promise<Map<string, ChainHead>>
  /** What is committed at this moment. */
  newest(): Promise<NewestRows>
  /** Entries of the operator log with a greater id, ascending. */
  operatorEntriesAfter(id: number, limit: number): Promise<OperatorEntry[]>
  /** Every row of a logged table as the operator log would have it, by primary key. */
  loggedStates(kind: LoggedKind): Promise<Map<string, string>>
  /** The name of a trigger that is missing, changed or not this program's. */
  wrongTrigger(): Promise<string | undefined>
  /** An account whose days of usage are not the sums of its entries; walks all entries. */
  accountWithWrongUsage(): Promise<string | undefined>
  /** The last verified entry's id, 0 when there is none. */
  checkedId(): Promise<number>
  checkpoints(accountIds?: Iterable<string>): Promise<Map<string, ChainHead>>
  /** Keeps that all entries up to `id` were found whole, and where these accounts stood then. */
  writeCheckpoint(id: number, heads: Map<string, ChainHead>): Promise<void>
  /** Runs `work` on one unchanging view of the data. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Requests that were granted and not used; `slot` as `Granted` told it. */
export type UnusedGrant = { slot: number; count: number }

export type Granted = {
  /** Requests that may be sent now, fewer than wanted when no more are left. */
  count: number
  /** Names the grant when some of it is given back. */
  slot: number
  /** Until more requests leave the window, milliseconds. */
  retryMs: number
  /** Since any node last took some, milliseconds. */
  quietMs: number
}

/**
 * Minutes of accounts that several nodes share: each takes requests before it lets them through.
 */
export type GrantStore = {
  /**
   * Gives back what is `unused`, then takes `want` requests or more of an account that may send
   * `limit` while requests count for `countsMs`, milliseconds from their grant.
   */
  take(asked: {
    accountId: string
    limit: number
    want: number
    countsMs: number
    unused: UnusedGrant[]
  }): Promise<Granted>
  /** Gives back what is not used, each account and slot once; with none, tells whether it could. */
  giveBack(unused: (UnusedGrant & { accountId: string })[]): Promise<void>
  /** Removes what counts no more. */
  sweep(countsMs: number): Promise<void>
  close(): Promise<void>
}
