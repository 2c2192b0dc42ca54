/**
 * Limits requests without a valid key per address: answers 429 instead of 401.
 *
 * Each worker counts separately. A request with a valid key is never limited.
 */
import { refuse } from '../errors.ts'

/** Requests without a valid key allowed at once, and then per second. */
export const BURST = 100
const PER_SECOND = 20
/** At this size, entries with a full allowance are dropped; all, if that drops nothing. */
const ADDRESSES_MAX = 10_000

/** `left`: requests left at the time `at`. */
type Bucket = { left: number; at: number }

/** Counts requests without a valid key by sender address. */
export type FailedKeys = {
  /** Counts a request without a valid key. Throws the refusal *too many* above the limit. */
  note(address: string): void
}

/** Creates the counter. `steadyMs`: milliseconds of a monotonic clock. */
export function createFailedKeys(steadyMs: () => number): FailedKeys {
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

  return {
    note(address) {
      const now = steadyMs()
      const known = buckets.get(address)
      const left = known === undefined ? BURST : fill(known, now)
      if (left < 1) throw tooMany(((1 - left) * 1000) / PER_SECOND)
      if (known === undefined) {
        if (buckets.size >= ADDRESSES_MAX) makeRoom(now)
        buckets.set(address, { left: left - 1, at: now })
      } else {
        known.left = left - 1
        known.at = now
      }
    },
  }
}

function tooMany(retryMs: number): Error {
  return refuse.tooMany('Too many requests without a valid API key from this address', {
    policy: 'address',
    quota: PER_SECOND,
    windowMs: 1000,
    retryMs,
  })
}
