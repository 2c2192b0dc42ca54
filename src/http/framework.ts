/** Creates the framework with the limits of docs/limits.md. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import Fastify from 'fastify'
import { condemn } from './load/condemn.ts'
import type { TlsFiles } from './tls.ts'
import { JSON_TYPE, makeRequestId } from './write-answer.ts'

/** Milliseconds for the head and for the whole request to arrive. */
const HEADER_MS = 5_000
const REQUEST_MS = 10_000
/** Milliseconds between checks of these two limits. */
const ARRIVAL_CHECK_MS = 1_000

type Callbacks = {
  badUrl(response: ServerResponse<IncomingMessage>): void
  /** Counts a request that the parser refused; `status`: of the answer sent. */
  unreadable(status: number): void
}

/** Routes have no schemas of the framework: their compilers, with ajv, are not loaded. */
export const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
}

function refuseSchema(): never {
  throw new TypeError('a route has no schema of the framework')
}

/** Creates the framework without routes. `tls`: the service speaks HTTPS. */
export function createFastify(
  tls: TlsFiles | undefined,
  { badUrl, unreadable }: Callbacks,
): FastifyInstance {
  const limits = {
    maxHeaderSize: HEADER_MAX,
    headersTimeout: HEADER_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: ARRIVAL_CHECK_MS,
    // Most requests have no body.
    optimizeEmptyRequests: true,
    // Node's own refusal of a missing Host has no body.
    requireHostHeader: false,
  }
  const common = {
    requestTimeout: REQUEST_MS,
    logger: false,
    schemaController: WITHOUT_SCHEMAS,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: makeRequestId,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Operations parse the query themselves and name the faulty parameter.
      querystringParser: () => ({}),
      onBadUrl: (_path: string, _request: unknown, response: unknown) =>
        badUrl(response as ServerResponse<IncomingMessage>),
    },
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => {
      reply.hijack()
      badUrl(reply.raw)
    },
    clientErrorHandler: (error: { code?: string }, socket: Socket) =>
      refuseUnreadable(error, socket, unreadable),
  }
  const fastify =
    tls === undefined
      ? Fastify({ ...common, http: limits })
      : Fastify({ ...common, https: { ...limits, ...tls.read(), handshakeTimeout: HEADER_MS } })
  // Node.js closes the connection of a CONNECT that nobody handles.
  fastify.server.on('connect', (_request: unknown, socket: Duplex) =>
    refuseUnreadable({ code: 'CONNECT' }, socket as Socket, unreadable),
  )
  return fastify as unknown as FastifyInstance
}

/** Most bytes of a request's head; more is answered with 431. */
const HEADER_MAX = 8192

/** Status, reason, text, and further headers, by the parser's code. */
const PARSER_ERRORS: Record<string, [number, string, string, string?]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    `The request head is larger than ${HEADER_MAX} bytes`,
  ],
  CONNECT: [405, 'Method Not Allowed', 'The method CONNECT is not allowed', 'Allow: GET\r\n'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time'],
}

/** Answers a parser error after all earlier answers. `count` is called with the status. */
function refuseUnreadable(
  error: { code?: string },
  socket: Socket,
  count: (status: number) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, text, headers = ''] = PARSER_ERRORS[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'The request is not valid HTTP',
  ]
  count(status)
  const body = JSON.stringify({ error: text })
  condemn(
    socket,
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ` +
      `${Buffer.byteLength(body)}\r\n${headers}` +
      'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ' +
      `${makeRequestId()}\r\nConnection: close\r\n\r\n${body}`,
  )
}
