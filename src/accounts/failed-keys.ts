/**
 * Limits requests without a valid key per address: answers 429 instead of 401. Never limits those
 * with one. The primary counts for all workers of a node (`shared-failed-keys.ts`).
 */
import { refuse } from '../base/errors.ts'

/** Requests without a valid key of an address: allowed at once, and then refilled per second. */
export const BURST = 100
const PER_SECOND = 20
/** At this size, entries with a full allowance are dropped; all, if that drops nothing. */
const ADDRESSES_MAX = 10_000

/** `left`: requests left at the time `at`. */
type Bucket = { left: number; at: number }

export type FailedKeys = {
  /** Counts a request without a valid key. Throws, or rejects with, *too many* above the limit. */
  note(address: string): void | Promise<void>
}

/** How many of the requests may pass; if not all, the next one may pass in `retryMs`. */
export type FailedGrant = { granted: number; retryMs: number }

/** Requests of an address: allowed at once, then per second; and the text of the refusal. */
type AddressRate = { burst: number; perSecond: number; text: string }

const FAILED: AddressRate = {
  burst: BURST,
  perSecond: PER_SECOND,
  text: 'Too many requests without a valid API key from this address',
}

/** Messages to `/mcp` without a key, such as the list of tools; counted per worker. */
export const DISCOVERY: AddressRate = {
  burst: 100,
  perSecond: 10,
  text: 'Too many messages without a valid API key from this address',
}

/** Creates the counter. `steadyMs`: milliseconds of a monotonic clock. */
export function createFailedKeys(steadyMs: () => number, rate = FAILED) {
  const { burst, perSecond } = rate
  const buckets = new Map<string, Bucket>()

  function fill(bucket: Bucket, now: number): number {
    return Math.min(burst, bucket.left + ((now - bucket.at) * perSecond) / 1000)
  }

  function makeRoom(now: number): void {
    for (const [address, bucket] of buckets) {
      if (fill(bucket, now) >= burst) buckets.delete(address)
    }
    if (buckets.size >= ADDRESSES_MAX) buckets.clear()
  }

  function take(address: string, count: number): FailedGrant {
    const now = steadyMs()
    const known = buckets.get(address)
    const left = known === undefined ? burst : fill(known, now)
    const granted = Math.min(count, Math.floor(left))
    const retryMs = granted === count ? 0 : ((granted + 1 - left) * 1000) / perSecond
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
    /** Counts as many of `count` requests of an address as may pass. */
    take,
    note(address: string) {
      const { granted, retryMs } = take(address, 1)
      if (granted === 0) throw tooManyFailed(retryMs, rate)
    },
  }
}

export function tooManyFailed(retryMs: number, { text, perSecond } = FAILED): Error {
  return refuse.tooMany(text, { policy: 'address', quota: perSecond, windowMs: 1000, retryMs })
}
