/** Computes an account's state in its billing period. */
import type { BlockCode } from '../base/errors.ts'
import type { AccountFacts, TokenUse } from '../base/model/account.ts'
import { allowanceOf, gate, remainingOf } from './billing-gate.ts'
import { type Period, periodAt, useAt } from './period.ts'

/** An account's period, with its tokens used and left. */
export type Standing = {
  period: Period
  used: number
  /** Tokens that the period allows, cap included; null for no limit. */
  allowance: number | null
  /** Tokens left; null for no limit. */
  remaining: number | null
  /** What blocks a request of one token; null for nothing. */
  blocked: BlockCode | null
}

/** Returns an account's state at a time (epoch milliseconds), given its newest committed use. */
export function standingOf(
  facts: AccountFacts,
  newest: TokenUse | undefined,
  now: number,
): Standing {
  const { period: start, used } = useAt(facts, newest, now)
  // A clock set back does not return to an earlier period: the newest charged one stays.
  const { end } = periodAt(facts, Math.max(now, Date.parse(start)))
  const allowance = allowanceOf(facts)
  return {
    period: { start, end },
    used,
    allowance: allowance === Number.POSITIVE_INFINITY ? null : allowance,
    remaining: remainingOf(facts, used),
    blocked: gate(facts, newest, 1, now) ?? null,
  }
}
