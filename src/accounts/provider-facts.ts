/** Turns a billing provider's facts into those of an account. */
import type { AccountFacts } from '../base/model/account.ts'
import type { FactTexts } from '../store/billing-store.ts'
import { applyFacts, FACTS } from './account-facts.ts'

/**
 * Returns the facts of an account after its provider was asked.
 *
 * `said`: the provider's texts now; `before`: those of the last time. A suspension by the provider
 * is also lifted by it; one by the operator stays. Throws a sentence when the facts contradict each
 * other.
 */
export function applyProviderFacts(
  facts: AccountFacts,
  { said, before }: { said: FactTexts; before: FactTexts },
  now: number,
  plans: ReadonlyMap<string, string>,
): AccountFacts {
  const released = before.suspended === 'true' && said.suspended === undefined
  // A customer without a plan keeps none of the plan's tokens.
  const planGone = before.plan !== undefined && said.includedTokens !== undefined && !said.plan
  const texts: Record<string, string> = {
    ...(planGone && { plan: '' }),
    ...(released && { suspended: 'false' }),
    ...said,
  }
  const settings = FACTS.flatMap((fact) => {
    const text = texts[fact.name]
    return text === undefined ? [] : [[fact, text] as const]
  })
  return applyFacts(facts, settings, now, plans)
}
