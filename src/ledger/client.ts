/** A worker's ledger: sends charges and audit notes to the ledger process. */
import { connect, type Socket } from 'node:net'
import { NoteJoiner } from '../store/audit/answers.ts'
import type { AuditNote } from '../store/audit/audit-store.ts'
import { type Charge, type Leases, type Ledger, UNAVAILABLE } from './ledger.ts'
import { PendingCharges, unavailable } from './pending-charges.ts'
import {
  type ChargeMessage,
  type FromLedger,
  type LeasedMessage,
  type ReturnMessage,
  readLines,
  sendLine,
  type ToLedger,
  type UseMessage,
} from './protocol.ts'
import type { Lease } from './rates/rate-windows.ts'

type LedgerClient = Ledger & Pick<LedgerLink, 'ready'> & { leases: Leases }

/** Longer than a commit on a healthy disk, and short enough for the caller of a premium search. */
const ANSWER_MS = 5000

/** A message becomes a transaction, which costs the ledger process as much as five charges. */
const TOGETHER_MAX = 16

/** Longest time that audit notes wait for a charge to be sent with. */
const NOTES_MS = 50
const NOTES_TOGETHER = 256
/** Most notes kept while the ledger process is down: some seconds of lookups. */
const NOTES_MAX = 50_000

/**
 * Connects to the ledger process on a socket path, and reconnects whenever the connection ends.
 *
 * `charge` rejects with *unavailable* after `answerMs` without an outcome, 5 s by default; without
 * a connection it rejects at once. A charge that is late is cancelled; the ledger process does not
 * write cancelled charges. When the connection ends, charges without an outcome are rejected too:
 * their rows may have been written, and their answers are not sent. A charge is never sent twice.
 */
export function connectLedger(socketPath: string, answerMs: number = ANSWER_MS): LedgerClient {
  const pending = new PendingCharges(answerMs)
  let outbox: ChargeMessage[] = []
  const notes = new NoteJoiner()
  let notesTimer: NodeJS.Timeout | undefined
  let closed = false
  const sweep = setInterval(() => pending.settleLate(), answerMs / 20).unref()
  const link = openLink(socketPath, {
    onConnect: flushNotes,
    onClose() {
      outbox = []
      leases.giveUp()
      pending.settleAll(closed ? UNAVAILABLE.closed : UNAVAILABLE.down)
    },
    onMessage({ outcomes = [], leases: granted = [] }) {
      leases.take(granted)
      for (const { number, outcome } of outcomes) pending.settle(number, outcome)
    },
  })
  const leases = createLeaseClient(link.send)

  /** Sends the charges of one turn together, and those of a long turn in several messages. */
  function post(message: ChargeMessage): void {
    outbox.push(message)
    if (outbox.length === 1) setImmediate(flush)
    if (outbox.length === TOGETHER_MAX) flush()
  }

  function flush(): void {
    const charges = outbox
    outbox = []
    if (charges.length === 0 || !link.isConnected()) return
    link.send({ charges, ...(notes.answers > 0 && { notes: takeNotes() }) })
  }

  function flushNotes(): void {
    if (notes.answers > 0 && link.isConnected()) link.send({ notes: takeNotes() })
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
      if (!link.isConnected()) return Promise.resolve(unavailable(UNAVAILABLE.down))
      return new Promise((resolve) => {
        post({ ...pending.add(resolve), charge })
      })
    },
    noteAudit(more) {
      if (notes.answers + more.length > NOTES_MAX) return
      for (const note of more) notes.add(note)
      if (notes.answers >= NOTES_TOGETHER) flushNotes()
      else notesTimer ??= setTimeout(flushNotes, NOTES_MS).unref()
    },
    noteUses(uses) {
      if (!link.isConnected() || uses.length === 0) return
      const messages = uses.map(({ keyId, at, rehash }): UseMessage => {
        if (rehash === undefined) return { keyId, at }
        const hash = Buffer.from(rehash.hash).toString('hex')
        return { keyId, at, rehash: { hash, secretId: rehash.secretId } }
      })
      link.send({ uses: messages })
    },
    ready: link.ready,
    async close() {
      if (closed) return
      closed = true
      clearInterval(sweep)
      flushNotes()
      leases.giveUp()
      await link.close()
    },
  }
}

const RECONNECT_MS = 20
/** A ledger process that hangs must not keep a worker from ending. */
const CLOSE_MS = 1000

type LedgerLink = ReturnType<typeof openLink>

type LinkEvents = {
  onConnect(): void
  onMessage(message: FromLedger): void
  onClose(): void
}

function openLink(socketPath: string, events: LinkEvents) {
  const waiting = new Set<() => void>()
  let socket: Socket | undefined
  let connected = false
  let closed = false
  let retry: NodeJS.Timeout | undefined
  open()

  function open(): void {
    const opening = connect(socketPath)
    socket = opening
    opening.on('connect', () => {
      connected = true
      for (const proceed of waiting) proceed()
      waiting.clear()
      events.onConnect()
    })
    // The cause is known from `close`, which always follows.
    opening.on('error', () => undefined)
    opening.on('close', () => {
      connected = false
      events.onClose()
      if (!closed) retry = setTimeout(open, RECONNECT_MS).unref()
    })
    readLines<FromLedger>(opening, events.onMessage)
  }

  return {
    isConnected: () => connected,
    /** Sends a message; false without a connection. */
    send(message: ToLedger) {
      if (!connected || socket === undefined) return false
      sendLine(socket, message)
      return true
    },
    async ready() {
      if (!connected) await new Promise<void>((resolve) => waiting.add(resolve))
    },
    /** Ends the connection for good. Resolves when the ledger process has read everything. */
    async close() {
      closed = true
      clearTimeout(retry)
      const ending = socket
      if (ending === undefined || ending.closed) return
      await new Promise<void>((resolve) => {
        const impatient = setTimeout(() => ending.destroy(), CLOSE_MS)
        ending.once('close', () => {
          clearTimeout(impatient)
          resolve()
        })
        // The ledger process closes its side after reading everything; only then may it be stopped.
        ending.end()
      })
    },
  }
}

/** Milliseconds after which a worker counts by itself. */
const LEASED_MS = 1000

type LeaseClient = Leases & {
  /** Passes received leases to their callers. */
  take(leased: readonly LeasedMessage[]): void
  /** The connection is lost: all waiting callers count by themselves. */
  giveUp(): void
}

type Asked = (lease: Lease | undefined) => void

/** `send` returns whether there is a connection. */
function createLeaseClient(send: (message: ToLedger) => boolean): LeaseClient {
  const pending = new Map<number, { asked: Asked; timer: NodeJS.Timeout }>()
  let returns: ReturnMessage[] = []
  let count = 0

  function settle(number: number, lease: Lease | undefined): void {
    const found = pending.get(number)
    if (found === undefined) return
    clearTimeout(found.timer)
    pending.delete(number)
    found.asked(lease)
  }

  function takeReturns(): ReturnMessage[] {
    const taken = returns
    returns = []
    return taken
  }

  function flushReturns(): void {
    if (returns.length > 0) send({ returns: takeReturns() })
  }

  return {
    lease(account, limit, want) {
      count += 1
      const number = count
      // Returned requests are counted before the new lease.
      const message = { returns: takeReturns(), leases: [{ number, account, limit, want }] }
      if (!send(message)) return Promise.resolve(undefined)
      return new Promise((asked) => {
        const timer = setTimeout(() => settle(number, undefined), LEASED_MS).unref()
        pending.set(number, { asked, timer })
      })
    },
    giveBack(account, slot, unused) {
      if (returns.length === 0) setImmediate(flushReturns)
      returns.push({ account, slot, count: unused })
    },
    take(leased) {
      for (const { number, lease } of leased) settle(number, lease)
    },
    giveUp() {
      for (const number of [...pending.keys()]) settle(number, undefined)
    },
  }
}
