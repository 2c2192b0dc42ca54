/** Writes one group of charges and audit notes in one transaction. */
import { dateOf } from '../accounts/period.ts'
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import { type AuditEntry, type AuditNote, chainNotes } from '../store/audit/audit-store.ts'
import type { LogHead } from '../store/operator-log.ts'
import { possibleIds } from './idempotency.ts'
import type { Charge, ChargeOutcome } from './ledger.ts'
import { settle } from './settle.ts'

type Group = {
  charges: readonly Charge[]
  free: readonly AuditNote[]
  /** Epoch milliseconds by the machine's clock. */
  wall: number
  /** The same by `trusted-time.ts`, which a change of the machine's clock does not move. */
  trusted: number | undefined
}

type Written = {
  outcomes: ChargeOutcome[]
  /** ID of the last row; `undefined` when no row was decided. */
  lastId: number | undefined
  /** Whether a charge counts at another time than the machine's clock says. */
  isMoved: boolean
  /** The audit entries written; `undefined` when there were none to write. */
  audited: AuditEntry[] | undefined
}

/** Decides and writes a group. Rejects when the transaction failed; nothing is written then. */
export async function appendGroup(store: LedgerStore, group: Group): Promise<Written> {
  const { charges, free, wall, trusted } = group
  const accounts = new Set(charges.map((charge) => charge.accountId))
  const ids = charges.flatMap(({ idempotency }) =>
    idempotency === undefined ? [] : possibleIds(idempotency.key, [wall, trusted ?? wall]),
  )
  let lastId: number | undefined
  let isMoved = false
  const decide: Parameters<typeof store.append<ChargeOutcome[]>>[1] = (states, nextId, earlier) => {
    const settled = settle(charges, states, { nextId, now: wall, trusted, earlier })
    isMoved = settled.entries.some(({ at }) => at < wall)
    lastId = nextId + settled.entries.length - 1
    return settled
  }
  let audited: AuditEntry[] | undefined
  const audit = (outcomes: ChargeOutcome[], head: LogHead) => {
    audited = chainNotes([...listAudited(charges, outcomes), ...free], head, wall)
    return audited
  }
  const isAudited = free.length > 0 || charges.some((charge) => charge.audit !== undefined)
  const outcomes = await store.append(accounts, decide, ids, isAudited ? audit : undefined)
  return { outcomes, lastId, isMoved, audited }
}

function listAudited(charges: readonly Charge[], outcomes: readonly ChargeOutcome[]): AuditNote[] {
  return charges.flatMap(({ audit, accountId, keyId, requestId, endpoint }, at) =>
    audit === undefined || outcomes[at]?.kind !== 'charged'
      ? []
      : [{ accountId, keyId, requestId, operation: endpoint, ...audit }],
  )
}

const HOUR_MS = 3_600_000

/** Returns a function that reports a clock that is ahead of the ledger, once an hour. */
export function createClockReport(
  report: ((text: string) => void) | undefined,
): (wall: number, trusted: number) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return (wall, trusted) => {
    if (Math.abs(wall - reportedAt) < HOUR_MS) return
    reportedAt = wall
    report?.(
      `the clock says ${dateOf(wall)}, and by the charges it is ${dateOf(trusted)}: ` +
        'charges stay in their period; ' +
        'where the clock is right: platbook account set ID periodStart=… periodEnd=…',
    )
  }
}
