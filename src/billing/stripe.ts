/** The Stripe provider, in the billing process alone. This file loads the `stripe` package. */
import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import {
  BadWebhook,
  type CustomerView,
  type OverageReport,
  type Provider,
  ProviderDown,
  type ProviderEvent,
  type ReportedLine,
} from './provider.ts'
import { hasTokens, paymentMethodOf, type StripeObjects, viewCustomer } from './stripe-facts.ts'

type StripeSettings = {
  key: string
  /** Newest first; each is tried. */
  webhookSecrets: readonly string[]
  /** Base address; null: Stripe's own. */
  api: string | null
  live: boolean
}

type StripeContext = { plans(): Promise<Plans>; now(): number }

/** The terms of each plan, as JSON, by its name. */
type Plans = ReadonlyMap<string, string>

const TIMEOUT_MS = 10_000
/** The package waits longer after each attempt, and as long as Stripe asks. */
const RETRIES = 3
const TOLERANCE_S = 300
const PAGE = 100
/** Most lines and invoices read per customer; a year of monthly ones has some dozens. */
const LISTED_MAX = 2000

/** Makes the provider. Its calls reject when Stripe cannot be reached or refuses. */
export function createStripeProvider(settings: StripeSettings, context: StripeContext): Provider {
  const stripe = new Stripe(settings.key, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(settings.api !== null && splitAddress(settings.api)),
  })

  return {
    name: 'stripe',
    facts: (customer) =>
      guard(async () => {
        const plans = await context.plans()
        const objects = await fetchObjects(stripe, customer, plans).catch(ignoreMissing)
        if (objects === undefined) return viewMissing(customer, settings.live)
        return viewCustomer(objects, { live: settings.live, plans, now: context.now() })
      }),
    events: (since) =>
      guard(async () => {
        const events: ProviderEvent[] = []
        const created = { gte: Math.floor(since / 1000) }
        for await (const event of stripe.events.list({ limit: PAGE, created })) {
          events.push(readEvent(event))
        }
        return events.reverse()
      }),
    report: (line) => guard(() => putLine(stripe, line)),
    reported: (customer) =>
      guard(async () => (await listReported(stripe, customer).catch(ignoreMissing)) ?? []),
    portal: (customer, returnUrl) =>
      guard(async () => openPage(stripe, { customer, returnUrl, plans: await context.plans() })),
    readWebhook: (body, signature) =>
      readSigned(stripe, settings.webhookSecrets, { body, signature }, context.now()),
  }
}

async function fetchObjects(stripe: Stripe, id: string, plans: Plans): Promise<StripeObjects> {
  const subscriptions = await stripe.subscriptions
    .list({ customer: id, status: 'all', limit: PAGE, expand: ['data.customer'] })
    .autoPagingToArray({ limit: LISTED_MAX })
  for (const { id: subscription, items } of subscriptions) {
    if (!items.has_more) continue
    items.data = (await stripe.subscriptionItems.list({ subscription, limit: PAGE })).data
  }
  const expanded = subscriptions[0]?.customer
  const customer =
    expanded === undefined || typeof expanded === 'string'
      ? await stripe.customers.retrieve(id)
      : expanded
  if (customer.deleted) {
    return { customer, subscriptions, invoices: [], setupIntents: [], charges: [] }
  }
  const invoices = await stripe.invoices
    .list({ customer: id, limit: PAGE })
    .autoPagingToArray({ limit: LISTED_MAX })
  const method = paymentMethodOf(customer, subscriptions, plans)
  const setupIntents = method === undefined ? [] : await listSetupIntents(stripe, id, method)
  const isSetUp = method === undefined || setupIntents[0]?.status === 'succeeded'
  const charges = isSetUp ? [] : (await stripe.charges.list({ customer: id, limit: PAGE })).data
  return { customer, subscriptions, invoices, setupIntents, charges }
}

async function listSetupIntents(stripe: Stripe, customer: string, payment_method: string) {
  return (await stripe.setupIntents.list({ customer, payment_method, limit: 1 })).data
}

/** Lists the usage lines of a customer that Platbook has reported. */
async function listReported(stripe: Stripe, customer: string): Promise<ReportedLine[]> {
  const lines: ReportedLine[] = []
  for await (const { id, metadata } of stripe.invoiceItems.list({ customer, limit: PAGE })) {
    if (metadata?.platbook_period === undefined) continue
    lines.push({
      period: metadata.platbook_period,
      part: Number(metadata.platbook_part),
      tokens: Number(metadata.platbook_tokens),
      item: id,
    })
  }
  return lines
}

/** Reads a webhook that a secret has signed lately. Throws `BadWebhook` for any other. */
function readSigned(
  stripe: Stripe,
  secrets: StripeSettings['webhookSecrets'],
  { body, signature }: { body: Buffer; signature: string },
  now: number,
): ProviderEvent {
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        TOLERANCE_S,
        undefined,
        now,
      )
      checkFuture(signature, now)
      checkShape(event)
      return readEvent(event)
    } catch (error) {
      if (error instanceof BadWebhook) throw error
      // The signature was right.
      if (error instanceof SyntaxError || error instanceof TypeError) {
        throw new BadWebhook('the body is not an event')
      }
    }
  }
  throw new BadWebhook('the signature is not of this endpoint, or too old')
}

/** Stripe answers this for an unknown id, and for a customer of the other mode. */
function ignoreMissing(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'resource_missing') throw error
}

function viewMissing(customer: string, live: boolean): CustomerView {
  const wrong = `Stripe has no customer ${customer} in ${live ? 'live' : 'test'} mode`
  return { facts: { billing: 'misconfigured' }, wrong, isMissing: true, drafts: [], overage: null }
}

/** The package accepts any future time. */
function checkFuture(signature: string, now: number): void {
  const seconds = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1])
  if (seconds * 1000 - now > TOLERANCE_S * 1000) {
    throw new BadWebhook('the signature is of a time to come')
  }
}

/** What Stripe writes where it names something; a database does not keep every character. */
const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^[!-~]{1,255}$/.test(text)
/** The last second of the year 9999. */
const SECONDS_MAX = 253_402_300_799

/** A signed body that is not an event would fail in the store and be sent again for days. */
function checkShape({ id, type, created, livemode, api_version, data }: Stripe.Event): void {
  const isNamed = isName(id) && isName(type) && (api_version == null || isName(api_version))
  const isTimed = Number.isInteger(created) && created >= 0 && created <= SECONDS_MAX
  const object: unknown = data?.object
  const isWhole = typeof livemode === 'boolean' && typeof object === 'object' && object !== null
  if (!isNamed || !isTimed || !isWhole) throw new BadWebhook('the body is not an event')
}

function readEvent(event: Stripe.Event): ProviderEvent {
  const { id, type, created, livemode, api_version, data } = event
  const body = JSON.stringify({ id, type, created, livemode, data }, sortNames)
  const hash = createHash('sha256').update(body).digest('hex')
  const named = customerOf(data)
  const customer = isName(named) ? named : null
  const times = { created: created * 1000, live: livemode }
  const version = api_version ?? ''
  return { id, type, customer, isUnreadable: customer !== named, version, hash, ...times }
}

/** The same body has the same hash in whichever order its names come. */
function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The customer of an event's object, if any; of a detached payment method the earlier one. */
function customerOf(data: Stripe.Event['data']): unknown {
  const { id, object, customer } = data.object as unknown as Record<string, unknown>
  if (object === 'customer') return id ?? undefined
  const before = (data.previous_attributes as { customer?: unknown } | undefined)?.customer
  return (customer as { id?: unknown } | null | undefined)?.id ?? customer ?? before ?? null
}

/** Credits have a negative price, because a quantity is never negative. */
async function putLine(stripe: Stripe, line: OverageReport): Promise<string> {
  const { accountId, period, part, tokens, firstRow, lastRow, head, unit, invoice, currency } = line
  const sign = tokens < 0 ? '-' : ''
  const create = (idempotencyKey: string) =>
    stripe.invoiceItems.create(
      {
        customer: line.customer,
        invoice,
        currency,
        quantity: Math.abs(tokens),
        unit_amount_decimal: Stripe.Decimal.from(`${sign}${unit}`),
        description:
          `Tokens beyond the ${line.included} included, period from ${period}: ledger rows ` +
          `${firstRow} to ${lastRow}, head ${head}`,
        metadata: {
          platbook_account: accountId,
          platbook_period: period,
          platbook_part: String(part),
          platbook_tokens: String(tokens),
        },
      },
      { idempotencyKey },
    )
  try {
    return (await create(line.key)).id
  } catch (error) {
    // The key was used for an invoice that is now closed; the line is not on it.
    if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
    return (await create(`${line.key}/${invoice}`)).id
  }
}

/** Opens the portal for customers with a subscription, else Checkout in setup mode. */
async function openPage(
  stripe: Stripe,
  { customer, returnUrl, plans }: { customer: string; returnUrl: string; plans: Plans },
): Promise<string> {
  const { data } = await stripe.subscriptions.list({ customer, limit: 1 })
  if (data.length > 0) {
    const session = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })
    return session.url
  }
  const session = await stripe.checkout.sessions.create({
    customer,
    mode: 'setup',
    currency: await currencyOf(stripe, customer, plans),
    success_url: returnUrl,
    cancel_url: returnUrl,
  })
  if (session.url === null) throw new Error('Stripe made a Checkout session without a page')
  return session.url
}

/** Returns a customer's currency; for one that never paid, that of the prices with tokens. */
async function currencyOf(stripe: Stripe, id: string, plans: Plans): Promise<string> {
  const customer = await stripe.customers.retrieve(id)
  if (!customer.deleted && customer.currency) return customer.currency
  for await (const price of stripe.prices.list({ active: true, limit: PAGE })) {
    if (hasTokens(price, plans)) return price.currency
  }
  return 'usd'
}

/** Reports errors without the request, which may contain a person's name. */
async function guard<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderDown) throw error
    const { type, statusCode, code } = error as {
      type?: string
      statusCode?: number
      code?: string
    }
    const what = [type ?? (error as Error).message, statusCode, code].filter(Boolean).join(' ')
    const isPassing = statusCode === undefined || statusCode === 429 || statusCode >= 500
    const isOfOne = !isPassing && statusCode !== 401 && statusCode !== 403
    throw new ProviderDown(`Stripe: ${what}`, { isPassing, isOfOne, cause: error })
  }
}

function splitAddress(address: string) {
  const { protocol, hostname, port } = new URL(address)
  const name: 'http' | 'https' = protocol === 'http:' ? 'http' : 'https'
  return { protocol: name, host: hostname, port: port === '' ? (name === 'http' ? 80 : 443) : port }
}
