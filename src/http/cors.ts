/** Cross-origin requests of browsers, for the origins that the operator lists. */
import type { IncomingMessage } from 'node:http'

/** Seconds for which a browser may cache the answer to a preflight. */
const MAX_AGE = '7200'
/** Headers that a page may read: every header of the OpenAPI document. */
export const EXPOSED =
  'X-Request-Id, X-Match, X-Match-Count, X-Match-Alike, X-Match-Units, X-Tokens-Charged, ' +
  'X-Tokens-Remaining, X-Result-Truncated, X-Unassigned-Address, X-Unknown-County, X-As-Of, ' +
  'X-Sandbox, RateLimit, RateLimit-Policy, Deprecation, ETag, Link, Retry-After, WWW-Authenticate'

/** Headers that let listed origins read answers in a browser. */
export type Cors = NonNullable<ReturnType<typeof allowOrigins>>

/** Reads origins, separated by commas, or `*`. `undefined` for none. */
export function allowOrigins(list: string | null) {
  if (list === null) return undefined
  const origins = new Set(list.split(',').map((origin) => origin.trim()))
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (origins.has('*') || origins.has(origin))
  return {
    /** Lists the headers that allow a page of a listed origin to read the answer. */
    headersFor({ headers: { origin } }: IncomingMessage): [string, string][] {
      const vary: [string, string] = ['vary', 'origin']
      if (!isAllowed(origin)) return [vary]
      return [
        vary,
        ['access-control-allow-origin', origin],
        ['access-control-expose-headers', EXPOSED],
      ]
    },
    /** Headers of a preflight's answer; `undefined` for other requests and unlisted origins. */
    preflight({ method, headers }: IncomingMessage): Record<string, string> | undefined {
      const asked = headers['access-control-request-method']
      if (method !== 'OPTIONS' || asked === undefined || !isAllowed(headers.origin))
        return undefined
      return {
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers':
          'authorization, content-type, if-none-match, idempotency-key, x-sandbox, ' +
          'traceparent, tracestate, ' +
          // Further headers of MCP clients in a browser.
          'mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
        'access-control-max-age': MAX_AGE,
      }
    },
  }
}
