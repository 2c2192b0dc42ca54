/**
 * Counts the requests of each account in the last minute. The ledger process counts for all workers
 * of its node and gives them leases: permission for some requests, used within `LEASE_MS` or
 * returned. docs/decisions/keys-and-rate-limits.md.
 */

/** Length of a slot in milliseconds; requests leave the window slot by slot. */
const SLOT_MS = 100
/** Milliseconds for which a worker may use a lease after requesting it. */
export const LEASE_MS = 100
/** The window stated to callers, in milliseconds. */
export const WINDOW_MS = 60_000
/**
 * A request counts from its lease, up to `LEASE_MS` before it, and the lease's slot began up to
 * `SLOT_MS` earlier. The window is longer by both, so that no minute has more than the limit.
 */
const WINDOW_SLOTS = (WINDOW_MS + LEASE_MS) / SLOT_MS + 1
/** A lease is at most this fraction of what is left, so that other workers have some too. */
const LEASE_PART = 16
/** Milliseconds within which other workers return their leases. */
const RETURN_MS = 2 * LEASE_MS
const SWEEP_MS = 10_000

/** Permission for `count` requests; when fewer than asked, the times say when more come. */
export type Lease = {
  count: number
  /** Identifies the lease when a part of it is returned. */
  slot: number
  /** Milliseconds after its request for which it may be used. */
  forMs: number
  /** Milliseconds until more requests leave the window. */
  retryMs: number
  /** Milliseconds until a new request is useful: leases of others may be returned sooner. */
  askMs: number
}

/** Creates windows by account. Times: ms of a monotonic clock. A slot in use takes 16 bytes. */
export function createRateWindows() {
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
    /** Leases at least `want` requests to a caller whose account may send `limit` per minute. */
    lease(accountId: string, limit: number, want: number, now: number) {
      sweep(now)
      const window = windows.getOrInsertComputed(accountId, () => new Window())
      return window.lease(limit, want, now)
    },
    /** Takes back `count` unused requests of a lease. */
    giveBack(accountId: string, slot: number, count: number) {
      windows.get(accountId)?.giveBack(slot, count)
    },
    /** Accounts with a request in the window; for tests. */
    size: () => windows.size,
  }
}

class Window {
  used = 0
  /** Slots with leased requests, oldest first, and the number in each. */
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
    const given = { count, slot, forMs: LEASE_MS }
    if (count >= want) return { ...given, retryMs: 0, askMs: 0 }
    const retryMs = Math.max(1, ((this.#slots[0] ?? slot) + WINDOW_SLOTS) * SLOT_MS - now)
    const lateMs = Math.max(SLOT_MS, previous + RETURN_MS - now)
    const mayReturn = now - previous < RETURN_MS
    return { ...given, retryMs, askMs: mayReturn ? Math.min(retryMs, lateMs) : retryMs }
  }

  giveBack(slot: number, count: number): void {
    const at = this.#slots.indexOf(slot)
    if (at === -1) return
    const returned = Math.min(count, this.#counts[at] ?? 0)
    this.#counts[at] = (this.#counts[at] ?? 0) - returned
    this.used -= returned
  }

  /** Drops slots that have left the window, and empty ones at its start. */
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
