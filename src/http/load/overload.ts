/**
 * What a worker does when more is asked than it can answer: it refuses at once what has waited too
 * long already.
 *
 * The system does not tell how long a request has waited. But requests are read in turns of the event
 * loop, and what is read in a turn had mostly arrived when it began: a request read late in a long
 * turn has waited since then. docs/decisions/overload.md.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Networks } from '../../networks.ts'
import { countAddresses } from './address-shares.ts'
import { type Connections, trackConnections } from './connections.ts'

/** Requests in work at once in one process, those that wait for their charge among them. */
const IN_FLIGHT_MAX = 1024

/** Connections of one process; one more is closed as it comes. */
const CONNECTIONS_MAX = 10_000

/** Requests of a turn that are answered in any case: a turn is long for other reasons too. */
const TURN_MIN = 32

/**
 * With more than a thousand connections ready the event loop reads on and on, and the turn has no
 * end. So late requests are refused for a tenth of the patience, which clears about a seventh of what
 * is answered, and then all are answered again.
 */
const REFUSE_SHARE = 0.1
/** Milliseconds for which it refuses at least. */
const REFUSE_MIN_MS = 10

/** Milliseconds for which a refused connection is not read: callers that ignore 503 cost most. */
const REST_MS = 500
/** Up to twice as long, in steps, so that not all come back in one turn. */
const RESTS = Array.from({ length: 16 }, (_, at) => REST_MS + (REST_MS * at) / 16)

/** However the router takes them: with a slash at the end, with a query. */
const WATCH = /^(?:\/api)?\/(?:healthz|metrics)\/?(?:\?|$)/

type LoadOptions = {
  /** How long a request may wait unread before it is refused, milliseconds. */
  patienceMs: number
  /** Percent of connections and slots that one address may hold. */
  addressShare: number
  trusted: Networks
  /** Runs before a request is routed. */
  prepare(request: IncomingMessage): void
  /** Writes the 503. */
  refuse(response: ServerResponse<IncomingMessage>, waitedMs: number): void
}

/** Puts itself before the server's own handler. */
export function shedLoad(server: Server, options: LoadOptions): Connections {
  const { patienceMs, prepare, refuse, trusted } = options
  const [handle] = server.listeners('request') as Parameters<Server['on']>[1][]
  if (handle === undefined) throw new Error('the server has no handler yet')
  const endlessMs = patienceMs + Math.max(REFUSE_MIN_MS, patienceMs * REFUSE_SHARE)
  let turnStartedAt = 0
  let readInTurn = 0
  let refused = 0
  const endTurn = () => {
    turnStartedAt = 0
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

  server.maxConnections = CONNECTIONS_MAX
  server.off('request', handle)
  const shares = countAddresses({
    percent: options.addressShare,
    connectionsMax: CONNECTIONS_MAX,
    slotsMax: IN_FLIGHT_MAX,
    trusted,
  })
  const connections = trackConnections(server, shares, (request, response, connection) => {
    const waitedMs = waited()
    const share = shares.of(request, connection.share)
    const isFull = connections.totals.inFlight >= IN_FLIGHT_MAX || shares.isFull(share)
    if ((waitedMs > patienceMs || isFull) && !isWatch(request)) {
      refused += 1
      refuse(response, waitedMs)
      connections.rest(connection, RESTS[refused % RESTS.length] ?? REST_MS)
      return
    }
    connections.takeSlot(response, share)
    prepare(request)
    handle(request, response)
  })
  return connections
}

/** What load balancers and monitoring ask is answered above all under load. */
function isWatch({ url = '' }: IncomingMessage): boolean {
  return WATCH.test(url)
}
