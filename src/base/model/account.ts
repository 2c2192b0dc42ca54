/** Accounts and API keys: the facts that the gate decides on (docs/accounts.md, "Facts"). */

export const FACT_WORDS = {
  dataReads: ['v2', 'v3'],
  responseShape: ['flat', 'nested'],
  /** Whether fields without a value are shown as null or left out. */
  emptyFields: ['null', 'omit'],
  /** Which codes `useCode` shows and asks for: the national scheme's or the roll's own. */
  useCodes: ['contract', 'recorded'],
  billing: ['ok', 'unavailable', 'misconfigured'],
  subscription: [
    ...(['none', 'incomplete', 'incomplete_expired', 'trialing', 'active'] as const),
    ...(['past_due', 'canceled', 'unpaid', 'paused'] as const),
  ],
  paymentMethod: ['none', 'unverified', 'verified'],
} as const

export type WordFacts = { [Name in keyof typeof FACT_WORDS]: (typeof FACT_WORDS)[Name][number] }

/** A count of tokens, or no limit at all. */
export type TokenAllowance = number | 'unlimited'

/** Facts of an account, set by an operator or by a billing provider's events. */
export type AccountFacts = WordFacts & {
  suspended: boolean
  unpaidInvoices: number
  includedTokens: TokenAllowance
  overageCap: TokenAllowance
  pastDueGraceDays: number
  /** Since when the subscription is past due, epoch milliseconds; null while it is not. */
  pastDueSince: number | null
  /** First day of the billing period as `YYYY-MM-DD`, UTC; null: calendar months. */
  periodStart: string | null
  /** Day after the last one of the period, `YYYY-MM-DD`, UTC; null: calendar months. */
  periodEnd: string | null
  /** Absolute URL; null: the service's own. */
  billingUrl: string | null
  requestsPerMinute: TokenAllowance
  /** Most watches, and most parcels that these name. */
  watchesMax: number
  watchedParcelsMax: number
  plan: string | null
  /** The plan's terms as JSON (`withPlan`). */
  planTerms: string | null
  /** Names of facts that override the plan's, separated by blanks. */
  ownFacts: string
}

export type Account = {
  id: string
  name: string
  facts: AccountFacts
}

/** The account behind a valid key, and the key's own id (never the key). */
export type Caller = {
  account: Account
  keyId: string
  /** Whether the key is answered from the sandbox, where nothing is charged. */
  isSandbox?: boolean
}

/** Tokens charged to an account in its newest period. */
export type TokenUse = {
  /** First day of the period the use belongs to, `YYYY-MM-DD`. */
  period: string
  used: number
}

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
