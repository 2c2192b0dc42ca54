/**
 * MCP over Streamable HTTP at `/mcp`: one POST per message, no sessions, both versions. A tool call
 * runs through `answer.ts` like a request to its operation. docs/mcp.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { FailedKeys } from '../../accounts/failed-keys.ts'
import { identify } from '../../accounts/identify.ts'
import { Refusal, refuse } from '../../base/errors.ts'
import type { Networks } from '../../base/network/networks.ts'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import { type Ask, type ToolAnswer, toPairs } from '../../mcp/call.ts'
import { makeTools, type Tool } from '../../mcp/tools.ts'
import { OPERATIONS } from '../../operations/operations.ts'
import { WATCH_ROUTES } from '../../operations/watches/operations.ts'
import { takeText } from '../../render/render.ts'
import type { AccessLog } from '../access-log.ts'
import type { Services } from '../answer.ts'
import { answerCounted } from '../answer-counted.ts'
import { readIncoming } from '../incoming.ts'
import { addressGroup } from '../load/address-shares.ts'
import { readBody } from '../load/bodies.ts'
import { restSender } from '../load/connections.ts'
import { hangUp } from '../load/has-left.ts'
import { acceptsJson, makeRequestId, namesType } from '../write-answer.ts'
import { refuseBadBodies } from './body-errors.ts'

type McpHandler = Pick<ReturnType<typeof createMcpHandler>, 'fetch'>

const STREAM = 'text/event-stream'

const OFFERED = [...OPERATIONS, ...WATCH_ROUTES.map(({ operation }) => operation)]

/** Most bytes of a message; arguments are short texts. */
const BODY_MAX = 65_536

/** Routes of MCP. `signIn`: where agents sign in; then each message needs a valid key. */
export function serveMcp(
  services: Services,
  accessLog: AccessLog | undefined,
  trusted: Networks,
  signIn?: (raw: IncomingMessage) => string,
): FastifyPluginAsync {
  return async (fastify) => {
    let handler: Promise<McpHandler> | undefined
    refuseBadBodies(fastify, { operation: 'mcp', refusals: services.refusals })
    const admitReader = admitReaders(services, trusted)
    // The body is read by the handler.
    fastify.addContentTypeParser('*', (_request, _body, done) => done(null))
    fastify.route({
      method: 'POST',
      url: '/mcp',
      async handler(request, reply) {
        const isKnown = await admitReader(request.raw, reply.raw)
        // Agents that sign in begin with this refusal.
        if (!isKnown && signIn !== undefined) {
          throw refuse.unauthenticated('Unauthorized: Sign in, or send an API key', {
            'www-authenticate': signIn(request.raw),
          })
        }
        const body = await readBody(request.raw, reply.raw, { maxBytes: BODY_MAX, isKnown })
        if (body === undefined) return hangUp(reply)
        const text = body.toString()
        if (/^\s*\[/.test(text)) throw refuse.badRequest('Send one JSON-RPC message a request')
        const authInfo = {
          ...{ token: '', clientId: '', scopes: [] },
          extra: { ask: askAs(request, services, accessLog, trusted) },
        }
        handler ??= makeHandler(services)
        const response = await (await handler).fetch(toWebRequest(request, text), { authInfo })
        reply.status(response.status)
        const type = response.headers.get('content-type') ?? 'application/json'
        const isUnwrapped =
          type.startsWith(STREAM) && !namesType(request.headers.accept ?? '', STREAM)
        reply.header('content-type', isUnwrapped ? 'application/json' : type)
        const answer = await response.text()
        return reply.send(isUnwrapped ? lastMessageOf(answer) : answer)
      },
    })
  }
}

/** The SDK answers `initialize` and its protocol by events; the last one is the answer. */
function lastMessageOf(events: string): string {
  const data = events.split(/\r?\n/).filter((line) => line.startsWith('data: '))
  return data.at(-1)?.slice('data: '.length) ?? ''
}

/** Loads the protocol and makes its handler, at the first message: many services never get one. */
async function makeHandler(services: Services): Promise<McpHandler> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { makeMcpServer } = await import('../../mcp/server.ts')
  const listTools = keepTools(services)
  return createMcpHandler(
    ({ authInfo }) => makeMcpServer(listTools(), PROGRAM_VERSION, authInfo?.extra?.ask as Ask),
    // Nothing changes here that a caller could subscribe to, so no stream is kept open.
    { maxSubscriptions: 0, maxRequestBodySize: BODY_MAX },
  )
}

/** Returns the tools, which are described again only after a price has changed. */
function keepTools({ priceOf }: Services): () => Tool[] {
  let made: { prices: string; tools: Tool[] } | undefined
  return () => {
    const prices = OFFERED.map(priceOf).join()
    if (made?.prices !== prices) made = { prices, tools: makeTools(OFFERED, priceOf) }
    return made.tools
  }
}

/**
 * Decides whether the body of a message is read, and returns whether its key is valid. Messages
 * without a key have a rate per address; wrong keys count as such. Both throw *too many*.
 */
function admitReaders({ keys, failedKeys, discovery, now }: Services, trusted: Networks) {
  async function count(
    failures: FailedKeys,
    raw: IncomingMessage,
    response: ServerResponse<IncomingMessage>,
  ) {
    try {
      await failures.note(addressGroup(raw, trusted))
    } catch (error) {
      restSender(response)
      throw error
    }
  }
  return async (raw: IncomingMessage, response: ServerResponse<IncomingMessage>) => {
    const key = keyOf(raw)
    if (key === undefined) {
      await count(discovery, raw, response)
      return false
    }
    try {
      return (keys.recall(key, now()) ?? (await identify(key, keys, now()))) !== undefined
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'unauthenticated') throw error
      await count(failedKeys, raw, response)
      return false
    }
  }
}

/** The key may be sent alone or as `Bearer KEY`. */
function keyOf({ headers }: IncomingMessage): string | undefined {
  return headers.authorization?.replace(/^bearer\s+/i, '')
}

function toWebRequest(request: FastifyRequest, text: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The key is not passed on, because tools do not read it.
    if (typeof value === 'string' && name !== 'authorization') headers.set(name, value)
  }
  // The SDK asks for both types.
  const isTaken = acceptsJson(headers.get('accept') ?? '')
  headers.set('accept', isTaken ? `application/json, ${STREAM}` : STREAM)
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: text })
}

function askAs(
  request: FastifyRequest,
  services: Services,
  accessLog: AccessLog | undefined,
  trusted: Networks,
): Ask {
  const { raw } = request
  const authorization = keyOf(raw)
  return async ({ operation }, query, idempotencyKey): Promise<ToolAnswer> => {
    const incoming = {
      ...readIncoming({ raw, id: makeRequestId() }, trusted),
      ...{ authorization, isTool: true, ifNoneMatch: undefined },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      queryString: new URLSearchParams(toPairs(query)).toString(),
      path: operation.path.includes(':') ? Object.fromEntries(toPairs(query)) : undefined,
    }
    const answered = await answerCounted(operation, incoming, services, { raw, accessLog })
    if (answered === undefined) throw new Error('the caller has hung up')
    return { ...answered, body: takeText(answered.body) }
  }
}
