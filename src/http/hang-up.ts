import type { FastifyReply } from 'fastify'

/** Ends the connection of a caller who has disconnected. */
export function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
