/**
 * Limits each account to its `requestsPerMinute`: the 429 of an account. The ledger process counts
 * for all workers of a node (`ledger/rates/rate-windows.ts`). A worker takes a lease and counts it
 * down. When none is left it refuses until more are due. Without a ledger process it counts its
 * share of the limit.
 */
import { refuse } from '../base/errors.ts'
import type { Leases } from '../ledger/ledger.ts'
import { createRateWindows, LEASE_MS, type Lease, WINDOW_MS } from '../ledger/rates/rate-windows.ts'

/** Counts the requests of limited accounts within the last minute. */
export type RateLimits = ReturnType<typeof createRateLimits>

type RateWorld = {
  /** `undefined` for a single process, which counts by itself. */
  leases: Leases | undefined
  /** Processes that share a limit while the ledger process is unreachable. */
  workers: number
  /** Milliseconds of a monotonic clock. */
  steadyMs(): number
}

type Waiting = { resolve(): void; reject(refusal: Error): void }

/** This process's state of an account's limit. */
type Holding = {
  limit: number
  /** Requests left of the lease, valid until `leaseEndsAt`. */
  left: number
  slot: number
  leaseEndsAt: number
  /** No request is available before this time. */
  noneUntil: number
  /** When more will be available, for `Retry-After`. */
  retryAt: number
  waiting: Waiting[]
  isAsking: boolean
}

/** At this size, unused entries are dropped; takes some 20 MB. */
const HOLDINGS_MAX = 100_000

export function createRateLimits({ leases, workers, steadyMs }: RateWorld) {
  const holdings = createHoldings(leases, steadyMs)
  const own = createRateWindows()

  /** Takes leases until no caller waits; callers that come meanwhile are in the next lease. */
  async function renew(accountId: string, holding: Holding): Promise<void> {
    holding.isAsking = true
    while (holding.waiting.length > 0) {
      holdings.giveBack(accountId, holding)
      const { limit } = holding
      const want = holding.waiting.length
      const askedAt = steadyMs()
      const answered = await leases?.lease(accountId, limit, want)
      const lease = answered ?? leaseOwn(accountId, limit, want, askedAt)
      settle(holding, { want, lease, askedAt, now: steadyMs() })
      if (holding.left > 0) holdings.keep(accountId, holding)
    }
    holding.isAsking = false
  }

  function leaseOwn(accountId: string, limit: number, want: number, now: number): Lease {
    const part = Math.max(1, Math.floor(limit / workers))
    const lease = own.lease(accountId, part, want, now)
    // Returns at once what this request does not need, so that another node can use it.
    const surplus = Math.max(0, lease.count - want)
    own.giveBack(accountId, lease.slot, surplus)
    return { ...lease, count: lease.count - surplus }
  }

  return {
    /** Counts a request. Returns a promise if it must wait. Throws, or rejects with, *too many*. */
    admit(accountId: string, limit: number) {
      const holding = holdings.of(accountId, limit)
      const now = steadyMs()
      if (holding.left > 0 && now < holding.leaseEndsAt) {
        holding.left -= 1
        return undefined
      }
      if (now < holding.noneUntil) throw tooMany(limit, holding.retryAt - now)
      return new Promise<void>((resolve, reject) => {
        holding.waiting.push({ resolve, reject })
        if (!holding.isAsking) void renew(accountId, holding)
      })
    },
    /** Returns unused requests. */
    close: () => holdings.close(),
  }
}

type Answered = { want: number; lease: Lease; askedAt: number; now: number }

/** Admits the callers that a lease is for, and refuses the others when it has too few. */
function settle(holding: Holding, { want, lease, askedAt, now }: Answered): void {
  const asked = holding.waiting.splice(0, want)
  const admitted = asked.splice(0, lease.count)
  for (const { resolve } of admitted) resolve()
  holding.left = lease.count - admitted.length
  holding.slot = lease.slot
  holding.leaseEndsAt = askedAt + lease.forMs
  if (lease.count >= want) return
  holding.noneUntil = now + lease.askMs
  holding.retryAt = now + lease.retryMs
  for (const { reject } of [...asked, ...holding.waiting.splice(0)]) {
    reject(tooMany(holding.limit, lease.retryMs))
  }
}

function createHoldings(leases: Leases | undefined, steadyMs: () => number) {
  const holdings = new Map<string, Holding>()
  /** Accounts with a lease that may have to be returned. */
  const leased = new Map<string, Holding>()
  let returning: NodeJS.Timeout | undefined

  function forgetIdle(): void {
    for (const [id, { left, isAsking }] of holdings) {
      if (left === 0 && !isAsking) holdings.delete(id)
    }
  }

  function giveBack(accountId: string, holding: Holding): void {
    if (holding.left > 0) leases?.giveBack(accountId, holding.slot, holding.left)
    holding.left = 0
    leased.delete(accountId)
  }

  function giveBackEnded(): void {
    const now = steadyMs()
    for (const [id, holding] of leased) if (now >= holding.leaseEndsAt) giveBack(id, holding)
    if (leased.size > 0) return
    clearInterval(returning)
    returning = undefined
  }

  return {
    of(accountId: string, limit: number) {
      const known = holdings.get(accountId)
      if (known === undefined) {
        if (holdings.size >= HOLDINGS_MAX) forgetIdle()
        const holding = makeHolding(limit)
        holdings.set(accountId, holding)
        return holding
      }
      // A changed limit takes effect at once.
      if (known.limit !== limit) {
        giveBack(accountId, known)
        known.limit = limit
        known.noneUntil = Number.NEGATIVE_INFINITY
      }
      return known
    },
    giveBack,
    /** Notes that an account has requests left, which are returned when its lease ends. */
    keep(accountId: string, holding: Holding) {
      leased.set(accountId, holding)
      returning ??= setInterval(giveBackEnded, LEASE_MS).unref()
    },
    close() {
      clearInterval(returning)
      for (const [id, holding] of leased) giveBack(id, holding)
    },
  }
}

function makeHolding(limit: number): Holding {
  const never = Number.NEGATIVE_INFINITY
  const fresh = { limit, left: 0, slot: 0, leaseEndsAt: never, noneUntil: never, retryAt: never }
  return { ...fresh, waiting: [], isAsking: false }
}

function tooMany(limit: number, retryMs: number): Error {
  return refuse.tooMany('Too many requests in a minute for this account', {
    policy: 'account',
    quota: limit,
    windowMs: WINDOW_MS,
    retryMs,
  })
}
