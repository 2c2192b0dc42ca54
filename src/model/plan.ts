/** Plans: facts that many accounts have in common. */
import type { AccountFacts } from './account.ts'

/** Facts that a plan may give; an account's own win. */
export const PLAN_FACTS = ['includedTokens', 'overageCap', 'requestsPerMinute'] as const
export type PlanFact = (typeof PLAN_FACTS)[number]

/** What a plan says. `price.id`: ids of a billing provider's prices that stand for it. */
export type PlanTerms = Partial<Pick<AccountFacts, PlanFact>> & { 'price.id'?: string }

/** The facts that an account has with those of its plan. */
export function withPlan(facts: AccountFacts): AccountFacts {
  if (facts.planTerms === null) return facts
  const terms = JSON.parse(facts.planTerms) as PlanTerms
  const own = new Set(facts.ownFacts.split(' '))
  const given = PLAN_FACTS.filter((name) => !own.has(name) && terms[name] !== undefined)
  return { ...facts, ...Object.fromEntries(given.map((name) => [name, terms[name]])) }
}
