/** Maps refusals to statuses and bodies; no other file does. docs/decisions/http-interface.md. */
import { BLOCK_TEXTS } from '../accounts/billing-gate.ts'
import { type ExceededRate, Refusal, type RefusalKind, STATUS } from '../base/errors.ts'

export type ErrorReply = { status: number; body: string; headers: Record<string, string> }

const STATUS_OF: Record<RefusalKind, number> = {
  'bad-request': STATUS.badRequest,
  unauthenticated: STATUS.unauthenticated,
  blocked: STATUS.forbidden,
  'too-many': STATUS.tooMany,
  'not-found': STATUS.notFound,
  ambiguous: 300,
  conflict: STATUS.unprocessable,
  'too-large': STATUS.tooLarge,
  unavailable: STATUS.unavailable,
  provoked: STATUS.failed,
}

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = '1'

/** RFC 9110 requires a scheme with each 401. The key is sent alone, without the scheme. */
const SCHEME = 'ApiKey realm="platbook"'

/** The reply for a thrown error. What is not a refusal is a defect, whose text is not sent. */
export function replyToError(error: unknown, defaultBillingUrl: string): ErrorReply {
  if (!(error instanceof Refusal)) return errorReply(STATUS.failed, 'Internal server error')
  if (error.kind === 'blocked' && error.code !== undefined) {
    const { error: text, action } = BLOCK_TEXTS[error.code]
    const billing_url = error.billingUrl ?? defaultBillingUrl
    const body = JSON.stringify({ error: text, code: error.code, action, billing_url })
    return { status: STATUS.forbidden, body, headers: error.headers }
  }
  const body = JSON.stringify({ error: error.message, ...error.details })
  const reply: ErrorReply = { status: STATUS_OF[error.kind], body, headers: {} }
  Object.assign(reply.headers, error.headers)
  if (error.kind === 'unauthenticated') reply.headers['www-authenticate'] ??= SCHEME
  if (error.rate !== undefined) Object.assign(reply.headers, describeRate(error.rate))
  if (error.kind === 'unavailable') reply.headers['retry-after'] = RETRY_AFTER
  return reply
}

/** Names and forms: draft-ietf-httpapi-ratelimit-headers, revision 10. */
function describeRate({ policy, quota, windowMs, retryMs }: ExceededRate): Record<string, string> {
  // A minute's window is a little longer, and clients do not wait for more than a minute.
  const seconds = Math.min(60, Math.max(1, Math.ceil(retryMs / 1000)))
  return {
    'retry-after': String(seconds),
    'ratelimit-policy': `"${policy}";q=${quota};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=0;t=${seconds}`,
  }
}

/** The reply for errors outside the refusals: an unknown route, or what the parser cannot read. */
export function errorReply(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): ErrorReply {
  return { status, body: JSON.stringify({ error: text }), headers: { ...headers } }
}

/** Returns an error as OGC APIs have it. Source: RFC 9457. */
export function toProblem({ status, body, headers }: ErrorReply): ErrorReply {
  const { error, ...more } = JSON.parse(body) as { error: string }
  return {
    status,
    body: JSON.stringify({ title: error, status, detail: error, ...more }),
    headers: { ...headers, 'content-type': 'application/problem+json' },
  }
}
