/** A year of months: the overage on invoices is that of the ledger, to the token. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  billingLink,
  billingReconcile,
  billingShow,
} from '../../src/cli/commands/accounts/billing.ts'
import { ledgerCredit } from '../../src/cli/commands/accounts/ledger.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import { listNotices, removeNotice } from '../../src/notify/notice.ts'
import { noteDatabase } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import { type SharedServer, shareServer, whyNoServer } from '../postgres-server.ts'
import { makeBillingWorld } from './billing-world.ts'
import {
  addCustomer,
  addInvoice,
  FAKE_KEY,
  type FakeObject,
  startFakeStripe,
} from './fake-stripe.ts'

const METADATA = { platbook_included: '10', platbook_cap: '1000', platbook_overage: '0.5' }
const monthStart = (month: number) => Date.UTC(2026, month, 1)
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

describe('over SQLite', () => testOverage())
describe('over PostgreSQL', { skip: whyNoServer() }, async () => {
  await testOverage(await shareServer())
})

async function testOverage(server?: SharedServer): Promise<void> {
  const fake = await startFakeStripe()
  const url = await server?.createDatabase('overage')
  const world = await makeBillingWorld(fake, {
    PLATBOOK_NOTIFY_URL: 'https://notices.example/',
    PLATBOOK_NOTIFY_SECRET: 'n'.repeat(32),
    ...(url !== undefined && { PLATBOOK_DATABASE_URL: url }),
  })
  if (url !== undefined) noteDatabase(world.data, url)
  after(async () => {
    await world.close()
    await fake.close()
    await server?.stop()
  })
  const { clock } = world
  const env = { PLATBOOK_STRIPE_KEY: FAKE_KEY, PLATBOOK_STRIPE_API: fake.address }
  const reconcile = (words: string[] = []) =>
    runCommand(billingReconcile, ['--json', ...words], { data: world.data, env, now: clock.now })

  async function makeAccount(id: string) {
    const customer = `cus_${id}`
    clock.now = monthStart(0) + 3_600_000
    const period = { start: dateOf(monthStart(0)), end: dateOf(monthStart(1)) }
    const made = addCustomer(fake, customer, { ...METADATA }, period)
    await world.addAccount(id, customer)
    await world.send(fake.emit('customer.subscription.created', made.subscription, clock.now))
    return { ...made, id, customerId: customer }
  }

  async function charge(account: string, tokens: number): Promise<void> {
    const writer = await openLedgerWriter(world.accounts.ledger, () => clock.now)
    const rows = Array.from({ length: tokens }, (_, at) =>
      writer.charge({
        requestId: `${account}-${clock.now}-${at}`,
        accountId: account,
        keyId: 'key_1',
        endpoint: 'premiumOwnerSearch',
        cost: 1,
      }),
    )
    for (const { kind } of await Promise.all(rows)) assert.equal(kind, 'charged')
    await writer.close()
  }

  /** The next period begins: Stripe moves it on and makes a draft. */
  function renew(made: Awaited<ReturnType<typeof makeAccount>>, month: number): FakeObject {
    clock.now = monthStart(month) + 7_200_000
    made.item.current_period_start = monthStart(month) / 1000
    made.item.current_period_end = monthStart(month + 1) / 1000
    return addInvoice(fake, made.customerId, { status: 'draft' })
  }

  const itemsOf = (customer: string) =>
    fake.invoiceItems.filter((item) => item.customer === customer)

  test('a year of credits, plan changes, lost events and missed drafts: difference 0', async () => {
    const made = await makeAccount('acc_year')
    let due = 0
    for (let month = 1; month <= 12; month += 1) {
      clock.now = monthStart(month - 1) + 10 * 86_400_000
      const used = (month * 7) % 30
      await charge(made.id, used)
      const given = month % 4 === 0 && used > 2 ? 2 : 0
      if (given > 0) {
        await runCommand(ledgerCredit, [made.id, String(given), '--reason', 'answers lost'], {
          data: world.data,
          now: clock.now,
        })
      }
      if (month === 5) {
        // A larger plan from the middle of May.
        made.price.metadata = { ...METADATA, platbook_included: '20' }
        await world.send(fake.emit('customer.subscription.updated', made.subscription, clock.now))
      }
      due += Math.max(0, used - given - (month >= 5 ? 20 : 10))
      const draft = renew(made, month)
      const event = fake.emit('invoice.created', draft, clock.now)
      // Every third event is lost, and its draft is closed before anybody looks.
      if (month % 3 !== 0) {
        await world.send(event)
        await world.send(event)
      }
      draft.status = 'paid'
    }
    const draft = renew(made, 13)
    await world.send(fake.emit('invoice.created', draft, clock.now))
    const { code, json } = await reconcile([made.id])
    assert.deepEqual([code, json()], [0, { ...json(), ledger: due, invoiced: due, waiting: 0 }])
    const { out } = await runCommand(billingShow, [made.id], { data: world.data, env })
    assert.match(out, /2026-04-01 .+ in_/)
  })

  test('an account that does not exist is named, and is not one without difference', async () => {
    for (const one of [billingShow, billingReconcile]) {
      const run = runCommand(one, ['acc_none'], { data: world.data, env })
      await assert.rejects(run, /there is no account acc_none/)
    }
  })

  test('a line names the rows of the ledger, the hash of the last, and its price', async () => {
    const made = await makeAccount('acc_line')
    await charge(made.id, 13)
    await world.send(fake.emit('invoice.created', renew(made, 1), clock.now))
    const [item] = itemsOf(made.customerId)
    const last = (await world.accounts.ledger.entriesOf(made.id, 12, 1))[0]
    const head = Buffer.from(last?.hash ?? []).toString('hex')
    assert.equal(item?.quantity, 3)
    assert.equal(item?.unit_amount_decimal, '0.5')
    assert.match(item?.description, new RegExp(`ledger rows 1 to 13, head ${head}`))
  })

  test('an answer of Stripe that is lost leads to no second line, a day later either', async () => {
    const made = await makeAccount('acc_lost')
    await charge(made.id, 15)
    const draft = renew(made, 1)
    const event = fake.emit('invoice.created', draft, clock.now)
    // The line is made, and the connection ends before its answer.
    fake.loseAnswers = true
    await assert.rejects(world.send(event))
    fake.loseAnswers = false
    assert.equal(itemsOf(made.customerId).length, 1)
    fake.forgetKeys()
    assert.equal(await world.send(event), 'applied')
    assert.deepEqual(
      itemsOf(made.customerId).map(({ quantity }) => quantity),
      [5],
    )
    assert.equal((await reconcile([made.id])).code, 0)
  })

  test('a line that its draft does not take goes on the next', async () => {
    const made = await makeAccount('acc_closed')
    await charge(made.id, 14)
    const draft = renew(made, 1)
    const event = fake.emit('invoice.created', draft, clock.now)
    fake.disturb = (path) => {
      if (path === '/v1/invoiceitems') return 503
      return undefined
    }
    await assert.rejects(world.send(event))
    fake.disturb = () => undefined
    draft.status = 'paid'
    const next = renew(made, 2)
    await world.send(fake.emit('invoice.created', next, clock.now))
    assert.deepEqual(
      itemsOf(made.customerId).map(({ invoice, quantity }) => [invoice, quantity]),
      [[next.id, 4]],
    )
  })

  test('a line that somebody removed at Stripe is a difference, and exit 1', async () => {
    const made = await makeAccount('acc_removed')
    await charge(made.id, 12)
    const draft = renew(made, 1)
    await world.send(fake.emit('invoice.created', draft, clock.now))
    assert.equal((await reconcile([made.id])).code, 0)
    fake.invoiceItems.splice(
      fake.invoiceItems.indexOf(itemsOf(made.customerId)[0] as FakeObject),
      1,
    )
    clock.now += 5 * 86_400_000
    const { code, json } = await reconcile([made.id])
    assert.equal(code, 1)
    const differences = [{ account: made.id, period: '2026-01-01', ledger: 2, invoiced: 0 }]
    assert.deepEqual(json().differences, differences)
    const customer = fake.customers.get(made.customerId) as FakeObject
    fake.customers.delete(made.customerId)
    const gone = await reconcile([made.id])
    assert.deepEqual([gone.code, gone.json().differences], [1, differences])
    fake.customers.set(made.customerId, customer)
  })

  test('a downgrade in mid-period bills nothing that the earlier plan included', async () => {
    const made = await makeAccount('acc_downgrade')
    made.price.metadata = { ...METADATA, platbook_included: '100' }
    await world.send(fake.emit('customer.subscription.updated', made.subscription, clock.now))
    clock.now += 86_400_000
    await charge(made.id, 80)
    clock.now += 86_400_000
    made.price.metadata = { ...METADATA, platbook_included: '10', platbook_cap: '5' }
    await world.send(fake.emit('customer.subscription.updated', made.subscription, clock.now))
    assert.equal(await world.code(made.id), 'overage_limit_exceeded')
    await world.send(fake.emit('invoice.created', renew(made, 1), clock.now))
    assert.deepEqual(itemsOf(made.customerId), [])
    assert.equal((await reconcile([made.id])).code, 0)
  })

  /** Notices of an account's overage that no invoice takes, by period and tokens. */
  const unbilledOf = (account: string) =>
    listNotices(world.data).flatMap(({ kind, data }) =>
      kind === 'overage_unbilled' && 'tokens' in data && data.account === account ? [data] : [],
    )

  test('overage of a subscription that ends raises one notice, over every later look', async () => {
    const made = await makeAccount('acc_ended')
    await charge(made.id, 14)
    clock.now += 86_400_000
    Object.assign(made.subscription, { status: 'canceled' })
    // The service dies after the facts are read and before they are written; Stripe sends again.
    const event = fake.emit('customer.subscription.deleted', made.subscription, clock.now)
    const { settle } = world.billing.store
    world.billing.store.settle = () => Promise.reject(new Error('the store is away'))
    await assert.rejects(world.send(event), /the store is away/)
    world.billing.store.settle = settle
    await world.send(event)
    const [notice, ...others] = unbilledOf(made.id)
    assert.deepEqual(
      [notice, others],
      [{ account: made.id, customer: 'cus_acc_ended', period: '2026-01-01', tokens: 4 }, []],
    )
    assert.match(
      world.alarms.find((text) => text.startsWith(`${made.id}: `)) ?? '',
      /4 tokens of overage, period from 2026-01-01, are not invoiced.*bill cus_acc_ended/,
    )
    // The notice is sent. Neither an event, nor a command in another process, raises it again.
    for (const { id } of listNotices(world.data)) removeNotice(world.data, id)
    await world.send(fake.emit('customer.updated', made.customer, clock.now))
    const settings = { data: world.data, env, now: clock.now }
    await runCommand(billingLink, [made.id, made.customerId], settings)
    assert.deepEqual(unbilledOf(made.id), [])
    const { out } = await runCommand(billingShow, [made.id], settings)
    assert.match(out, /2026-01-01 +4 +1-14 +by hand/)
  })

  test('what an operator bills goes on no later invoice, and each period is told', async () => {
    const made = await makeAccount('acc_returns')
    await charge(made.id, 12)
    Object.assign(made.subscription, { status: 'canceled' })
    await world.send(fake.emit('customer.subscription.deleted', made.subscription, clock.now))
    Object.assign(made.subscription, { status: 'active' })
    const draft = renew(made, 1)
    await world.send(fake.emit('invoice.created', draft, clock.now))
    assert.deepEqual(itemsOf(made.customerId), [])
    draft.status = 'paid'
    await charge(made.id, 13)
    Object.assign(made.subscription, { status: 'canceled' })
    await world.send(fake.emit('customer.subscription.deleted', made.subscription, clock.now))
    assert.deepEqual(
      unbilledOf(made.id).map(({ period, tokens }) => [period, tokens]),
      [
        ['2026-01-01', 2],
        ['2026-02-01', 3],
      ],
    )
  })

  test('a subscription that ends next to a draft: the draft takes what it can', async () => {
    const made = await makeAccount('acc_early')
    await charge(made.id, 11)
    const draft = renew(made, 1)
    await world.send(fake.emit('customer.subscription.updated', made.subscription, clock.now))
    await charge(made.id, 15)
    Object.assign(made.subscription, { status: 'canceled' })
    await world.send(fake.emit('customer.subscription.deleted', made.subscription, clock.now))
    assert.deepEqual(
      itemsOf(made.customerId).map(({ invoice, quantity }) => [invoice, quantity]),
      [[draft.id, 1]],
    )
    assert.deepEqual(
      unbilledOf(made.id).map(({ period, tokens }) => [period, tokens]),
      [['2026-02-01', 5]],
    )
  })

  test('a final invoice counts by the metadata of its lines', async () => {
    const made = await makeAccount('acc_final')
    await charge(made.id, 14)
    Object.assign(made.subscription, { status: 'canceled' })
    await world.send(fake.emit('customer.subscription.deleted', made.subscription, clock.now))
    assert.deepEqual(
      [(await reconcile([made.id])).json().waiting, (await reconcile([made.id])).code],
      [4, 0],
    )
    clock.now = monthStart(1) + 4 * 86_400_000
    assert.equal((await reconcile([made.id])).code, 1)
    const metadata = { platbook_period: '2026-01-01', platbook_tokens: '4' }
    fake.invoiceItems.push({ id: 'ii_by_hand', customer: made.customerId, metadata })
    const { code, json } = await reconcile([made.id])
    assert.deepEqual([code, json().invoiced], [0, 4])
  })

  test('a customer that Stripe does not have is not linked', async () => {
    await world.addAccount('acc_slip')
    const link = runCommand(billingLink, ['acc_slip', 'cus_slip'], { data: world.data, env })
    await assert.rejects(link, /Stripe has no customer cus_slip in test mode: nothing is linked/)
    fake.customers.set('cus_slip', { id: 'cus_slip', object: 'customer', deleted: true })
    const late = runCommand(billingLink, ['acc_slip', 'cus_slip'], { data: world.data, env })
    await assert.rejects(late, /customer cus_slip is deleted: nothing is linked/)
    assert.equal(await world.accounts.billing.linkOfAccount('acc_slip'), undefined)
  })
}
