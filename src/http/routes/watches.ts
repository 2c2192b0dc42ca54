/** The paths of watches: reads a body where there is one, and answers by `answer.ts`. */
import { createHash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation, PathValues } from '../../operations/operation.ts'
import { WATCH_ROUTES, type WatchRoute } from '../../operations/watches/operations.ts'
import type { IncomingRequest } from '../answer.ts'
import { answerCounted } from '../answer-counted.ts'
import { readBody } from '../load/bodies.ts'
import { hasBody } from '../load/connection.ts'
import { hangUp } from '../load/has-left.ts'
import type { BodyRoute } from './batch.ts'
import { leaveBodies, refuseBadBodies } from './body-errors.ts'

const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'] as const
/** Ten thousand parcels as objects. The key and the gate have passed when the body is read. */
const LIMITS = { maxBytes: 2_097_152, isKnown: true }

export function serveWatches(route: BodyRoute): FastifyPluginAsync {
  return async (fastify) => {
    refuseBadBodies(fastify)
    leaveBodies(fastify, TYPES)
    for (const one of WATCH_ROUTES) {
      fastify.route({
        method: one.method,
        url: one.operation.path,
        handler: (request, reply) => serve(one, route, request, reply),
      })
    }
  }
}

async function serve(
  { operation: declared, takesBody }: WatchRoute,
  { services, accessLog, readHead, send }: BodyRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let text = ''
  const incoming: IncomingRequest = { ...readHead(request), path: request.params as PathValues }
  if (hasBody(request.raw)) {
    incoming.receive = async () => {
      const body = await readBody(request.raw, reply.raw, LIMITS)
      if (body === undefined) return false
      text = body.toString()
      // The audit has a name of the body.
      incoming.queryString = createHash('sha256').update(body).digest('hex')
      return true
    }
  }
  const operation: Operation = takesBody
    ? { ...declared, read: (_query, facts, path) => declared.read(text, facts, path) }
    : declared
  const noted = { raw: request.raw, accessLog }
  const answered = await answerCounted(operation, incoming, services, noted)
  if (answered !== undefined) return send(request, reply, answered)
  return hangUp(reply)
}
