/**
 * A node's side of rate limits shared by several nodes. For each account in use it holds a grant of
 * the database (`GrantStore`), takes leases from it for `GRANT_MS`, and returns the rest with the
 * next grant. While the database is unreachable or slow, the node counts by itself.
 *
 * Source: docs/decisions/keys-and-rate-limits.md.
 */
import type { Granted, GrantStore, UnusedGrant } from '../store/accounts-store.ts'
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
import { createRateWindows, LEASE_MS, type Lease, WINDOW_MS } from './rate-windows.ts'

/** A request is sent at most a grant and a lease after it was counted. */
const COUNTS_MS = WINDOW_MS + GRANT_MS + LEASE_MS
/** Milliseconds after a grant's end within which workers return leases. */
const RETURN_MS = 1000
/** A grant, and one under way before it, are received within the 1000 ms that a worker waits. */
const ANSWER_MS = 450
const PROBE_MS = 1000
const LOG_MS = 60_000
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

type SharedWorld = {
  store: GrantStore
  /** Milliseconds of a steady clock. */
  steadyMs(): number
  /** Called at most once a minute while the node counts by itself. */
  onAlone(error: unknown): void
  answerMs?: number
}

/** Creates the shared windows of one node. */
export function createSharedWindows(world: SharedWorld): SharedWindows {
  const { store, steadyMs, onAlone, answerMs = ANSWER_MS } = world
  const accounts = new Map<string, Account>()
  const own = createRateWindows()
  /** Leases of an earlier process of this node must have other names. */
  let named = Math.floor(steadyMs()) * 1000
  let isAlone = false
  let probedAt = Number.NEGATIVE_INFINITY
  let toldAt = Number.NEGATIVE_INFINITY
  let sweptAt = Number.NEGATIVE_INFINITY
  let isTidying = false

  function hold(accountId: string, limit: number): Account {
    const known = accounts.get(accountId)
    const never = Number.NEGATIVE_INFINITY
    if (known === undefined) {
      const none = { grants: [], unused: new Map(), waiting: [], isAsking: false }
      const fresh: Account = { limit, ...none, noneUntil: never, retryAt: never }
      accounts.set(accountId, fresh)
      return fresh
    }
    if (known.limit !== limit) Object.assign(known, { limit, noneUntil: never })
    return known
  }

  /** Requests grants until nobody waits; callers that arrive meanwhile are part of the next one. */
  async function renew(accountId: string, account: Account): Promise<void> {
    account.isAsking = true
    while (account.waiting.length > 0) {
      const askedAt = steadyMs()
      const want = sumWants(account)
      endGrants(account, Number.POSITIVE_INFINITY)
      forgetGrants(account, askedAt - RETURN_MS)
      const granted = await take(accountId, account, want)
      if (granted === undefined) break
      noteGrant(account, granted, askedAt)
      const now = steadyMs()
      if (granted.count < want) noteNone(account, granted, now)
      serveWaiting(account, now)
    }
    account.isAsking = false
    for (const { want, settle } of account.waiting.splice(0)) {
      settle(own.lease(accountId, account.limit, want, steadyMs()))
    }
  }

  function noteGrant(account: Account, { count, slot }: Granted, askedAt: number): void {
    if (count === 0) return
    named += 1
    account.grants.push({ name: -named, slot, left: count, leased: 0, endsAt: askedAt + GRANT_MS })
  }

  /** `undefined`: the node now counts by itself. */
  function take(accountId: string, account: Account, want: number): Promise<Granted | undefined> {
    const { limit } = account
    const unused = takeUnused(account)
    return new Promise((resolve) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        goAlone(new Error(`the database gave no answer within ${answerMs} ms`))
        resolve(undefined)
      }, answerMs)
      const asked = { accountId, limit, want, countsMs: COUNTS_MS, unused }
      store.take(asked).then(
        (granted) => {
          clearTimeout(timer)
          if (isLate) addUnused(hold(accountId, limit), granted.slot, granted.count)
          else resolve(granted)
        },
        (error) => {
          // Whether `unused` was returned is unknown, so it stays counted.
          clearTimeout(timer)
          if (!isLate) goAlone(error)
          resolve(undefined)
        },
      )
    })
  }

  function goAlone(error: unknown): void {
    const now = steadyMs()
    if (!isAlone) probedAt = now
    isAlone = true
    if (now - toldAt < LOG_MS) return
    toldAt = now
    onAlone(error)
  }

  async function probe(now: number): Promise<void> {
    if (now - probedAt < PROBE_MS) return
    probedAt = now
    try {
      await store.giveBack([])
      isAlone = false
    } catch (error) {
      goAlone(error)
    }
  }

  /**
   * Returns the rests of grants that ended before `before` and were not returned with a later
   * grant.
   */
  function gatherUnused(before: number): (UnusedGrant & { accountId: string })[] {
    const gathered: (UnusedGrant & { accountId: string })[] = []
    for (const [accountId, account] of accounts) {
      if (account.isAsking || (account.grants.at(-1)?.endsAt ?? before) > before) continue
      endGrants(account, before)
      for (const one of takeUnused(account)) gathered.push({ accountId, ...one })
      forgetGrants(account, before - RETURN_MS)
      if (account.grants.length === 0 && account.noneUntil <= steadyMs()) accounts.delete(accountId)
    }
    return gathered
  }

  async function giveBackAll(before: number): Promise<void> {
    const gathered = gatherUnused(before)
    if (gathered.length === 0) return
    await store.giveBack(gathered).catch(goAlone)
  }

  async function sweep(now: number): Promise<void> {
    if (accounts.size === 0 || now - sweptAt < SWEEP_MS) return
    sweptAt = now
    // Old rows only take space. An unreachable database is noticed by the next grant.
    await store.sweep(COUNTS_MS).catch(() => undefined)
  }

  return {
    lease(accountId, limit, want) {
      const now = steadyMs()
      if (isAlone) return own.lease(accountId, limit, want, now)
      const account = hold(accountId, limit)
      const lease = account.isAsking ? undefined : cutLease(account, want, now)
      if (lease !== undefined) return lease
      return new Promise((settle) => {
        account.waiting.push({ want, settle })
        if (!account.isAsking) void renew(accountId, account)
      })
    },
    giveBack(accountId, slot, count) {
      if (slot >= 0) return own.giveBack(accountId, slot, count)
      const account = accounts.get(accountId)
      const grant = account?.grants.find(({ name }) => name === slot)
      if (account === undefined || grant === undefined) return
      const returned = Math.min(count, grant.leased)
      grant.leased -= returned
      const isCurrent = grant === account.grants.at(-1) && !account.isAsking
      if (isCurrent && steadyMs() < grant.endsAt) grant.left += returned
      else addUnused(account, grant.slot, returned)
    },
    async tidy() {
      if (isTidying) return
      isTidying = true
      const now = steadyMs()
      if (isAlone) await probe(now)
      else {
        await sweep(now)
        await giveBackAll(now - LINGER_MS)
      }
      isTidying = false
    },
    async close() {
      if (!isAlone) await giveBackAll(Number.POSITIVE_INFINITY)
      await store.close()
    },
    size: () => accounts.size,
  }
}
