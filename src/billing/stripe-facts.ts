/** Maps Stripe's objects to an account's facts, and so to the codes of a 403. docs/billing.md. */
import type Stripe from 'stripe'
import type { FactTexts } from '../store/billing-store.ts'
import type { CustomerView } from './provider.ts'

export type StripeObjects = {
  customer: Stripe.Customer | Stripe.DeletedCustomer
  subscriptions: Stripe.Subscription[]
  invoices: Stripe.Invoice[]
  /** Of the default payment method, newest first. */
  setupIntents: Stripe.SetupIntent[]
  /** Of the customer, newest first. */
  charges: Stripe.Charge[]
}

type StripeWorld = {
  /** Whether objects must be in live mode. */
  live: boolean
  /** Terms of each plan, by name. */
  plans: ReadonlyMap<string, string>
  /** Epoch milliseconds. */
  now: number
}

type Look = StripeObjects & StripeWorld & { subscription: Stripe.Subscription | undefined }

/** The text of each fact, in the order of the gate; `undefined` keeps the account's own. */
export const STRIPE_FACTS: Record<string, (look: Look) => string | undefined> = {
  suspended: ({ customer }) =>
    !customer.deleted && customer.metadata.platbook_suspended === 'true' ? 'true' : undefined,
  billing: (look) => (findWrong(look) === null ? 'ok' : 'misconfigured'),
  subscription: ({ subscription }) => subscription?.status ?? 'none',
  paymentMethod: readPaymentMethod,
  unpaidInvoices: ({ invoices, now }) =>
    String(invoices.filter((one) => isUnpaid(one, now)).length),
  plan: ({ subscription, plans }) => planOf(subscription, plans)?.plan,
  includedTokens: (look) => readTokens(look, 'platbook_included'),
  overageCap: (look) => readTokens(look, 'platbook_cap'),
  periodStart: (look) => periodOf(look)?.start,
  periodEnd: (look) => periodOf(look)?.end,
}

/** The facts of a customer. Pure. */
export function viewCustomer(objects: StripeObjects, world: StripeWorld): CustomerView {
  const subscription = chooseSubscription(objects.subscriptions, world.plans)
  const look: Look = { ...objects, ...world, subscription }
  const wrong = findWrong(look)
  // Of a misconfigured customer, only the first facts are used.
  const all = Object.entries(STRIPE_FACTS)
  const facts: Record<string, string> = {}
  for (const [fact, read] of wrong === null ? all : all.slice(0, 2)) {
    const text = read(look)
    if (text !== undefined) facts[fact] = text
  }
  const nextDue = wrong === null ? findNextDue(look) : undefined
  if (nextDue !== undefined) facts.nextDue = nextDue
  const drafts = objects.invoices
    .filter(({ status, billing_reason }) => {
      return status === 'draft' && billing_reason === 'subscription_cycle'
    })
    .sort((a, b) => a.created - b.created)
    .map(({ id }) => id)
    .filter((id) => id !== undefined)
  const isMissing = objects.customer.deleted === true
  const overage = readOverage(subscription)
  return { facts: facts satisfies FactTexts, wrong, isMissing, drafts, overage }
}

/** Subscriptions that give access come first, then those with a plan, then newer ones. */
const STATUS_ORDER = [
  ...['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'],
  ...['canceled', 'incomplete_expired'],
]

function chooseSubscription(
  all: Stripe.Subscription[],
  plans: StripeWorld['plans'],
): Stripe.Subscription | undefined {
  const rank = (one: Stripe.Subscription) =>
    2 * STATUS_ORDER.indexOf(one.status) + (mappedItem(one, plans) === undefined ? 1 : 0)
  return all.toSorted((a, b) => rank(a) - rank(b) || b.created - a.created)[0]
}

function hasEnded(subscription: Stripe.Subscription | undefined): boolean {
  return subscription?.status === 'canceled' || subscription?.status === 'incomplete_expired'
}

/** Returns what the operator must correct; null for nothing. */
function findWrong({ customer, subscription, live, plans }: Look): string | null {
  if (customer.deleted) return `customer ${customer.id} is deleted`
  if (customer.livemode !== live) {
    return `customer ${customer.id} is of ${customer.livemode ? 'live' : 'test'} mode`
  }
  if (subscription === undefined || hasEnded(subscription)) return null
  const currencies = new Set(subscription.items.data.map(({ price }) => price.currency))
  if (customer.currency) currencies.add(customer.currency)
  if (currencies.size > 1) return `currencies ${[...currencies].sort().join(' and ')} are mixed`
  const mapped = planOf(subscription, plans)
  if (mapped !== undefined) return mapped.wrong
  const ids = subscription.items.data.map(({ price }) => price.id).join(', ')
  return `no plan for the price ${ids}`
}

const COUNT = /^(?:unlimited|\d{1,12})$/

/** Returns the item whose price defines the included tokens. */
function mappedItem(
  subscription: Stripe.Subscription | undefined,
  plans: ReadonlyMap<string, string>,
): Stripe.SubscriptionItem | undefined {
  return subscription?.items.data.find(({ price }) => hasTokens(price, plans))
}

/** Reports whether a price says what it includes, or a plan names it. */
export function hasTokens(
  { id, metadata }: Stripe.Price,
  plans: ReadonlyMap<string, string>,
): boolean {
  const { platbook_plan, platbook_included } = metadata
  return (platbook_plan ?? platbook_included ?? planOfPrice(id, plans)) !== undefined
}

type Mapped = { plan: string | undefined; wrong: string | null }

function planOf(
  subscription: Stripe.Subscription | undefined,
  plans: ReadonlyMap<string, string>,
): Mapped | undefined {
  const price = mappedItem(subscription, plans)?.price
  if (price === undefined) return undefined
  const { platbook_plan, platbook_included, platbook_cap } = price.metadata
  const plan = platbook_plan ?? planOfPrice(price.id, plans)
  const bad = [platbook_included, platbook_cap].find((text) => text && !COUNT.test(text))
  if (bad !== undefined) return { plan, wrong: `price ${price.id} says "${bad}" tokens` }
  const isKnown = plan === undefined || plans.has(plan)
  return { plan, wrong: isKnown ? null : `price ${price.id} names the plan ${plan}, not there` }
}

/** Returns the plan whose `price.id`, one or several with commas, has this price. */
function planOfPrice(id: string, plans: ReadonlyMap<string, string>): string | undefined {
  for (const [name, terms] of plans) {
    const ids = (JSON.parse(terms) as Record<string, unknown>)['price.id']
    if (typeof ids === 'string' && ids.split(/[\s,]+/).includes(id)) return name
  }
  return undefined
}

function readTokens(
  { subscription, plans }: Look,
  name: 'platbook_included' | 'platbook_cap',
): string | undefined {
  const price = mappedItem(subscription, plans)?.price
  if (price === undefined) return undefined
  const text = price.metadata[name]
  if (text !== undefined) return text
  // An account without a plan only has the tokens that the price names.
  if (planOf(subscription, plans)?.plan === undefined) return '0'
  return 'plan'
}

/** `platbook_overage` on the price: the price of a token in the currency's smallest unit. */
function readOverage(subscription: Stripe.Subscription | undefined): CustomerView['overage'] {
  for (const { price } of subscription?.items.data ?? []) {
    const unit = price.metadata.platbook_overage
    if (unit !== undefined && /^\d{1,9}(?:\.\d{1,12})?$/.test(unit)) {
      return { unit, currency: price.currency }
    }
  }
  return null
}

function readPaymentMethod({ customer, subscription, setupIntents, charges }: Look): string {
  const method = defaultPaymentMethod(customer, subscription)
  if (paysWithoutCard(subscription, method)) return 'verified'
  if (method === undefined) return 'none'
  if (setupIntents[0]?.status === 'succeeded') return 'verified'
  const isCharged = charges.some(
    ({ payment_method, status, paid }) =>
      payment_method === method && paid && status === 'succeeded',
  )
  return isCharged ? 'verified' : 'unverified'
}

/** Customers who are sent invoices, and those in a trial that needs no card. */
function paysWithoutCard(
  subscription: Stripe.Subscription | undefined,
  method: string | undefined,
): boolean {
  if (subscription?.collection_method === 'send_invoice') return true
  return subscription?.status === 'trialing' && method === undefined
}

/** Returns the id of the payment method for renewals: the subscription's, else the customer's. */
function defaultPaymentMethod(
  customer: StripeObjects['customer'],
  subscription: Stripe.Subscription | undefined,
): string | undefined {
  if (customer.deleted) return undefined
  const found =
    subscription?.default_payment_method ??
    customer.invoice_settings?.default_payment_method ??
    subscription?.default_source ??
    customer.default_source
  return typeof found === 'string' ? found : (found?.id ?? undefined)
}

/** The same for all fetched objects. */
export function paymentMethodOf(
  customer: StripeObjects['customer'],
  subscriptions: Stripe.Subscription[],
  plans: StripeWorld['plans'],
): string | undefined {
  return defaultPaymentMethod(customer, chooseSubscription(subscriptions, plans))
}

/** An automatically collected invoice is past due when no further attempt is planned. */
function isUnpaid(invoice: Stripe.Invoice, now: number): boolean {
  if (invoice.status === 'uncollectible') return true
  if (invoice.status !== 'open') return false
  if (invoice.due_date !== null) return invoice.due_date * 1000 < now
  return invoice.attempted && invoice.next_payment_attempt === null
}

/** When the next open invoice becomes past due, of which Stripe sends no event. */
function findNextDue({ invoices, now }: Look): string | undefined {
  const times = invoices.flatMap(({ status, due_date }) =>
    status === 'open' && due_date !== null && due_date * 1000 >= now ? [due_date * 1000] : [],
  )
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString()
}

function periodOf({ subscription, plans }: Look) {
  const item = mappedItem(subscription, plans) ?? subscription?.items.data[0]
  // Without a subscription, dates of an earlier one are removed and calendar months apply.
  if (item === undefined) return { start: '', end: '' }
  const start = dateOf(item.current_period_start)
  const end = dateOf(item.current_period_end)
  return start < end ? { start, end } : undefined
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
