/** The state of one connection of a worker, and whether its next request may begin. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { AddressShares, Share } from './address-shares.ts'

/** Most requests of a connection under way, or answered and not yet received. */
const PIPELINED_MAX = 32

/** The same over all connections of a worker, without the first request of each. */
const PIPELINED_TOTAL_MAX = 512

/** Bytes of unreceived answers above which no further request of the connection begins. */
const UNSENT_MAX = 262_144

/** Checks without a byte sent after which a connection with unsent bytes is closed: 10 seconds. */
const STUCK_CHECKS = 5

export type Request = IncomingMessage

export type Response = ServerResponse<IncomingMessage>

export type Held = { request: Request; response: Response }

export type Connection = {
  socket: Socket
  share: Share
  /** Number of the latest idle check when the connection was last used. */
  usedAt: number
  /** Requests begun whose answers are not yet received. */
  pending: number
  held: Held[]
  /** Bytes of answers written and not yet received. */
  unsent: number
  /** Refused under overload: not read for a moment. */
  resting: boolean
  /** Sends the parser's error after all earlier answers. */
  condemned: (() => void) | undefined
  /** The request read last, whose body may still be arriving. */
  latest: Held | undefined
  /** Bytes received at the last check, and the number of checks since that changed. */
  taken: number
  stuckFor: number
  closed: boolean
}

export const CONNECTION = Symbol('connection')

export type KnownSocket = Socket & { [CONNECTION]?: Connection }

export const TRACKED = Symbol('response in work')

/**
 * `share`: the address whose slot it uses; `undefined` when it uses none. `waiting`: the address
 * whose slot it will use when its body has arrived.
 */
type Tracked = {
  connection: Connection
  bytes: number
  share: Share | undefined
  waiting: Share | undefined
  worker: Worker
}

export type TrackedResponse = Response & { [TRACKED]?: Tracked }

/** Counts of one worker. `bodyBytes`: of bodies that are still arriving. */
export type Totals = {
  inFlight: number
  pipelined: number
  held: number
  unsent: number
  bodies: number
  bodyBytes: number
}

export type Worker = {
  open: Set<Connection>
  totals: Totals
  shares: AddressShares
  begin: (request: Request, response: Response, connection: Connection) => void
  /** Number of the latest check for idle and stuck connections. */
  check: number
  /** Whether connections are closed as soon as they are idle. */
  closing: boolean
  /** Checks since it began to close. */
  closingFor: number
}

export function hasBody({ headers }: Request): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

export function isArriving({ latest }: Connection): boolean {
  return latest !== undefined && !latest.request.complete && !latest.response.writableEnded
}

/** Node resumes a connection that has sent its data; this prevents it while requests are held. */
export function resumeIfFree(this: KnownSocket): KnownSocket {
  const connection = this[CONNECTION]
  const isHeld =
    connection !== undefined &&
    (connection.held.length > 0 || connection.resting || connection.condemned !== undefined)
  return isHeld ? this : Socket.prototype.resume.call(this)
}

export function makeConnection(socket: Socket, share: Share, usedAt: number): Connection {
  return {
    socket,
    share,
    usedAt,
    pending: 0,
    held: [],
    unsent: 0,
    resting: false,
    condemned: undefined,
    latest: undefined,
    taken: 0,
    stuckFor: 0,
    closed: false,
  }
}

export function hasRoom({ pending, unsent, resting }: Connection, { pipelined }: Totals): boolean {
  if (resting) return false
  if (pending === 0) return true
  return pending < PIPELINED_MAX && unsent <= UNSENT_MAX && pipelined < PIPELINED_TOTAL_MAX
}

export function takeSlot(tracked: Tracked, share: Share): void {
  tracked.share = share
  share.inFlight += 1
  tracked.worker.totals.inFlight += 1
}

/** Called once per request: when its answer is written, or when its connection ends before. */
export function freeSlot(tracked: Tracked): void {
  const { share, worker } = tracked
  if (share === undefined) return
  tracked.share = undefined
  share.inFlight -= 1
  worker.totals.inFlight -= 1
}

type Parsed = Socket & { parser?: { onIncoming: unknown } | null }

/**
 * Stops parsing the data read from a closed connection. One read may contain 2,000 requests, and
 * timers wait until all ready connections have been parsed.
 */
export function stopParsing(socket: Parsed): void {
  // Node's parser callback; 2 means that another protocol follows, so parsing ends.
  if (socket.parser) socket.parser.onIncoming = () => 2
}

type Queue = { _handle?: { writeQueueSize?: number } }

/** Reports whether bytes wait to be sent and none was received for ten seconds. */
export function isStuck(connection: Connection): boolean {
  const { socket } = connection
  if (connection.unsent === 0 && socket.writableLength === 0) {
    connection.stuckFor = 0
    return false
  }
  // Bytes that the system has not yet taken of the current write; Node's own timeouts also use
  // this.
  const queued = (socket as Queue)._handle?.writeQueueSize ?? 0
  const taken = socket.bytesWritten - socket.writableLength - queued
  connection.stuckFor = taken === connection.taken ? connection.stuckFor + 1 : 0
  connection.taken = taken
  return connection.stuckFor >= STUCK_CHECKS
}

/** The process's own `Error.stackTraceLimit`, which is restored afterwards. */
const STACK_LIMIT = Error.stackTraceLimit

/**
 * Collects no stack traces until the close of a connection is handled: Node makes an error for each
 * of its requests, and the traces took longer than the requests.
 */
export function skipStacks(): void {
  Error.stackTraceLimit = 0
  process.nextTick(() => {
    Error.stackTraceLimit = STACK_LIMIT
  })
}
