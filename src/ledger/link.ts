/** A worker's connection to the ledger process, opened again whenever it ends. */
import { connect, type Socket } from 'node:net'
import { UNAVAILABLE } from './ledger.ts'
import { type FromLedger, readLines, sendLine, type ToLedger } from './protocol.ts'

const RECONNECT_MS = 20
/** A ledger process that hangs must not keep a worker from ending. */
const CLOSE_MS = 1000

export type LedgerLink = {
  isConnected(): boolean
  /** Sends a message; false without a connection. */
  send(message: ToLedger): boolean
  /**
   * Resolves when the ledger process is reached. Rejects after `timeoutMs`, if given.
   */
  ready(timeoutMs?: number): Promise<void>
  /** Ends the connection for good. Resolves when the ledger process has read everything. */
  close(): Promise<void>
}

type LinkEvents = {
  onConnect(): void
  onMessage(message: FromLedger): void
  onClose(): void
}

/** Connects to the ledger process on a socket path. */
export function openLink(socketPath: string, events: LinkEvents): LedgerLink {
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
    send(message) {
      if (!connected || socket === undefined) return false
      sendLine(socket, message)
      return true
    },
    ready(timeoutMs) {
      if (connected) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(proceed)
          reject(new Error(UNAVAILABLE.down))
        }
        const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs)
        function proceed(): void {
          clearTimeout(timer)
          resolve()
        }
        waiting.add(proceed)
      })
    },
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
