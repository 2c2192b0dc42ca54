/**
 * Each of the ten codes follows from what happens at Stripe, through a signed event; curing it
 * opens again.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { STRIPE_FACTS } from '../../src/billing/stripe-facts.ts'
import { makeBillingWorld, NOW } from './billing-world.ts'
import {
  addCustomer,
  addInvoice,
  type FakeObject,
  type FakeStripe,
  startFakeStripe,
} from './fake-stripe.ts'

const fake = await startFakeStripe()
const world = await makeBillingWorld(fake)
after(async () => {
  await world.close()
  await fake.close()
})

type Made = ReturnType<typeof addCustomer> & { id: string; fake: FakeStripe }
type Case = {
  name: string
  code: string
  type: string
  /** Changes an object at Stripe and returns the one that the event is about. */
  happen(made: Made): FakeObject
  /** Takes it back. */
  cure?(made: Made): FakeObject
}

const CASES: Case[] = [
  {
    name: 'the customer is suspended in its metadata',
    code: 'access_denied',
    type: 'customer.updated',
    happen: ({ customer }) => Object.assign(customer, { metadata: { platbook_suspended: 'true' } }),
    cure: ({ customer }) => Object.assign(customer, { metadata: {} }),
  },
  {
    name: 'the customer is deleted',
    code: 'billing_configuration_error',
    type: 'customer.deleted',
    happen: ({ customer }) => Object.assign(customer, { deleted: true }),
  },
  {
    name: 'the price has no plan',
    code: 'billing_configuration_error',
    type: 'customer.subscription.updated',
    happen: ({ price, subscription }) => change(price, { metadata: {} }, subscription),
    cure: ({ price, subscription }) =>
      change(price, { metadata: { platbook_included: '7' } }, subscription),
  },
  {
    name: 'the price names a plan that is not there',
    code: 'billing_configuration_error',
    type: 'customer.subscription.updated',
    happen: ({ price, subscription }) =>
      change(price, { metadata: { platbook_plan: 'none' } }, subscription),
  },
  {
    name: 'the customer is of live mode',
    code: 'billing_configuration_error',
    type: 'customer.updated',
    happen: ({ customer }) => ({ ...Object.assign(customer, { livemode: true }), livemode: false }),
  },
  {
    name: 'the price is of another currency than the customer',
    code: 'billing_configuration_error',
    type: 'customer.subscription.updated',
    happen: ({ price, subscription }) => change(price, { currency: 'eur' }, subscription),
  },
  {
    name: 'there is no subscription',
    code: 'subscription_required',
    type: 'customer.updated',
    happen: ({ customer, subscription, fake: { subscriptions } }) => {
      subscriptions.splice(subscriptions.indexOf(subscription), 1)
      return customer
    },
  },
  ...(
    [
      ['canceled', 'subscription_ended'],
      ['incomplete_expired', 'subscription_ended'],
      ['incomplete', 'subscription_inactive'],
      ['paused', 'subscription_inactive'],
      ['unpaid', 'subscription_inactive'],
      ['past_due', 'subscription_inactive'],
    ] as const
  ).map(
    ([status, code]): Case => ({
      name: `the subscription is ${status}`,
      code,
      type: 'customer.subscription.updated',
      happen: ({ subscription }) => Object.assign(subscription, { status }),
      cure: ({ subscription }) => Object.assign(subscription, { status: 'active' }),
    }),
  ),
  {
    name: 'the payment method is detached',
    code: 'payment_method_required',
    type: 'customer.updated',
    happen: ({ customer }) => Object.assign(customer, { invoice_settings: {} }),
    cure: ({ customer, id }) =>
      Object.assign(customer, { invoice_settings: { default_payment_method: `pm_${id}` } }),
  },
  {
    name: 'the newest SetupIntent needs an action',
    code: 'card_not_verified',
    type: 'setup_intent.requires_action',
    happen: ({ setupIntent }) => Object.assign(setupIntent, { status: 'requires_action' }),
    cure: ({ setupIntent, id, fake: { charges } }) => {
      // A charge on it verifies as well.
      const charge = { id: 'ch_1', customer: id, payment_method: `pm_${id}`, paid: true }
      charges.push({ ...charge, status: 'succeeded' })
      return setupIntent
    },
  },
  {
    name: 'an invoice is open and past its date',
    code: 'unpaid_invoices',
    type: 'invoice.overdue',
    happen: ({ id }) => addInvoice(fake, id, { status: 'open', due_date: NOW / 1000 - 60 }),
    cure: ({ id }) => Object.assign(find(id), { status: 'paid' }),
  },
  {
    name: 'an invoice is uncollectible',
    code: 'unpaid_invoices',
    type: 'invoice.marked_uncollectible',
    happen: ({ id }) => addInvoice(fake, id, { status: 'uncollectible' }),
    cure: ({ id }) => Object.assign(find(id), { status: 'void' }),
  },
  {
    name: 'the price includes nothing',
    code: 'overage_limit_exceeded',
    type: 'customer.subscription.updated',
    happen: ({ price, subscription }) =>
      change(price, { metadata: { platbook_included: '0', platbook_cap: '0' } }, subscription),
    cure: ({ price, subscription }) =>
      change(price, { metadata: { platbook_included: '0', platbook_cap: '5' } }, subscription),
  },
]

/** Changes an object, and gives the one that the event is about. */
function change(object: FakeObject, parts: FakeObject, about: FakeObject): FakeObject {
  Object.assign(object, parts)
  return about
}

function find(customer: string): FakeObject {
  return fake.invoices.find((invoice) => invoice.customer === customer) as FakeObject
}

for (const [at, { name, code, type, happen, cure }] of CASES.entries()) {
  test(`${name}: ${code}`, async () => {
    const id = `cus_${at}`
    const made = { ...addCustomer(fake, id), id, fake }
    await world.addAccount(`acc_${at}`, id)
    assert.equal(await world.send(fake.emit('customer.created', made.customer)), 'applied')
    assert.equal(await world.code(`acc_${at}`), undefined)
    assert.equal(await world.send(fake.emit(type, happen(made))), 'applied')
    assert.equal(await world.code(`acc_${at}`), code)
    if (cure === undefined) return
    assert.equal(await world.send(fake.emit(type, cure(made))), 'applied')
    assert.equal(await world.code(`acc_${at}`), undefined)
  })
}

test('the page has the facts in order, and each code but billing_unavailable has a case', () => {
  const page = readFileSync(new URL('../../docs/billing.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \| ./gm)]
  const known = rows.filter(([, fact = '']) => fact in STRIPE_FACTS)
  assert.deepEqual(
    known.map(([, fact]) => fact),
    Object.keys(STRIPE_FACTS),
  )
  const codes = new Set(known.flatMap(([, , list = '']) => list.match(/\w+/g) ?? []))
  assert.deepEqual([...new Set(CASES.map(({ code }) => code))].sort(), [...codes].sort())
  assert.equal(codes.size, 9)
})

/** Puts a customer's parts right before its first event, and returns the facts and the code. */
async function factsAfter(id: string, prepare: (made: ReturnType<typeof addCustomer>) => void) {
  const made = addCustomer(fake, `cus_${id}`)
  prepare(made)
  await world.addAccount(`acc_${id}`, `cus_${id}`)
  await world.send(fake.emit('customer.subscription.updated', made.subscription))
  const { periodStart, periodEnd, paymentMethod } = await world.facts(`acc_${id}`)
  return { periodStart, periodEnd, paymentMethod, code: await world.code(`acc_${id}`) }
}

const MONTH = { periodStart: '2026-03-01', periodEnd: '2026-04-01' }

test('the period is that of the item with the plan, also after a yearly add-on', async () => {
  const { code, ...facts } = await factsAfter('addon', ({ subscription, item }) => {
    const price = { id: 'price_year', object: 'price', currency: 'usd', metadata: {} }
    const [start, end] = [Date.UTC(2026, 0, 1) / 1000, Date.UTC(2027, 0, 1) / 1000]
    const yearly = { current_period_start: start, current_period_end: end }
    subscription.items.data = [{ id: 'si_year', price, ...yearly }, item]
  })
  assert.deepEqual([code, facts], [undefined, { ...MONTH, paymentMethod: 'verified' }])
})

test('an add-on that is a newer subscription of its own does not hide the plan', async () => {
  const { code, ...facts } = await factsAfter('apart', ({ subscription, item }) => {
    const price = { id: 'price_apart', object: 'price', currency: 'usd', metadata: {} }
    const items = { ...subscription.items, data: [{ ...item, id: 'si_apart', price }] }
    const created = subscription.created + 1
    fake.subscriptions.push({ ...subscription, id: 'sub_apart', created, items })
  })
  assert.deepEqual([code, facts], [undefined, { ...MONTH, paymentMethod: 'verified' }])
})

test('the item with the plan is found behind ten others', async () => {
  const { code } = await factsAfter('items', ({ subscription, item }) => {
    const price = { id: 'price_more', object: 'price', currency: 'usd', metadata: {} }
    const others = Array.from({ length: 12 }, (_, at) => ({ ...item, id: `si_more${at}`, price }))
    subscription.items.data = [...others, item]
  })
  assert.equal(code, undefined)
})

for (const [name, change, isOpen] of [
  ['pays invoices that are sent', { collection_method: 'send_invoice' }, true],
  ['is in a trial without a card', { status: 'trialing' }, true],
  ['pays automatically without a card', { collection_method: 'charge_automatically' }, false],
  ['has ended its trial without a card', { status: 'active' }, false],
] as const) {
  test(`a customer who ${name} ${isOpen ? 'needs no' : 'needs a'} payment method`, async () => {
    const id = name.replaceAll(' ', '_')
    const { code } = await factsAfter(id, ({ subscription, customer }) => {
      customer.invoice_settings = { default_payment_method: null }
      Object.assign(subscription, change)
    })
    assert.equal(code, isOpen ? undefined : 'payment_method_required')
  })
}
