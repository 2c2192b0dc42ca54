/** Answers faulty bodies on routes that take one. */
import type { FastifyInstance } from 'fastify'
import { Refusal, STATUS } from '../../base/errors.ts'
import type { RefusalLog } from '../../base/logs/refusal-log.ts'
import { errorReply, replyToError } from '../error-reply.ts'

/** Answers refusals and bodies of an unknown type. `log`: keeps them for support, by its name. */
export function refuseBadBodies(
  fastify: FastifyInstance,
  log?: { operation: string; refusals: RefusalLog | undefined },
): void {
  fastify.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const answered = replyTo(error, request.headers['content-encoding'])
    if (answered === undefined) throw error
    if (error instanceof Refusal) {
      log?.refusals?.note({
        ...{ requestId: request.id, operation: log.operation, status: answered.status },
        ...{ reason: error.message, keyId: null, prefix: null },
      })
    }
    return reply
      .status(answered.status)
      .headers(answered.headers)
      .type('application/json; charset=utf-8')
      .send(answered.body)
  })
}

/** The body is of another type, or compressed. */
const UNREADABLE = Object.assign(new Error('unsupported media type'), {
  statusCode: STATUS.wrongType,
})

/** Leaves bodies of these types, and of none, to be read later by `receive`. */
export function leaveBodies(fastify: FastifyInstance, types: readonly string[]): void {
  fastify.addContentTypeParser([...types], ({ headers }, _body, done) =>
    done((headers['content-encoding'] ?? 'identity') === 'identity' ? null : UNREADABLE),
  )
  // Some clients name no type at all.
  fastify.addContentTypeParser('*', ({ headers }, _body, done) =>
    done(headers['content-type'] === undefined ? null : UNREADABLE),
  )
}

function replyTo(error: Error & { statusCode?: number }, encoding: string | undefined) {
  if (error instanceof Refusal) return replyToError(error, '')
  if (error.statusCode === STATUS.wrongType)
    return errorReply(STATUS.wrongType, describeType(encoding), CLOSE)
  if (error.statusCode === STATUS.badRequest)
    return errorReply(STATUS.badRequest, 'The body could not be read', CLOSE)
  return undefined
}

/** The rest of the body is not read. */
const CLOSE = { connection: 'close' }

function describeType(encoding: string | undefined): string {
  return encoding === undefined
    ? 'The content type is not one that this path takes'
    : 'The body must not be compressed'
}
