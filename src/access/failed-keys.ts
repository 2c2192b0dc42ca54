/**
 * Limits the requests without a valid key from one address: the 429 in place of a 401.
 *
 * Each worker counts by itself. A valid key passes whatever its address has done before.
 */
import { refuse } from '../errors.ts'

/** Requests without a valid key that an address may send at once, and then in a second. */
export const BURST = 100
const PER_SECOND = 20
/** Then those are forgotten that may send a whole burst again; all, if that frees nothing. */
const ADDRESSES_MAX = 10_000

/** `left` requests at the moment `at`. */
type Bucket = { left: number; at: number }

/** Counts requests without a valid key, by the address that sent them. */
export type FailedKeys = {
  /**
   * Counts a request without a valid key. Throws the refusal *too many* when it is one too many.
   */
  note(address: string): void
}

/** Starts counting. `steadyMs`: milliseconds of a monotonic clock. */
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
