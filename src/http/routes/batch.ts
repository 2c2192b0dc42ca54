/** `POST /public/batch/`: reads the body of many lookups and answers it by `answer.ts`. */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import {
  BATCH,
  BATCH_BYTES,
  batchOperation,
  readBatch,
  takeBatchTurn,
} from '../../operations/batch.ts'
import type { AccessLog } from '../access-log.ts'
import type { IncomingRequest, Services } from '../answer.ts'
import { answerOrRefuse } from '../answer-or-refuse.ts'
import { refuseBadBodies } from './body-errors.ts'
import type { PageOptions } from './pages.ts'

/** Most batches under way per process; each may hold some 10 MB of answers. */
const BATCHES_MAX = 8

/** Besides the two documented types, those that clients send by default. */
const TYPES = [
  ...['application/json', 'application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  ...['text/plain', 'application/x-www-form-urlencoded'],
] as const

/** The body is of another type, or compressed. */
const UNREADABLE = Object.assign(new Error('unsupported media type'), { statusCode: 415 })

type BatchRoute = {
  services: Services
  accessLog: AccessLog | undefined
  /** Reads the head of a request: method, path, query and headers. */
  readHead(request: FastifyRequest): IncomingRequest
  send: PageOptions['send']
}

/** The route of batches, for `ServerOptions.plugins`. */
export function serveBatches({
  services,
  accessLog,
  readHead,
  send,
}: BatchRoute): FastifyPluginAsync {
  let working = 0
  return async (fastify) => {
    refuseBadBodies(fastify)
    const asText = { parseAs: 'string', bodyLimit: BATCH_BYTES } as const
    fastify.addContentTypeParser([...TYPES], asText, ({ headers }, body, done) =>
      done((headers['content-encoding'] ?? 'identity') === 'identity' ? null : UNREADABLE, body),
    )
    // Some clients name no type at all.
    fastify.addContentTypeParser('*', asText, ({ headers }, body, done) =>
      done(headers['content-type'] === undefined ? null : UNREADABLE, body),
    )
    fastify.post(BATCH.path, async (request, reply) => {
      const started = performance.now()
      const text = String(request.body ?? '')
      // Hashing and parsing a megabyte takes milliseconds.
      await takeBatchTurn()
      const incoming = {
        ...readHead(request),
        // An idempotency key is valid for one body.
        queryString: createHash('sha256').update(text).digest('hex'),
      }
      const operation = batchOperation(() => {
        if (working > BATCHES_MAX) {
          throw refuse.unavailable('Too many batches at once; try again shortly')
        }
        return readBatch(text)
      })
      working += 1
      const answered = await answerOrRefuse(operation, incoming, services).finally(() => {
        working -= 1
      })
      const status = answered?.status ?? 499
      const ms = performance.now() - started
      services.observe.request(BATCH.operationId, status, ms)
      accessLog?.note({ request, operation, keyId: incoming.keyId, status, ms })
      if (answered === undefined) {
        reply.hijack()
        reply.raw.destroy()
        return reply
      }
      return send(request, reply, answered)
    })
  }
}
