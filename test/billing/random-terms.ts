/** Random histories of an account's tokens, with changes of terms in mid-period. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sumOverage } from '../../src/billing/overage.ts'

type Terms = { includedTokens: number | 'unlimited'; overageCap: number | 'unlimited' }

const amount = (tokens: number | 'unlimited') =>
  tokens === 'unlimited' ? Number.POSITIVE_INFINITY : tokens
const allowance = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant('unlimited' as const))
const terms = fc.record<Terms>({ includedTokens: allowance, overageCap: allowance })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }).map((use) => ({ use })) },
  { weight: 2, arbitrary: terms.map((next) => ({ next })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 10 }).map((credit) => ({ credit })) },
)
type Step = { use: number } | { next: Terms } | { credit: number }

/**
 * Plays `runs` histories as the gate does, one token at a time. No invoice is above the largest cap
 * in force while tokens were used; without changes it is what lies beyond the included tokens.
 */
export function checkRandomTerms(runs: number): void {
  fc.assert(
    fc.property(terms, fc.array(step, { maxLength: 40, size: 'max' }), (first, steps) =>
      play(first, steps),
    ),
    { numRuns: runs },
  )
}

function play(first: Terms, steps: readonly Step[]): void {
  const states = [{ at: 0, terms: first }]
  const rows: { cost: number; at: number }[] = []
  let [used, at, cap] = [0, 0, 0]
  for (const one of steps) {
    at += 1
    const now = states.at(-1)?.terms ?? first
    if ('next' in one) states.push({ at, terms: one.next })
    else if ('credit' in one) {
      const back = Math.min(one.credit, used)
      if (back > 0) rows.push({ cost: -back, at })
      used -= back
    } else {
      for (let token = 0; token < one.use; token += 1) {
        if (used + 1 > amount(now.includedTokens) + amount(now.overageCap)) break
        rows.push({ cost: 1, at })
        used += 1
        cap = Math.max(cap, amount(now.overageCap))
      }
    }
  }
  const termsAt = (time: number) => states.findLast((state) => state.at <= time)?.terms ?? first
  const overage = sumOverage(rows, termsAt)
  assert.ok(overage >= 0 && overage <= cap, `${overage} tokens are above the cap ${cap}`)
  if (states.length === 1) {
    assert.equal(overage, Math.max(0, used - amount(first.includedTokens)))
  }
}
