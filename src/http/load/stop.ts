/** Stopping without losing a request: docs/limits.md, "When it stops". */
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Connections } from './connections.ts'
import { stopListening } from './listening-sockets.ts'

/** Within this time all workers have closed their listening sockets, milliseconds. */
const SETTLE_MS = 250
/**
 * A connection that asks nothing for as long is closed, milliseconds; busy callers ask again
 * before.
 */
const QUIET_MS = 1_000
/** How often connections without work are looked for at the end, milliseconds. */
const SWEEP_MS = 50

/**
 * Stops a server. `drainMs`: how long it goes on answering as before.
 *
 * The order matters. While a listening socket is open, no answer says `Connection: close`: its
 * caller would connect anew, and a connection that waits to be accepted is reset when the socket
 * closes. Once all are closed, each answer says so, and its connection ends with it. Connections
 * that ask nothing for a second are closed without. With a `drainMs` of 0 nothing is waited for.
 */
export async function stopServer(
  fastify: FastifyInstance,
  connections: Connections,
  drainMs: number,
  sayClose: () => void,
): Promise<void> {
  await setTimeout(drainMs)
  const ended = stopListening(fastify.server)
  await setTimeout(Math.min(SETTLE_MS, drainMs))
  sayClose()
  await Promise.race([setTimeout(drainMs === 0 ? 0 : QUIET_MS), ended])
  const sweep = setInterval(() => connections.closeUnused(), SWEEP_MS)
  connections.closeUnused()
  await ended
  clearInterval(sweep)
  await fastify.close()
}
