/** Webhooks through the running service: its workers, its billing process, and the fake Stripe. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts } from '../../src/store/open.ts'
import { endAll, type RunningService, startRunning } from '../ledger/running-service.ts'
import { makeCustomer } from '../processes/operator.ts'
import { until } from '../until.ts'
import {
  addCustomer,
  addInvoice,
  FAKE_KEY,
  FAKE_SECRET,
  type FakeObject,
  signEvent,
  startFakeStripe,
} from './fake-stripe.ts'

const WEBHOOK = '/billing/stripe/webhook'
const SEARCH = '/public/property/owner/?state=WI&lastName=Nobody'
const data = mkdtempSync(join(tmpdir(), 'platbook-webhooks-'))
const fake = await startFakeStripe()
const env = {
  PLATBOOK_STRIPE_KEY: FAKE_KEY,
  PLATBOOK_STRIPE_WEBHOOK_SECRET: FAKE_SECRET,
  PLATBOOK_STRIPE_API: fake.address,
}
const now = new Date().toISOString().slice(0, 7)
const made = addCustomer(
  fake,
  'cus_1',
  { platbook_included: 'unlimited' },
  {
    start: `${now}-01`,
    end: `${now}-28`,
  },
)
let service: RunningService
let key = ''
let account = ''

before(async () => {
  const customer = await makeCustomer(data)
  key = customer.key
  account = customer.account
  service = await startRunning({ data, workers: 2, env })
  // By the store: a command that runs in another process blocks this one, and with it the fake.
  const accounts = await openAccounts(readConfig({ PLATBOOK_DATA: data }))
  await accounts.billing.link(account, 'cus_1', Date.now())
  await accounts.close()
})
after(async () => {
  await service.stop()
  await endAll()
  await fake.close()
  rmSync(data, { recursive: true, force: true })
})

async function post(body: string, signature: string): Promise<number> {
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
  const url = `${service.address}${WEBHOOK}`
  const response = await fetch(url, { method: 'POST', headers, body })
  assert.equal(response.headers.get('retry-after'), response.status === 503 ? '60' : null)
  return response.status
}

/** As Stripe does it: again until it is taken. */
async function deliver(event: FakeObject): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { body, signature } = signEvent(event)
    if ((await post(body, signature)) === 200) return
    await wait(100)
  }
  assert.fail('the webhook was never taken')
}

async function statusNow(): Promise<number> {
  const { status } = await fetch(`${service.address}${SEARCH}`, { headers: { authorization: key } })
  return status
}

const becomes = (blocked: boolean) => until(async () => ((await statusNow()) === 403) === blocked)

function billingPid(): number | undefined {
  const found = readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return words.includes('processes/billing.ts') && stat.split(' ')[3] === String(service.pid)
    } catch {
      return false
    }
  })
  return found === undefined ? undefined : Number(found)
}

test('an event leads to a 403 and its cure to an answer', async (t) => {
  for (const [status, blocked] of [
    ['unpaid', true],
    ['active', false],
    ['canceled', true],
    ['active', false],
  ] as const) {
    made.subscription.status = status
    await deliver(fake.emit('customer.subscription.updated', made.subscription))
    const from = performance.now()
    await becomes(blocked)
    t.diagnostic(`${status} after ${Math.round(performance.now() - from)} ms`)
  }
})

test('a wrong signature is 400, more than 1 MiB 413, another method 405', async () => {
  const { body } = signEvent(fake.emit('customer.updated', made.customer))
  assert.equal(await post(body, 't=1,v1=00'), 400)
  assert.equal(await post('x'.repeat(1_048_577), 't=1,v1=00'), 413)
  assert.equal((await fetch(`${service.address}${WEBHOOK}`)).status, 405)
})

test('the same id with another body is 400', async () => {
  const event = fake.emit('customer.updated', made.customer)
  await deliver(event)
  const { body, signature } = signEvent({ ...event, type: 'customer.forged' })
  assert.equal(await post(body, signature), 400)
})

test('while Stripe is away a webhook is 503 and facts stay', async () => {
  fake.disturb = () => 400
  const { body, signature } = signEvent(fake.emit('customer.updated', made.customer))
  assert.equal(await post(body, signature), 503)
  assert.notEqual(await statusNow(), 403)
  fake.disturb = () => undefined
})

test('kill -9 of the billing process at each request: redelivered, nothing is lost', async () => {
  const steps = ['/v1/subscriptions', '/v1/invoices', '/v1/setup_intents']
  for (const [at, step] of steps.entries()) {
    made.subscription.status = at % 2 === 0 ? 'unpaid' : 'active'
    fake.disturb = (path) => {
      if (path !== step) return undefined
      fake.disturb = () => undefined
      const pid = billingPid()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      return 0
    }
    await deliver(fake.emit('customer.subscription.updated', made.subscription))
    await becomes(at % 2 === 0)
  }
  assert.match(service.log(), /the billing process died \(SIGKILL\); starting it again/)
})

test('kill -9 between a line of overage and its answer: one line remains', async () => {
  const month = (offset: number) => {
    const now = new Date()
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)
  }
  const day = (offset: number) => new Date(month(offset)).toISOString().slice(0, 10)
  const terms = { platbook_included: '2', platbook_cap: '100', platbook_overage: '0.5' }
  addCustomer(fake, 'cus_late', terms, { start: day(0), end: day(1) })
  const accounts = await openAccounts(readConfig({ PLATBOOK_DATA: data }))
  const facts = { ...DEFAULT_FACTS, includedTokens: 2, overageCap: 100 }
  await accounts.admin.createAccount({ id: 'acc_late', name: 'Late', createdAt: month(-1), facts })
  const writer = await openLedgerWriter(accounts.ledger, () => month(-1) + 3_600_000)
  for (let row = 1; row <= 7; row += 1) {
    const endpoint = 'premiumOwnerSearch'
    const charge = { requestId: `late-${row}`, accountId: 'acc_late', keyId: 'key_1', endpoint }
    assert.equal((await writer.charge({ ...charge, cost: 1 })).kind, 'charged')
  }
  await writer.close()
  await accounts.billing.link('acc_late', 'cus_late', Date.now())
  const draft = addInvoice(fake, 'cus_late', { status: 'draft' })
  let kills = 0
  fake.disturb = (path, method) => {
    if (path !== '/v1/invoiceitems' || method !== 'POST' || kills === 2) return undefined
    kills += 1
    // The fake creates the line, but no process receives the answer.
    const pid = billingPid()
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    // A day later Stripe would not know the key any more.
    if (kills === 2) fake.forgetKeys()
    return undefined
  }
  await deliver(fake.emit('invoice.created', draft))
  fake.disturb = () => undefined
  const lines = fake.invoiceItems.filter(({ customer }) => customer === 'cus_late')
  assert.deepEqual(
    lines.map(({ quantity }) => quantity),
    [5],
    `${kills} kills`,
  )
  const [line] = await accounts.billing.overages('acc_late')
  assert.deepEqual([line?.tokens, line?.item], [5, lines[0]?.id])
  await accounts.close()
  assert.ok(kills > 0)
})
