/**
 * Tracks each connection of a worker, and the limits per connection and address.
 *
 * Requests of a connection begin in order, at most `PIPELINED_MAX` at once. Further requests read
 * with them are held, and the connection is not read until they can begin. Held bytes, unreceived
 * bytes and time without progress are limited; a connection beyond a limit is closed.
 * docs/limits.md shows all limits in order.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { AddressShares, Share } from './address-shares.ts'
import { endCondemned, isLast } from './condemn.ts'
import {
  CONNECTION,
  type Connection,
  freeSlot,
  type Held,
  hasBody,
  hasRoom,
  isArriving,
  isStuck,
  type KnownSocket,
  makeConnection,
  type Request,
  type Response,
  resumeIfFree,
  skipStacks,
  stopParsing,
  type Totals,
  TRACKED,
  type TrackedResponse,
  takeSlot,
  type Worker,
} from './connection.ts'

/**
 * Most held requests of a connection; one more closes it. One read may have 2,000, and all are
 * parsed before another connection is read: docs/performance.md.
 */
const HELD_MAX = 96
/** The same over all connections of a worker; each takes some 3 KB of memory. */
const HELD_TOTAL_MAX = 512
/** Unreceived bytes of all connections; above it the largest ones are closed. */
const UNSENT_TOTAL_MAX = 67_108_864

/** Interval of the checks below, milliseconds. */
export const IDLE_CHECK_MS = 2_000
/** Checks without a request after which a connection is closed: 120 seconds. */
const IDLE_CHECKS = 60
/** The timeout that callers are sent, well below the real one, so that none loses a request. */
export const KEEP_ALIVE = 'timeout=72'
/** Checks after which a closing worker does not wait for bodies any longer: 2 to 4 seconds. */
const CLOSING_CHECKS = 1

/** Milliseconds for which a refused connection is not read: it might send again at once. */
const REST_MS = 500

export type Connections = {
  totals: Totals
  of(request: Request): Connection
  /**
   * Takes a slot for a response, counted for an address. It is free again when the answer is
   * written. A request with a body takes it when the body has arrived (`bodies.ts`).
   */
  takeSlot(request: Request, response: Response, share: Share): void
  /** Closes connections without requests, now and when they become idle. */
  closeUnused(): void
}

/** Tracks connections, as the server's timers are off. `begin` starts the work on a request. */
export function trackConnections(
  server: Server,
  shares: AddressShares,
  begin: Worker['begin'],
): Connections {
  const totals: Totals = {
    ...{ inFlight: 0, pipelined: 0, held: 0, unsent: 0 },
    ...{ bodies: 0, bodyBytes: 0 },
  }
  const worker: Worker = {
    ...{ open: new Set<Connection>(), totals, shares, begin },
    ...{ check: 0, closing: false, closingFor: 0 },
  }
  server.keepAliveTimeout = 0
  // Node would close connections while a request is arriving; see stop.ts.
  server.closeIdleConnections = () => undefined

  // TLS connections are announced after their handshake.
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection'
  server.prependListener(event, (socket: Socket) => enter(worker, socket))
  server.on('request', (request, response) => receive(worker, request, response))
  const checks = setInterval(() => closeIdle(worker), IDLE_CHECK_MS).unref()
  server.on('close', () => clearInterval(checks))

  return {
    totals,
    of: ({ socket }) => (socket as KnownSocket)[CONNECTION] as Connection,
    takeSlot(request, response, share) {
      const tracked = (response as TrackedResponse)[TRACKED]
      if (tracked === undefined) return
      if (hasBody(request)) tracked.waiting = share
      else takeSlot(tracked, share)
    },
    closeUnused() {
      worker.closing = true
      for (const connection of worker.open) {
        if (connection.pending === 0 && connection.held.length === 0) connection.socket.destroy()
        else if (worker.closingFor > CLOSING_CHECKS && isArriving(connection)) {
          connection.socket.destroy()
        }
      }
    },
  }
}

function rest(worker: Worker, connection: Connection, ms: number): void {
  connection.socket.pause()
  if (connection.resting) return
  connection.resting = true
  const resume = () => {
    connection.resting = false
    if (!connection.closed) proceed(worker, connection)
  }
  setTimeout(resume, ms).unref()
}

/** Pauses of 500 to 969 ms in 16 steps, so that refused callers do not return together. */
const RESTS = Array.from({ length: 16 }, (_, at) => REST_MS * (1 + at / 16))
let rested = 0

/** Stops reading the connection of a refused request for 500 to 969 ms. */
export function restSender(response: Response): void {
  const tracked = (response as TrackedResponse)[TRACKED]
  if (tracked === undefined) return
  rested += 1
  rest(tracked.worker, tracked.connection, RESTS[rested % RESTS.length] ?? REST_MS)
}

/** Takes a new connection in, or closes it when its address is at its limit or blocked. */
function enter(worker: Worker, socket: Socket): void {
  const share = worker.shares.enter(socket)
  if (share === undefined) {
    socket.destroy()
    return
  }
  const connection = makeConnection(socket, share, worker.check)
  const known = socket as KnownSocket
  known[CONNECTION] = connection
  known.resume = resumeIfFree
  worker.open.add(connection)
  socket.once('close', () => forget(worker, connection))
}

function receive(worker: Worker, request: Request, response: Response): void {
  const connection = (request.socket as KnownSocket)[CONNECTION]
  if (connection === undefined) return
  if (connection.closed || request.socket.destroyed) {
    stopParsing(request.socket)
    return
  }
  connection.usedAt = worker.check
  connection.latest = hasBody(request) ? { request, response } : undefined
  if (connection.held.length > 0 || !hasRoom(connection, worker.totals))
    hold(worker, connection, request, response)
  else start(worker, connection, request, response)
}

function start(worker: Worker, connection: Connection, request: Request, response: Response): void {
  if (connection.pending > 0) worker.totals.pipelined += 1
  connection.pending += 1
  const tracked = { connection, bytes: 0, worker, share: undefined, waiting: undefined }
  ;(response as TrackedResponse)[TRACKED] = tracked
  response.on('close', settle)
  worker.begin(request, response, connection)
}

function hold(worker: Worker, connection: Connection, request: Request, response: Response): void {
  const { totals, shares } = worker
  if (connection.held.length >= HELD_MAX || totals.held >= HELD_TOTAL_MAX) {
    shares.strike(connection.share)
    stopParsing(connection.socket)
    connection.socket.destroy()
    return
  }
  connection.held.push({ request, response })
  totals.held += 1
  connection.socket.pause()
}

/** The answer was received completely, or its connection has ended. */
function settle(this: TrackedResponse): void {
  const tracked = this[TRACKED]
  if (tracked === undefined) return
  const { connection, worker } = tracked
  const { totals } = worker
  freeSlot(tracked)
  if (connection.closed) return
  connection.pending -= 1
  if (connection.pending > 0) totals.pipelined -= 1
  connection.unsent -= tracked.bytes
  totals.unsent -= tracked.bytes
  if (connection.held.length > 0) proceed(worker, connection)
  else if (connection.condemned !== undefined && isLast(connection)) {
    endCondemned(connection)
  } else if (worker.closing && connection.pending === 0 && this.shouldKeepAlive) {
    connection.socket.destroy()
  }
}

/** Begins held requests while there is capacity, and reads on when none is held. */
function proceed(worker: Worker, connection: Connection): void {
  const { held, socket } = connection
  while (held.length > 0 && hasRoom(connection, worker.totals) && !connection.closed) {
    const { request, response } = held.shift() as Held
    worker.totals.held -= 1
    start(worker, connection, request, response)
  }
  if (connection.closed) return
  if (connection.condemned === undefined) socket.resume()
  else if (isLast(connection)) endCondemned(connection)
}

function forget({ open, totals, shares }: Worker, connection: Connection): void {
  connection.closed = true
  if (connection.pending + connection.held.length > 1) skipStacks()
  open.delete(connection)
  totals.held -= connection.held.length
  totals.pipelined -= Math.max(0, connection.pending - 1)
  totals.unsent -= connection.unsent
  connection.held.length = 0
  shares.leave(connection.share)
}

/** Closes connections that are stuck, or have been idle for `IDLE_CHECKS`. */
function closeIdle(worker: Worker): void {
  worker.check += 1
  if (worker.closing) worker.closingFor += 1
  for (const connection of worker.open) {
    if (isStuck(connection)) connection.socket.destroy()
    else if (connection.unsent > 0 || connection.socket.writableLength > 0) {
      // A caller that is still reading an answer is not idle.
      connection.usedAt = worker.check
    } else if (worker.check - connection.usedAt >= IDLE_CHECKS && connection.pending === 0) {
      connection.socket.destroy()
    }
  }
}

/** Closes the connections with the most unsent bytes until the worker is below its limit. */
function relieve({ open, totals }: Worker): void {
  const largest = [...open].sort((one, other) => other.unsent - one.unsent)
  for (const connection of largest) {
    if (totals.unsent <= UNSENT_TOTAL_MAX * RELIEF) return
    totals.unsent -= connection.unsent
    connection.unsent = 0
    connection.closed = true
    connection.socket.destroy()
  }
}

/** Share of the limit down to which connections are closed, or it is reached again at once. */
const RELIEF = 0.9

/** Called when `bytes` are written: frees the slot, and counts them until they are received. */
export function handOver(response: Response, bytes: number): void {
  const tracked = (response as TrackedResponse)[TRACKED]
  if (tracked === undefined) return
  freeSlot(tracked)
  const { connection, worker } = tracked
  if (connection.closed) return
  tracked.bytes += bytes
  connection.unsent += bytes
  worker.totals.unsent += bytes
  if (worker.totals.unsent > UNSENT_TOTAL_MAX) relieve(worker)
}
