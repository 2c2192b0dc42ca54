/**
 * Receives the billing provider's webhooks. A worker passes them to the billing process, and also
 * asks it for the provider's pages.
 */
import { request as ask } from 'node:http'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { errorReply } from '../error-reply.ts'

const PATH = '/billing/stripe/webhook'
const BODY_MAX = 1_048_576
/** Shorter than Stripe's own timeout. */
const ANSWER_MS = 15_000

type Answer = { status: number; body: string }

/** `socketPath`: of the billing process. The body is passed on unchanged, because it is signed. */
export function serveBilling(socketPath: string): FastifyPluginAsync {
  return async (fastify) => {
    fastify.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_MAX },
      (_request, body, done) => done(null, body),
    )
    fastify.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
      const isTooLarge = error.statusCode === 413
      const text = isTooLarge ? 'The body is larger than 1 MiB' : 'The body cannot be read'
      return send(reply, { ...errorReply(isTooLarge ? 413 : 400, text) })
    })
    fastify.post(PATH, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const signature = String(request.headers['stripe-signature'] ?? '')
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
