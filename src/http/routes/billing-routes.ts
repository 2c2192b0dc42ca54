/** Passes the provider's webhooks to the billing process, and asks it for the provider's pages. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readBillingLink } from '../../accounts/billing-link.ts'
import { STATUS } from '../../base/errors.ts'
import { request as ask } from '../../base/network/node-http.ts'
import { readTable } from '../../base/tables.ts'
import type { KeySecrets } from '../../store/key-secret.ts'
import { errorReply } from '../error-reply.ts'
import { readBody } from '../load/bodies.ts'
import { hangUp } from '../load/has-left.ts'
import { refuseBadBodies } from './body-errors.ts'

const PATH = '/billing/stripe/webhook'
const LIMITS = { maxBytes: 1_048_576, isKnown: false }
/** Shorter than Stripe's own timeout. */
const ANSWER_MS = 15_000

type Answer = { status: number; body: string }

/** `socketPath`: of the billing process. The body is passed on unchanged, because it is signed. */
export function serveBilling(socketPath: string): FastifyPluginAsync {
  return async (fastify) => {
    refuseBadBodies(fastify)
    // The body is read by the handler.
    fastify.addContentTypeParser('*', (_request, _body, done) => done(null))
    fastify.post(PATH, async (request, reply) => {
      const signature = String(request.headers['stripe-signature'] ?? '')
      if (signature === '') return send(reply, errorReply(400, 'The webhook is not signed'))
      const body = await readBody(request.raw, reply.raw, LIMITS)
      if (body === undefined) return hangUp(reply)
      return send(reply, await askBilling(socketPath, PATH, body, signature))
    })
  }
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  if (status === STATUS.unavailable) reply.header('retry-after', '60')
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

/** Answers 503 when the billing process is not running; the provider then sends a webhook again. */
function askBilling(
  socketPath: string,
  path: string,
  body: Buffer,
  signature = '',
): Promise<Answer> {
  const unavailable = errorReply(503, 'Service temporarily unavailable')
  return new Promise((resolve) => {
    const headers = { 'stripe-signature': signature, 'content-length': body.length }
    const asked = ask({ socketPath, method: 'POST', path, headers, timeout: ANSWER_MS })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(unavailable))
    asked.on('response', (response) => {
      const { statusCode: status = STATUS.unavailable } = response
      text(response).then(
        (body) => resolve({ status, body }),
        () => resolve(unavailable),
      )
    })
    asked.end(body)
  })
}

/**
 * `/billing`: the page to which a 403 sends the person who manages billing. A signed link redirects
 * to the billing provider's page; without one the page explains how to get such a link.
 */
type BillingPage = {
  /** Socket of the billing process; `undefined` without a provider. */
  socketPath: string | undefined
  secrets(): KeySecrets
  /** Without a trailing slash; null: the address that the caller used. */
  publicUrl: string | null
  /** Epoch milliseconds. */
  now(): number
}

/** The status of each page; `tables/billing-pages.tsv` has their titles and texts. */
const PAGES = {
  ...{ explained: 200, local: 200, badLink: STATUS.forbidden },
  ...{ noCustomer: STATUS.notFound, away: STATUS.unavailable },
}
const TEXTS = new Map(
  readTable('billing-pages.tsv').map((line) => {
    const [name = '', title, text] = line.split('\t')
    return [name, { title, text }]
  }),
)

export function serveBillingPage(world: BillingPage): FastifyPluginAsync {
  return async (fastify) => {
    fastify.get('/billing', async (request, reply) => {
      const query = new URLSearchParams(request.url.split('?')[1] ?? '')
      if (!query.has('token')) return sendPage(request, reply, 'explained')
      const account = readBillingLink(world.secrets(), query, world.now())
      if (account === undefined) return sendPage(request, reply, 'badLink')
      if (world.socketPath === undefined) return sendPage(request, reply, 'local')
      const base = world.publicUrl
      const returnUrl = base === null ? reachedBillingPage(request.raw) : `${base}/billing`
      const asked = JSON.stringify({ account, returnUrl })
      const { status, body } = await askBilling(world.socketPath, '/portal', Buffer.from(asked))
      if (status === STATUS.notFound) return sendPage(request, reply, 'noCustomer')
      if (status !== 200) return sendPage(request, reply, 'away')
      const { url } = JSON.parse(body) as { url: string }
      return reply.code(303).headers(HEADERS).header('location', url).send('')
    })
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, name: keyof typeof PAGES) {
  const status = PAGES[name]
  const { title, text } = TEXTS.get(name) ?? {}
  reply.code(status).headers(HEADERS)
  if (name === 'away') reply.header('retry-after', '60')
  const accept = request.headers.accept ?? ''
  if (accept.includes('json') && !accept.includes('html')) {
    const body = status === 200 ? { status: text } : { error: text }
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
  }
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`)
}

/** The link is secret while it is valid, so no other site may see it. */
const HEADERS = {
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The billing page at the address that the caller used. No request header can change it. */
export function reachedBillingPage({ socket }: IncomingMessage): string {
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const address = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
  const host = address.includes(':') ? `[${address}]` : address
  return `${scheme}://${host}:${socket.localPort}/billing`
}
