/** Writes an answer in a form that is accepted. docs/decisions/record-and-rendering.md. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Rendered, releaseBuffer } from '../render/render.ts'
import type { Cors } from './cors.ts'
import type { ErrorReply } from './error-reply.ts'
import { handOver, KEEP_ALIVE } from './load/connections.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type Answered = Omit<ErrorReply, 'body'> & { body: Rendered }

export type AnswerWriter = (
  response: ServerResponse<IncomingMessage>,
  requestId: string,
  answered: Answered,
) => void

type WriterOptions = {
  isClosing(): boolean
  /** `undefined`: no origin is allowed. */
  cors: Cors | undefined
}

/**
 * Returns the writer of answers, with fewer steps than the framework's. Each has `X-Request-Id`;
 * none may be stored by caches unless its headers say so. ASCII is written as Latin-1: no
 * conversion.
 */
export function createAnswerWriter({ isClosing, cors }: WriterOptions): AnswerWriter {
  return (response, requestId, { status, body, headers }) => {
    const length = Buffer.byteLength(body)
    const head = ['x-request-id', requestId, 'x-content-type-options', 'nosniff']
    if (headers['cache-control'] === undefined) head.push('cache-control', 'no-store')
    if (status !== 204 && status !== 304) {
      if (headers['content-type'] === undefined) head.push('content-type', JSON_TYPE)
      head.push('content-length', String(length))
    }
    for (const name in headers) head.push(name, headers[name] as string)
    if (headers.connection === undefined) {
      if (isClosing()) head.push('connection', 'close')
      else if (response.shouldKeepAlive) head.push('keep-alive', KEEP_ALIVE)
    }
    for (const pair of cors?.headersFor(response.req) ?? []) head.push(...pair)
    response.writeHead(status, head)
    if (typeof body === 'string') response.end(body, length === body.length ? 'latin1' : 'utf8')
    else response.end(body, () => releaseBuffer(body))
    handOver(response, length)
  }
}

let idPrefix = ''
let idCount = 0

/** Unique over processes and restarts: 64 random bits per process, then a counter. */
export function makeRequestId(): string {
  if (idPrefix === '') idPrefix = randomBytes(8).toString('hex')
  idCount += 1
  return `${idPrefix}-${idCount.toString(36)}`
}

const unpack = promisify(gunzip)

/** Returns an answer in a form that the caller accepts, by its `Accept-Encoding`. */
export async function encodeFor(
  answered: Answered,
  acceptEncoding: string | string[] | undefined,
): Promise<Answered> {
  if (answered.headers['content-encoding'] !== 'gzip') return answered
  const headers: Record<string, string> = { ...answered.headers, vary: 'accept-encoding' }
  if (acceptsGzip(String(acceptEncoding ?? ''))) return { ...answered, headers }
  delete headers['content-encoding']
  const { body } = answered
  const plain = await unpack(body)
  if (typeof body !== 'string') releaseBuffer(body)
  return { ...answered, headers, body: plain }
}

/** RFC 9110, 12.5.3. */
export function acceptsGzip(acceptEncoding: string): boolean {
  const weights = readWeights(acceptEncoding)
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** RFC 9110, 12.5.1. Without the header everything is accepted. */
export function acceptsJson(accept: string): boolean {
  if (accept.trim() === '') return true
  const weights = readWeights(accept)
  const narrowest = ['application/json', 'application/*', '*/*'].find((name) => weights.has(name))
  return narrowest !== undefined && weights.get(narrowest) !== 0
}

/** Reports whether a type is named, and not by `q=0`. */
export function namesType(accept: string, type: string): boolean {
  return (readWeights(accept).get(type) ?? 0) > 0
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((part) => part.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return weights
}
