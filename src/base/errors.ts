/**
 * Refusals: the ways in which Platbook says no. `http/error-reply.ts` alone turns them into HTTP.
 * Every other thrown error is a defect and answers 500.
 */

/** Why an account may not have a charged answer: the `code` of a 403. */
export type BlockCode =
  | 'card_not_verified'
  | 'payment_method_required'
  | 'overage_limit_exceeded'
  | 'unpaid_invoices'
  | 'subscription_inactive'
  | 'subscription_required'
  | 'subscription_ended'
  | 'billing_unavailable'
  | 'billing_configuration_error'
  | 'access_denied'

/** Kinds of refusal; `http/error-reply.ts` gives each its status. */
export type RefusalKind =
  | 'bad-request'
  | 'unauthenticated'
  | 'blocked'
  | 'too-many'
  | 'not-found'
  | 'ambiguous'
  | 'conflict'
  | 'too-large'
  | 'unavailable'
  /** The response that a sandbox key requested; an internal error. */
  | 'provoked'

export type ExceededRate = {
  policy: string
  /** Requests allowed in `windowMs`. */
  quota: number
  windowMs: number
  /** Milliseconds until a request may pass. */
  retryMs: number
}

/** A refusal with a text for the caller; `cause` is for the log only. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly code: BlockCode | undefined
  /** Response headers that explain the refusal, such as `X-Match: ambiguous`. */
  readonly headers: Readonly<Record<string, string>>
  /** The billing page of the blocked account; only with `code`. */
  readonly billingUrl: string | undefined
  /** Further members of the body. */
  readonly details: Readonly<Record<string, unknown>>
  /** Only with the kind `too-many`. */
  readonly rate: ExceededRate | undefined

  constructor(
    kind: RefusalKind,
    text: string,
    more: {
      code?: BlockCode
      headers?: Record<string, string>
      billingUrl?: string | undefined
      cause?: unknown
      details?: Record<string, unknown>
      rate?: ExceededRate
    } = {},
  ) {
    super(text, { cause: more.cause })
    this.kind = kind
    this.code = more.code
    this.headers = more.headers ?? {}
    this.billingUrl = more.billingUrl
    this.details = more.details ?? {}
    this.rate = more.rate
  }
}

/** Creates refusals: a public text, and for some a private cause for the log. */
export const refuse = {
  badRequest: (text: string) => new Refusal('bad-request', text),
  unauthenticated: (text: string, headers: Record<string, string> = {}) =>
    makeWithoutStack('unauthenticated', text, { headers }),
  /** Texts come from the gate's table; `billingUrl` is the account's own, if it has one. */
  blocked: (code: BlockCode, billingUrl?: string) =>
    new Refusal('blocked', code, { code, billingUrl }),
  notFound: (
    text: string,
    headers: Record<string, string> = {},
    details: Record<string, unknown> = {},
  ) => new Refusal('not-found', text, { headers, details }),
  /** More requests than are allowed in a time. */
  tooMany: (text: string, rate: ExceededRate) => makeWithoutStack('too-many', text, { rate }),
  /** The request contradicts an earlier one. */
  conflict: (text: string) => new Refusal('conflict', text),
  /** The body is larger than allowed; the rest of it is not read. */
  tooLarge: (text: string) => new Refusal('too-large', text, { headers: { connection: 'close' } }),
  /** Several parcels match; `details` distinguishes them. */
  ambiguous: (text: string, headers: Record<string, string>, details: Record<string, unknown>) =>
    new Refusal('ambiguous', text, { headers, details }),
  unavailable: (text: string, cause?: unknown) => new Refusal('unavailable', text, { cause }),
  /** A status that a sandbox key asked for. */
  provoked: (text: string) => new Refusal('provoked', text),
}

/** Floods are refused with these, and capturing a stack trace took most of the time. */
function makeWithoutStack(
  kind: RefusalKind,
  text: string,
  more: { rate?: ExceededRate; headers?: Record<string, string> },
): Refusal {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const refusal = new Refusal(kind, text, more)
  Error.stackTraceLimit = before
  return refusal
}

/** Stored data is damaged: the request answers 500, and the log and `/metrics` raise an alarm. */
export class DamagedData extends Error {}

/** A fault of the person at the command line: one sentence, no stack, exit code 1 or 2. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2
  constructor(text: string, exitCode: 1 | 2 = 1, cause?: unknown) {
    super(text, { cause })
    this.exitCode = exitCode
  }
}

/** A value that cannot be taken. `field`: the input of a form that it was typed into. */
export class WrongValue extends CommandError {
  readonly field: string
  constructor(text: string, field: string) {
    super(text, 2)
    this.field = field
  }
}

/** HTTP statuses of refusals by name, the only place for their numbers. RFC 9110, section 15. */
export const STATUS = {
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  gone: 410,
  tooLarge: 413,
  wrongType: 415,
  unprocessable: 422,
  tooMany: 429,
  failed: 500,
  unavailable: 503,
  diskFull: 507,
} as const
