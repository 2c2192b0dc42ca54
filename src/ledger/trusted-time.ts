/** A time that a clock which is set wrongly does not move: what charges are held against. */
import { periodAt } from '../access/period.ts'
import type { AccountFacts } from '../model/account.ts'

type TrustedTime = {
  /** The time by the newest verified charge and the steady clock since, epoch milliseconds. */
  at(): number
}

/**
 * A clock that differs by less is taken for right: corrections, a machine that slept for a night.
 */
const TRUSTED_STEP_MS = 86_400_000

/**
 * Follows the clock of the machine in steps of at most a day, and otherwise the steady clock.
 *
 * `last`: time of the newest verified charge, `undefined` when there is none; `now`: epoch
 * milliseconds; `ticks`: milliseconds of a clock that is monotonic.
 */
export function createTrustedTime(
  last: number | undefined,
  now: () => number,
  ticks: () => number,
): TrustedTime {
  let base = last ?? now()
  let since = ticks()
  return {
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
 * The time at which a charge of an account counts: `now`, unless its period would begin more than
 * one length after the one of the trusted time. A period whose own dates hold `now` was set so by
 * an operator and always counts.
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
