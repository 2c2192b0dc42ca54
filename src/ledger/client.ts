/** A worker's way to the ledger process. */
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
   * Resolves when the ledger process is reached, for a worker's start; rejects after `timeoutMs`,
   * where that is said.
   */
  ready(timeoutMs?: number): Promise<void>
}

/**
 * Longer than any commit of a healthy disk; the caller of a premium search has not given up yet.
 */
const ANSWER_MS = 5000
const RECONNECT_MS = 20
/** A ledger process that stands still keeps no worker from ending. */
const CLOSE_MS = 1000

/** A message costs about as much as four searches' charges in it; a search takes some 300 µs. */
const TOGETHER_MAX = 8

/** Notes of the audit wait for a charge that takes them along, but not longer than this. */
const NOTES_MS = 50
const NOTES_TOGETHER = 256
/** What is kept while the ledger process is down: some seconds of lookups. */
const NOTES_MAX = 50_000

type Pending = { until: number; resolve(outcome: ChargeOutcome): void }

/**
 * Connects to the ledger process on a socket path, and connects again whenever the connection ends.
 *
 * While there is no connection every charge is `unavailable` at once; when it ends, so are all that
 * wait for their outcome: their rows may have been written, and their answers are not given. A
 * charge is never sent twice. After `answerMs` without an outcome it is given up; the ledger
 * process does not write what was given up.
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
    // What went wrong shows in `close`, which always follows.
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

  /** The oldest stand first, and all wait equally long. */
  function giveUpLate(): void {
    const now = ticks()
    for (const [number, { until, resolve }] of pending) {
      if (until > now) return
      pending.delete(number)
      resolve(unavailable(UNAVAILABLE.late))
    }
  }

  /**
   * Charges of one turn of the loop go together, but not all of a long one: the first are written
   * while the others are made.
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
        // The ledger process closes its side when it has read all that was sent, and only then may
        // it be stopped.
        open.end()
      })
    },
  }
}

function unavailable(reason: string): ChargeOutcome {
  return { kind: 'unavailable', reason }
}
