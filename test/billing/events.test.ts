/** Events are hints: repeats, delays, losses and any order lead to the same facts. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { BadWebhook, ProviderDown } from '../../src/billing/provider.ts'
import { repetitions } from '../repetitions.ts'
import { makeBillingWorld } from './billing-world.ts'
import {
  addCustomer,
  addInvoice,
  type FakeObject,
  signEvent,
  startFakeStripe,
} from './fake-stripe.ts'

const fake = await startFakeStripe()
const world = await makeBillingWorld(fake, {
  PLATBOOK_STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old,whsec_invented',
})
after(async () => {
  await world.close()
  await fake.close()
})

let count = 0
async function makeCustomer() {
  count += 1
  const id = `cus_${count}`
  const made = addCustomer(fake, id)
  await world.addAccount(`acc_${count}`, id)
  return { ...made, id, account: `acc_${count}` }
}

const STATUSES = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete']

test('random histories with repeats, losses and delays end in the facts of a sync', async () => {
  const step = fc.record({
    what: fc.constantFrom('status', 'card', 'invoice', 'suspend'),
    status: fc.constantFrom(...STATUSES),
    isOn: fc.boolean(),
    copies: fc.integer({ min: 0, max: 2 }),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    isAtOnce: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const made = await makeCustomer()
      const later: { event: FakeObject; place: number }[] = []
      for (const { what, status, isOn, copies, place, isAtOnce } of steps) {
        const { customer, subscription, setupIntent, id } = made
        let about: FakeObject = subscription
        if (what === 'status') subscription.status = status
        else if (what === 'card') setupIntent.status = isOn ? 'succeeded' : 'requires_action'
        else if (what === 'invoice') {
          about = addInvoice(fake, id, { status: isOn ? 'uncollectible' : 'paid' })
        } else {
          customer.metadata = isOn ? { platbook_suspended: 'true' } : {}
          about = customer
        }
        const event = fake.emit('something.updated', about, world.clock.now)
        if (isAtOnce && copies > 0) await world.send(event)
        for (let copy = 0; copy < copies; copy += 1) later.push({ event, place: place + copy / 3 })
      }
      // What is never lost is some event after the last change: the poll brings it.
      const last = fake.emit('customer.updated', made.customer, world.clock.now)
      later.push({ event: last, place: 0.5 })
      later.sort((a, b) => a.place - b.place)
      await Promise.all(later.map(({ event }) => world.send(event)))
      const facts = await world.facts(made.account)
      const link = await world.billing.store.linkOfAccount(made.account)
      assert.ok(link)
      await world.billing.sync(link)
      assert.deepEqual(await world.facts(made.account), facts)
      // The same from nothing: what came before left no trace.
      const fresh = `${made.account}_fresh`
      await world.addAccount(fresh)
      await world.billing.store.link(made.account, `${made.id}_gone`, 0)
      await world.billing.store.link(fresh, made.id, 0)
      const freshLink = await world.billing.store.linkOfAccount(fresh)
      assert.ok(freshLink)
      await world.billing.sync(freshLink)
      assert.deepEqual(await world.facts(fresh), facts)
    }),
    { numRuns: repetitions(8) },
  )
})

test('an event is applied once; a repeat asks Stripe nothing', async () => {
  const made = await makeCustomer()
  const event = fake.emit('customer.subscription.updated', made.subscription)
  assert.equal(await world.send(event), 'applied')
  const asked = fake.asked.length
  assert.equal(await world.send(event), 'repeated')
  assert.equal(fake.asked.length, asked)
})

test('the same id with another body is a conflict and an alarm, and changes nothing', async () => {
  const made = await makeCustomer()
  const event = fake.emit('customer.subscription.updated', made.subscription)
  await world.send(event)
  const before = await world.facts(made.account)
  world.alarms.length = 0
  made.subscription.status = 'unpaid'
  const forged = { ...event, data: { object: { ...made.subscription } } }
  assert.equal(await world.send(forged), 'conflict')
  assert.match(world.alarms.join(), /came with another body/)
  assert.deepEqual(await world.facts(made.account), before)
})

test('the same body is no other one when its names come in another order', async () => {
  const made = await makeCustomer()
  const event = fake.emit('customer.subscription.updated', made.subscription)
  await world.send(event)
  const turn = (object: FakeObject) => Object.fromEntries(Object.entries(object).reverse())
  const turned = { ...turn(event), data: { object: turn(made.subscription) } }
  assert.equal(await world.send(turned), 'repeated')
})

test('a payment method that is detached names the customer whose it was', async () => {
  const made = await makeCustomer()
  await world.send(fake.emit('customer.updated', made.customer))
  made.customer.invoice_settings.default_payment_method = null
  const method = { id: `pm_${made.id}`, object: 'payment_method', customer: null }
  const event = fake.emit('payment_method.detached', method)
  event.data.previous_attributes = { customer: made.id }
  await world.send(event)
  assert.equal(await world.code(made.account), 'payment_method_required')
})

test('an event of live mode is noted with an alarm, and changes nothing', async () => {
  const made = await makeCustomer()
  world.alarms.length = 0
  const event = { ...fake.emit('customer.updated', made.customer), livemode: true }
  assert.equal(await world.send(event), 'foreign')
  assert.match(world.alarms.join(), /live mode/)
})

test('a body is believed with any of the secrets, 300 seconds early or late, and not after', () => {
  const event = fake.emit('customer.updated', { id: 'cus_x', object: 'customer' })
  const { now } = world.clock
  const read = (secret: string, at: number, change = '') => {
    const { body, signature } = signEvent(event, secret, at)
    return world.billing.provider.readWebhook(Buffer.from(body + change), signature)
  }
  for (const secret of ['whsec_new', 'whsec_old']) assert.equal(read(secret, now).id, event.id)
  assert.equal(read('whsec_new', now - 299_000).id, event.id)
  assert.equal(read('whsec_new', now + 299_000).id, event.id)
  assert.throws(() => read('whsec_new', now - 302_000), BadWebhook)
  assert.throws(() => read('whsec_new', now + 302_000), BadWebhook)
  assert.throws(() => read('whsec_rolled_away', now), BadWebhook)
  assert.throws(() => read('whsec_new', now, ' '), BadWebhook)
})

test('an id of a customer that is no text is an event of no customer, and is told', () => {
  const { now } = world.clock
  const read = (object: Record<string, unknown>) => {
    const whole = { id: 'evt_1', object: 'event', type: 'customer.updated', created: 1 }
    const event = { ...whole, livemode: false, data: { object } } as unknown as FakeObject
    const { body, signature } = signEvent(event, 'whsec_new', now)
    const { provider } = world.billing
    const { customer, isUnreadable } = provider.readWebhook(Buffer.from(body), signature)
    return isUnreadable ? 'unreadable' : customer
  }
  for (const id of [{ a: 1 }, { toString: null }, ['cus_1'], 5, true, null, undefined, 'a\0']) {
    assert.equal(read({ object: 'customer', id }), 'unreadable')
  }
  for (const customer of [{}, { id: ['cus_1'] }, { id: null }, [], 5, false]) {
    assert.equal(read({ object: 'invoice', customer }), 'unreadable')
  }
  for (const customer of [null, undefined]) assert.equal(read({ object: 'charge', customer }), null)
  assert.equal(read({ object: 'invoice', customer: { id: 'cus_1' } }), 'cus_1')
  assert.equal(read({ object: 'customer', id: 'cus_1' }), 'cus_1')
  assert.equal(read({ object: 'invoice', customer: 'cus_1' }), 'cus_1')
})

test('a signed body that is not an event is refused for good, not to be sent again', () => {
  const whole = { id: 'evt_1', type: 'a', created: 1, livemode: false, data: { object: {} } }
  const bodies = [
    ...[null, 'text', [1], {}, { ...whole, id: undefined }, { ...whole, id: 5 }],
    ...[
      { ...whole, created: '1' },
      { ...whole, livemode: 'no' },
      { ...whole, data: {} },
      // What a database does not keep would be sent again for days.
      { ...whole, api_version: {} },
      { ...whole, id: 'evt_\0' },
      { ...whole, created: 9e15 },
    ],
  ]
  for (const event of bodies) {
    const { body, signature } = signEvent(event as FakeObject, 'whsec_old', world.clock.now)
    const read = () => world.billing.provider.readWebhook(Buffer.from(body), signature)
    assert.throws(read, /^Error: the body is not an event$/, body)
  }
})

test('a customer that is missing in Stripe or in the other mode is misconfigured', async () => {
  const made = await makeCustomer()
  await world.send(fake.emit('customer.updated', made.customer))
  const before = await world.facts(made.account)
  const kept = fake.customers.get(made.id) as FakeObject
  const subscriptions = fake.subscriptions.splice(0)
  fake.customers.delete(made.id)
  assert.equal(await world.send(fake.emit('customer.updated', made.customer)), 'applied')
  assert.deepEqual(await world.facts(made.account), { ...before, billing: 'misconfigured' })
  assert.equal(await world.code(made.account), 'billing_configuration_error')
  const link = await world.billing.store.linkOfAccount(made.account)
  assert.equal(link?.problem, `Stripe has no customer ${made.id} in test mode`)
  assert.equal(link?.facts.subscription, 'active')
  fake.customers.set(made.id, kept)
  fake.subscriptions.push(...subscriptions)
  await world.send(fake.emit('customer.updated', made.customer))
  assert.deepEqual(await world.facts(made.account), before)
})

test('while Stripe is away an event is not applied and facts stay; sent again, it is', async () => {
  const made = await makeCustomer()
  await world.send(fake.emit('customer.updated', made.customer))
  made.subscription.status = 'unpaid'
  const event = fake.emit('customer.subscription.updated', made.subscription)
  fake.disturb = () => 500
  await assert.rejects(world.send(event), ProviderDown)
  assert.equal((await world.facts(made.account)).subscription, 'active')
  fake.disturb = () => undefined
  assert.equal(await world.send(event), 'applied')
  assert.equal((await world.facts(made.account)).subscription, 'unpaid')
})

test('what the operator suspended stays suspended, and an own period of grace stays', async () => {
  const made = await makeCustomer()
  const { admin } = world.accounts
  await admin.changeFacts(made.account, (facts) => ({
    ...facts,
    suspended: true,
    pastDueGraceDays: 9,
  }))
  await world.send(fake.emit('customer.updated', made.customer))
  const { suspended, pastDueGraceDays } = await world.facts(made.account)
  assert.deepEqual({ suspended, pastDueGraceDays }, { suspended: true, pastDueGraceDays: 9 })
})
