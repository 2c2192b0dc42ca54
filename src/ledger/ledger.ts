/** What the ledger takes and gives; who serves sees no more of it than this. */
import type { BlockCode } from '../errors.ts'
import type { KeyUse } from '../store/accounts-store.ts'
import type { AuditNote } from '../store/audit/audit-store.ts'
import type { Idempotency } from './idempotency.ts'
import type { Lease } from './rate-windows.ts'

/** One successful request that is to be paid. */
export type Charge = {
  requestId: string
  accountId: string
  keyId: string
  endpoint: string
  /** Tokens, 1 or more. */
  cost: number
  /** Of a request with an Idempotency-Key. */
  idempotency?: Idempotency | undefined
  /** What the answer shows, for the audit; written with the charge. */
  audit?: Pick<AuditNote, 'query' | 'ids'> | undefined
}

/**
 * What became of a charge.
 *
 * Only `charged` means that a durable row was written, and that the answer may be given. After
 * `unavailable` there may or may not be a row (a reply can be lost): the answer is not given.
 */
export type ChargeOutcome =
  /** `repeated`: by an earlier request with the same Idempotency-Key; nothing was written now. */
  | { kind: 'charged'; used: number; remaining: number | null; repeated?: boolean }
  /** Its Idempotency-Key was used for another query. */
  | { kind: 'conflict' }
  | { kind: 'blocked'; code: BlockCode }
  | { kind: 'unavailable'; reason: string }

/** Takes charges; each outcome comes after its commit. */
export type Ledger = {
  /** Never rejects: whatever goes wrong is `unavailable`. */
  charge(charge: Charge): Promise<ChargeOutcome>
  /** Hands over noted uses of keys; a loss of them is not noticed by anyone. */
  noteUses(uses: KeyUse[]): void
  /**
   * Hands over what free answers show, for the audit; written within a second, with the next
   * charges where there are any.
   */
  noteAudit(notes: AuditNote[]): void
  /** Counts requests for all workers of a node; without it each process counts its own. */
  leases?: Leases
  close(): Promise<void>
}

/** Shares of accounts' rates, from one that counts for all (`rate-windows.ts`). */
export type Leases = {
  /** Never rejects; `undefined`: it cannot be asked at the moment. */
  lease(accountId: string, limit: number, want: number): Promise<Lease | undefined>
  giveBack(accountId: string, slot: number, count: number): void
}

/** The outcome of a charge that was not written: the caller gets 503. */
export const UNAVAILABLE = {
  broken: 'the ledger is broken: run platbook ledger verify',
  down: 'the ledger process is not reachable',
  late: 'the ledger did not answer in time',
  closed: 'the ledger was closed',
  failed: 'the charge could not be written',
  noAccount: 'there is no such account',
} as const
