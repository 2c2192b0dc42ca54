/**
 * Limits requests without a valid key per address: answers 429 instead of 401.
 *
 * The primary counts for all workers of a node (`shared-failed-keys.ts`). A request with a valid
 * key is never limited.
 */
import { refuse } from '../base/errors.ts'

/** Requests without a valid key of an address: allowed at once, and then refilled per second. */
export const BURST = 100
const PER_SECOND = 20
/** At this size, entries with a full allowance are dropped; all, if that drops nothing. */
const ADDRESSES_MAX = 10_000

/** `left`: requests left at the time `at`. */
type Bucket = { left: number; at: number }

/** Counts requests without a valid key by sender address. */
export type FailedKeys = {
  /**
   * Counts a request without a valid key. Above the limit it throws the refusal *too many*, or
   * rejects with it.
   */
  note(address: string): void | Promise<void>
}

/** How many of the requests may pass; if not all, the next one may pass in `retryMs`. */
export type FailedGrant = { granted: number; retryMs: number }

type FailedCounter = {
  note(address: string): void
  /** Counts as many of `count` requests of an address as may pass. */
  take(address: string, count: number): FailedGrant
}

/** Creates the counter. `steadyMs`: milliseconds of a monotonic clock. */
export function createFailedKeys(steadyMs: () => number): FailedCounter {
  const buckets = new Map<string, Bucket>()

  function fill(bucket: Bucket, now: number): number {
    return Math.min(BURST, bucket.left + ((now - bucket.at) * PER_SECOND) / 1000)
  }

  function makeRoom(now: number): void {
    for (const [address, bucket] of buckets) {
      if (fill(bucket, now) >= BURST) buckets.delete(address)
    }
    if (buckets.size >= ADDRESSES_MAX) buckets.clear()
  }

  function take(address: string, count: number): FailedGrant {
    const now = steadyMs()
    const known = buckets.get(address)
    const left = known === undefined ? BURST : fill(known, now)
    const granted = Math.min(count, Math.floor(left))
    const retryMs = granted === count ? 0 : ((granted + 1 - left) * 1000) / PER_SECOND
    if (known === undefined) {
      if (buckets.size >= ADDRESSES_MAX) makeRoom(now)
      buckets.set(address, { left: left - granted, at: now })
    } else if (granted > 0) {
      known.left = left - granted
      known.at = now
    }
    return { granted, retryMs }
  }

  return {
    take,
    note(address) {
      const { granted, retryMs } = take(address, 1)
      if (granted === 0) throw tooManyFailed(retryMs)
    },
  }
}

/** Returns the refusal of an address. */
export function tooManyFailed(retryMs: number): Error {
  return refuse.tooMany('Too many requests without a valid API key from this address', {
    policy: 'address',
    quota: PER_SECOND,
    windowMs: 1000,
    retryMs,
  })
}
