/**
 * Receives the billing provider's webhooks. A worker passes them to the billing process, and also
 * asks it for the provider's pages.
 */
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { request as ask } from '../../base/network/node-http.ts'
import { errorReply } from '../error-reply.ts'
import { hangUp } from '../hang-up.ts'
import { readBody } from '../load/bodies.ts'
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
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

/** Answers 503 when the billing process is not running; the provider then sends a webhook again. */
export function askBilling(
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
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 503, body: text }))
      response.on('error', () => resolve(unavailable))
    })
    asked.end(body)
  })
}
