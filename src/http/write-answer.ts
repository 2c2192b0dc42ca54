/**
 * Writes an answer: status, head and body, with the request's id.
 * docs/decisions/record-and-rendering.md.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Rendered, releaseBuffer } from '../render/render.ts'
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
  /** Adds CORS headers. `undefined`: no origin is allowed. */
  addCors: ((head: string[], request: IncomingMessage) => void) | undefined
}

/**
 * Returns the function that writes answers. It bypasses the framework's sending, which takes more
 * steps.
 *
 * Every answer has `X-Request-Id`. Caches may not store it, unless its headers say otherwise. ASCII
 * text, as nearly all is, is written as Latin-1: the same bytes, copied without conversion.
 */
export function createAnswerWriter({ isClosing, addCors }: WriterOptions): AnswerWriter {
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
    if (addCors !== undefined) addCors(head, response.req)
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
