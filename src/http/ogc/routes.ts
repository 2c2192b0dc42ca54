/**
 * OGC API Features and Tiles at `/ogc/`, over the readers of the operations. Each path is answered
 * through `answer.ts` as an operation without a price; how a path is answered: docs/ogc.md.
 */
import { Readable as Stream } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import type { Networks } from '../../base/network/networks.ts'
import { readTable } from '../../base/tables.ts'
import type { Operation, PathValues, RequestContext } from '../../operations/operation.ts'
import { releaseBuffer } from '../../render/render.ts'
import type { AccessLog } from '../access-log.ts'
import { auditShown, type IncomingRequest, type Services } from '../answer.ts'
import { answerCounted } from '../answer-counted.ts'
import { toProblem } from '../error-reply.ts'
import { readIncoming } from '../incoming.ts'
import { hangUp } from '../load/has-left.ts'
import { type Answered, encodeFor } from '../write-answer.ts'
import { describeApi } from './api.ts'
import { DOCUMENT_ANSWERS } from './documents.ts'
import { EVERYTHING, type Readable } from './fields.ts'
import { beginHtml, HTML_END, HTML_HEADERS, showHtml } from './html.ts'
import { ITEM_PARAMETERS, isItemParameter } from './item-query.ts'
import { ITEM_ANSWERS } from './items.ts'
import { type OgcAnswers, type OgcPage, type OgcRequest, type Part, readParams } from './request.ts'
import { TILE_ANSWERS } from './tiles.ts'

const ANSWERS: OgcAnswers = {
  ...{ ...DOCUMENT_ANSWERS, ...ITEM_ANSWERS, ...TILE_ANSWERS },
  ogcApi: (asked, context) => describeApi(PAGES, asked, context),
}
export const PAGES: readonly OgcPage[] = readTable('ogc-pages.tsv').map((line) => {
  const [operationId = '', path = '', about = '', open, names = ''] = line.split('\t')
  const parameters =
    names === 'items' ? [...ITEM_PARAMETERS, '*'] : names.split(' ').filter(Boolean)
  const answer = ANSWERS[operationId.replace('OfCollection', '')]
  if (answer === undefined) throw new Error(`ogc-pages.tsv: nothing answers ${operationId}`)
  return { operationId, path, about, parameters, answer, ...(open === 'open' && { isOpen: true }) }
})
const NOTHING: OgcPage = {
  ...{ operationId: 'ogcNothing', path: '/*', about: 'No page.', parameters: [], isOpen: true },
  answer: async () => {
    throw refuse.notFound('There is nothing here; /ogc/ leads to what there is')
  },
}

type OgcOptions = {
  services: Services
  accessLog: AccessLog | undefined
  trusted: Networks
  /** What anybody may read without a key; `undefined`: nothing. */
  open: { readable: Readable; rate: { note(address: string): void } } | undefined
}

export function serveOgc(options: OgcOptions): FastifyPluginAsync {
  return async (fastify) => {
    for (const page of [...PAGES, NOTHING]) {
      fastify.route({
        method: ['GET', 'HEAD'],
        url: `/ogc${page.path}`,
        handler: (request, reply) => serve(page, request, reply, options),
      })
    }
  }
}

async function serve(
  page: OgcPage,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, accessLog, trusted, open }: OgcOptions,
): Promise<FastifyReply> {
  const incoming = readIncoming(request, trusted)
  incoming.path = request.params as PathValues
  incoming.authorization = keyOf(request.raw.headers.authorization)
  const isPublic = open !== undefined && incoming.authorization === undefined
  const readable = isPublic ? open.readable : EVERYTHING
  const made = makeOperation(page, { incoming, request, services, readable, isPublic })
  if (isPublic) made.admit = () => open.rate.note(incoming.address())
  const { raw } = request
  const answered = await answerCounted(made.operation, incoming, services, { raw, accessLog })
  if (answered === undefined) return hangUp(reply)
  return send(request, reply, answered, made.rest)
}

/** A key, alone or as the password of HTTP Basic. */
function keyOf(header: string | undefined): string | undefined {
  const basic = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1]
  if (basic === undefined) return header
  const text = Buffer.from(basic, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}

type Making = {
  incoming: IncomingRequest
  request: FastifyRequest
  services: Services
  readable: Readable
  isPublic: boolean
}

type Made = {
  operation: Operation
  rest?: AsyncGenerator<string>
  /** Throws *too many*. */
  admit?: () => void
}

function makeOperation(page: OgcPage, making: Making): Made {
  const { incoming, request, services, readable, isPublic } = making
  const { operationId, path, about, isOpen } = page
  const made: Made = {
    operation: {
      ...{ operationId, path: `/ogc${path}`, summary: about, description: about },
      ...{ parameters: {}, tokenCost: 0, answers: undefined, refusals: [400, 404, 503] },
      needsKey: isOpen !== true && !isPublic,
      read(given, _facts, pathValues) {
        made.admit?.()
        const known = (name: string) =>
          name === 'f' ||
          page.parameters.includes(name) ||
          (page.parameters.includes('*') && isItemParameter(name, readable))
        const params = readParams(String(given), known)
        const format = readFormat(params.get('f'), request.headers.accept)
        params.delete('f')
        const base = `${rootOf(services, request)}/ogc`
        const asked = { base, format, params, path: pathValues ?? {}, readable, isPublic }
        return (context) =>
          answerPage(page, asked, context, (parts) => {
            const { account } = context
            made.rest = auditParts(parts, (seen) => {
              const caller = { account, keyId: incoming.keyId ?? '' }
              if (seen.length === 0) return
              auditShown({ operation: made.operation, request: incoming, services }, caller, seen)
            })
          })
      },
    },
  }
  return made
}

async function answerPage(
  page: OgcPage,
  asked: OgcRequest,
  context: RequestContext,
  follow: (parts: AsyncGenerator<Part>) => void,
) {
  const answer = await page.answer(asked, context)
  if ('json' in answer) {
    const { title, json, type = 'application/json' } = answer
    if (asked.format === 'html') {
      const body = `${beginHtml(title)}${showHtml(json)}${HTML_END}`
      return { body, headers: { ...HTML_HEADERS, vary: 'accept' } }
    }
    return { body: JSON.stringify(json), headers: { 'content-type': type, vary: 'accept' } }
  }
  const { rest, ...reply } = answer
  if (rest !== undefined) follow(rest)
  return reply
}

/** Audits what the rest of an answer shows, as `answer.ts` audits its beginning. */
async function* auditParts(
  parts: AsyncGenerator<Part>,
  audit: (seen: Part['seen']) => void,
): AsyncGenerator<string> {
  for await (const { text, seen } of parts) {
    audit(seen)
    yield text
  }
}

/** `f`, or else what the caller prefers. */
function readFormat(f: string | undefined, accept: string | undefined): 'json' | 'html' {
  if (f === 'json' || f === 'html') return f
  if (f !== undefined) throw refuse.badRequest('f must be json or html')
  const types = (accept ?? '').toLowerCase().split(',')
  const at = (pattern: RegExp) => types.findIndex((type) => pattern.test(type))
  const [html, json] = [at(/text\/html/), at(/json/)]
  return html !== -1 && (json === -1 || html < json) ? 'html' : 'json'
}

const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?$/i

/** The service's public address, or else the host that the caller asked. */
function rootOf({ publicUrl }: Services, { raw }: FastifyRequest): string {
  if (publicUrl !== null) return publicUrl
  const { host = '' } = raw.headers
  if (!HOST.test(host)) throw refuse.badRequest('The Host header is not valid')
  return `${'encrypted' in raw.socket ? 'https' : 'http'}://${host}`
}

/** Clients that are programs of a desktop ask for a password when they are told this. */
const BASIC = 'Basic realm="platbook"'

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answered: Answered,
  rest: AsyncGenerator<string> | undefined,
): Promise<FastifyReply> {
  const { status, headers, body } = await encodeFor(answered, request.headers['accept-encoding'])
  reply.code(status).headers(headers)
  if (headers['www-authenticate'] !== undefined) {
    reply.header('www-authenticate', `${BASIC}, ${headers['www-authenticate']}`)
  }
  if (status >= 300 && status !== 304) {
    const problem = toProblem({ status, body: body.toString(), headers })
    return reply.type('application/problem+json').send(problem.body)
  }
  if (rest !== undefined) {
    if (request.method === 'HEAD') return reply.send()
    return reply.send(Stream.from(follow(body.toString(), rest)))
  }
  // The framework rewrites the type of a text, and GDAL knows that of OpenAPI by its letters.
  if (typeof body === 'string') return reply.send(Buffer.from(body))
  const bytes = Buffer.from(body)
  releaseBuffer(body)
  return reply.send(bytes)
}

async function* follow(body: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield body
  yield* rest
}
