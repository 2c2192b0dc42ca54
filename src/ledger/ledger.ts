/** The ledger's interface, which is all that serving processes know of it. */
import type { BlockCode } from '../base/errors.ts'
import type { KeyUse } from '../store/accounts-store.ts'
import type { AuditNote } from '../store/audit/audit-store.ts'
import type { Idempotency } from './idempotency.ts'
import type { Lease } from './rates/rate-windows.ts'

export type Charge = {
  requestId: string
  accountId: string
  keyId: string
  endpoint: string
  /** Tokens, 1 or more. */
  cost: number
  /** For a request with an Idempotency-Key. */
  idempotency?: Idempotency | undefined
  /** What the answer contains, for the audit; written with the charge. */
  audit?: Pick<AuditNote, 'query' | 'ids'> | undefined
}

/**
 * The outcome of a charge. Only `charged` means that a durable row was written and the answer may
 * be sent. After `unavailable` a row may exist, since a reply can be lost.
 */
export type ChargeOutcome =
  /** `repeated`: charged by an earlier request with the same key; nothing was written. */
  | { kind: 'charged'; used: number; remaining: number | null; repeated?: boolean }
  /** Its Idempotency-Key was used for another query. */
  | { kind: 'conflict' }
  | { kind: 'blocked'; code: BlockCode }
  | { kind: 'unavailable'; reason: string }

/** Accepts charges; each outcome comes after its commit. */
export type Ledger = {
  /** Never rejects: every failure is `unavailable`. */
  charge(charge: Charge): Promise<ChargeOutcome>
  /** Passes on recorded uses of keys; a loss has no consequence for callers. */
  noteUses(uses: KeyUse[]): void
  /** Passes on audit notes of free answers, written within a second. */
  noteAudit(notes: AuditNote[]): void
  /** Counts requests for all workers of a node; without it each process counts its own. */
  leases?: Leases
  close(): Promise<void>
}

/** Shares of the accounts' rate limits, from a common counter (`rate-windows.ts`). */
export type Leases = {
  /** Never rejects; `undefined` when the counter is unavailable. */
  lease(accountId: string, limit: number, want: number): Promise<Lease | undefined>
  giveBack(accountId: string, slot: number, count: number): void
}

/** Outcomes of charges that were not written: the caller gets 503. */
export const UNAVAILABLE = {
  broken: 'the ledger is broken: run platbook ledger verify',
  down: 'the ledger process is not reachable',
  late: 'the ledger did not answer in time',
  closed: 'the ledger was closed',
  failed: 'the charge could not be written',
  noAccount: 'there is no such account',
} as const
