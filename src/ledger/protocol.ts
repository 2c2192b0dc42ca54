/** Messages between workers and the ledger process: one JSON value a line over a Unix socket. */
import type { Socket } from 'node:net'
import type { AuditNote } from '../store/audit/audit-store.ts'
import type { Charge, ChargeOutcome } from './ledger.ts'
import type { Lease } from './rates/rate-windows.ts'

/** `number` identifies the charge on its connection; `until`: a time of `ticks()`. */
export type ChargeMessage = { number: number; until: number; charge: Charge }
export type OutcomeMessage = { number: number; outcome: ChargeOutcome }
/** A use of a key; `hash` in hex digits. */
export type UseMessage = {
  keyId: string
  at: number
  rehash?: { hash: string; secretId: string }
}

/** Requests a lease of an account's rate; `number` identifies the reply. */
export type LeaseMessage = { number: number; account: string; limit: number; want: number }
/** Unused requests of a lease. */
export type ReturnMessage = { account: string; slot: number; count: number }

export type ToLedger = {
  charges?: ChargeMessage[]
  uses?: UseMessage[]
  notes?: AuditNote[]
  leases?: LeaseMessage[]
  returns?: ReturnMessage[]
}
/** A line from the ledger process: finished outcomes and leases. */
export type FromLedger = { outcomes?: OutcomeMessage[]; leases?: LeasedMessage[] }
/** The reply to the lease request with that number. */
export type LeasedMessage = { number: number; lease: Lease }

/** Milliseconds of the machine's monotonic clock, the same in all its processes. */
export function ticks(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}

export function sendLine(socket: Socket, message: ToLedger | FromLedger): void {
  socket.write(`${JSON.stringify(message)}\n`)
}

/** Calls `take` with the message of each line; one that is not JSON ends the connection. */
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
