/**
 * MCP over Streamable HTTP at `/mcp`: one POST per message, no sessions, both protocol versions.
 *
 * A tool call runs through `answer.ts` like a request to its operation, with the same gate, limits,
 * charge and access log. Setup of agents: docs/mcp.md.
 */
import { performance } from 'node:perf_hooks'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Networks } from '../../base/networks.ts'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import type { Ask, ToolAnswer } from '../../mcp/call.ts'
import { makeMcpServer } from '../../mcp/server.ts'
import { makeTools } from '../../mcp/tools.ts'
import { OPERATIONS } from '../../operations/operations.ts'
import { releaseBuffer } from '../../render/render.ts'
import type { AccessLog } from '../access-log.ts'
import type { Services } from '../answer.ts'
import { answerOrRefuse } from '../answer-or-refuse.ts'
import { addressGroup } from '../load/address-shares.ts'
import { makeRequestId } from '../write-answer.ts'
import { reachedBillingPage } from './billing-page.ts'
import { refuseBadBodies } from './body-errors.ts'

/** Most bytes of a message; arguments are short texts. */
const BODY_MAX = 65_536

/** Routes of MCP, for `ServerOptions.plugins`. */
export function serveMcp(
  services: Services,
  accessLog: AccessLog | undefined,
  trusted: Networks,
): FastifyPluginAsync {
  return async (fastify) => {
    // Imported when a server starts, because commands do not need it.
    const { createMcpHandler } = await import('@modelcontextprotocol/server')
    const handler = createMcpHandler(
      ({ authInfo }) => {
        const tools = makeTools(OPERATIONS, services.priceOf)
        return makeMcpServer(tools, PROGRAM_VERSION, authInfo?.extra?.ask as Ask)
      },
      // Nothing changes here that a caller could subscribe to, so no stream is kept open.
      { maxSubscriptions: 0, maxRequestBodySize: BODY_MAX },
    )
    refuseBadBodies(fastify)
    fastify.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX }, (_, body, done) =>
      done(null, body),
    )
    fastify.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      async handler(request, reply) {
        const authInfo = {
          ...{ token: '', clientId: '', scopes: [] },
          extra: { ask: askAs(request, services, accessLog, trusted) },
        }
        const response = await handler.fetch(toWebRequest(request), { authInfo })
        reply.status(response.status).header('cache-control', 'no-store')
        reply.header('x-request-id', request.id)
        reply.header('content-type', response.headers.get('content-type') ?? 'application/json')
        const allow = response.headers.get('allow')
        if (allow !== null) reply.header('allow', allow)
        return reply.send(await response.text())
      },
    })
  }
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The key is not passed on, because tools do not read it.
    if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
  }
  const { method } = request
  const body = method === 'POST' ? { body: String(request.body ?? '') } : {}
  return new Request('http://localhost/mcp', { method, headers, ...body })
}

/** Calls operations with the key of a request, sent alone or as `Bearer KEY`. */
function askAs(
  request: FastifyRequest,
  services: Services,
  accessLog: AccessLog | undefined,
  trusted: Networks,
): Ask {
  const { raw } = request
  const authorization = raw.headers.authorization?.replace(/^bearer\s+/i, '')
  return async ({ operation }, query, idempotencyKey): Promise<ToolAnswer> => {
    const started = performance.now()
    const incoming = {
      id: makeRequestId(),
      authorization,
      queryString: new URLSearchParams(query).toString(),
      path: operation.path.includes(':') ? query : undefined,
      sandbox: header(raw, 'x-sandbox'),
      keyId: undefined,
      idempotencyKey: idempotencyKey ?? header(raw, 'idempotency-key'),
      address: () => addressGroup(raw, trusted),
      billingPage: () => reachedBillingPage(raw),
      gone: () => raw.socket.readableEnded || raw.socket.destroyed || raw.socket.writableEnded,
    }
    const answered = await answerOrRefuse(operation, incoming, services)
    const status = answered?.status ?? 499
    const ms = performance.now() - started
    services.observe.request(operation.operationId, status, ms)
    const { id, keyId } = incoming
    accessLog?.note({ request: { raw, id }, operation, keyId, status, ms })
    if (answered === undefined) throw new Error('the caller has hung up')
    const body = answered.body.toString()
    if (typeof answered.body !== 'string') releaseBuffer(answered.body)
    return { status, body, headers: answered.headers }
  }
}

/** Returns a header as one text. */
function header({ headers }: FastifyRequest['raw'], name: string): string | undefined {
  return headers[name] as string | undefined
}
