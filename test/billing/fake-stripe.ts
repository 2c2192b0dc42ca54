/**
 * A stand-in for Stripe: HTTP, the objects that Platbook requests, signed events, errors and
 * delays.
 *
 * It does not imitate the life cycle of objects (a test sets their state), most parameters and
 * fields, validation, `starting_after` beyond its order, API versions, rate limits that no test
 * sets, and Stripe's own retries of webhooks. Idempotency keys are kept until a test deletes them,
 * not for a day.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export const FAKE_KEY = 'sk_test_invented'
export const FAKE_SECRET = 'whsec_invented'
const API_VERSION = '2026-10-28.endive'

// biome-ignore lint/suspicious/noExplicitAny: objects of Stripe, of any shape
export type FakeObject = Record<string, any>

export type FakeStripe = {
  address: string
  customers: Map<string, FakeObject>
  subscriptions: FakeObject[]
  invoices: FakeObject[]
  setupIntents: FakeObject[]
  charges: FakeObject[]
  invoiceItems: FakeObject[]
  events: FakeObject[]
  /** `GET /v1/invoices`, oldest first. */
  asked: string[]
  prices: FakeObject[]
  checkoutCurrencies: (string | null)[]
  /**
   * Answers instead of the fake, while it gives a status: 429, 500, or 0 for a broken connection.
   */
  disturb(path: string, method: string): number | undefined
  delayMs: number
  /** Requests are carried out, but the connection ends before the answer. */
  loseAnswers: boolean
  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  /** Creates an event about the present state of an object; does not send it. */
  emit(type: string, object: FakeObject, at?: number): FakeObject
  close(): Promise<void>
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const idempotent = new Map<string, { body: string; answer: FakeObject }>()
  let count = 0
  const fake: FakeStripe = {
    address: '',
    customers: new Map(),
    subscriptions: [],
    invoices: [],
    setupIntents: [],
    charges: [],
    invoiceItems: [],
    events: [],
    asked: [],
    prices: [],
    checkoutCurrencies: [],
    disturb: () => undefined,
    delayMs: 0,
    loseAnswers: false,
    forgetKeys: () => idempotent.clear(),
    emit(type, object, at = Date.now()) {
      count += 1
      const event = {
        id: `evt_${count}`,
        object: 'event',
        api_version: API_VERSION,
        created: Math.floor(at / 1000),
        livemode: object.livemode ?? false,
        pending_webhooks: 1,
        request: null,
        type,
        data: { object: structuredClone(object) },
      }
      fake.events.push(event)
      return event
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch((error) => answer(response, 500, failure(String(error))))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request
    const url = new URL(request.url ?? '', 'http://fake')
    const body = new URLSearchParams(await readBody(request))
    fake.asked.push(`${method} ${url.pathname}`)
    if (fake.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.delayMs))
    const status = fake.disturb(url.pathname, method)
    if (status === 0) request.socket.destroy()
    else if (status !== undefined) answer(response, status, failure('as the test wants it'))
    else if (request.headers.authorization !== `Bearer ${FAKE_KEY}`) {
      answer(response, 401, failure('Invalid API Key provided'))
    } else if (method === 'GET') get(url, response)
    else post(request, url, body, response)
  }

  function get(url: URL, response: ServerResponse): void {
    const [, , kind = '', id] = url.pathname.split('/')
    const customer = url.searchParams.get('customer')
    const of = (objects: FakeObject[]) =>
      objects.filter((one) => customer === null || idOf(one.customer) === customer)
    if (customer !== null && !fake.customers.has(customer)) {
      answer(response, 400, failure('No such customer', 'resource_missing'))
    } else if (kind === 'customers' && id !== undefined) {
      const found = fake.customers.get(id)
      if (found === undefined)
        answer(response, 404, failure('No such customer', 'resource_missing'))
      else answer(response, 200, found)
    } else if (kind === 'subscriptions') {
      const all = url.searchParams.get('status') === 'all'
      const shown = of(fake.subscriptions).filter(({ status }) => all || status !== 'canceled')
      const isWhole = url.searchParams.has('expand[0]')
      const whole = (one: FakeObject) => ({ ...one, customer: fake.customers.get(one.customer) })
      list(url, response, (isWhole ? shown.map(whole) : shown).map(cutItems))
    } else if (kind === 'subscription_items') {
      const asked = url.searchParams.get('subscription')
      const found = fake.subscriptions.find((one) => one.id === asked)
      list(url, response, found?.items.data.toReversed() ?? [])
    } else if (kind === 'invoices') list(url, response, of(fake.invoices))
    else if (kind === 'setup_intents') {
      const method = url.searchParams.get('payment_method')
      list(
        url,
        response,
        of(fake.setupIntents).filter(({ payment_method }) => payment_method === method),
      )
    } else if (kind === 'prices') list(url, response, fake.prices)
    else if (kind === 'charges') list(url, response, of(fake.charges))
    else if (kind === 'invoiceitems') list(url, response, of(fake.invoiceItems))
    else if (kind === 'events') {
      const since = Number(url.searchParams.get('created[gte]') ?? 0)
      list(
        url,
        response,
        fake.events.filter(({ created }) => created >= since),
      )
    } else answer(response, 404, failure(`the fake has no ${url.pathname}`))
  }

  /** Newest first, in pages. */
  function list(url: URL, response: ServerResponse, objects: FakeObject[]): void {
    const limit = Number(url.searchParams.get('limit') ?? 10)
    const after = url.searchParams.get('starting_after')
    const newest = objects.toReversed()
    const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1
    const data = newest.slice(from, from + limit)
    const has_more = newest.length > from + limit
    answer(response, 200, { object: 'list', url: url.pathname, has_more, data })
  }

  function post(
    request: IncomingMessage,
    url: URL,
    body: URLSearchParams,
    response: ServerResponse,
  ): void {
    const key = String(request.headers['idempotency-key'] ?? '')
    const before = idempotent.get(key)
    if (before !== undefined && before.body !== String(body)) {
      answer(response, 400, {
        error: { type: 'idempotency_error', message: 'Keys can only be used with the same values' },
      })
      return
    }
    if (before !== undefined) {
      if (fake.loseAnswers) response.socket?.destroy()
      answer(response, 200, before.answer)
      return
    }
    const made = make(url, body)
    if ('error' in made) {
      answer(response, 400, made)
      return
    }
    idempotent.set(key, { body: String(body), answer: made })
    if (fake.loseAnswers) response.socket?.destroy()
    else answer(response, 200, made)
  }

  function make(url: URL, body: URLSearchParams): FakeObject {
    count += 1
    const customer = body.get('customer')
    if (url.pathname === '/v1/invoiceitems') {
      const invoice = fake.invoices.find(({ id }) => id === body.get('invoice'))
      if (invoice?.status !== 'draft') return failure('This invoice is no longer editable')
      const metadata = Object.fromEntries(
        [...body].flatMap(([name, value]) => {
          const inner = /^metadata\[(.+)\]$/.exec(name)?.[1]
          return inner === undefined ? [] : [[inner, value]]
        }),
      )
      const item = {
        id: `ii_${count}`,
        object: 'invoiceitem',
        customer,
        invoice: invoice.id,
        quantity: Number(body.get('quantity')),
        unit_amount_decimal: body.get('unit_amount_decimal'),
        description: body.get('description'),
        metadata,
      }
      fake.invoiceItems.push(item)
      return item
    }
    if (url.pathname === '/v1/billing_portal/sessions') {
      return { id: `bps_${count}`, url: `https://billing.stripe.invalid/p/${customer}` }
    }
    if (url.pathname === '/v1/checkout/sessions') {
      fake.checkoutCurrencies.push(body.get('currency'))
      return { id: `cs_${count}`, url: `https://checkout.stripe.invalid/c/${customer}` }
    }
    return failure(`the fake has no ${url.pathname}`)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  fake.address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  return fake
}

/** A list within an object has ten of its objects at most. */
function cutItems({ items, ...subscription }: FakeObject): FakeObject {
  const has_more = items.data.length > 10
  return { ...subscription, items: { ...items, data: items.data.slice(0, 10), has_more } }
}

/** A body and its signature, as the webhook endpoint gets them. `at`: epoch milliseconds. */
export function signEvent(event: FakeObject, secret = FAKE_SECRET, at = Date.now()) {
  const body = JSON.stringify(event)
  const seconds = Math.floor(at / 1000)
  const mark = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { body, signature: `t=${seconds},v1=${mark}` }
}

/** A customer with a paid subscription, a verified card and nothing owed. */
export function addCustomer(
  fake: FakeStripe,
  id: string,
  metadata: Record<string, string> = { platbook_included: '100', platbook_cap: '0' },
  period = { start: '2026-03-01', end: '2026-04-01' },
) {
  const method = `pm_${id}`
  const customer: FakeObject = {
    id,
    object: 'customer',
    livemode: false,
    currency: 'usd',
    metadata: {},
    default_source: null,
    invoice_settings: { default_payment_method: method },
  }
  const price: FakeObject = { id: `price_${id}`, object: 'price', currency: 'usd', metadata }
  const item: FakeObject = {
    id: `si_${id}`,
    object: 'subscription_item',
    price,
    current_period_start: Date.parse(period.start) / 1000,
    current_period_end: Date.parse(period.end) / 1000,
  }
  const subscription: FakeObject = {
    id: `sub_${id}`,
    object: 'subscription',
    customer: id,
    livemode: false,
    status: 'active',
    created: 1,
    default_payment_method: null,
    default_source: null,
    items: { object: 'list', data: [item] },
  }
  const setupIntent: FakeObject = {
    id: `seti_${id}`,
    object: 'setup_intent',
    customer: id,
    payment_method: method,
    status: 'succeeded',
  }
  fake.customers.set(id, customer)
  fake.subscriptions.push(subscription)
  fake.setupIntents.push(setupIntent)
  return { customer, subscription, setupIntent, price, item }
}

/** An invoice of a customer, with what a test changes of it. */
export function addInvoice(fake: FakeStripe, customer: string, parts: FakeObject): FakeObject {
  const invoice = {
    id: `in_${fake.invoices.length + 1}`,
    object: 'invoice',
    customer,
    livemode: false,
    status: 'paid',
    billing_reason: 'subscription_cycle',
    created: fake.invoices.length + 1,
    due_date: null,
    attempted: true,
    next_payment_attempt: null,
    ...parts,
  }
  fake.invoices.push(invoice)
  return invoice
}

function idOf(customer: unknown): unknown {
  return typeof customer === 'string' ? customer : (customer as FakeObject | null)?.id
}

function failure(message: string, code?: string): FakeObject {
  return { error: { type: 'invalid_request_error', message, code } }
}

function answer(response: ServerResponse, status: number, body: FakeObject): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
