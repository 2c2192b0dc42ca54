/**
 * How many requests each account has sent in the last minute. The ledger process holds one of these
 * for all workers of its node and hands them leases: permission for some requests, used within
 * `LEASE_MS` or given back.
 *
 * Source: docs/decisions/keys-and-rate-limits.md.
 */

/** A slot is the unit in which requests leave the window, milliseconds. */
const SLOT_MS = 100
/** How long a worker may use a lease after it asked for it, milliseconds. */
export const LEASE_MS = 100
/** The window that callers are told, milliseconds. */
export const WINDOW_MS = 60_000
/**
 * A request counts at the moment of its lease, which is up to `LEASE_MS` before its own, and its
 * slot began up to `SLOT_MS` before that. The window is longer by both, so that no sixty seconds
 * ever hold more than the limit.
 */
const WINDOW_SLOTS = (WINDOW_MS + LEASE_MS) / SLOT_MS + 1
/** A lease is this part of what is left, so that no worker holds much that another needs. */
const LEASE_PART = 16
/** Other workers give their leases back within this time, milliseconds. */
const RETURN_MS = 2 * LEASE_MS
const SWEEP_MS = 10_000

/**
 * Permission for `count` requests. With 0, or fewer than asked for, the times say what comes next.
 */
export type Lease = {
  count: number
  /** Names the lease when some of it is given back. */
  slot: number
  /** Until more requests leave the window, milliseconds. */
  retryMs: number
  /** Until it is worth asking again: leases of others may be given back sooner. */
  askMs: number
}

type RateWindows = {
  /** Leases `want` requests or more to a caller whose account may send `limit` in a minute. */
  lease(accountId: string, limit: number, want: number, now: number): Lease
  /** Takes back `count` requests of a lease that were not used. */
  giveBack(accountId: string, slot: number, count: number): void
  /** Accounts with a request in the window; for tests. */
  size(): number
}

/**
 * Windows by account, empty at first. Times are milliseconds of a steady clock. An account takes 16
 * bytes for each slot of the last minute in which it sent a request, and nothing when it sent none.
 */
export function createRateWindows(): RateWindows {
  const windows = new Map<string, Window>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_MS) return
    sweptAt = now
    for (const [id, window] of windows) {
      window.moveTo(now)
      if (window.used === 0) windows.delete(id)
    }
  }

  return {
    lease(accountId, limit, want, now) {
      sweep(now)
      let window = windows.get(accountId)
      if (window === undefined) {
        window = new Window()
        windows.set(accountId, window)
      }
      return window.lease(limit, want, now)
    },
    giveBack(accountId, slot, count) {
      windows.get(accountId)?.giveBack(slot, count)
    },
    size: () => windows.size,
  }
}

class Window {
  used = 0
  /** Slots in which requests were leased, oldest first, and how many in each. */
  #slots: number[] = []
  #counts: number[] = []
  #leasedAt = Number.NEGATIVE_INFINITY

  lease(limit: number, want: number, now: number): Lease {
    this.moveTo(now)
    const slot = Math.floor(now / SLOT_MS)
    const left = Math.max(0, limit - this.used)
    const count = Math.min(left, Math.max(want, Math.ceil(left / LEASE_PART)))
    const previous = this.#leasedAt
    if (count > 0) {
      this.#add(slot, count)
      this.#leasedAt = now
    }
    if (count >= want) return { count, slot, retryMs: 0, askMs: 0 }
    const retryMs = Math.max(1, ((this.#slots[0] ?? slot) + WINDOW_SLOTS) * SLOT_MS - now)
    const lateMs = Math.max(SLOT_MS, previous + RETURN_MS - now)
    const mayReturn = now - previous < RETURN_MS
    return { count, slot, retryMs, askMs: mayReturn ? Math.min(retryMs, lateMs) : retryMs }
  }

  giveBack(slot: number, count: number): void {
    const at = this.#slots.indexOf(slot)
    if (at === -1) return
    const returned = Math.min(count, this.#counts[at] ?? 0)
    this.#counts[at] = (this.#counts[at] ?? 0) - returned
    this.used -= returned
  }

  /** Drops slots that have left the window, and empty ones at its beginning. */
  moveTo(now: number): void {
    const oldest = Math.floor(now / SLOT_MS) - WINDOW_SLOTS
    let gone = 0
    while (gone < this.#slots.length) {
      const count = this.#counts[gone] as number
      if ((this.#slots[gone] as number) > oldest && count > 0) break
      this.used -= count
      gone += 1
    }
    if (gone === 0) return
    this.#slots.splice(0, gone)
    this.#counts.splice(0, gone)
  }

  #add(slot: number, count: number): void {
    const last = this.#slots.length - 1
    if (this.#slots[last] === slot) this.#counts[last] = (this.#counts[last] ?? 0) + count
    else {
      this.#slots.push(slot)
      this.#counts.push(count)
    }
    this.used += count
  }
}
