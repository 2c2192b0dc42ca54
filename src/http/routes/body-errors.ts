/** Answers faulty bodies on routes that take one. */
import type { FastifyInstance } from 'fastify'
import { errorReply } from '../error-reply.ts'

/** Answers bodies that are too large or of an unknown type; other errors are left to the server. */
export function refuseBadBodies(fastify: FastifyInstance): void {
  fastify.setErrorHandler<{ statusCode?: number }>((error, request, reply) => {
    const { statusCode } = error
    const answered =
      statusCode === 413
        ? errorReply(413, 'The body is larger than this path takes')
        : statusCode === 415
          ? errorReply(415, describeType(request.headers['content-encoding']))
          : statusCode === 400
            ? errorReply(400, 'The body could not be read')
            : undefined
    if (answered === undefined) throw error
    return reply
      .status(answered.status)
      .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', connection: 'close' })
      .header('x-content-type-options', 'nosniff')
      .type('application/json; charset=utf-8')
      .send(answered.body)
  })
}

function describeType(encoding: string | undefined): string {
  return encoding === undefined
    ? 'The content type is not one that this path takes'
    : 'The body must not be compressed'
}
