/**
 * `/billing`: the page to which a 403 sends the person who manages billing. A signed link redirects
 * to the billing provider's page; without one the page explains how to get such a link.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readBillingLink } from '../../accounts/billing-link.ts'
import { STATUS } from '../../base/errors.ts'
import type { KeySecrets } from '../../store/key-secret.ts'
import { askBilling } from './billing-routes.ts'

type BillingPage = {
  /** Socket of the billing process; `undefined` without a provider. */
  socketPath: string | undefined
  secrets(): KeySecrets
  /** Without a trailing slash; null: the address that the caller used. */
  publicUrl: string | null
  /** Epoch milliseconds. */
  now(): number
}

type Page = { status: number; title: string; text: string; headers?: Record<string, string> }

const EXPLAINED: Page = {
  status: 200,
  title: 'Billing',
  text:
    'Billing of an account opens with a link that is valid for 15 minutes. Ask the ' +
    'operator of this service for one: it is in the console, on the page of your ' +
    'account, or the operator sends it to you.',
}
const LOCAL: Page = {
  status: 200,
  title: 'Billing',
  text:
    'Billing is managed by the operator of this service. Ask the operator what your ' +
    'account needs.',
}
const BAD_LINK: Page = {
  status: STATUS.forbidden,
  title: 'This link is not good',
  text:
    'The link is older than 15 minutes, or it was not made by this service. Ask the ' +
    'operator for a new one.',
}
const NO_CUSTOMER: Page = {
  status: STATUS.notFound,
  title: 'No billing for this account',
  text:
    'The account is not linked to a customer of the billing provider. Ask the operator ' +
    'of this service.',
}
const AWAY: Page = {
  status: STATUS.unavailable,
  title: 'Billing is unavailable',
  text: 'The billing provider cannot be reached now. Open the link again in a minute.',
  headers: { 'retry-after': '60' },
}

export function serveBillingPage(world: BillingPage): FastifyPluginAsync {
  return async (fastify) => {
    fastify.get('/billing', async (request, reply) => {
      const query = new URLSearchParams(request.url.split('?')[1] ?? '')
      if (!query.has('token')) return sendPage(request, reply, EXPLAINED)
      const account = readBillingLink(world.secrets(), query, world.now())
      if (account === undefined) return sendPage(request, reply, BAD_LINK)
      if (world.socketPath === undefined) return sendPage(request, reply, LOCAL)
      const { publicUrl } = world
      const returnUrl =
        publicUrl === null ? reachedBillingPage(request.raw) : `${publicUrl}/billing`
      const asked = JSON.stringify({ account, returnUrl })
      const { status, body } = await askBilling(world.socketPath, '/portal', Buffer.from(asked))
      if (status === STATUS.notFound) return sendPage(request, reply, NO_CUSTOMER)
      if (status !== 200) return sendPage(request, reply, AWAY)
      const { url } = JSON.parse(body) as { url: string }
      return reply.code(303).headers(headersOf(request)).header('location', url).send('')
    })
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { status, title, text, headers = {} } = page
  reply.code(status).headers({ ...headersOf(request), ...headers })
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

/** The link is secret while it is valid, so no cache may store it and no other site may see it. */
function headersOf(request: FastifyRequest): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  }
}

/**
 * Returns the billing page at the address that the caller used. No request header can change it.
 */
export function reachedBillingPage({ socket }: IncomingMessage): string {
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const address = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
  const host = address.includes(':') ? `[${address}]` : address
  return `${scheme}://${host}:${socket.localPort}/billing`
}
