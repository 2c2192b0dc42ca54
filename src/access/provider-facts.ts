/** What a billing provider says of an account, made into the account's own facts. */
import type { AccountFacts } from '../model/account.ts'
import type { FactTexts } from '../store/billing-store.ts'
import { applyFacts, FACTS } from './account-facts.ts'

/**
 * The facts of an account after its provider was asked.
 *
 * `said` are the provider's texts now, `before` those of the last time. What the provider suspended
 * it also releases; what the operator suspended stays. Throws a sentence when they do not fit
 * together.
 */
export function applyProviderFacts(
  facts: AccountFacts,
  said: FactTexts,
  before: FactTexts,
  now: number,
  plans: ReadonlyMap<string, string>,
): AccountFacts {
  const released = before.suspended === 'true' && said.suspended === undefined
  // A customer without a plan now has none, and keeps no tokens of the one it had.
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
