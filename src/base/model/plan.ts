/** Plans: facts shared by many accounts. */
import type { AccountFacts } from './account.ts'

/** Facts that a plan may set; an account's own take precedence. */
export const PLAN_FACTS = ['includedTokens', 'overageCap', 'requestsPerMinute'] as const
export type PlanFact = (typeof PLAN_FACTS)[number]

/** The terms of a plan. `price.id`: ids of the billing provider's prices that belong to it. */
export type PlanTerms = Partial<Pick<AccountFacts, PlanFact>> & { 'price.id'?: string }

export function withPlan(facts: AccountFacts): AccountFacts {
  if (facts.planTerms === null) return facts
  const terms = JSON.parse(facts.planTerms) as PlanTerms
  const own = new Set(facts.ownFacts.split(' '))
  const given = PLAN_FACTS.filter((name) => !own.has(name) && terms[name] !== undefined)
  return { ...facts, ...Object.fromEntries(given.map((name) => [name, terms[name]])) }
}
