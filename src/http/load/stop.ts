/** Stops without losing a request: docs/limits.md, "When it stops". */
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Connections } from './connections.ts'
import { stopListening } from './listening-sockets.ts'

/** Milliseconds within which all workers close their listening sockets. */
const SETTLE_MS = 250
/** Milliseconds without a request after which a connection is closed. */
const QUIET_MS = 1_000
/** Turns in which connections that wait are accepted, one per listening socket and turn. */
const TURNS = 8
/** Milliseconds between checks for idle connections at the end. */
const SWEEP_MS = 50

/**
 * Stops a server. `drainMs`: how long it continues to answer normally.
 *
 * The order matters. While a listening socket is open, no answer says `Connection: close`. Its
 * caller would reconnect, and a connection that waits to be accepted is reset when the socket
 * closes. Once all are closed, each answer says so, and its connection ends with it. Connections
 * without a request for a second are closed without one. With a `drainMs` of 0 it continues at
 * once. When no connection is open after the drain, it ends at once.
 */
export async function stopServer(
  fastify: FastifyInstance,
  connections: Connections,
  drainMs: number,
  sayClose: () => void,
): Promise<void> {
  await setTimeout(drainMs)
  // Timers come before new connections in a turn. A process that had to wait for a processor takes
  // those first that have connected meanwhile, which closing would reset.
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
  const ended = stopListening(fastify.server)
  await Promise.race([setTimeout(Math.min(SETTLE_MS, drainMs)), ended])
  sayClose()
  await Promise.race([setTimeout(drainMs === 0 ? 0 : QUIET_MS), ended])
  const sweep = setInterval(() => connections.closeUnused(), SWEEP_MS)
  connections.closeUnused()
  await ended
  clearInterval(sweep)
  await fastify.close()
}
