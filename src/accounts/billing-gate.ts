/** Decides on an account's request by the first match in docs/accounts.md, "The gate". */
import { DAY_MS } from '../base/days.ts'
import { type BlockCode, refuse } from '../base/errors.ts'
import type { AccountFacts, Caller, TokenAllowance, TokenUse } from '../base/model/account.ts'
import { readTable } from '../base/tables.ts'
import { useAt } from './period.ts'

/** Input of the gate: the account's facts, its use, the request's cost in tokens, and the time. */
type GateView = {
  facts: AccountFacts
  /** Tokens used in the request's period. */
  used: number
  cost: number
  /** Epoch milliseconds. */
  now: number
}

const BLOCKS: Record<BlockCode, (view: GateView) => boolean> = {
  access_denied: ({ facts }) => facts.suspended,
  billing_configuration_error: ({ facts }) => facts.billing === 'misconfigured',
  billing_unavailable: ({ facts }) => facts.billing === 'unavailable',
  subscription_required: ({ facts }) => facts.subscription === 'none',
  subscription_ended: ({ facts }) =>
    facts.subscription === 'canceled' || facts.subscription === 'incomplete_expired',
  subscription_inactive: isInactive,
  payment_method_required: ({ facts }) => facts.paymentMethod === 'none',
  card_not_verified: ({ facts }) => facts.paymentMethod === 'unverified',
  unpaid_invoices: ({ facts }) => facts.unpaidInvoices > 0,
  overage_limit_exceeded: ({ facts, used, cost }) => cost > 0 && used + cost > allowanceOf(facts),
}

/** The rows with their texts; `tables/gate.tsv` has both, and the order. */
export const GATE = readTable('gate.tsv').map((line) => {
  const [code, error = '', action = ''] = line.split('\t') as [BlockCode, ...string[]]
  return { code, error, action, blocks: BLOCKS[code] }
})

/** Texts of each code, for the 403 body. */
export const BLOCK_TEXTS = Object.fromEntries(
  GATE.map(({ code, error, action }) => [code, { error, action }]),
) as Record<BlockCode, { error: string; action: string }>

/**
 * Returns the first condition that blocks a request of `cost` tokens, or `undefined`. Pure.
 * `newest`: the account's committed use; in a period that has begun since, the use is 0.
 */
export function gate(
  facts: AccountFacts,
  newest: TokenUse | undefined,
  cost: number,
  now: number,
): BlockCode | undefined {
  // Most requests are free, or their account is unlimited; the period is then not needed.
  const counts = cost > 0 && allowanceOf(facts) !== Number.POSITIVE_INFINITY
  const view = { facts, used: counts ? useAt(facts, newest, now).used : 0, cost, now }
  return GATE.find((row) => row.blocks(view))?.code
}

/** Admits a caller, or throws the refusal *blocked*. Reads `tokenUse` only if needed. */
export function admit(
  caller: Caller,
  cost: number,
  tokenUse: (accountId: string) => Promise<TokenUse | undefined>,
  now: number,
): Promise<void> | undefined {
  const { id, facts } = caller.account
  const counts = cost > 0 && allowanceOf(facts) !== Number.POSITIVE_INFINITY
  if (counts) return tokenUse(id).then((newest) => pass(facts, newest, cost, now))
  pass(facts, undefined, cost, now)
  return undefined
}

function pass(facts: AccountFacts, newest: TokenUse | undefined, cost: number, now: number): void {
  const code = gate(facts, newest, cost, now)
  if (code !== undefined) throw refuse.blocked(code, facts.billingUrl ?? undefined)
}

/** Returns a period's included tokens plus the overage cap; `Infinity` if either is unlimited. */
export function allowanceOf(facts: Pick<AccountFacts, 'includedTokens' | 'overageCap'>): number {
  return amount(facts.includedTokens) + amount(facts.overageCap)
}

/** Returns the tokens left: included + cap − used, or null without a limit. */
export function remainingOf(facts: AccountFacts, used: number): number | null {
  const allowance = allowanceOf(facts)
  return allowance === Number.POSITIVE_INFINITY ? null : Math.max(0, allowance - used)
}

function amount(tokens: TokenAllowance): number {
  return tokens === 'unlimited' ? Number.POSITIVE_INFINITY : tokens
}

/** A grace of 0 days never applies, even when the clock is before `pastDueSince`. */
function isInactive({ facts, now }: GateView): boolean {
  const { subscription, pastDueGraceDays, pastDueSince } = facts
  if (subscription !== 'past_due') {
    return subscription === 'incomplete' || subscription === 'paused' || subscription === 'unpaid'
  }
  const hasGrace = pastDueGraceDays > 0 && pastDueSince !== null
  return !(hasGrace && now < pastDueSince + pastDueGraceDays * DAY_MS)
}
