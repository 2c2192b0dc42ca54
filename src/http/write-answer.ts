/** An answer as it goes out: status, head and body, named by the request's id. Decision 012. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { giveBack, type Rendered } from '../render/render.ts'
import type { ErrorReply } from './error-reply.ts'
import { KEEP_ALIVE } from './load/idle.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type Answered = Omit<ErrorReply, 'body'> & { body: Rendered }

/**
 * Every answer names its request, and nothing on the way may keep it: D8. `isLast`: nothing more is answered on the connection.
 *
 * Text that is ASCII, as nearly all is, goes out as Latin-1: the same bytes, copied without conversion.
 */
export function writeAnswer(
  response: ServerResponse<IncomingMessage>,
  requestId: string,
  { status, body, headers }: Answered,
  isLast = false,
): void {
  const length = Buffer.byteLength(body)
  const head = ['x-request-id', requestId, 'cache-control', 'no-store', 'content-type', JSON_TYPE]
  head.push('content-length', String(length))
  for (const name in headers) head.push(name, headers[name] as string)
  if (headers.connection === undefined) {
    if (isLast) head.push('connection', 'close')
    else if (response.shouldKeepAlive) head.push('keep-alive', KEEP_ALIVE)
  }
  response.writeHead(status, head)
  if (typeof body === 'string') response.end(body, length === body.length ? 'latin1' : 'utf8')
  else response.end(body, () => giveBack(body))
}

let idPrefix = ''
let idCount = 0

/** Unique over processes and restarts: 64 random bits a process, then a count. */
export function makeRequestId(): string {
  if (idPrefix === '') idPrefix = randomBytes(8).toString('hex')
  idCount += 1
  return `${idPrefix}-${idCount.toString(36)}`
}
