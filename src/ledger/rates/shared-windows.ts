/**
 * A node's side of rate limits shared by several nodes. For each account in use it holds a grant of
 * the database (`GrantStore`), takes leases from it for `GRANT_MS`, and returns the rest with the
 * next grant. While the database is unreachable or slow, the node counts by itself.
 *
 * Source: docs/decisions/keys-and-rate-limits.md.
 */
import type { Granted, UnusedGrant } from '../../store/accounts-store.ts'
import { createGrantSource, type SharedWorld } from './grant-source.ts'
import {
  type Account,
  addUnused,
  cutLease,
  endGrants,
  forgetGrants,
  GRANT_MS,
  LINGER_MS,
  noteNone,
  serveWaiting,
  sumWants,
  takeUnused,
} from './node-grants.ts'
import { createRateWindows, type Lease } from './rate-windows.ts'

/** Milliseconds between deletions of expired rows, while an account is in use. */
const SWEEP_MS = 30_000

export type SharedWindows = ReturnType<typeof createSharedWindows>

export function createSharedWindows(world: SharedWorld) {
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
    /** As `RateWindows.lease`; a promise when the database is asked. It never rejects. */
    lease(accountId: string, limit: number, want: number) {
      const now = steadyMs()
      if (source.isAlone()) return own.lease(accountId, limit, want, now)
      const account = accounts.hold(accountId, limit)
      const lease = account.isAsking ? undefined : cutLease(account, want, now)
      if (lease !== undefined) return lease
      return new Promise<Lease>((settle) => {
        account.waiting.push({ want, settle })
        if (!account.isAsking) void renew(accountId, account)
      })
    },
    giveBack(accountId: string, slot: number, count: number) {
      if (slot >= 0) own.giveBack(accountId, slot, count)
      else accounts.takeBack(accountId, slot, count, steadyMs())
    },
    /** Returns ended grants, and checks whether the database is back. */
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
    /** Returns everything; no lease is given after that. */
    async close() {
      if (!source.isAlone()) await giveBackAll(Number.POSITIVE_INFINITY)
      await store.close()
    },
    /** Number of accounts held; for tests. */
    size: () => accounts.size,
  }
}

/** Milliseconds after a grant's end within which workers return leases. */
const RETURN_MS = 1000
const NEVER = Number.NEGATIVE_INFINITY

/**
 * The accounts for which a node holds grants, callers that wait, or requests to return, by id.
 * All times are milliseconds of a steady clock.
 */
class HeldAccounts {
  readonly #accounts = new Map<string, Account>()
  /** Number of the newest grant; grants of an earlier process of this node have lower ones. */
  #leaseSlots: number

  constructor(now: number) {
    this.#leaseSlots = Math.floor(now) * 1000
  }

  get size(): number {
    return this.#accounts.size
  }

  /** Returns an account, with `limit` as its limit from now on. */
  hold(accountId: string, limit: number): Account {
    const known = this.#accounts.get(accountId)
    if (known === undefined) {
      const none = { grants: [], unused: new Map(), waiting: [], isAsking: false }
      const fresh: Account = { limit, ...none, noneUntil: NEVER, retryAt: NEVER }
      this.#accounts.set(accountId, fresh)
      return fresh
    }
    if (known.limit !== limit) Object.assign(known, { limit, noneUntil: NEVER })
    return known
  }

  /** Adds a grant that was asked for at `askedAt`. */
  add(account: Account, { count, slot }: Granted, askedAt: number): void {
    if (count === 0) return
    this.#leaseSlots += 1
    const leaseSlot = -this.#leaseSlots
    account.grants.push({ leaseSlot, slot, left: count, leased: 0, endsAt: askedAt + GRANT_MS })
  }

  /** Ends all grants of an account, and returns what is to be given back with the next request. */
  end(account: Account, now: number): UnusedGrant[] {
    endGrants(account, Number.POSITIVE_INFINITY)
    forgetGrants(account, now - RETURN_MS)
    return takeUnused(account)
  }

  /**
   * Takes back `count` requests of a lease. They can be leased again while their grant is the
   * newest and has not ended; after that they are returned to the database.
   */
  takeBack(accountId: string, slot: number, count: number, now: number): void {
    const account = this.#accounts.get(accountId)
    const grant = account?.grants.find((one) => one.leaseSlot === slot)
    if (account === undefined || grant === undefined) return
    const returned = Math.min(count, grant.leased)
    grant.leased -= returned
    const isCurrent = grant === account.grants.at(-1) && !account.isAsking
    if (isCurrent && now < grant.endsAt) grant.left += returned
    else addUnused(account, grant.slot, returned)
  }

  /**
   * Returns the rests of grants that ended before `before` and were not returned with a later
   * grant. Drops accounts that hold nothing more.
   */
  gatherUnused(before: number, now: number): (UnusedGrant & { accountId: string })[] {
    const gathered: (UnusedGrant & { accountId: string })[] = []
    for (const [accountId, account] of this.#accounts) {
      if (account.isAsking || (account.grants.at(-1)?.endsAt ?? before) > before) continue
      endGrants(account, before)
      for (const one of takeUnused(account)) gathered.push({ accountId, ...one })
      forgetGrants(account, before - RETURN_MS)
      if (account.grants.length === 0 && account.noneUntil <= now) this.#accounts.delete(accountId)
    }
    return gathered
  }
}
