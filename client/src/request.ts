/** One call over HTTP: its address, its tries, and what its answer says. */
import { ConnectionError, type ErrorFacts, errorOf, type PlatbookError } from './errors.ts'

/** Values of a query; `undefined` and `null` are left out. */
type Value = string | number | boolean

/** Parameters by name; a list is a parameter that is repeated. */
export type Query = Record<string, Value | readonly Value[] | null | undefined>

/** What the headers of an answer say. */
export type Meta = {
  status: number
  requestId: string | undefined
  /** How an address or parcel ID was matched: `exact`, `directional`, `unit-dropped` and so on. */
  match: string | undefined
  /** How many parcels stood there. */
  matchCount: number | undefined
  tokensCharged: number | undefined
  tokensRemaining: number | undefined
  /** Whether an owner search has more parcels than its window of 200. */
  truncated: boolean
  headers: Headers
}

/** An answer with what its headers say. `meta` is not part of the JSON: it is not enumerable. */
export type WithMeta<Value> = Value & { readonly meta: Meta }

export type Answer = { body: unknown; meta: Meta }

/** Options of one call. */
export type CallOptions = {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds for each try. */
  timeoutMs?: number
  /** Further tries after the first one. */
  retries?: number
}

export type Transport = {
  baseUrl: string
  key: string
  timeoutMs: number
  retries: number
  fetch: typeof fetch
}

/** A request as a path below the base address. */
export type Request = { path: string; query: Query; body?: string; method?: string }

const RETRIED = new Set([408, 429, 500, 502, 503, 504])
const RETRY_AFTER_MAX_S = 60
const BACKOFF_MS = 250

/**
 * Sends a request and reads its JSON. Throws a `PlatbookError`, or the reason of the caller's
 * signal.
 *
 * Network errors and the statuses 408, 429, 500, 502, 503 and 504 are tried again. A `Retry-After`
 * of more than 60 seconds is not waited for: the error contains it.
 */
export async function send(
  transport: Transport,
  request: Request,
  options: CallOptions,
): Promise<Answer> {
  const retries = options.retries ?? transport.retries
  // The same idempotency key on every try: an answer that was lost is not paid for twice. Any
  // operation may have a price, which its operator sets.
  const headers = {
    authorization: transport.key,
    accept: 'application/json',
    'idempotency-key': makeIdempotencyKey(),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
  }
  for (let tried = 0; ; tried += 1) {
    const outcome = await attempt(transport, request, headers, options)
    if ('answer' in outcome) return outcome.answer
    const { error, mayRetry } = outcome
    if (!mayRetry || tried >= retries || (error.retryAfter ?? 0) > RETRY_AFTER_MAX_S) throw error
    await wait(pauseMs(tried, error.retryAfter), options.signal)
  }
}

/** The full address of a request; parameters stand in the order given. */
function addressOf(transport: Transport, { path, query }: Request): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  )
  const text = new URLSearchParams(pairs).toString()
  const base = transport.baseUrl.replace(/\/+$/, '')
  return `${base}${path}${text === '' ? '' : `?${text}`}`
}

type Outcome = { answer: Answer } | { error: PlatbookError; mayRetry: boolean }

async function attempt(
  transport: Transport,
  request: Request,
  headers: Record<string, string>,
  options: CallOptions,
): Promise<Outcome> {
  const timeoutMs = options.timeoutMs ?? transport.timeoutMs
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout])
  try {
    const { body: sent, method = sent === undefined ? 'GET' : 'POST' } = request
    const response = await transport.fetch(addressOf(transport, request), {
      headers,
      signal,
      redirect: 'manual',
      method,
      ...(sent !== undefined && { body: sent }),
    })
    const text = await response.text()
    const { status } = response
    const body = readJson(text)
    if (response.ok) {
      const isEmpty = status === 204
      if (body === undefined && !isEmpty) throw new TypeError('The answer is not JSON')
      return { answer: { body, meta: metaOf(response) } }
    }
    return { error: errorOf(status, body, factsOf(response)), mayRetry: RETRIED.has(status) }
  } catch (cause) {
    options.signal?.throwIfAborted()
    const text = timeout.aborted
      ? `No answer within ${timeoutMs} ms`
      : `The service could not be reached or its answer not read: ${describe(cause)}`
    return { error: new ConnectionError(text, { status: 0 }, { cause }), mayRetry: true }
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What `fetch` throws says little; its cause names the fault. */
function describe(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause ?? error
  return cause instanceof Error ? cause.message : String(cause)
}

function metaOf(response: Response): Meta {
  const { headers, status } = response
  const number = (name: string) => {
    const value = headers.get(name)
    return value === null ? undefined : Number(value)
  }
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    match: headers.get('x-match') ?? undefined,
    matchCount: number('x-match-count'),
    tokensCharged: number('x-tokens-charged'),
    tokensRemaining: number('x-tokens-remaining'),
    truncated: headers.get('x-result-truncated') === 'true',
    headers,
  }
}

function factsOf(response: Response): ErrorFacts {
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(response.headers.get('retry-after')),
  }
}

/** `Retry-After` as seconds: a number, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000)
}

/**
 * The service's own pause where it names one, else twice as long each time; with jitter, so that
 * callers spread.
 */
function pauseMs(tried: number, retryAfterS: number | undefined): number {
  if (retryAfterS !== undefined) return retryAfterS * 1000 + Math.random() * BACKOFF_MS
  return BACKOFF_MS * 2 ** tried * (0.5 + Math.random())
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** 32 random hexadecimal digits. `crypto.randomUUID` is missing on pages served without TLS. */
function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
