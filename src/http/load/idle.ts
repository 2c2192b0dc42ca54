/**
 * Closes connections over which nothing was asked for long.
 *
 * Node would start a timer with each answer and stop it with the next request, which is a tenth of what a small answer costs it. Here a
 * connection notes the round in which it was used, and each round looks for those that were not used in the last ones.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds between two rounds. */
const ROUND_MS = 30_000
/** A connection is closed in the fourth round after its last request: it was idle for 90 to 120 seconds. */
const ROUNDS = 4
/** What callers are told: well before that, lest a request crosses with the end of its connection. */
export const KEEP_ALIVE = 'timeout=72'

const USED_IN = Symbol('the round in which a connection was last used')
type Watched = Socket & { [USED_IN]?: number }

/** Takes the place of the server's own timers. */
export function closeIdle(server: Server): void {
  const open = new Set<Watched>()
  let round = 0
  server.keepAliveTimeout = 0
  server.on('connection', (socket: Watched) => {
    socket[USED_IN] = round
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // On the connection itself, which is at hand: among ten thousand others it would have to be looked for.
  server.on('request', ({ socket }: { socket: Watched }) => {
    socket[USED_IN] = round
  })
  const look = () => {
    round += 1
    for (const socket of open) {
      // Who still reads an answer is not idle; to find one takes far less than a round.
      if (socket.writableLength > 0) socket[USED_IN] = round
      else if (round - (socket[USED_IN] ?? 0) >= ROUNDS) socket.destroy()
    }
  }
  const rounds = setInterval(look, ROUND_MS).unref()
  server.on('close', () => clearInterval(rounds))
}
