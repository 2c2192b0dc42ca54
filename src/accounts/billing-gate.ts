/**
 * Decides whether an account may have a request, by one table whose first match applies. Source:
 * docs/accounts.md, "The gate".
 */
import { DAY_MS } from '../base/days.ts'
import { type BlockCode, refuse } from '../base/errors.ts'
import type { AccountFacts, Caller, TokenAllowance, TokenUse } from '../base/model/account.ts'
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

type GateRow = {
  code: BlockCode
  blocks(view: GateView): boolean
  /** Text for the caller. */
  error: string
  /** Text for the person who manages billing. */
  action: string
}

export const GATE: readonly GateRow[] = [
  {
    code: 'access_denied',
    blocks: ({ facts }) => facts.suspended,
    error: 'API access of this account is suspended',
    action: 'Contact support to learn why the account was suspended and to have access restored.',
  },
  {
    code: 'billing_configuration_error',
    blocks: ({ facts }) => facts.billing === 'misconfigured',
    error: 'Billing of this account is not set up correctly',
    action:
      'Contact support: billing of this account has to be set up again by the service, ' +
      'nothing is owed by you.',
  },
  {
    code: 'billing_unavailable',
    blocks: ({ facts }) => facts.billing === 'unavailable',
    error: 'The billing state of this account cannot be read at the moment',
    action:
      'Wait a few minutes and send the request again; contact support if this lasts ' +
      'longer than an hour.',
  },
  {
    code: 'subscription_required',
    blocks: ({ facts }) => facts.subscription === 'none',
    error: 'This account has no subscription',
    action: 'Choose a plan on the billing page to start a subscription.',
  },
  {
    code: 'subscription_ended',
    blocks: ({ facts }) =>
      facts.subscription === 'canceled' || facts.subscription === 'incomplete_expired',
    error: 'The subscription of this account has ended',
    action: 'Start a new subscription on the billing page.',
  },
  {
    code: 'subscription_inactive',
    blocks: isInactive,
    error: 'The subscription of this account is not active',
    action:
      'Open the billing page and complete or resume the subscription, or pay what is ' +
      'past due, to make it active again.',
  },
  {
    code: 'payment_method_required',
    blocks: ({ facts }) => facts.paymentMethod === 'none',
    error: 'This account has no payment method',
    action: 'Add a card or another payment method on the billing page.',
  },
  {
    code: 'card_not_verified',
    blocks: ({ facts }) => facts.paymentMethod === 'unverified',
    error: 'The card of this account is not verified',
    action:
      'Verify the card on the billing page; the bank may ask the card holder to confirm it there.',
  },
  {
    code: 'unpaid_invoices',
    blocks: ({ facts }) => facts.unpaidInvoices > 0,
    error: 'This account has unpaid invoices',
    action: 'Pay the open invoices on the billing page.',
  },
  {
    code: 'overage_limit_exceeded',
    blocks: ({ facts, used, cost }) => cost > 0 && used + cost > allowanceOf(facts),
    error: 'The tokens and the overage cap of this billing period are used up',
    action:
      'Raise the overage cap or choose a larger plan on the billing page, or wait for ' +
      'the next billing period.',
  },
]

/** Texts of each code, for the 403 body. */
export const BLOCK_TEXTS = Object.fromEntries(
  GATE.map(({ code, error, action }) => [code, { error, action }]),
) as Record<BlockCode, { error: string; action: string }>

/**
 * Returns the first condition that blocks a request of `cost` tokens, or `undefined`.
 *
 * `newest` is the account's committed use; in a period that has begun since, the use is 0. Pure.
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

/**
 * Admits a caller, or throws the refusal *blocked* with the account's billing page, if it has one.
 *
 * `tokenUse` is only read when the decision depends on it.
 */
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

/**
 * Returns the tokens that a period allows: the included ones and the overage cap; `Infinity` when
 * either is unlimited.
 */
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
