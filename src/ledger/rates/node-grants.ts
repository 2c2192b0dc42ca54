/**
 * A node's part of an account's rate limit shared with other nodes: the database's grants, the
 * leases taken from them, and what must be returned (`shared-windows.ts`). No clock, no database.
 */
import type { Granted, UnusedGrant } from '../../store/accounts-store.ts'
import { LEASE_MS, type Lease } from './rate-windows.ts'

/** Milliseconds after its request during which leases are taken from a grant. */
export const GRANT_MS = 1000
/** Milliseconds between calls of `tidy`. */
export const TIDY_MS = 250
/**
 * Milliseconds that an ended grant's rest waits to be returned with the next request for a grant.
 */
export const LINGER_MS = 250
/** Milliseconds within which other nodes return what they hold. */
const OTHERS_MS = GRANT_MS + LINGER_MS + TIDY_MS + 2 * LEASE_MS
/** Shortest time between requests for an account with nothing left. */
const ASK_MS = 250
/** A lease is at most this fraction of what is left of the grant. */
const LEASE_PART = 4

type Grant = {
  /** The slot of its leases: negative, so that it differs from slots of the node's own windows. */
  leaseSlot: number
  slot: number
  left: number
  /** Leased requests that were not returned. */
  leased: number
  endsAt: number
}

export type Account = {
  limit: number
  /** Oldest first; leases are taken from the last one. */
  grants: Grant[]
  /** To be returned, by slot. */
  unused: Map<number, number>
  waiting: { want: number; settle(lease: Lease): void }[]
  isAsking: boolean
  /** Nothing is available before this time. */
  noneUntil: number
  retryAt: number
}

/** `undefined`: the grant is too small, and more may be available. */
export function cutLease(account: Account, want: number, now: number): Lease | undefined {
  const newest = account.grants.at(-1)
  const grant = newest !== undefined && now < newest.endsAt ? newest : undefined
  const left = grant?.left ?? 0
  if (left < want && now >= account.noneUntil) return undefined
  // Waiting callers take precedence over requests that a worker may get later.
  const spare = Math.max(0, left - sumWants(account))
  const count = Math.min(left, Math.max(want, Math.ceil(spare / LEASE_PART)))
  if (grant !== undefined) {
    grant.left -= count
    grant.leased += count
  }
  const slot = grant?.leaseSlot ?? 0
  if (count >= want) return { count, slot, retryMs: 0, askMs: 0 }
  return { count, slot, retryMs: account.retryAt - now, askMs: account.noneUntil - now }
}

export function serveWaiting(account: Account, now: number): void {
  for (let next = account.waiting.shift(); next !== undefined; next = account.waiting.shift()) {
    const lease = cutLease(account, next.want, now)
    if (lease === undefined) {
      account.waiting.unshift(next)
      return
    }
    next.settle(lease)
  }
}

/** Sets when to request the next grant: soon, if other nodes may return requests. */
export function noteNone(account: Account, { retryMs, quietMs }: Granted, now: number): void {
  const askMs = Math.max(ASK_MS, quietMs < OTHERS_MS ? Math.min(retryMs, ASK_MS) : retryMs)
  account.noneUntil = now + askMs
  account.retryAt = now + Math.max(retryMs, askMs)
}

/** Adds the unused rest of grants that ended before `before` to the requests to return. */
export function endGrants(account: Account, before: number): void {
  for (const grant of account.grants) {
    if (grant.endsAt > before) continue
    addUnused(account, grant.slot, grant.left)
    grant.left = 0
  }
}

export function forgetGrants(account: Account, before: number): void {
  while (account.grants[0] !== undefined && account.grants[0].endsAt <= before) {
    account.grants.shift()
  }
}

export function addUnused(account: Account, slot: number, count: number): void {
  if (count > 0) account.unused.set(slot, (account.unused.get(slot) ?? 0) + count)
}

export function takeUnused(account: Account): UnusedGrant[] {
  const unused = [...account.unused].map(([slot, count]) => ({ slot, count }))
  account.unused.clear()
  return unused
}

export function sumWants({ waiting }: Account): number {
  return waiting.reduce((sum, { want }) => sum + want, 0)
}
