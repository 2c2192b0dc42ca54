/**
 * What a worker does when more is asked than it can answer: it refuses at once what has waited too long already.
 *
 * How long a request has waited the system does not tell. But requests are read in turns of the event loop, and what is read in a turn
 * had mostly arrived when it began: one that is read late in a long turn has waited since then. Decision 085.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** Requests that one process has in work at once, those that wait for their charge among them; one more is refused. */
const IN_FLIGHT_MAX = 1024

/** Connections of one process; one more is closed as it comes. */
const CONNECTIONS_MAX = 10_000

/** A turn is long for other reasons too (another program on the same core): this many of it are answered in any case. */
const TURN_MIN = 32

/**
 * With more than a thousand connections ready the event loop reads on and on, and the turn has no end. So what is late is refused
 * for a tenth of the patience, which clears about a seventh of what is answered, and then all is answered again.
 */
const REFUSE_SHARE = 0.1
/** Milliseconds for which it refuses at least. */
const REFUSE_MIN_MS = 10

/** Milliseconds for which a refused connection is not read: it is the callers who heed no answer that cost most. */
const REST_MS = 500
/** Up to twice as long, in steps, lest all come back in one turn. */
const RESTS = Array.from({ length: 16 }, (_, at) => REST_MS + (REST_MS * at) / 16)

/** However the router takes them: with a slash at the end, with a query. */
const WATCH = /^\/(?:healthz|metrics)\/?(?:\?|$)/

/** Puts itself before the server's own handler. `refuse` writes the 503. */
export function shedLoad(
  server: Server,
  patienceMs: number,
  refuse: (response: ServerResponse<IncomingMessage>, waitedMs: number) => void,
): void {
  const [handle] = server.listeners('request') as Parameters<Server['on']>[1][]
  if (handle === undefined) throw new Error('the server has no handler yet')
  const endlessMs = patienceMs + Math.max(REFUSE_MIN_MS, patienceMs * REFUSE_SHARE)
  const resting = new WeakSet<Socket>()
  let turnStartedAt = 0
  let readInTurn = 0
  let inFlight = 0
  let refused = 0
  const endTurn = () => {
    turnStartedAt = 0
  }
  const leave = () => {
    inFlight -= 1
  }

  /** Milliseconds that the request being read has waited, as far as that is known. */
  function waited(): number {
    const now = performance.now()
    if (turnStartedAt === 0) {
      // Runs when all that had arrived is read.
      setImmediate(endTurn)
      turnStartedAt = now
      readInTurn = 0
    } else if (now - turnStartedAt > endlessMs) {
      turnStartedAt = now
      readInTurn = 0
    }
    readInTurn += 1
    return readInTurn > TURN_MIN ? now - turnStartedAt : 0
  }

  /** Of several refused in one write, the first says until when. */
  function rest(socket: Socket, ms: number): void {
    socket.pause()
    if (resting.has(socket)) return
    resting.add(socket)
    const resume = () => {
      resting.delete(socket)
      socket.resume()
    }
    setTimeout(resume, ms).unref()
  }

  server.maxConnections = CONNECTIONS_MAX
  server.off('request', handle)
  server.on('request', (request, response) => {
    const waitedMs = waited()
    if ((waitedMs > patienceMs || inFlight >= IN_FLIGHT_MAX) && !isWatch(request)) {
      refused += 1
      const restMs = RESTS[refused % RESTS.length] ?? REST_MS
      // Not before: Node resumes the connection when it has read a request to its end.
      response.once('close', () => rest(request.socket, restMs))
      refuse(response, waitedMs)
      return
    }
    inFlight += 1
    response.on('close', leave)
    handle(request, response)
  })
}

/** What load balancers and monitoring ask is answered above all under load. */
function isWatch({ url = '' }: IncomingMessage): boolean {
  return WATCH.test(url)
}
