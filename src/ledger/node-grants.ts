/**
 * What a node holds of an account's minute that it shares with other nodes: grants of the database,
 * the leases cut from them, and what is to be given back (`shared-windows.ts`). No clock, no
 * database.
 */
import type { Granted, UnusedGrant } from '../store/accounts-store.ts'
import { LEASE_MS, type Lease } from './rate-windows.ts'

/** How long leases are cut from a grant after it was asked for, milliseconds. */
export const GRANT_MS = 1000
/** How often `tidy` is to be called, milliseconds. */
export const TIDY_MS = 250
/** A grant that ended waits so long for the next one to take its rest back, milliseconds. */
export const LINGER_MS = 250
/** Other nodes give back what they hold within this time, milliseconds. */
const OTHERS_MS = GRANT_MS + LINGER_MS + TIDY_MS + 2 * LEASE_MS
/** An account with nothing left is asked for this often at most, milliseconds. */
const ASK_MS = 250
/** A lease is this part of what is left of the grant. */
const LEASE_PART = 4

type Grant = {
  /** Below 0, so that it differs from slots of the node's own windows. */
  name: number
  slot: number
  left: number
  /** Requests of leases that were not given back. */
  leased: number
  endsAt: number
}

export type Account = {
  limit: number
  /** Oldest first; leases are cut from the last one. */
  grants: Grant[]
  /** To be given back, by slot. */
  unused: Map<number, number>
  waiting: { want: number; settle(lease: Lease): void }[]
  isAsking: boolean
  /** Before this there is nothing to ask for. */
  noneUntil: number
  retryAt: number
}

/** `undefined`: the grant does not suffice, and there may be more to ask for. */
export function cutLease(account: Account, want: number, now: number): Lease | undefined {
  const newest = account.grants.at(-1)
  const grant = newest !== undefined && now < newest.endsAt ? newest : undefined
  const left = grant?.left ?? 0
  if (left < want && now >= account.noneUntil) return undefined
  // Those who wait come before what a worker might need later.
  const spare = Math.max(0, left - sumWants(account))
  const count = Math.min(left, Math.max(want, Math.ceil(spare / LEASE_PART)))
  if (grant !== undefined) {
    grant.left -= count
    grant.leased += count
  }
  const slot = grant?.name ?? 0
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

/** Remembers when it is worth asking again: soon, while other nodes may give some back. */
export function noteNone(account: Account, { retryMs, quietMs }: Granted, now: number): void {
  const askMs = Math.max(ASK_MS, quietMs < OTHERS_MS ? Math.min(retryMs, ASK_MS) : retryMs)
  account.noneUntil = now + askMs
  account.retryAt = now + Math.max(retryMs, askMs)
}

/** Moves the rest of grants that ended before `before` to what is given back. */
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
