/**
 * The HTTP server: limits, routes, and how each request is answered and counted.
 *
 * Operations are the hot routes: they bypass the framework (`hijack`) and write their own answers,
 * which halves the time of a small one. Other routes use the framework's ordinary features and are
 * added as plugins (`ServerOptions.plugins`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { refuse } from '../errors.ts'
import { type Networks, readNetworks } from '../networks.ts'
import type { Operation, PathValues } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/operations.ts'
import type { AccessLog } from './access-log.ts'
import type { IncomingRequest, Services } from './answer.ts'
import { answerOrRefuse } from './answer-or-refuse.ts'
import { serveBatches } from './batch.ts'
import { reachedBillingPage } from './billing-page.ts'
import { pathOf, refuseHead } from './check-head.ts'
import type { Cors } from './cors.ts'
import { errorReply, replyToError } from './error-reply.ts'
import { KnownPaths } from './known-paths.ts'
import { addressGroup } from './load/address-shares.ts'
import { handOver } from './load/connections.ts'
import { shedLoad } from './load/overload.ts'
import { stopServer } from './load/stop.ts'
import { addPages } from './pages.ts'
import { HEADER_MAX, refuseUnreadable } from './parser-errors.ts'
import type { TlsFiles } from './tls.ts'
import type { Traces } from './traces.ts'
import { type Answered, createAnswerWriter, makeRequestId } from './write-answer.ts'

/** Milliseconds for the head and for the whole request to arrive; checked every `CHECK_MS`. */
const HEADER_MS = 5_000
const REQUEST_MS = 10_000
const CHECK_MS = 1_000

type ServerOptions = {
  services: Services
  /** Returns Prometheus text; `undefined` when another process answers metrics. */
  metrics: (() => Promise<string>) | undefined
  /** How long a request may wait unread before it is refused, in milliseconds. */
  patienceMs: number
  /** Percent of a worker's connections and slots that one address may use; default 100. */
  addressShare?: number
  trusted?: Networks
  cors?: Cors | undefined
  tls?: TlsFiles | undefined
  accessLog?: AccessLog | undefined
  traces?: Traces | undefined
  /** Further operations, and ordinary framework routes, for tests and subsystems. */
  operations?: readonly Operation[]
  plugins?: readonly FastifyPluginAsync[]
}

/** A listening worker. */
export type Server = {
  fastify: FastifyInstance
  /** Makes `/healthz` answer 503. */
  beginStop(): void
  /** Answers requests for another `drainMs`, then stops without losing one. */
  stop(drainMs: number): Promise<void>
}

/** Builds the server; it does not listen yet. */
export function buildServer(options: ServerOptions): Server {
  const { services, cors, accessLog, tls, traces } = options
  const operations = options.operations ?? OPERATIONS
  const trusted = options.trusted ?? readNetworks(null)
  const methods = new KnownPaths()
  let isStopping = false
  let isClosing = false
  const write = createAnswerWriter({ isClosing: () => isClosing, addCors: cors?.add })
  const fastify = createFastify(tls, {
    badUrl: (response) => writeRaw(response, 400, 'The address is not valid'),
    unreadable: (status) => count('none', status, 0),
  })
  fastify.removeAllContentTypeParsers()
  fastify.addHook('onRoute', ({ url, method }) => methods.add(url, method))
  fastify.server.on('checkExpectation', (_request, response) =>
    writeRaw(response, 417, 'Only the expectation 100-continue is known', { connection: 'close' }),
  )
  // For example EMFILE, when no descriptor is left for a new connection.
  fastify.server.on('error', (error) => services.observe.failure('', 'listen', error))
  addReplies(fastify, { services, cors, methods, sendCounted })
  for (const operation of operations) {
    fastify.get(operation.path, (request, reply) => {
      // The promise's value is not the answer, and the framework must not wait for it.
      reply.hijack()
      serve(operation, request, reply).catch((error) => {
        services.observe.failure(request.id, operation.operationId, error)
        handOver(reply.raw, 0)
        reply.raw.destroy()
      })
    })
  }
  const readHead = (request: FastifyRequest) => readIncoming(request, trusted)
  fastify.register(serveBatches({ services, accessLog, readHead, send }))
  addPages(fastify, {
    isStopping: () => isStopping,
    unavailable: () => services.parcels.unreached().flatMap(({ states }) => states),
    metrics: options.metrics,
    send,
  })
  for (const plugin of options.plugins ?? []) fastify.register(plugin)
  const connections = shedLoad(fastify.server, {
    patienceMs: options.patienceMs,
    prepare: stripRoot,
    addressShare: options.addressShare ?? 100,
    trusted,
    refuse(response, waitedMs) {
      count('overload', 503, waitedMs)
      write(response, makeRequestId(), TOO_MANY)
    },
  })
  tls?.watch(fastify.server, (error) => services.observe.failure('', 'tls', error))
  let sweep: NodeJS.Timeout | undefined
  fastify.addHook('preClose', async () => {
    isClosing = true
    connections.closeUnused()
    sweep = setInterval(() => connections.closeUnused(), CHECK_MS)
  })
  fastify.addHook('onClose', async () => clearInterval(sweep))

  function send(request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply {
    reply.hijack()
    write(reply.raw, request.id, answered)
    return reply
  }

  function sendCounted(
    request: FastifyRequest,
    reply: FastifyReply,
    answered: Answered,
  ): FastifyReply {
    const { status } = answered
    count('none', status, 0)
    accessLog?.note({ request, operation: undefined, keyId: undefined, status, ms: 0 })
    return send(request, reply, answered)
  }

  function count(operation: string, status: number, ms: number): void {
    services.observe.request(operation, status, ms)
  }

  function writeRaw(
    response: ServerResponse<IncomingMessage>,
    status: number,
    text: string,
    headers: Record<string, string> = {},
  ): void {
    count('none', status, 0)
    write(response, makeRequestId(), errorReply(status, text, headers))
  }

  async function serve(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const started = performance.now()
    await services.searches.gather()
    const incoming = readIncoming(request, trusted)
    if (operation.path.includes(':')) incoming.path = request.params as PathValues
    incoming.trace = traces?.begin(operation, request.id, request.headers.traceparent)
    const answered = await answerOrRefuse(operation, incoming, services)
    const status = answered?.status ?? 499
    const ms = performance.now() - started
    count(operation.operationId, status, ms)
    incoming.trace?.end(status, incoming.keyId)
    accessLog?.note({ request, operation, keyId: incoming.keyId, status, ms })
    if (answered !== undefined) write(reply.raw, request.id, answered)
    else handOver(reply.raw, 0)
  }

  return {
    fastify,
    beginStop() {
      isStopping = true
    },
    async stop(drainMs) {
      isStopping = true
      await stopServer(fastify, connections, drainMs, () => {
        isClosing = true
      })
    },
  }
}

type Replies = Pick<ServerOptions, 'services' | 'cors'> & {
  methods: KnownPaths
  sendCounted(request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply
}

/** Adds what is answered before and beside the routes: preflights, refused heads, 404 and 500. */
function addReplies(fastify: FastifyInstance, replies: Replies): void {
  const { services, cors, methods, sendCounted } = replies
  fastify.addHook('onRequest', (request, reply, proceed) => {
    const allowed = cors?.preflight(request.raw)
    const refusal =
      allowed === undefined
        ? refuseHead(request.raw, request.is404 ? methods.of(pathOf(request.raw)) : undefined)
        : { status: 204, body: '', headers: allowed }
    if (refusal === undefined) proceed()
    else sendCounted(request, reply, refusal)
  })
  // Counts replies that the framework sends.
  fastify.addHook('onSend', (_request, reply, payload, proceed) => {
    handOver(reply.raw, 0)
    proceed(null, payload)
  })
  fastify.setNotFoundHandler((request, reply) =>
    sendCounted(request, reply, errorReply(404, `There is nothing at ${pathOf(request.raw)}`)),
  )
  fastify.setErrorHandler((error, request, reply) => {
    services.observe.failure(request.id, pathOf(request.raw), error)
    return sendCounted(request, reply, errorReply(500, 'Internal server error'))
  })
}

type Callbacks = {
  badUrl(response: ServerResponse<IncomingMessage>): void
  unreadable(status: number): void
}

/** The framework with its limits, see docs/limits.md. */
function createFastify(tls: TlsFiles | undefined, { badUrl, unreadable }: Callbacks) {
  const limits = {
    maxHeaderSize: HEADER_MAX,
    headersTimeout: HEADER_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
    // Most requests have no body.
    optimizeEmptyRequests: true,
    // Node's own refusal of a missing Host has no body.
    requireHostHeader: false,
  }
  const common = {
    requestTimeout: REQUEST_MS,
    logger: false,
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
    clientErrorHandler: (error: Error, socket: Parameters<typeof refuseUnreadable>[1]) =>
      refuseUnreadable(error, socket, unreadable),
  }
  const fastify =
    tls === undefined
      ? Fastify({ ...common, http: limits })
      : Fastify({ ...common, https: { ...limits, ...tls.read(), handshakeTimeout: HEADER_MS } })
  return fastify as unknown as FastifyInstance
}

/** Created once, because creating an error captures a stack trace and a refusal must be cheap. */
const TOO_MANY = replyToError(
  refuse.unavailable('Too many requests at once; try again shortly'),
  '',
)

function readIncoming(request: FastifyRequest, trusted: Networks): IncomingRequest {
  const { raw } = request
  const url = raw.url ?? ''
  const mark = url.indexOf('?')
  return {
    id: request.id,
    authorization: raw.headers.authorization,
    idempotencyKey: raw.headers['idempotency-key'] as string | undefined,
    queryString: mark === -1 ? '' : url.slice(mark + 1),
    ifNoneMatch: raw.headers['if-none-match'],
    sandbox: raw.headers['x-sandbox'] as string | undefined,
    keyId: undefined,
    trace: undefined,
    address: () => addressGroup(raw, trusted),
    billingPage: () => reachedBillingPage(raw),
    // A connection's `end` event comes some turns before it is destroyed.
    gone: () => raw.socket.readableEnded || raw.socket.destroyed || raw.socket.writableEnded,
  }
}

/** Some clients only configure a host and use `/api`, so each path also exists there. */
function stripRoot(request: IncomingMessage): void {
  if (request.url?.startsWith('/api/')) request.url = request.url.slice(4)
}
