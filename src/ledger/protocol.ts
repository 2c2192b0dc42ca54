/**
 * What workers and the ledger process say to each other: one JSON array or object per line over a
 * Unix socket.
 */
import type { Socket } from 'node:net'
import type { AuditNote } from '../store/audit/audit-store.ts'
import type { Charge, ChargeOutcome } from './ledger.ts'
import type { Lease } from './rate-windows.ts'

/** `number` pairs an outcome with its charge on one connection; `until`: a moment of `ticks()`. */
export type ChargeMessage = { number: number; until: number; charge: Charge }
/** The outcome of the charge with that number. */
export type OutcomeMessage = { number: number; outcome: ChargeOutcome }
/** A use of a key; `hash` in hex digits. */
export type UseMessage = {
  keyId: string
  at: number
  rehash?: { hash: string; secretId: string }
}

/** Asks for requests of an account's minute; `number` pairs it with its lease. */
export type LeaseMessage = { number: number; account: string; limit: number; want: number }
/** Requests of a lease that were not used. */
export type ReturnMessage = { account: string; slot: number; count: number }

export type ToLedger = {
  charges?: ChargeMessage[]
  uses?: UseMessage[]
  notes?: AuditNote[]
  leases?: LeaseMessage[]
  returns?: ReturnMessage[]
}
/** One line of the ledger process: outcomes and leases that are due. */
export type FromLedger = { outcomes?: OutcomeMessage[]; leases?: LeasedMessage[] }
/** The answer to the lease asked with that number. */
export type LeasedMessage = { number: number; lease: Lease }

/** Milliseconds of the machine's steady clock, which all its processes share and nobody sets. */
export function ticks(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}

/** Writes a message as one line of JSON. */
export function sendLine(socket: Socket, message: ToLedger | FromLedger): void {
  socket.write(`${JSON.stringify(message)}\n`)
}

/** Calls `take` with each whole line's message; a line that is no JSON ends the connection. */
export function readLines<Message>(socket: Socket, take: (message: Message) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    try {
      for (const line of lines) take(JSON.parse(line))
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
}
