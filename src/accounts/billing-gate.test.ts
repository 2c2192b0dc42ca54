/** Tests every combination of facts against a second implementation of the rule. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BlockCode, Refusal } from '../base/errors.ts'
import type { AccountFacts, TokenAllowance } from '../base/model/account.ts'
import { DEFAULT_FACTS } from './account-facts.ts'
import { admit, BLOCK_TEXTS, GATE, gate, remainingOf } from './billing-gate.ts'

const NOW = Date.UTC(2026, 4, 20, 12)
const DAY = 86_400_000

const PASSING: AccountFacts = { ...DEFAULT_FACTS, responseShape: 'nested' }

const SUSPENDED = [false, true]
const BILLING = ['ok', 'unavailable', 'misconfigured'] as const
const PAYMENT = ['none', 'unverified', 'verified'] as const
const INVOICES = [0, 1, 12]
/** Subscription, days of grace, and start of being past due. */
const SUBSCRIPTIONS: Pick<AccountFacts, 'subscription' | 'pastDueGraceDays' | 'pastDueSince'>[] = [
  ...(['none', 'incomplete', 'incomplete_expired', 'trialing', 'active', 'canceled'] as const).map(
    (subscription) => ({ subscription, pastDueGraceDays: 5, pastDueSince: null }),
  ),
  { subscription: 'unpaid', pastDueGraceDays: 5, pastDueSince: NOW },
  { subscription: 'paused', pastDueGraceDays: 5, pastDueSince: NOW },
  { subscription: 'past_due', pastDueGraceDays: 0, pastDueSince: NOW },
  { subscription: 'past_due', pastDueGraceDays: 3, pastDueSince: NOW - 3 * DAY + 1 },
  { subscription: 'past_due', pastDueGraceDays: 3, pastDueSince: NOW - 3 * DAY },
]
/** included | cap | used in the current period | cost => left over: whether the tokens suffice */
const TOKENS: [TokenAllowance, TokenAllowance, number, number, boolean][] = [
  ['unlimited', 0, 1_000_000, 1, true],
  [0, 'unlimited', 1_000_000, 1, true],
  [10, 0, 9, 1, true],
  [10, 0, 10, 1, false],
  [10, 2, 11, 1, true],
  [10, 2, 12, 1, false],
  [0, 0, 0, 1, false],
  [0, 0, 0, 0, true],
  [10, 2, 50, 0, true],
  [10, 0, 9, 2, false],
  [0, 3, -2, 5, true],
  [0, 3, -2, 6, false],
]

type Case = { facts: AccountFacts; used: number; cost: number; suffices: boolean }

function* everyCase(): Generator<Case> {
  for (const suspended of SUSPENDED)
    for (const billing of BILLING)
      for (const subscription of SUBSCRIPTIONS)
        for (const paymentMethod of PAYMENT)
          for (const unpaidInvoices of INVOICES)
            for (const [includedTokens, overageCap, used, cost, suffices] of TOKENS) {
              const more = { suspended, billing, paymentMethod, unpaidInvoices }
              const tokens = { includedTokens, overageCap }
              const facts = { ...PASSING, ...more, ...subscription, ...tokens }
              yield { facts, used, cost, suffices }
            }
}

const ask = ({ facts, used, cost }: Case) => gate(facts, { period: '2026-05-01', used }, cost, NOW)

/**
 * The second implementation: ranks each blocking fact by its line in docs/accounts.md and returns
 * the highest.
 */
function secondStatement({ facts, suffices }: Case): BlockCode | undefined {
  const grave = new Map<number, BlockCode>()
  if (!suffices) grave.set(10, 'overage_limit_exceeded')
  if (facts.unpaidInvoices !== 0) grave.set(9, 'unpaid_invoices')
  if (facts.paymentMethod !== 'verified') {
    if (facts.paymentMethod === 'none') grave.set(7, 'payment_method_required')
    else grave.set(8, 'card_not_verified')
  }
  switch (facts.subscription) {
    case 'trialing':
    case 'active':
      break
    case 'none':
      grave.set(4, 'subscription_required')
      break
    case 'canceled':
    case 'incomplete_expired':
      grave.set(5, 'subscription_ended')
      break
    case 'past_due': {
      const days = (NOW - (facts.pastDueSince ?? 0)) / DAY
      if (days >= facts.pastDueGraceDays) grave.set(6, 'subscription_inactive')
      break
    }
    default:
      grave.set(6, 'subscription_inactive')
  }
  if (facts.billing === 'unavailable') grave.set(3, 'billing_unavailable')
  if (facts.billing === 'misconfigured') grave.set(2, 'billing_configuration_error')
  if (facts.suspended) grave.set(1, 'access_denied')
  return grave.get(Math.min(...grave.keys()))
}

test('every combination of facts has the outcome of a second statement of the rule', () => {
  const seen = new Map<BlockCode | undefined, number>()
  for (const item of everyCase()) {
    const code = ask(item)
    assert.equal(code, secondStatement(item), JSON.stringify(item))
    seen.set(code, (seen.get(code) ?? 0) + 1)
  }
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
  assert.equal(total, 2 * 3 * 11 * 3 * 3 * 12)
  assert.equal(seen.size, 11, 'ten codes and the passage all occur')
})

/** How the payer resolves each code. */
const CURES: Record<BlockCode, (item: Case) => Case> = {
  access_denied: (item) => withFacts(item, { suspended: false }),
  billing_configuration_error: (item) => withFacts(item, { billing: 'ok' }),
  billing_unavailable: (item) => withFacts(item, { billing: 'ok' }),
  subscription_required: (item) => withFacts(item, { subscription: 'active' }),
  subscription_ended: (item) => withFacts(item, { subscription: 'active' }),
  subscription_inactive: (item) => withFacts(item, { subscription: 'active' }),
  payment_method_required: (item) => withFacts(item, { paymentMethod: 'unverified' }),
  card_not_verified: (item) => withFacts(item, { paymentMethod: 'verified' }),
  unpaid_invoices: (item) => withFacts(item, { unpaidInvoices: 0 }),
  overage_limit_exceeded: (item) => withFacts(item, { overageCap: item.used + item.cost }),
}

function withFacts(item: Case, facts: Partial<AccountFacts>): Case {
  return { ...item, facts: { ...item.facts, ...facts } }
}

test('curing the reported condition always gives a later row or passage', () => {
  const order = GATE.map((row) => row.code)
  for (const item of everyCase()) {
    const code = ask(item)
    if (code === undefined) continue
    const after = ask(CURES[code](item))
    const later = after === undefined || order.indexOf(after) > order.indexOf(code)
    assert.ok(later, `${code} then ${after}: ${JSON.stringify(item)}`)
  }
})

test('the ten rows are in the order of docs/accounts.md', () => {
  assert.deepEqual(
    GATE.map((row) => row.code),
    [
      'access_denied',
      'billing_configuration_error',
      'billing_unavailable',
      'subscription_required',
      'subscription_ended',
      'subscription_inactive',
      'payment_method_required',
      'card_not_verified',
      'unpaid_invoices',
      'overage_limit_exceeded',
    ],
  )
})

test('every code has a text, and an action that is a sentence of its own', () => {
  const actions = Object.values(BLOCK_TEXTS).map((texts) => texts.action)
  assert.equal(new Set(actions).size, GATE.length)
  for (const action of actions) assert.match(action, /^[A-Z][^.]{20,}\.$/)
})

test('past_due without a known start, or with 0 days of grace, is always inactive', () => {
  const due = { ...PASSING, subscription: 'past_due' } as const
  assert.equal(gate({ ...due, pastDueGraceDays: 9 }, undefined, 0, NOW), 'subscription_inactive')
  assert.equal(
    gate({ ...due, pastDueSince: NOW }, undefined, 0, NOW - DAY),
    'subscription_inactive',
  )
})

test('use of an earlier period does not count', () => {
  const facts = { ...PASSING, includedTokens: 3 }
  const full = (period: string) => gate(facts, { period, used: 3 }, 1, NOW)
  assert.equal(full('2026-04-01'), undefined)
  assert.equal(full('2026-05-01'), 'overage_limit_exceeded')
  assert.equal(full('2027-05-01'), 'overage_limit_exceeded')
})

test('admitting asks for the use only when the answer depends on it', async () => {
  const asked: string[] = []
  const tokenUse = async (id: string) => {
    asked.push(id)
    return { period: '2026-05-01', used: 5 }
  }
  const caller = (facts: AccountFacts) => ({
    account: { id: 'acc_1', name: 'A', facts },
    keyId: 'key_1',
  })
  await admit(caller(PASSING), 1, tokenUse, NOW)
  await admit(caller({ ...PASSING, includedTokens: 5 }), 0, tokenUse, NOW)
  assert.deepEqual(asked, [])
  const page = 'https://pay.example/acc_1'
  const blocked = caller({ ...PASSING, includedTokens: 5, billingUrl: page })
  await assert.rejects(
    async () => admit(blocked, 1, tokenUse, NOW),
    (error) =>
      error instanceof Refusal &&
      error.kind === 'blocked' &&
      error.code === 'overage_limit_exceeded' &&
      error.billingUrl === page,
  )
  assert.deepEqual(asked, ['acc_1'])
})

test('what remains is included + cap − used, null without a limit', () => {
  assert.equal(remainingOf({ ...PASSING, includedTokens: 10, overageCap: 5 }, 12), 3)
  assert.equal(remainingOf({ ...PASSING, includedTokens: 10, overageCap: 5 }, 20), 0)
  assert.equal(remainingOf({ ...PASSING, includedTokens: 10, overageCap: 'unlimited' }, 20), null)
})
