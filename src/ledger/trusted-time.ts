/** A time that a wrongly set clock does not move; charges are compared with it. */
import { periodAt } from '../accounts/period.ts'
import type { AccountFacts } from '../base/model/account.ts'

/** A clock that differs by less is trusted: corrections, a machine that slept overnight. */
const TRUSTED_STEP_MS = 86_400_000

/**
 * Follows the machine's clock in steps of at most a day, otherwise the monotonic one (`ticks`,
 * milliseconds). `last`: time of the newest verified charge, if any.
 */
export function createTrustedTime(
  last: number | undefined,
  now: () => number,
  ticks: () => number,
) {
  let base = last ?? now()
  let since = ticks()
  return {
    /** The time by the newest verified charge and the monotonic clock since. */
    at() {
      const [wall, tick] = [now(), ticks()]
      const steady = base + tick - since
      if (Math.abs(wall - steady) >= TRUSTED_STEP_MS) return steady
      base = wall
      since = tick
      return wall
    },
  }
}

/**
 * Returns the time at which a charge counts: `now`, unless its period begins more than one length
 * after that of the trusted time. An operator's own dates that contain `now` always count.
 */
export function countedAt(
  facts: Pick<AccountFacts, 'periodStart' | 'periodEnd'>,
  now: number,
  trusted: number,
): number {
  if (now <= trusted) return now
  const period = periodAt(facts, now)
  if (period.start === facts.periodStart) return now
  return period.start <= periodAt(facts, trusted).end ? now : trusted
}
