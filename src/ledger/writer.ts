/** Writes charges in groups: one transaction for all that arrived during the one before. */

import { dateOf } from '../accounts/period.ts'
import { nextTurn } from '../base/event-loop.ts'
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import { type AuditEntry, type AuditNote, chainNotes } from '../store/audit/audit-store.ts'
import type { KeptHeads } from '../store/heads.ts'
import type { LogHead } from '../store/operator-log.ts'
import type { AuditKeeper } from './audit-keeper.ts'
import type { Fault } from './chain.ts'
import { possibleIds } from './idempotency.ts'
import { type Charge, type ChargeOutcome, type Ledger, UNAVAILABLE } from './ledger.ts'
import { unavailable } from './pending-charges.ts'
import { settle } from './settle.ts'
import { createTrustedTime } from './trusted-time.ts'
import { checkNoted, createFollower, SLICE_ROWS } from './verify.ts'

export type LedgerWriter = Omit<Ledger, 'charge'> & {
  /** Charges, unless `stillWanted` returns false by then because the caller has given up. */
  charge(charge: Charge, stillWanted?: () => boolean): Promise<ChargeOutcome>
  /** The first faulty row, if one was found; every charge is then unavailable. */
  fault(): Fault | undefined
}

type WriterOptions = {
  /** The chain is broken: charges are refused until an operator intervenes. */
  onFault?(fault: Fault): void
  /** A group of charges could not be written, and why. */
  onError?(error: unknown, charges: number): void
  /** The machine's clock is more than a period ahead of the ledger; called once an hour. */
  onClock?(text: string): void
  /** Milliseconds of a monotonic clock; without it `now` is always trusted. */
  steadyMs?(): number
  /** Heads from outside the database, read before the writer is opened. */
  noted?: readonly KeptHeads[]
  keeper?: AuditKeeper
}

/** Limits the duration of one transaction to some 20 ms. */
const GROUP_MAX = SLICE_ROWS
/** New rows verified together; the next charges wait 1 ms for them. */
const FOLLOW_ROWS = 100

type Waiting = {
  charge: Charge
  stillWanted: (() => boolean) | undefined
  resolve(outcome: ChargeOutcome): void
}

/**
 * Opens the only writer of charges to a store in this process. Verifies the rows since the last
 * checkpoint; with a broken chain it refuses every charge.
 */
export async function openLedgerWriter(
  store: LedgerStore,
  now: () => number,
  { noted = [], keeper, ...events }: WriterOptions = {},
): Promise<LedgerWriter> {
  const follower = await createFollower(store)
  let fault: Fault | undefined
  noteFault((await follower.verifyTail()) ?? (await checkNoted(store, noted)))
  let written = follower.reached()
  const time = await openTime(store, now, events.steadyMs)
  const reportClock = createClockReport(events.onClock)
  const waiting: Waiting[] = []
  /** Audit notes of free answers, in order of arrival; they stay until they are written. */
  const notes: AuditNote[] = []
  let notesTimer: NodeJS.Timeout | undefined
  /** The last transaction failed: notes are retried after a pause. */
  let failing = false
  let writing: Promise<void> | undefined
  let closed = false

  function noteFault(found: Fault | undefined): void {
    if (found === undefined) return
    fault = found
    events.onFault?.(found)
  }

  function beginWriting(): void {
    writing ??= writeAll()
  }

  /** Has the notes written after `NOTES_MS`, unless a charge's transaction wrote them first. */
  function startTimer(): void {
    notesTimer ??= setTimeout(() => {
      notesTimer = undefined
      beginWriting()
    }, NOTES_MS)
  }

  /** The loop turns between groups: outcomes are sent, and new charges join the next one. */
  async function writeAll(): Promise<void> {
    do {
      await nextTurn()
      const group = waiting.splice(0, GROUP_MAX).filter(isWanted)
      const outcomes = await writeGroup(group.map(({ charge }) => charge))
      group.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as ChargeOutcome)
      })
      await followUp()
    } while (waiting.length > 0 || (notes.length >= GROUP_MAX && !failing))
    if (notes.length > 0 && !closed) startTimer()
    writing = undefined
  }

  async function writeGroup(charges: Charge[]): Promise<ChargeOutcome[]> {
    if (fault !== undefined && charges.length > 0) {
      return charges.map(() => unavailable(UNAVAILABLE.broken))
    }
    const free = notes.slice(0, GROUP_MAX)
    if (charges.length === 0 && free.length === 0) return []
    try {
      const [wall, trusted] = [now(), time?.at()]
      const done = await appendGroup(store, { charges, free, wall, trusted })
      if (done.isMoved) reportClock(wall, trusted ?? wall)
      written = done.lastId ?? written
      notes.splice(0, free.length)
      failing = false
      if (done.audited !== undefined) keeper?.grew(done.audited)
      return done.outcomes
    } catch (error) {
      failing = true
      events.onError?.(error, charges.length)
      return charges.map(() => unavailable(UNAVAILABLE.failed))
    }
  }

  /** Verifies written rows in slices, so that checkpoints come without a noticeable pause. */
  async function followUp(): Promise<void> {
    if (fault !== undefined || written - follower.reached() < FOLLOW_ROWS) return
    // Sends finished outcomes first.
    await nextTurn()
    try {
      noteFault(await follower.advance())
    } catch (error) {
      events.onError?.(error, 0)
    }
  }

  return {
    charge(charge, stillWanted) {
      if (closed) return Promise.resolve(unavailable(UNAVAILABLE.closed))
      return new Promise((resolve) => {
        waiting.push({ charge, stillWanted, resolve })
        beginWriting()
      })
    },
    noteAudit(more) {
      if (notes.length + more.length > NOTES_MAX) {
        events.onError?.(new Error(`${more.length} entries are missing in the audit`), 0)
        return
      }
      notes.push(...more)
      if (notes.length >= GROUP_MAX && !failing) beginWriting()
      else if (writing === undefined) startTimer()
    },
    noteUses(uses) {
      store.noteUses(uses).catch((error: unknown) => events.onError?.(error, 0))
    },
    async close() {
      closed = true
      clearTimeout(notesTimer)
      await writing
      failing = false
      while (notes.length > 0 && !failing) await writeAll()
      await keeper?.close()
    },
    fault: () => fault,
  }
}

/** Opens the time that a wrong clock does not move; none without a monotonic clock. */
async function openTime(
  store: LedgerStore,
  now: () => number,
  steadyMs: (() => number) | undefined,
) {
  if (steadyMs === undefined) return undefined
  const [newest] = await store.entriesAfter((await store.newest()).ledger.id - 1, 1)
  return createTrustedTime(newest?.at, now, steadyMs)
}

function isWanted({ stillWanted, resolve }: Waiting): boolean {
  if (stillWanted === undefined || stillWanted()) return true
  resolve(unavailable(UNAVAILABLE.late))
  return false
}

/** Longest time that audit notes of free answers wait for a charge's transaction. */
const NOTES_MS = 100
/** Most audit entries kept while the database cannot be written, some 8 KB each at most. */
const NOTES_MAX = 20_000

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
async function appendGroup(store: LedgerStore, group: Group): Promise<Written> {
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
function createClockReport(
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
