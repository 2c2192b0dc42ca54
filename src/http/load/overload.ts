/**
 * Load shedding: a worker with more requests than it can answer refuses those that have waited too
 * long.
 *
 * The system does not report how long a request has waited. But requests are read in turns of the
 * event loop, and the data read in a turn had mostly arrived before it began. So a request read
 * late in a long turn has waited since the turn's beginning. docs/decisions/overload.md.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { watchTurns } from '../../base/event-loop.ts'
import type { Networks } from '../../base/network/networks.ts'
import { countAddresses } from './address-shares.ts'
import { type Connections, restSender, trackConnections } from './connections.ts'

/** Most requests under way in one process, including those that wait for their charge. */
const IN_FLIGHT_MAX = 1024

/** Most connections of one process; further ones are closed at once. */
const CONNECTIONS_MAX = 10_000

/** Requests of a turn that are always answered, since a turn may be long for other reasons. */
const TURN_MIN = 32

/**
 * With more than a thousand ready connections, reading them takes longer than the patience, and new
 * requests arrive meanwhile. So late requests are refused for this share of the patience, and then
 * all are answered again, as in a new turn.
 */
const REFUSE_SHARE = 0.1
/** Shortest period of refusing, in milliseconds. */
const REFUSE_MIN_MS = 10

/** Matches the same paths as the router: with or without a trailing slash, and a query. */
const WATCH = /^(?:\/api)?\/(?:healthz|readyz|metrics)\/?(?:\?|$)/

type LoadOptions = {
  /** Longest time between a request's arrival at the socket and its reading, in milliseconds. */
  patienceMs: number
  /** Percent of connections and slots that one address may use. */
  addressShare: number
  trusted: Networks
  /** Answers a request without the framework. Returns false where the framework has to. */
  serve(request: IncomingMessage, response: ServerResponse<IncomingMessage>): boolean
  refuse(response: ServerResponse<IncomingMessage>, waitedMs: number): void
}

/** Installs itself before the server's own request handler. */
export function shedLoad(server: Server, options: LoadOptions): Connections {
  const { patienceMs, serve, refuse, trusted } = options
  const [handle] = server.listeners('request') as Parameters<Server['on']>[1][]
  if (handle === undefined) throw new Error('the server has no handler yet')
  const endlessMs = patienceMs + Math.max(REFUSE_MIN_MS, patienceMs * REFUSE_SHARE)
  let turnStartedAt = 0
  let readInTurn = 0
  const isFirstOfTurn = watchTurns(() => {
    turnStartedAt = 0
  })

  /** Returns how many milliseconds the request being read has waited, as far as known. */
  function waited(): number {
    const now = performance.now()
    if (isFirstOfTurn() || now - turnStartedAt > endlessMs) {
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
    const isFull = shares.isFull(share, connections.totals.inFlight)
    if ((waitedMs > patienceMs || isFull) && !isWatch(request)) {
      refuse(response, waitedMs)
      restSender(response)
      return
    }
    connections.takeSlot(request, response, share)
    if (!serve(request, response)) handle(request, response)
  })
  return connections
}

/** Requests of load balancers and monitoring are never refused under load. */
function isWatch({ url = '' }: IncomingMessage): boolean {
  return WATCH.test(url)
}
