/** A worker's connection to the ledger process. */
import { connect, type Socket } from 'node:net'
import { NoteJoiner } from '../store/audit/answers.ts'
import type { AuditNote } from '../store/audit/audit-store.ts'
import { type Charge, type ChargeOutcome, type Leases, type Ledger, UNAVAILABLE } from './ledger.ts'
import {
  type ChargeMessage,
  type FromLedger,
  readLines,
  sendLine,
  ticks,
  type UseMessage,
} from './protocol.ts'
import { createLeaseClient } from './rate-leases.ts'

type LedgerClient = Ledger & {
  leases: Leases
  /**
   * Resolves when the ledger process is reached, at a worker's start. Rejects after `timeoutMs`, if
   * given.
   */
  ready(timeoutMs?: number): Promise<void>
}

/** Longer than a commit on a healthy disk, and short enough for the caller of a premium search. */
const ANSWER_MS = 5000
const RECONNECT_MS = 20
/** A ledger process that hangs must not keep a worker from ending. */
const CLOSE_MS = 1000

/**
 * A message costs about as much as the charges of four searches in it; a search takes some 300 µs.
 */
const TOGETHER_MAX = 8

/** Longest time that audit notes wait for a charge to be sent with. */
const NOTES_MS = 50
const NOTES_TOGETHER = 256
/** Most notes kept while the ledger process is down: some seconds of lookups. */
const NOTES_MAX = 50_000

type Pending = { until: number; resolve(outcome: ChargeOutcome): void }

/**
 * Connects to the ledger process on a socket path, and reconnects whenever the connection ends.
 *
 * Without a connection every charge is `unavailable` at once. When the connection ends, so are all
 * charges without an outcome: their rows may have been written, and their answers are not sent. A
 * charge is never sent twice. After `answerMs` without an outcome it is cancelled; the ledger
 * process does not write cancelled charges.
 */
export function connectLedger(socketPath: string, answerMs: number = ANSWER_MS): LedgerClient {
  const pending = new Map<number, Pending>()
  const waitingForConnection = new Set<() => void>()
  let outbox: ChargeMessage[] = []
  const notes = new NoteJoiner()
  let notesTimer: NodeJS.Timeout | undefined
  let socket: Socket | undefined
  let connected = false
  let closed = false
  let count = 0
  let retry: NodeJS.Timeout | undefined
  const leases = createLeaseClient((message) => {
    if (!connected || socket === undefined) return false
    sendLine(socket, message)
    return true
  })
  const sweep = setInterval(giveUpLate, answerMs / 20).unref()
  open()

  function open(): void {
    const opening = connect(socketPath)
    socket = opening
    opening.on('connect', () => {
      connected = true
      for (const proceed of waitingForConnection) proceed()
      waitingForConnection.clear()
      flushNotes()
    })
    // The cause is known from `close`, which always follows.
    opening.on('error', () => undefined)
    opening.on('close', () => {
      connected = false
      outbox = []
      leases.giveUp()
      settleAll(closed ? UNAVAILABLE.closed : UNAVAILABLE.down)
      if (!closed) retry = setTimeout(open, RECONNECT_MS).unref()
    })
    readLines<FromLedger>(opening, ({ outcomes = [], leases: granted = [] }) => {
      leases.take(granted)
      for (const { number, outcome } of outcomes) {
        pending.get(number)?.resolve(outcome)
        pending.delete(number)
      }
    })
  }

  function settleAll(reason: string): void {
    for (const { resolve } of pending.values()) resolve(unavailable(reason))
    pending.clear()
  }

  /** Charges are in order of age, and all have the same timeout. */
  function giveUpLate(): void {
    const now = ticks()
    for (const [number, { until, resolve }] of pending) {
      if (until > now) return
      pending.delete(number)
      resolve(unavailable(UNAVAILABLE.late))
    }
  }

  /**
   * Sends the charges of one turn of the event loop together. In a long turn it sends several
   * messages, so that the first charges are written while others are created.
   */
  function post(message: ChargeMessage): void {
    outbox.push(message)
    if (outbox.length === 1) setImmediate(flush)
    if (outbox.length === TOGETHER_MAX) flush()
  }

  function flush(): void {
    const charges = outbox
    outbox = []
    if (charges.length === 0 || !connected || socket === undefined) return
    sendLine(socket, { charges, ...(notes.answers > 0 && { notes: takeNotes() }) })
  }

  function flushNotes(): void {
    if (notes.answers > 0 && connected && socket !== undefined) {
      sendLine(socket, { notes: takeNotes() })
    }
  }

  function takeNotes(): AuditNote[] {
    clearTimeout(notesTimer)
    notesTimer = undefined
    return notes.take()
  }

  return {
    leases,
    charge(charge: Charge) {
      if (closed) return Promise.resolve(unavailable(UNAVAILABLE.closed))
      if (!connected) return Promise.resolve(unavailable(UNAVAILABLE.down))
      return new Promise((resolve) => {
        count += 1
        const until = ticks() + answerMs
        pending.set(count, { until, resolve })
        post({ number: count, until, charge })
      })
    },
    noteAudit(more) {
      if (notes.answers + more.length > NOTES_MAX) return
      for (const note of more) notes.add(note)
      if (notes.answers >= NOTES_TOGETHER) flushNotes()
      else notesTimer ??= setTimeout(flushNotes, NOTES_MS).unref()
    },
    noteUses(uses) {
      if (!connected || socket === undefined || uses.length === 0) return
      const messages = uses.map(({ keyId, at, rehash }): UseMessage => {
        if (rehash === undefined) return { keyId, at }
        const hash = Buffer.from(rehash.hash).toString('hex')
        return { keyId, at, rehash: { hash, secretId: rehash.secretId } }
      })
      sendLine(socket, { uses: messages })
    },
    ready(timeoutMs) {
      if (connected) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          waitingForConnection.delete(proceed)
          reject(new Error(UNAVAILABLE.down))
        }
        const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs)
        function proceed(): void {
          clearTimeout(timer)
          resolve()
        }
        waitingForConnection.add(proceed)
      })
    },
    async close() {
      if (closed) return
      closed = true
      clearInterval(sweep)
      clearTimeout(retry)
      flushNotes()
      leases.giveUp()
      const open = socket
      if (open === undefined || open.closed) return
      await new Promise<void>((resolve) => {
        const impatient = setTimeout(() => open.destroy(), CLOSE_MS)
        open.once('close', () => {
          clearTimeout(impatient)
          resolve()
        })
        // The ledger process closes its side after reading everything; only then may it be stopped.
        open.end()
      })
    },
  }
}

function unavailable(reason: string): ChargeOutcome {
  return { kind: 'unavailable', reason }
}
