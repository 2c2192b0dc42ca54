/** `/billing` through the running service: who is redirected to the provider's page. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { signBillingLink } from '../../src/accounts/billing-link.ts'
import { billingPage } from '../../src/cli/commands/accounts/billing.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { loadSecrets } from '../../src/store/key-secret.ts'
import { openAccounts } from '../../src/store/open.ts'
import { runCommand } from '../command.ts'
import { endAll, type RunningService, startRunning } from '../ledger/running-service.ts'
import { makeCustomer, operate } from '../processes/operator.ts'
import { until } from '../until.ts'
import { addCustomer, FAKE_KEY, FAKE_SECRET, startFakeStripe } from './fake-stripe.ts'

const data = mkdtempSync(join(tmpdir(), 'platbook-billing-page-'))
const fake = await startFakeStripe()
addCustomer(fake, 'cus_1')
let service: RunningService
let linked = ''
let unlinked = ''

before(async () => {
  linked = (await makeCustomer(data)).account
  unlinked = (await makeCustomer(data)).account
  service = await startRunning({
    data,
    workers: 1,
    env: {
      PLATBOOK_STRIPE_KEY: FAKE_KEY,
      PLATBOOK_STRIPE_WEBHOOK_SECRET: FAKE_SECRET,
      PLATBOOK_STRIPE_API: fake.address,
    },
  })
  const accounts = await openAccounts(readConfig({ PLATBOOK_DATA: data }))
  await accounts.billing.link(linked, 'cus_1', Date.now())
  await accounts.close()
  // The process of billing answers later than the workers.
  const url = await linkOf(linked)
  await until(async () => (await open(url)).status !== 503)
})
after(async () => {
  await service?.stop()
  await endAll()
  await fake.close()
  rmSync(data, { recursive: true, force: true })
})

/** The link that the command makes, at this service's address. */
async function linkOf(account: string, now?: number): Promise<string> {
  const env = { PLATBOOK_PUBLIC_URL: service.address }
  const world = { data, env, ...(now !== undefined && { now }) }
  const run = await runCommand(billingPage, [account, '--json'], world)
  const { url } = run.json() as { url: string }
  assert.ok(url.startsWith(`${service.address}/billing?account=${account}&token=`), url)
  return url
}

const open = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { redirect: 'manual', headers })

test('a signed link leads on to the portal, and to Checkout without a subscription', async () => {
  const url = await linkOf(linked)
  const portal = await open(url)
  assert.equal(portal.status, 303, service.log())
  assert.equal(portal.headers.get('location'), 'https://billing.stripe.invalid/p/cus_1')
  assert.equal(portal.headers.get('cache-control'), 'no-store')
  assert.equal(portal.headers.get('referrer-policy'), 'no-referrer')
  const [subscription] = fake.subscriptions.splice(0)
  const checkout = await open(url)
  assert.equal(checkout.headers.get('location'), 'https://checkout.stripe.invalid/c/cus_1')
  if (subscription !== undefined) fake.subscriptions.push(subscription)
})

test('Checkout is in the currency of the customer, else of the prices', async () => {
  const customer = fake.customers.get('cus_1')
  const [subscription] = fake.subscriptions.splice(0)
  const before = { ...customer }
  const plain = { object: 'price', currency: 'chf', metadata: {} }
  const priced = { ...plain, currency: 'eur', metadata: { platbook_included: '100' } }
  const named = { ...plain, id: 'price_named', currency: 'nok' }
  const terms = ['includedTokens=100', 'price.id=price_named']
  await operate(data, 'plan', 'create', 'named', ...terms)
  const asked: [currency: string | null, prices: object[], right: string][] = [
    ['gbp', [priced], 'gbp'],
    [null, [plain, priced], 'eur'],
    [null, [named, plain], 'nok'],
    [null, [priced, ...Array.from({ length: 120 }, () => plain)], 'eur'],
    [null, [plain], 'usd'],
  ]
  for (const [currency, prices, right] of asked) {
    Object.assign(customer ?? {}, { currency })
    fake.prices = prices.map((price, at) => ({ id: `price_of_${at}`, ...price }))
    assert.equal((await open(await linkOf(linked))).status, 303, service.log())
    assert.equal(fake.checkoutCurrencies.at(-1), right)
  }
  Object.assign(customer ?? {}, before)
  if (subscription !== undefined) fake.subscriptions.push(subscription)
})

test('a link of another account, an old one and a changed one are refused', async () => {
  const url = await linkOf(linked)
  const before = fake.asked.length
  const old = await linkOf(linked, Date.now() - 901_000)
  for (const bad of [url.replace(linked, unlinked), old, `${url}x`, url.slice(0, -1)]) {
    const response = await open(bad)
    assert.equal(response.status, 403, bad)
    assert.match(await response.text(), /older than 15 minutes/)
  }
  assert.equal(fake.asked.length, before, 'the provider is not asked')
})

test('without a link the page explains: to a browser in HTML, to a program in JSON', async () => {
  const page = await open(`${service.address}/billing`, { accept: 'text/html,*/*' })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(await page.text(), /<title>Billing<\/title>[\s\S]*Ask the operator/)
  const reply = await open(`${service.address}/billing`, { accept: 'application/json' })
  assert.match(((await reply.json()) as { status: string }).status, /Ask the operator/)
})

test('while the provider is unreachable the page is 503 and says so', async () => {
  fake.disturb = () => 429
  const response = await open(await linkOf(linked))
  fake.disturb = () => 400
  const refused = await open(await linkOf(linked))
  fake.disturb = () => undefined
  assert.equal(refused.status, 404)
  assert.match(await refused.text(), /has no page for this account/)
  assert.equal(response.status, 503)
  assert.match(await response.text(), /cannot be reached/)
})

test('an account without a customer gets a message, and the command makes no link', async () => {
  const { query } = signBillingLink(loadSecrets(data, null), unlinked, Date.now())
  const response = await open(`${service.address}/billing?${query}`)
  assert.equal(response.status, 404)
  assert.match(await response.text(), /no page for this account/)
  await assert.rejects(linkOf(unlinked), /has no customer/)
})
