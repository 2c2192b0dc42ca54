/** What can go wrong with a call, as classes. */

/** Data of an error answer besides its text. */
export type ErrorFacts = {
  /** HTTP status; 0 where no answer arrived. */
  status: number
  /** Reason of a 403, such as `unpaid_invoices`. */
  code?: string | undefined
  /** What the person who manages billing must do, for a 403. */
  action?: string | undefined
  /** The page where that is done, with a 403. */
  billingUrl?: string | undefined
  /** Names this request in the service's ledger and logs. */
  requestId?: string | undefined
  /** Seconds after which a new try makes sense. */
  retryAfter?: number | undefined
}

/** Base of everything that this client throws on its own. */
export class PlatbookError extends Error {
  override name = 'PlatbookError'
  readonly status: number
  readonly code: string | undefined
  readonly action: string | undefined
  readonly billingUrl: string | undefined
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  /**
   * What `batch()` had been answered before a later request of it failed: `BatchResult`s in the
   * order of the rows, which are paid for. Empty for other calls.
   */
  results: readonly unknown[] = []

  constructor(message: string, facts: ErrorFacts, options?: { cause?: unknown }) {
    super(message, options)
    this.status = facts.status
    this.code = facts.code
    this.action = facts.action
    this.billingUrl = facts.billingUrl
    this.requestId = facts.requestId
    this.retryAfter = facts.retryAfter
  }
}

/** 400, 422 and other answers that name a fault of the request. */
export class BadRequestError extends PlatbookError {
  override name = 'BadRequestError'
}

/** 401: the API key is missing or not valid. */
export class AuthenticationError extends PlatbookError {
  override name = 'AuthenticationError'
}

/**
 * 403: the account may not use it now; `code`, `action` and `billingUrl` give the reason and the
 * remedy.
 */
export class AccessDeniedError extends PlatbookError {
  override name = 'AccessDeniedError'
}

/** 404, if `throwOnMissing` is set; otherwise the result is `null`. */
export class NotFoundError extends PlatbookError {
  override name = 'NotFoundError'
}

/** 429: more requests than the account may send; `retryAfter` is the time to wait. */
export class RateLimitError extends PlatbookError {
  override name = 'RateLimitError'
}

/** 5xx after all tries. */
export class ServerError extends PlatbookError {
  override name = 'ServerError'
}

/** No answer arrived: the connection failed, was cut, or took longer than `timeoutMs`. */
export class ConnectionError extends PlatbookError {
  override name = 'ConnectionError'
}

/** One of the parcels that an ambiguous address may mean. */
export type Candidate = {
  propertyId: string
  address: string | null
  city: string | null
  county: string | null
  zipCode: string | null
}

/** 300 with `candidates: true`: several places have the address. */
export class AmbiguousAddressError extends PlatbookError {
  override name = 'AmbiguousAddressError'
  readonly candidates: Candidate[]

  constructor(message: string, facts: ErrorFacts, candidates: Candidate[]) {
    super(message, facts)
    this.candidates = candidates
  }
}

/** The error of an answer that reports a failure. `body` is its JSON; absent without one. */
export function errorOf(status: number, body: unknown, facts: ErrorFacts): PlatbookError {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = textOf(fields.error) ?? `The service answered ${status}`
  const all: ErrorFacts = {
    ...facts,
    code: textOf(fields.code),
    action: textOf(fields.action),
    billingUrl: textOf(fields.billing_url),
  }
  if (status === 300) {
    return new AmbiguousAddressError(text, all, (fields.candidates ?? []) as Candidate[])
  }
  return new (classOf(status))(text, all)
}

function classOf(status: number): typeof PlatbookError {
  if (status === 401) return AuthenticationError
  if (status === 403) return AccessDeniedError
  if (status === 404) return NotFoundError
  if (status === 429) return RateLimitError
  return status >= 500 ? ServerError : BadRequestError
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
