/** Sends one web request, with address check, redirects, compression and time limits. */
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../../base/errors.ts'
import { request as requestHttp } from '../../base/network/node-http.ts'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import { findPublicAddress, type Resolver, resolveBySystem } from './private-addresses.ts'

export type Web = {
  /** The operator's contact in the User-Agent; `null`: none. */
  contact: string | null
  allowPrivate: boolean
  /** Milliseconds without a byte after which an attempt fails. */
  idleMs: number
  /** Most bytes of a file, and of one whose size the server does not give. */
  fileMax: number
  unsizedMax: number
  /** Attempts per request. */
  tries: number
  /** Concurrent requests to one host. */
  concurrency: number
  resolve: Resolver
  pause(ms: number): Promise<void>
  /** Epoch milliseconds. */
  now(): number
  /** Writes a line to standard error. */
  report(line: string): void
  /** Whether the person has asked to stop. */
  isStopped(): boolean
}

/** Fills in the defaults of settings that a command leaves out. */
export function makeWeb(set: Partial<Web>): Web {
  return {
    contact: null,
    allowPrivate: false,
    idleMs: 30_000,
    fileMax: Number.POSITIVE_INFINITY,
    unsizedMax: 34_359_738_368,
    tries: 5,
    concurrency: 2,
    resolve: resolveBySystem,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: Date.now,
    report: () => {},
    isStopped: () => false,
    ...set,
  }
}

type WebRequest = {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  form?: string
  /** Requests uncompressed bytes, for downloads that are resumed by range. */
  plain?: boolean
}

/** An answer of a web server: its status, headers and body as a stream. */
export type WebAnswer = {
  status: number
  headers: IncomingMessage['headers']
  /** The address after redirects. */
  url: string
  /** The decompressed body. Connection errors and timeouts are thrown while it is read. */
  body: Readable
}

/** A temporary failure: of the connection, by timeout, or of a busy server. A retry may succeed. */
export class PassingFault extends Error {
  /** The pause that the server asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined
  constructor(text: string, more: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(text, { cause: more.cause })
    this.retryAfterMs = more.retryAfterMs
  }
}

const REDIRECTS_MAX = 5
const USER_AGENT = `Platbook/${PROGRAM_VERSION} (property-data importer`

/**
 * Sends a request and follows up to five redirects, each to a checked address. Throws
 * `CommandError` for a forbidden one, `PassingFault` for a failed connection.
 */
export async function ask(web: Web, request: WebRequest): Promise<WebAnswer> {
  let url = readAddress(request.url)
  let { method = 'GET', form } = request
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const answer = await send(web, url, {
      ...request,
      method,
      ...(form === undefined ? {} : { form }),
    })
    const { statusCode: status = 0, headers } = answer
    const target = headers.location
    if (status < 300 || status > 399 || status === 304 || target === undefined) {
      return { status, headers, url: url.href, body: decompress(answer, request.plain === true) }
    }
    answer.destroy()
    url = readAddress(URL.canParse(target, url) ? new URL(target, url).href : target)
    if (status === 303) {
      method = 'GET'
      form = undefined
    }
  }
  throw new CommandError(`${showAddress(request.url)} redirects more than ${REDIRECTS_MAX} times`)
}

/** Parses a web address. Throws `CommandError` for anything else. */
export function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`${text.slice(0, 200)} is not an http or https address`)
  }
  return url
}

/** Most bytes of an answer that is read into memory. */
const ANSWER_MAX = 134_217_728

/** Reads a body as text; `undefined` above 128 MiB. Throws `PassingFault` when it breaks off. */
export async function readBody(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > ANSWER_MAX) return undefined
      chunks.push(chunk)
    }
  } catch (cause) {
    throw new PassingFault(`the answer broke off: ${(cause as Error).message}`, { cause })
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Removes possible secrets from an address: user, password and token. */
export function showAddress(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.username = ''
  url.password = ''
  for (const name of [...url.searchParams.keys()]) {
    if (/token|key|secret|sig|password/i.test(name)) url.searchParams.delete(name)
  }
  return url.href
}

export function isWebAddress(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

async function send(
  web: Web,
  url: URL,
  request: WebRequest & { method: string },
): Promise<IncomingMessage> {
  const pinned = await resolveFor(web, url)
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all === true) done(null, [pinned])
    else done(null, pinned.address, pinned.family)
  }
  return new Promise((resolve, reject) => {
    const isForm = request.form !== undefined && request.method === 'POST'
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: request.method,
      lookup,
      timeout: web.idleMs,
      headers: {
        'user-agent': `${USER_AGENT}${web.contact === null ? '' : `; ${web.contact}`})`,
        accept: '*/*',
        'accept-encoding': request.plain === true ? 'identity' : 'gzip',
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...request.headers,
      },
    })
    let answer: IncomingMessage | undefined
    const fail = (cause: unknown) => {
      const fault = new PassingFault(`${url.host}: ${(cause as Error).message}`, { cause })
      answer?.destroy(fault)
      reject(fault)
    }
    sent.on('timeout', () => sent.destroy(new Error(`no byte for ${web.idleMs / 1000} s`)))
    sent.on('error', fail)
    sent.on('response', (response) => {
      answer = response
      resolve(response)
    })
    sent.end(isForm ? request.form : undefined)
  })
}

async function resolveFor(web: Web, url: URL) {
  try {
    return await findPublicAddress(url.hostname, web.allowPrivate, web.resolve)
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new PassingFault(`${url.host} cannot be found: ${(cause as Error).message}`, { cause })
  }
}

function decompress(answer: IncomingMessage, plain: boolean): Readable {
  const coding = plain ? '' : (answer.headers['content-encoding'] ?? '').toLowerCase()
  if (!/gzip/.test(coding)) return answer
  const stream = createGunzip()
  // An error of either stream ends both and is thrown where the body is read.
  pipeline(answer, stream, () => {})
  return stream
}
