/** Events without a webhook, and times in which Stripe cannot be reached. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { markStale, type PollWorld, poll } from '../../src/billing/poll.ts'
import { makeBillingWorld, NOW } from './billing-world.ts'
import { addCustomer, addInvoice, startFakeStripe } from './fake-stripe.ts'

const HOUR_MS = 3_600_000
const fake = await startFakeStripe()
const world = await makeBillingWorld(fake)
const { clock } = world
after(async () => {
  await world.close()
  await fake.close()
})
const made = addCustomer(fake, 'cus_1')
await world.addAccount('acc_1', 'cus_1')
const polled: PollWorld = {
  ...world.billing,
  now: () => clock.now,
  staleMs: 72 * HOUR_MS,
  alarm: (text) => world.alarms.push(text),
}

test('the first poll reads all accounts', async () => {
  await poll(polled)
  assert.equal((await world.facts('acc_1')).subscription, 'active')
  assert.equal((await world.facts('acc_1')).includedTokens, 100)
})

test('the next poll applies events of lost webhooks, also more than one page', async () => {
  clock.now += 60_000
  for (let count = 0; count < 250; count += 1) {
    fake.emit('product.updated', { id: `prod_${count}`, object: 'product' }, clock.now)
  }
  made.subscription.status = 'unpaid'
  fake.emit('customer.subscription.updated', made.subscription, clock.now)
  await poll(polled)
  assert.equal(await world.code('acc_1'), 'subscription_inactive')
  const asked = fake.asked.length
  await poll(polled)
  assert.equal(fake.asked.slice(asked).filter((path) => !path.includes('/v1/events')).length, 0)
})

test('an invoice that becomes past due without an event is unpaid at the next poll', async () => {
  Object.assign(made.subscription, { status: 'active' })
  const due_date = clock.now / 1000 + 30
  const invoice = addInvoice(fake, 'cus_1', { status: 'open', due_date })
  fake.emit('invoice.finalized', invoice, clock.now)
  await poll(polled)
  assert.equal(await world.code('acc_1'), undefined)
  clock.now += 60_000
  await poll(polled)
  assert.equal(await world.code('acc_1'), 'unpaid_invoices')
  invoice.status = 'paid'
  fake.emit('invoice.paid', invoice, clock.now)
  await poll(polled)
  assert.equal(await world.code('acc_1'), undefined)
})

test('what Stripe refuses for one customer does not keep events of others waiting', async () => {
  const other = addCustomer(fake, 'cus_refused')
  await world.addAccount('acc_refused', 'cus_refused')
  fake.disturb = (path) => (path.startsWith('/v1/invoices') ? 400 : undefined)
  const first = fake.emit('customer.updated', other.customer, clock.now)
  await poll(polled)
  assert.match(world.alarms.join(), new RegExp(`${first.id} cannot be applied`))
  const { problem } = (await world.billing.store.linkOfAccount('acc_refused')) ?? {}
  assert.equal(problem, 'Stripe: StripeInvalidRequestError 400')
  // A key that may not read is no matter of one customer.
  fake.disturb = (path) => (path.startsWith('/v1/invoices') ? 403 : undefined)
  await assert.rejects(poll(polled))
  fake.disturb = () => undefined
  await poll(polled)
  assert.equal((await world.facts('acc_refused')).includedTokens, 100)
})

test('while Stripe is down, facts stay valid for 72 hours, then billing_unavailable', async () => {
  made.subscription.status = 'active'
  await poll(polled)
  fake.emit('customer.subscription.updated', made.subscription, clock.now)
  await poll(polled)
  fake.disturb = () => 400
  clock.now += 71 * HOUR_MS
  await assert.rejects(poll(polled))
  await markStale(polled)
  assert.equal(await world.code('acc_1'), undefined)
  clock.now += 2 * HOUR_MS
  await markStale(polled)
  assert.equal(await world.code('acc_1'), 'billing_unavailable')
  fake.disturb = () => undefined
  await poll(polled)
  assert.equal(await world.code('acc_1'), undefined)
})

test('after more than 29 days without a poll all accounts are read', async () => {
  made.subscription.status = 'paused'
  clock.now = NOW + 40 * 24 * HOUR_MS
  await poll(polled)
  assert.equal((await world.facts('acc_1')).subscription, 'paused')
})
