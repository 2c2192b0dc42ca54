/** The door: the only file that knows the framework. Limits are set on purpose, see docs/operations.md. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../errors.ts'
import type { Operation } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/operations.ts'
import { answer, type Services } from './answer.ts'
import { type ErrorReply, errorReply, replyToError } from './error-reply.ts'
import { closeIdle } from './load/idle.ts'
import { shedLoad } from './load/overload.ts'
import { describeApi } from './openapi.ts'
import { type Answered, JSON_TYPE, makeRequestId, writeAnswer } from './write-answer.ts'

/** Bytes of a request's head; more is 431. */
const HEADER_MAX = 8192
/** Milliseconds for the head, and for the whole request, to arrive; checked every `CHECK_MS`. */
const HEADER_MS = 5_000
const REQUEST_MS = 10_000
const CHECK_MS = 1_000

/** State of the process that the door shows. */
export type ServerOptions = {
  services: Services
  /** Prometheus text; `undefined`: metrics are answered elsewhere. */
  metrics: (() => Promise<string>) | undefined
  /** How long a request may wait unread before it is refused, milliseconds. */
  patienceMs: number
}

export type Server = {
  fastify: FastifyInstance
  /** From now on `/healthz` says 503; what is in flight is finished by `fastify.close()`. */
  beginStop(): void
}

/** Builds the server; it does not listen yet. */
export function buildServer(door: ServerOptions): Server {
  const { services } = door
  let stopping = false
  const fastify = Fastify({
    http: {
      maxHeaderSize: HEADER_MAX,
      headersTimeout: HEADER_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      // No operation reads a body: a request is whole with its head.
      optimizeEmptyRequests: true,
      // Its own refusal of a missing Host has no body.
      requireHostHeader: false,
    },
    requestTimeout: REQUEST_MS,
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: makeRequestId,
    routerOptions: {
      ignoreTrailingSlash: true,
      // The query is read by the operation itself, which names what is wrong with it.
      querystringParser: () => ({}),
      onBadUrl: (_path, request, response) => refuseBadUrl(request, response),
    },
    frameworkErrors: (_error, request, reply) => {
      send(reply, request.id, errorReply(400, 'The address is not valid'))
    },
    clientErrorHandler: refuseUnreadable,
  })
  fastify.removeAllContentTypeParsers()
  fastify.server.on('checkExpectation', (_request, response) =>
    writeRaw(response, 417, 'Only the expectation 100-continue is known', CLOSE),
  )
  fastify.addHook('onRequest', (request, reply, proceed) => {
    const refusal = refuseBeforeRoute(request)
    if (refusal === undefined) proceed()
    else send(reply, request.id, refusal)
  })
  fastify.setNotFoundHandler((request, reply) =>
    send(reply, request.id, errorReply(404, `There is nothing at ${pathOf(request)}`)),
  )
  fastify.setErrorHandler((error, request, reply) => {
    services.observe.failure(request.id, pathOf(request), error)
    return send(reply, request.id, errorReply(500, 'Internal server error'))
  })
  for (const operation of OPERATIONS) {
    fastify.get(operation.path, (request, reply) => {
      // What it tells is no answer to send, and the framework is not kept waiting for it.
      reply.hijack()
      serve(operation, request, reply, services).catch((error) => {
        services.observe.failure(request.id, operation.operationId, error)
        reply.raw.destroy()
      })
    })
  }
  fastify.get('/healthz', (request, reply) => {
    const reply503 = { status: 503, body: '{"status":"stopping"}', headers: { 'retry-after': '1' } }
    const healthy = { status: 200, body: '{"status":"ok"}', headers: {} }
    return send(reply, request.id, stopping ? reply503 : healthy)
  })
  const document = JSON.stringify(describeApi())
  fastify.get('/openapi.json', (request, reply) =>
    send(reply, request.id, { status: 200, body: document, headers: {} }),
  )
  fastify.get('/billing', (request, reply) =>
    send(reply, request.id, { status: 200, body: BILLING, headers: {} }),
  )
  if (door.metrics !== undefined) {
    const { metrics } = door
    fastify.get('/metrics', async (request, reply) =>
      reply
        .header('x-request-id', request.id)
        .header('cache-control', 'no-store')
        .type('text/plain; version=0.0.4')
        .send(await metrics()),
    )
  }
  closeIdle(fastify.server)
  shedLoad(fastify.server, door.patienceMs, (response, waitedMs) => {
    services.observe.request('overload', 503, waitedMs)
    writeAnswer(response, makeRequestId(), TOO_MANY)
  })
  return {
    fastify,
    beginStop() {
      stopping = true
    },
  }
}

/** Made once: an error takes its stack along, and a refusal must be cheap. */
const TOO_MANY = replyToError(
  refuse.unavailable('Too many requests at once; try again shortly'),
  '',
)

const BILLING =
  '{"status":"Billing is managed by the operator of this service; set PLATBOOK_BILLING_URL to the page where callers settle their account."}'

async function serve(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  const started = performance.now()
  await services.searches.gather()
  const answered = await answerOrRefuse(operation, request, services)
  const status = answered?.status ?? 499
  services.observe.request(operation.operationId, status, performance.now() - started)
  if (answered !== undefined) write(reply, request.id, answered)
}

/** `undefined`: the caller is gone. */
async function answerOrRefuse(
  operation: Operation,
  request: FastifyRequest,
  services: Services,
): Promise<Answered | undefined> {
  const { raw } = request
  const url = raw.url ?? ''
  const mark = url.indexOf('?')
  const ask = {
    id: request.id,
    authorization: raw.headers.authorization,
    queryString: mark === -1 ? '' : url.slice(mark + 1),
    // Its end is heard some turns before it is destroyed.
    gone: () => raw.socket.readableEnded || raw.socket.destroyed,
  }
  try {
    const found = await answer(operation, ask, services)
    return found === undefined ? undefined : { status: 200, ...found }
  } catch (error) {
    if (!(error instanceof Refusal)) {
      services.observe.failure(request.id, operation.operationId, error)
    } else if (error.kind === 'unavailable' && error.cause !== undefined) {
      services.observe.failure(request.id, operation.operationId, error.cause)
    }
    return replyToError(error, services.billingUrl ?? `${originOf(request)}/billing`)
  }
}

/** Written past the framework's own sending, which would do the same in more steps. */
function send(reply: FastifyReply, requestId: string, answered: Answered): FastifyReply {
  reply.hijack()
  write(reply, requestId, answered)
  return reply
}

function write(reply: FastifyReply, requestId: string, answered: Answered): void {
  // Once the server closes, no caller is waited for to let go of its connection.
  writeAnswer(reply.raw, requestId, answered, !reply.server.server.listening)
}

/** Method and body are judged before the key: D2. */
function refuseBeforeRoute(request: FastifyRequest): ErrorReply | undefined {
  const { raw } = request
  if (raw.method !== 'GET') {
    const known = KNOWN_PATHS.has(pathOf(request).replace(/\/?$/, '/'))
    if (!known) return errorReply(404, `There is nothing at ${pathOf(request)}`, CLOSE)
    return errorReply(405, `${raw.method} is not allowed here; use GET`, { allow: 'GET', ...CLOSE })
  }
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    return errorReply(400, 'The Host header is missing', CLOSE)
  }
  const length = raw.headers['content-length']
  if ((length !== undefined && length !== '0') || raw.headers['transfer-encoding'] !== undefined) {
    return errorReply(400, 'A GET request has no body', CLOSE)
  }
  return undefined
}

/** What follows on the connection may be a body that nobody reads. */
const CLOSE = { connection: 'close' }

const KNOWN_PATHS = new Set([
  ...OPERATIONS.map(({ path }) => path),
  '/healthz/',
  '/openapi.json/',
  '/metrics/',
  '/billing/',
])

function pathOf(request: FastifyRequest): string {
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

/** Where the caller reached this service, for links to itself. */
function originOf(request: FastifyRequest): string {
  const { host } = request.raw.headers
  const known = host !== undefined && /^[\w.:[\]-]{1,255}$/.test(host)
  const { localAddress, localPort } = request.raw.socket
  return `http://${known ? host : `${localAddress}:${localPort}`}`
}

function refuseBadUrl(_request: unknown, response: unknown): void {
  writeRaw(response as ServerResponse<IncomingMessage>, 400, 'The address is not valid')
}

function writeRaw(
  response: ServerResponse<IncomingMessage>,
  status: number,
  text: string,
  headers: Record<string, string> = {},
) {
  writeAnswer(response, makeRequestId(), errorReply(status, text, headers))
}

const PARSER_ERRORS: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    `The request head is larger than ${HEADER_MAX} bytes`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time'],
}

/** What the HTTP parser could not read gets the same body as any other error. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, text] = PARSER_ERRORS[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'The request is not valid HTTP',
  ]
  const body = JSON.stringify({ error: text })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nX-Request-Id: ${makeRequestId()}\r\nConnection: close\r\n\r\n${body}`,
  )
}
