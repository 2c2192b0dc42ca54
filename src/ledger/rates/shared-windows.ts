/**
 * A node's side of rate limits shared by several nodes. For each account in use it holds a grant of
 * the database (`GrantStore`), takes leases from it for `GRANT_MS`, and returns the rest with the
 * next grant. While the database is unreachable or slow, the node counts by itself.
 *
 * Source: docs/decisions/keys-and-rate-limits.md.
 */
import { createGrantSource, type SharedWorld } from './grant-source.ts'
import { HeldAccounts } from './held-accounts.ts'
import {
  type Account,
  addUnused,
  cutLease,
  LINGER_MS,
  noteNone,
  serveWaiting,
  sumWants,
} from './node-grants.ts'
import { createRateWindows, type Lease } from './rate-windows.ts'

/** Milliseconds between deletions of expired rows, while an account is in use. */
const SWEEP_MS = 30_000

export type SharedWindows = {
  /** As `RateWindows.lease`; a promise when the database is asked. It never rejects. */
  lease(accountId: string, limit: number, want: number): Lease | Promise<Lease>
  giveBack(accountId: string, slot: number, count: number): void
  /** Returns ended grants, and checks whether the database is back. */
  tidy(): Promise<void>
  /** Returns everything; no lease is given after that. */
  close(): Promise<void>
  /** Number of accounts held; for tests. */
  size(): number
}

/** Creates the shared windows of one node. */
export function createSharedWindows(world: SharedWorld): SharedWindows {
  const { store, steadyMs } = world
  const source = createGrantSource(world)
  const accounts = new HeldAccounts(steadyMs())
  const own = createRateWindows()
  let sweptAt = Number.NEGATIVE_INFINITY
  let isTidying = false

  /** Requests grants until nobody waits; callers that arrive meanwhile are part of the next one. */
  async function renew(accountId: string, account: Account): Promise<void> {
    account.isAsking = true
    while (account.waiting.length > 0) {
      const askedAt = steadyMs()
      const { limit } = account
      const want = sumWants(account)
      const unused = accounts.end(account, askedAt)
      const granted = await source.take(
        { accountId, limit, want, unused },
        // The grant came too late for its callers, so it is returned with the next request.
        ({ slot, count }) => addUnused(accounts.hold(accountId, limit), slot, count),
      )
      // The node now counts by itself.
      if (granted === undefined) break
      accounts.add(account, granted, askedAt)
      const now = steadyMs()
      if (granted.count < want) noteNone(account, granted, now)
      serveWaiting(account, now)
    }
    account.isAsking = false
    for (const { want, settle } of account.waiting.splice(0)) {
      settle(own.lease(accountId, account.limit, want, steadyMs()))
    }
  }

  async function giveBackAll(before: number): Promise<void> {
    const gathered = accounts.gatherUnused(before, steadyMs())
    if (gathered.length > 0) await source.giveBack(gathered)
  }

  async function sweep(now: number): Promise<void> {
    if (accounts.size === 0 || now - sweptAt < SWEEP_MS) return
    sweptAt = now
    await source.sweep()
  }

  return {
    lease(accountId, limit, want) {
      const now = steadyMs()
      if (source.isAlone()) return own.lease(accountId, limit, want, now)
      const account = accounts.hold(accountId, limit)
      const lease = account.isAsking ? undefined : cutLease(account, want, now)
      if (lease !== undefined) return lease
      return new Promise((settle) => {
        account.waiting.push({ want, settle })
        if (!account.isAsking) void renew(accountId, account)
      })
    },
    giveBack(accountId, slot, count) {
      if (slot >= 0) own.giveBack(accountId, slot, count)
      else accounts.takeBack(accountId, slot, count, steadyMs())
    },
    async tidy() {
      if (isTidying) return
      isTidying = true
      const now = steadyMs()
      if (source.isAlone()) await source.probe()
      else {
        await sweep(now)
        await giveBackAll(now - LINGER_MS)
      }
      isTidying = false
    },
    async close() {
      if (!source.isAlone()) await giveBackAll(Number.POSITIVE_INFINITY)
      await store.close()
    },
    size: () => accounts.size,
  }
}
