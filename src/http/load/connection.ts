/** One connection of a worker: what is known of it, and whether another request may begin. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Share } from './address-shares.ts'

/** Requests of a connection that are worked on or answered but not taken yet. */
const PIPELINED_MAX = 32

/** The same over all connections of a worker, the first request of each left aside. */
const PIPELINED_TOTAL_MAX = 512

/** Bytes of answers not taken above which no further request of the connection begins. */
const UNSENT_MAX = 262_144

/** Checks without a byte taken after which a connection with unsent bytes is closed: 10 seconds. */
const STUCK_CHECKS = 5

/** How long a caller may read the parser's error before its connection ends. */
export const LINGER_MS = 2_000

export type Request = IncomingMessage

export type Response = ServerResponse<IncomingMessage>

export type Held = { request: Request; response: Response }

export type Connection = {
  socket: Socket
  share: Share
  /** Number of the check before which it was used last. */
  usedAt: number
  /** Requests begun whose answers are not taken yet. */
  pending: number
  held: Held[]
  /** Bytes of answers handed over and not taken. */
  unsent: number
  /** Refused under overload: not read for a moment. */
  resting: boolean
  /** Sends the parser's error, when all earlier answers are out. */
  condemned: (() => void) | undefined
  /** What was taken when it was checked last, and how many checks ago that changed. */
  taken: number
  stuckFor: number
  closed: boolean
}

export const CONNECTION = Symbol('connection')

export type KnownSocket = Socket & { [CONNECTION]?: Connection }

export const TRACKED = Symbol('response in work')

/** `share`: whose slot it holds; `undefined` when it holds none. */
type Tracked = { connection: Connection; bytes: number; share: Share | undefined; worker: Worker }

export type TrackedResponse = Response & { [TRACKED]?: Tracked }

/** Counts of one worker. */
export type Totals = { inFlight: number; pipelined: number; held: number; unsent: number }

type Worker = { totals: Totals; relieve(): void }

export function endCondemned(connection: Connection): void {
  const { condemned } = connection
  if (condemned !== undefined && connection.socket.writable) condemned()
}

/** Node resumes a connection whenever it has sent what it had; not while requests are held. */
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

/** Once per request: when its answer is handed over, or when its connection ends before. */
export function freeSlot(tracked: Tracked): void {
  const { share, worker } = tracked
  if (share === undefined) return
  tracked.share = undefined
  share.inFlight -= 1
  worker.totals.inFlight -= 1
}

type Parsed = Socket & { parser?: { onIncoming: unknown } | null }

/**
 * Ends the parsing of what was read from a connection that is closed. One read may hold 2,000
 * requests, and timers wait until all connections that are ready have been parsed.
 */
export function stopParsing(socket: Parsed): void {
  // Node's own parser callback; 2 says that what follows is another protocol, so parsing ends.
  if (socket.parser) socket.parser.onIncoming = () => 2
}

type Queue = { _handle?: { writeQueueSize?: number } }

/** Whether bytes wait to be sent and none was taken for ten seconds. */
export function isStuck(connection: Connection): boolean {
  const { socket } = connection
  if (connection.unsent === 0 && socket.writableLength === 0) {
    connection.stuckFor = 0
    return false
  }
  // What the system has not taken of the write under way; Node's own timeouts look there too.
  const queued = (socket as Queue)._handle?.writeQueueSize ?? 0
  const taken = socket.bytesWritten - socket.writableLength - queued
  connection.stuckFor = taken === connection.taken ? connection.stuckFor + 1 : 0
  connection.taken = taken
  return connection.stuckFor >= STUCK_CHECKS
}

/** What it is set to by the process. */
const STACK_LIMIT = Error.stackTraceLimit

/**
 * Collects no stacks until the close of a connection is handled.
 *
 * Node makes an error for each request of a connection that closes, after this listener. With a
 * hundred requests the stacks took more time than the requests.
 */
export function skipStacks(): void {
  Error.stackTraceLimit = 0
  process.nextTick(() => {
    Error.stackTraceLimit = STACK_LIMIT
  })
}
