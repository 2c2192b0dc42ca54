/** A worker's side of rate leases, over the existing connection to the ledger process. */
import type { Leases } from '../ledger.ts'
import type { LeasedMessage, ReturnMessage, ToLedger } from '../protocol.ts'
import type { Lease } from './rate-windows.ts'

/** Milliseconds after which a worker counts by itself. */
const ANSWER_MS = 1000

type LeaseClient = Leases & {
  /** Passes received leases to their callers. */
  take(leased: readonly LeasedMessage[]): void
  /** The connection is lost: all waiting callers count by themselves. */
  giveUp(): void
}

type Asked = (lease: Lease | undefined) => void

/** `send` returns whether there is a connection. */
export function createLeaseClient(send: (message: ToLedger) => boolean): LeaseClient {
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
        const timer = setTimeout(() => settle(number, undefined), ANSWER_MS).unref()
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
