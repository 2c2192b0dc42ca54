/**
 * The HTTP server: limits, routes, and answers. Operations bypass the framework's sending
 * (`hijack`), a GET without path values all of it. Other routes are `ServerOptions.plugins`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../base/errors.ts'
import { type Networks, readNetworks } from '../base/network/networks.ts'
import type { Operation, PathValues } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/operations.ts'
import type { AccessLog } from './access-log.ts'
import type { Services } from './answer.ts'
import { answerCounted } from './answer-counted.ts'
import { KnownPaths, pathOf, refuseHead } from './check-head.ts'
import type { Cors } from './cors.ts'
import { errorReply, replyToError, toProblem } from './error-reply.ts'
import { createFastify } from './framework.ts'
import { type Received, readIncoming, stripRoot } from './incoming.ts'
import { type Connections, handOver } from './load/connections.ts'
import { shedLoad } from './load/overload.ts'
import { stopServer } from './load/stop.ts'
import { watchReadiness } from './readiness.ts'
import { serveBatches } from './routes/batch.ts'
import { addPages } from './routes/pages.ts'
import { serveWatches } from './routes/watches.ts'
import type { TlsFiles } from './tls.ts'
import type { Traces } from './traces.ts'
import {
  type Answered,
  type AnswerWriter,
  createAnswerWriter,
  encodeFor,
  makeRequestId,
} from './write-answer.ts'

/** Milliseconds between checks for idle connections while the server closes. */
const CLOSING_CHECK_MS = 1_000

type ServerOptions = {
  services: Services
  /** Returns Prometheus text; `undefined` when another process answers metrics. */
  metrics: (() => Promise<string>) | undefined
  /** Longest time between a request's arrival at the socket and its reading, in milliseconds; a
   * request that has waited longer is refused. */
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

export type Server = {
  fastify: FastifyInstance
  /** Makes `/healthz` answer 503. */
  beginStop(): void
  /** Answers requests for another `drainMs`, then stops without losing one. */
  stop(drainMs: number): Promise<void>
}

export function buildServer(options: ServerOptions): Server {
  const { services, cors, accessLog, tls } = options
  const trusted = options.trusted ?? readNetworks(null)
  const methods = new KnownPaths()
  let isStopping = false
  let isClosing = false
  const write = createAnswerWriter({ isClosing: () => isClosing, cors })
  const { send, sendCounted, writeCounted } = createSenders(write, services, accessLog)
  const fastify = createFastify(tls, {
    badUrl: (response) => writeCounted(response, 400, 'The address is not valid'),
    unreadable: (status) => services.observe.request('none', status, 0),
  })
  fastify.removeAllContentTypeParsers()
  fastify.addHook('onRoute', ({ url, method }) => {
    // A page for browsers alone: with other methods nothing is there.
    if (url !== '/') methods.add(url, method)
  })
  fastify.server.on('checkExpectation', (_request, response) =>
    writeCounted(response, 417, 'Only the expectation 100-continue is known', {
      connection: 'close',
    }),
  )
  // For example EMFILE, when no descriptor is left for a new connection.
  fastify.server.on('error', (error) => services.observe.failure('', 'listen', error))
  tls?.watch(fastify.server, (error) => services.observe.failure('', 'tls', error))
  addReplies(fastify, { services, cors, methods, sendCounted })
  const serve = addOperations(fastify, options, trusted, write)
  const readHead = (request: FastifyRequest) => readIncoming(request, trusted)
  fastify.register(serveBatches({ services, accessLog, readHead, send }))
  fastify.register(serveWatches({ services, accessLog, readHead, send }))
  addPages(fastify, {
    isStopping: () => isStopping,
    unavailable: () => services.parcels.unreached().flatMap(({ states }) => states),
    isReady: watchReadiness(services, () => performance.now()),
    metrics: options.metrics,
    publicUrl: services.publicUrl,
    send,
  })
  for (const plugin of options.plugins ?? []) fastify.register(plugin)
  const connections = shedLoad(fastify.server, {
    patienceMs: options.patienceMs,
    serve(request, response) {
      stripRoot(request)
      return serve(request, response)
    },
    addressShare: options.addressShare ?? 100,
    trusted,
    refuse(response, waitedMs) {
      services.observe.request('overload', 503, waitedMs)
      write(response, makeRequestId(), TOO_MANY)
    },
  })
  const beginClosing = () => {
    isClosing = true
  }
  closeUnused(fastify, connections, beginClosing)
  return {
    fastify,
    beginStop() {
      isStopping = true
    },
    async stop(drainMs) {
      isStopping = true
      await stopServer(fastify, connections, drainMs, beginClosing)
    },
  }
}

type Send = (request: FastifyRequest, reply: FastifyReply, answered: Answered) => FastifyReply

function createSenders(
  write: AnswerWriter,
  { observe, refusals }: Services,
  accessLog: AccessLog | undefined,
) {
  const send: Send = (request, reply, answered) => {
    reply.hijack()
    write(reply.raw, request.id, answered)
    return reply
  }
  return {
    send,
    /** Also counts the answer, under the operation `none`, and writes it to the access log. */
    sendCounted(request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply {
      const { status } = answered
      observe.request('none', status, 0)
      accessLog?.note({ request, operation: undefined, keyId: undefined, status, ms: 0 })
      if (status >= 400) {
        const reason = status === 404 ? 'nothing is at this path' : 'see the status'
        const nobody = { operation: 'none', keyId: null, prefix: null }
        refusals?.note({ ...nobody, requestId: request.id, status, reason })
      }
      const isOgc = status >= 400 && request.raw.url?.startsWith('/ogc/') === true
      const error = isOgc ? toProblem({ ...answered, body: answered.body.toString() }) : answered
      return send(request, reply, error)
    },
    /** Answers a request that did not reach the framework. */
    writeCounted(
      response: ServerResponse<IncomingMessage>,
      status: number,
      text: string,
      headers: Record<string, string> = {},
    ): void {
      observe.request('none', status, 0)
      write(response, makeRequestId(), errorReply(status, text, headers))
    },
  }
}

/** Adds the routes, and returns the function that serves requests to them without the framework. */
function addOperations(
  fastify: FastifyInstance,
  { services, accessLog, traces, operations = OPERATIONS }: ServerOptions,
  trusted: Networks,
  write: AnswerWriter,
): (raw: IncomingMessage, response: ServerResponse<IncomingMessage>) => boolean {
  const direct = new Map<string, Operation>()
  for (const operation of operations) {
    fastify.get(operation.path, (request, reply) => {
      // The promise's value is not the answer, and the framework must not wait for it.
      reply.hijack()
      begin(operation, request, reply.raw)
    })
    if (operation.path.includes(':')) continue
    direct.set(operation.path, operation)
    direct.set(operation.path.slice(0, -1), operation)
  }

  async function begin(
    operation: Operation,
    request: Received,
    response: ServerResponse,
  ): Promise<void> {
    const started = performance.now()
    const { raw, id } = request
    try {
      await services.searches.gather()
      const incoming = readIncoming(request, trusted)
      if (operation.path.includes(':')) incoming.path = request.params as PathValues
      incoming.trace = traces?.begin(operation, id, raw.headers.traceparent)
      const noted = { raw, accessLog, started }
      const answered = await answerCounted(operation, incoming, services, noted)
      if (answered === undefined) handOver(response, 0)
      else if (answered.headers['content-encoding'] === undefined) write(response, id, answered)
      else write(response, id, await encodeFor(answered, raw.headers['accept-encoding']))
    } catch (error) {
      services.observe.failure(id, operation.operationId, error)
      handOver(response, 0)
      response.destroy()
    }
  }

  return (raw, response) => {
    const { method, url = '' } = raw
    if (method !== 'GET') return false
    const mark = url.indexOf('?')
    const operation = direct.get(mark === -1 ? url : url.slice(0, mark))
    if (operation === undefined || refuseHead(raw, undefined) !== undefined) return false
    begin(operation, { raw, id: makeRequestId() }, response)
    return true
  }
}

/** While the server closes, closes connections as soon as they have no request. */
function closeUnused(
  fastify: FastifyInstance,
  connections: Connections,
  beginClosing: () => void,
): void {
  let sweep: NodeJS.Timeout | undefined
  fastify.addHook('preClose', async () => {
    beginClosing()
    connections.closeUnused()
    sweep = setInterval(() => connections.closeUnused(), CLOSING_CHECK_MS)
  })
  fastify.addHook('onClose', async () => clearInterval(sweep))
}

type Replies = Pick<ServerOptions, 'services' | 'cors'> & {
  methods: KnownPaths
  sendCounted: Send
}

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
  // The framework sends this reply itself, so its overload slot is freed here.
  fastify.addHook('onSend', (request, reply, payload, proceed) => {
    handOver(reply.raw, 0)
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    for (const [name, value] of cors?.headersFor(request.raw) ?? []) {
      const own = reply.getHeader(name)
      reply.header(name, own === undefined ? value : `${own}, ${value}`)
    }
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

/** Created once, because creating an error captures a stack trace and a refusal must be cheap. */
const TOO_MANY = replyToError(
  refuse.unavailable('Too many requests at once; try again shortly'),
  '',
)
