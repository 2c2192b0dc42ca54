/**
 * Maps refusals to statuses and error bodies; no other file does.
 * docs/decisions/http-interface.md.
 */
import { BLOCK_TEXTS } from '../accounts/billing-gate.ts'
import { type ExceededRate, Refusal, type RefusalKind } from '../base/errors.ts'

/** A refusal as sent: status, JSON text, and additional headers. */
export type ErrorReply = { status: number; body: string; headers: Record<string, string> }

const STATUS: Record<RefusalKind, number> = {
  'bad-request': 400,
  unauthenticated: 401,
  blocked: 403,
  'too-many': 429,
  'not-found': 404,
  ambiguous: 300,
  conflict: 422,
  'too-large': 413,
  unavailable: 503,
  provoked: 500,
}

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = '1'

/** RFC 9110 requires a scheme with each 401. The key is sent alone, without the scheme. */
const SCHEME = 'ApiKey realm="platbook"'

/**
 * Returns the reply for a thrown error. An error that is not a refusal is a defect, whose text is
 * not sent.
 */
export function replyToError(error: unknown, defaultBillingUrl: string): ErrorReply {
  if (!(error instanceof Refusal)) return errorReply(500, 'Internal server error')
  if (error.kind === 'blocked' && error.code !== undefined) {
    const { error: text, action } = BLOCK_TEXTS[error.code]
    const billing_url = error.billingUrl ?? defaultBillingUrl
    const body = JSON.stringify({ error: text, code: error.code, action, billing_url })
    return { status: 403, body, headers: error.headers }
  }
  const body = JSON.stringify({ error: error.message, ...error.details })
  const reply: ErrorReply = { status: STATUS[error.kind], body, headers: {} }
  Object.assign(reply.headers, error.headers)
  if (error.kind === 'unauthenticated') reply.headers['www-authenticate'] = SCHEME
  if (error.rate !== undefined) Object.assign(reply.headers, describeRate(error.rate))
  if (error.kind === 'unavailable') reply.headers['retry-after'] = RETRY_AFTER
  return reply
}

/** Names and forms: draft-ietf-httpapi-ratelimit-headers, revision 10. */
function describeRate({ policy, quota, windowMs, retryMs }: ExceededRate): Record<string, string> {
  const seconds = Math.max(1, Math.ceil(retryMs / 1000))
  return {
    'retry-after': String(seconds),
    'ratelimit-policy': `"${policy}";q=${quota};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=0;t=${seconds}`,
  }
}

/**
 * Returns the reply for errors outside the refusals: unknown route or method, or a request that the
 * HTTP parser could not read.
 */
export function errorReply(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): ErrorReply {
  return { status, body: JSON.stringify({ error: text }), headers: { ...headers } }
}
