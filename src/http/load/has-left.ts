/** Whether a caller is still there when work for it would begin. */

import type { FastifyReply } from 'fastify'
import { shareTurnEnd } from '../../base/event-loop.ts'

const turnEnd = shareTurnEnd()

/**
 * Reports whether the caller has disconnected since it sent the request
 * (docs/decisions/http-interface.md). Waits for two turns of the event loop. The first wait may end
 * the turn that read the request, and the close is then read in the next one.
 *
 * Runs before the search: otherwise searches of one turn would wait for each other, and their
 * charges would reach the ledger process all at once.
 */
export async function hasLeft(request: { gone(): boolean }): Promise<boolean> {
  await turnEnd.wait()
  await turnEnd.wait()
  return request.gone()
}

/** Ends the connection of a caller who has disconnected. */
export function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
