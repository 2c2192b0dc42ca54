/** Where an account stands in its billing period. */
import type { BlockCode } from '../errors.ts'
import type { AccountFacts, TokenUse } from '../model/account.ts'
import { allowanceOf, gate, remainingOf } from './billing-gate.ts'
import { type Period, periodAt, useAt } from './period.ts'

/** Where an account stands: its period, and its tokens used and left. */
export type Standing = {
  period: Period
  /** Tokens used in it. */
  used: number
  /** Tokens it allows, cap included; null: no limit. */
  allowance: number | null
  /** Tokens left of the allowance; null: no limit. */
  remaining: number | null
  /** What blocks a request that costs a token; null: nothing. */
  blocked: BlockCode | null
}

/** Where an account stands at a moment (epoch milliseconds), given its newest committed use. */
export function standingOf(
  facts: AccountFacts,
  newest: TokenUse | undefined,
  now: number,
): Standing {
  const { period: start, used } = useAt(facts, newest, now)
  // A clock that went back does not reach an earlier period again: the newest charged one stays.
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
