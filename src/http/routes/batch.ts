/** `POST /public/batch/`: reads the body of many lookups and answers it by `answer.ts`. */
import { createHash } from 'node:crypto'
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
import { answerCounted } from '../answer-counted.ts'
import { readBody } from '../load/bodies.ts'
import { hangUp } from '../load/has-left.ts'
import { leaveBodies, refuseBadBodies } from './body-errors.ts'
import type { PageOptions } from './pages.ts'

/** Most batches under way per process; each may hold some 10 MB of answers. */
const BATCHES_MAX = 8

/** Besides the two documented types, those that clients send by default. */
const TYPES = [
  ...['application/json', 'application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  ...['text/plain', 'application/x-www-form-urlencoded'],
] as const

/** The key and the gate have passed when the body is read. */
const LIMITS = { maxBytes: BATCH_BYTES, isKnown: true }

export type BodyRoute = {
  services: Services
  accessLog: AccessLog | undefined
  readHead(request: FastifyRequest): IncomingRequest
  send: PageOptions['send']
}

export function serveBatches(route: BodyRoute): FastifyPluginAsync {
  const { services, accessLog, readHead, send } = route
  let working = 0
  return async (fastify) => {
    refuseBadBodies(fastify)
    leaveBodies(fastify, TYPES)
    fastify.post(BATCH.path, async (request, reply) => {
      let text = ''
      let isWorking = false
      const incoming: IncomingRequest = {
        ...readHead(request),
        async receive() {
          const body = await readBody(request.raw, reply.raw, LIMITS)
          if (body === undefined) return false
          isWorking = true
          working += 1
          // Hashing and parsing a megabyte takes milliseconds.
          await takeBatchTurn()
          text = body.toString()
          // An idempotency key is valid for one body.
          incoming.queryString = createHash('sha256').update(body).digest('hex')
          return true
        },
      }
      const operation = batchOperation(() => {
        if (working > BATCHES_MAX) {
          throw refuse.unavailable('Too many batches at once; try again shortly')
        }
        return readBatch(text)
      })
      const noted = { raw: request.raw, accessLog }
      const answered = await answerCounted(operation, incoming, services, noted).finally(() => {
        if (isWorking) working -= 1
      })
      if (answered === undefined) return hangUp(reply)
      return send(request, reply, answered)
    })
  }
}
