/**
 * Rate limits that several nodes share: each lease is taken from the database (`GrantStore`). What
 * is left returns with the account's next lease, or by `tidy`. Without the database, the node
 * counts by itself. docs/decisions/keys-and-rate-limits.md.
 */
import type { Granted, GrantStore, UnusedGrant } from '../../store/accounts-store.ts'
import { createRateWindows, LEASE_MS, type Lease, WINDOW_MS } from './rate-windows.ts'

/** Milliseconds for which a worker may use a lease of the database. */
const SHARED_MS = 1000
/** Milliseconds between calls of `tidy`. */
export const TIDY_MS = 250
/** A request is sent at most a lease after it was counted. */
const COUNTS_MS = WINDOW_MS + SHARED_MS
/** Milliseconds within which other nodes return what they hold. */
const OTHERS_MS = SHARED_MS + 2 * LEASE_MS + 2 * TIDY_MS
/** Shortest time between requests for an account with nothing left. */
const ASK_MS = 250
/** Less than a worker waits for a lease. */
const ANSWER_MS = 450
const PROBE_MS = 1000
const LOG_MS = 60_000
/** Milliseconds between deletions of expired rows, while an account is in use. */
const SWEEP_MS = 30_000
const NEVER = Number.NEGATIVE_INFINITY

type SharedWorld = {
  store: GrantStore
  /** Milliseconds of a steady clock. */
  steadyMs(): number
  /** Called at most once a minute while the node counts by itself. */
  onAlone(error: unknown): void
  answerMs?: number
}

export type SharedWindows = ReturnType<typeof createSharedWindows>

export function createSharedWindows(world: SharedWorld) {
  const { store, steadyMs } = world
  const own = createRateWindows()
  const unused = new UnusedGrants()
  const spent = new SpentAccounts()
  const reach = createReach(world)
  const sweep = createSweep(world)
  let [isTidying, isInUse] = [false, false]

  async function take(accountId: string, limit: number, want: number): Promise<Lease> {
    isInUse = true
    const asked = { accountId, limit, want, countsMs: COUNTS_MS, unused: unused.takeOf(accountId) }
    const onLate = ({ slot, count }: Granted) => unused.add(accountId, slot, count)
    try {
      const granted = await answerInTime(world, store.take(asked), onLate)
      const lease = leaseOf(granted, want)
      spent.note(accountId, limit, lease, steadyMs())
      return lease
    } catch (error) {
      // Whether `unused` was returned is unknown, so it stays counted.
      reach.lose(error)
      return own.lease(accountId, limit, want, steadyMs())
    }
  }

  async function giveBackAll(): Promise<void> {
    const rows = unused.takeAll()
    if (rows.length > 0) await store.giveBack(rows).catch(reach.lose)
  }

  return {
    /** As `RateWindows.lease`; a promise when the database is asked. It never rejects. */
    lease(accountId: string, limit: number, want: number) {
      const now = steadyMs()
      if (reach.isLost()) return own.lease(accountId, limit, want, now)
      return spent.find(accountId, limit, now) ?? take(accountId, limit, want)
    },
    giveBack(accountId: string, slot: number, count: number) {
      if (slot >= 0) own.giveBack(accountId, slot, count)
      else unused.add(accountId, -slot, count)
    },
    /** Returns unused requests, and checks whether the database is back. */
    async tidy() {
      if (isTidying) return
      isTidying = true
      spent.forget(steadyMs())
      if (reach.isLost()) await reach.probe()
      else {
        if (isInUse && (await sweep())) isInUse = false
        await giveBackAll()
      }
      isTidying = false
    },
    /** Returns everything; no lease is given after that. */
    async close() {
      if (!reach.isLost()) await giveBackAll()
      await store.close()
    },
  }
}

/** Rejects when no answer comes in time; `onLate` receives one that comes after that. */
function answerInTime(
  { answerMs = ANSWER_MS }: SharedWorld,
  asked: Promise<Granted>,
  onLate: (granted: Granted) => void,
): Promise<Granted> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the database gave no answer within ${answerMs} ms`))
      asked.then(onLate, () => undefined)
    }, answerMs)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Deletes expired rows, at most twice a minute; returns whether it did. */
function createSweep({ store, steadyMs }: SharedWorld) {
  let sweptAt = NEVER
  return async () => {
    const now = steadyMs()
    if (now - sweptAt < SWEEP_MS) return false
    sweptAt = now
    await store.sweep(COUNTS_MS).catch(() => undefined)
    return true
  }
}

/** Accounts of which fewer requests were left than wanted: no worker asks for them meanwhile. */
class SpentAccounts {
  readonly #accounts = new Map<string, { limit: number; askAt: number; retryAt: number }>()

  note(accountId: string, limit: number, { askMs, retryMs }: Lease, now: number): void {
    if (askMs === 0) return
    this.#accounts.set(accountId, { limit, askAt: now + askMs, retryAt: now + retryMs })
  }

  find(accountId: string, limit: number, now: number): Lease | undefined {
    const known = this.#accounts.get(accountId)
    if (known?.limit !== limit || now >= known.askAt) return undefined
    const { askAt, retryAt } = known
    return { count: 0, slot: 0, forMs: 0, askMs: askAt - now, retryMs: retryAt - now }
  }

  forget(now: number): void {
    for (const [id, { askAt }] of this.#accounts) if (now >= askAt) this.#accounts.delete(id)
  }
}

/** Whether the database answers; after a failure the node counts alone until a probe finds it. */
function createReach({ store, steadyMs, onAlone }: SharedWorld) {
  let isLost = false
  let [probedAt, reportedAt] = [NEVER, NEVER]

  function lose(error: unknown): void {
    const now = steadyMs()
    if (!isLost) probedAt = now
    isLost = true
    if (now - reportedAt < LOG_MS) return
    reportedAt = now
    onAlone(error)
  }

  return {
    isLost: () => isLost,
    lose,
    async probe() {
      const now = steadyMs()
      if (now - probedAt < PROBE_MS) return
      probedAt = now
      await store.giveBack([]).then(() => {
        isLost = false
      }, lose)
    },
  }
}

/** Requests that the database will get back, by account and slot. */
class UnusedGrants {
  readonly #accounts = new Map<string, Map<number, number>>()

  add(accountId: string, slot: number, count: number): void {
    if (count <= 0) return
    const slots = this.#accounts.getOrInsertComputed(accountId, () => new Map())
    slots.set(slot, (slots.get(slot) ?? 0) + count)
  }

  takeOf(accountId: string): UnusedGrant[] {
    const slots = this.#accounts.get(accountId)
    this.#accounts.delete(accountId)
    return Array.from(slots ?? [], ([slot, count]) => ({ slot, count }))
  }

  takeAll(): (UnusedGrant & { accountId: string })[] {
    return [...this.#accounts.keys()].flatMap((accountId) =>
      this.takeOf(accountId).map((one) => ({ accountId, ...one })),
    )
  }
}

/** When fewer are left than wanted, a worker asks again soon if other nodes may return some. */
function leaseOf({ count, slot, retryMs, quietMs }: Granted, want: number): Lease {
  const given = { count, slot: -slot, forMs: SHARED_MS }
  if (count >= want) return { ...given, retryMs: 0, askMs: 0 }
  const askMs = Math.max(ASK_MS, quietMs < OTHERS_MS ? Math.min(retryMs, ASK_MS) : retryMs)
  return { ...given, retryMs: Math.max(retryMs, askMs), askMs }
}
