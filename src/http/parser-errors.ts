/** Answers requests that the HTTP parser could not read, in the same form as other errors. */
import type { Socket } from 'node:net'
import { condemn } from './load/condemn.ts'
import { JSON_TYPE, makeRequestId } from './write-answer.ts'

/** Most bytes of a request's head; more is answered with 431. */
export const HEADER_MAX = 8192

const PARSER_ERRORS: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    `The request head is larger than ${HEADER_MAX} bytes`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time'],
}

/**
 * Answers a parser error after all earlier answers of its connection. `count` is called with the
 * status.
 */
export function refuseUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  count: (status: number) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, text] = PARSER_ERRORS[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'The request is not valid HTTP',
  ]
  count(status)
  const body = JSON.stringify({ error: text })
  condemn(
    socket,
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ` +
      `${Buffer.byteLength(body)}\r\n` +
      'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ' +
      `${makeRequestId()}\r\nConnection: close\r\n\r\n${body}`,
  )
}
