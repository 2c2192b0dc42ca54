/** Writes charges in groups: one transaction for all that arrived during the one before. */
import { dateOf } from '../access/period.ts'
import type { LedgerStore } from '../store/accounts-store.ts'
import { type AuditEntry, type AuditNote, chainNotes } from '../store/audit/audit-store.ts'
import type { KeptHeads } from '../store/heads.ts'
import type { LogHead } from '../store/operator-log.ts'
import type { AuditKeeper } from './audit-keeper.ts'
import type { Fault } from './chain.ts'
import { possibleIds } from './idempotency.ts'
import { type Charge, type ChargeOutcome, type Ledger, UNAVAILABLE } from './ledger.ts'
import { settle } from './settle.ts'
import { createTrustedTime } from './trusted-time.ts'
import { checkNoted, createFollower, SLICE_ROWS } from './verify.ts'

export type LedgerWriter = Omit<Ledger, 'charge'> & {
  /** Charges, unless `stillWanted` returns false by then because the caller has given up. */
  charge(charge: Charge, stillWanted?: () => boolean): Promise<ChargeOutcome>
  /** The first faulty row, if one was found; every charge is then unavailable. */
  fault(): Fault | undefined
}

type WriterEvents = {
  /** The chain is broken: charges are refused until an operator intervenes. */
  onFault?(fault: Fault): void
  /** A group of charges could not be written, and why. */
  onError?(error: unknown, charges: number): void
  /** The machine's clock is more than a period ahead of the ledger; called once an hour. */
  onClock?(text: string): void
  /** Milliseconds of a monotonic clock; without it `now` is always trusted. */
  steadyMs?(): number
}

/** Limits the duration of one transaction to some 20 ms. */
const GROUP_MAX = SLICE_ROWS
/** New rows verified together; the next charges wait 1 ms for them. */
const FOLLOW_ROWS = 100

/** Longest time that audit notes of free answers wait for a charge's transaction. */
const NOTES_MS = 100
/**
 * Most audit entries kept while the database cannot be written, at most some 8 KB each; further
 * ones are dropped and reported.
 */
const NOTES_MAX = 20_000

const HOUR_MS = 3_600_000

type Waiting = {
  charge: Charge
  stillWanted: (() => boolean) | undefined
  resolve(outcome: ChargeOutcome): void
}

/**
 * Opens the only writer of charges to a store in this process. First verifies the rows since the
 * last checkpoint: with a broken chain the writer refuses every charge.
 *
 * `now`: epoch milliseconds. `noted`: heads from outside the database, read before this is called.
 */
export async function openLedgerWriter(
  store: LedgerStore,
  now: () => number,
  events: WriterEvents = {},
  noted: readonly KeptHeads[] = [],
  keeper?: AuditKeeper,
): Promise<LedgerWriter> {
  const follower = await createFollower(store)
  let fault: Fault | undefined
  noteFault((await follower.verifyTail()) ?? (await checkNoted(store, noted)))
  let written = follower.reached()
  const time = await openTime()
  const waiting: Waiting[] = []
  const notes: AuditNote[] = []
  let notesTimer: NodeJS.Timeout | undefined
  /** The last transaction failed: notes are retried after a pause. */
  let failing = false
  let writing: Promise<void> | undefined
  let closed = false
  let clockToldAt = Number.NEGATIVE_INFINITY

  function noteFault(found: Fault | undefined): void {
    if (found === undefined) return
    fault = found
    events.onFault?.(found)
  }

  async function openTime() {
    if (events.steadyMs === undefined) return undefined
    const [newest] = await store.entriesAfter((await store.newest()).ledger.id - 1, 1)
    return createTrustedTime(newest?.at, now, events.steadyMs)
  }

  function noteClock(wall: number, trusted: number): void {
    if (Math.abs(wall - clockToldAt) < HOUR_MS) return
    clockToldAt = wall
    events.onClock?.(
      `the clock says ${dateOf(wall)}, and by the charges it is ${dateOf(trusted)}: ` +
        'charges stay in their period; ' +
        'where the clock is right: platbook account set ID periodStart=… periodEnd=…',
    )
  }

  /**
   * The event loop turns between two groups, so that outcomes are sent and newly arrived charges
   * join the next group.
   */
  async function writeAll(): Promise<void> {
    do {
      await new Promise(setImmediate)
      const group = waiting.splice(0, GROUP_MAX).filter(isWanted)
      const outcomes = await writeGroup(group.map(({ charge }) => charge))
      group.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as ChargeOutcome)
      })
      await followUp()
    } while (waiting.length > 0 || (notes.length >= GROUP_MAX && !failing))
    if (notes.length > 0 && !closed) awaitNotes()
    writing = undefined
  }

  async function writeGroup(charges: Charge[]): Promise<ChargeOutcome[]> {
    if (fault !== undefined && charges.length > 0) {
      return charges.map(() => unavailable(UNAVAILABLE.broken))
    }
    const free = notes.slice(0, GROUP_MAX)
    if (charges.length === 0 && free.length === 0) return []
    try {
      const accounts = new Set(charges.map((charge) => charge.accountId))
      const [wall, trusted] = [now(), time?.at()]
      const decide: Parameters<typeof store.append<ChargeOutcome[]>>[1] = (
        states,
        nextId,
        earlier,
      ) => {
        const settled = settle(charges, states, { nextId, now: wall, trusted, earlier })
        if (settled.entries.some(({ at }) => at < wall)) noteClock(wall, trusted ?? wall)
        written = nextId + settled.entries.length - 1
        return settled
      }
      const ids = charges.flatMap(({ idempotency }) =>
        idempotency === undefined ? [] : possibleIds(idempotency.key, [wall, trusted ?? wall]),
      )
      let entries: AuditEntry[] = []
      const audit = (outcomes: ChargeOutcome[], head: LogHead) => {
        entries = chainNotes([...listAudited(charges, outcomes), ...free], head, wall)
        return entries
      }
      const isAudited = free.length > 0 || charges.some((charge) => charge.audit !== undefined)
      const outcomes = await store.append(accounts, decide, ids, isAudited ? audit : undefined)
      notes.splice(0, free.length)
      failing = false
      if (isAudited) keeper?.grew(entries)
      return outcomes
    } catch (error) {
      failing = true
      events.onError?.(error, charges.length)
      return charges.map(() => unavailable(UNAVAILABLE.failed))
    }
  }

  /** Writes notes that no charge has taken along in time. */
  function awaitNotes(): void {
    notesTimer ??= setTimeout(() => {
      notesTimer = undefined
      writing ??= writeAll()
    }, NOTES_MS)
  }

  /**
   * Verifies written rows in small slices, so that checkpoints follow without a noticeable pause.
   */
  async function followUp(): Promise<void> {
    if (fault !== undefined || written - follower.reached() < FOLLOW_ROWS) return
    // Sends finished outcomes first.
    await new Promise(setImmediate)
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
        writing ??= writeAll()
      })
    },
    noteAudit(more) {
      if (notes.length + more.length > NOTES_MAX) {
        events.onError?.(new Error(`${more.length} entries are missing in the audit`), 0)
        return
      }
      notes.push(...more)
      if (notes.length >= GROUP_MAX && !failing) writing ??= writeAll()
      else if (writing === undefined) awaitNotes()
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

/** Returns the audit notes of the charged answers. */
function listAudited(charges: readonly Charge[], outcomes: readonly ChargeOutcome[]): AuditNote[] {
  return charges.flatMap(({ audit, accountId, keyId, requestId, endpoint }, at) =>
    audit === undefined || outcomes[at]?.kind !== 'charged'
      ? []
      : [{ accountId, keyId, requestId, operation: endpoint, ...audit }],
  )
}

function isWanted({ stillWanted, resolve }: Waiting): boolean {
  if (stillWanted === undefined || stillWanted()) return true
  resolve(unavailable(UNAVAILABLE.late))
  return false
}

function unavailable(reason: string): ChargeOutcome {
  return { kind: 'unavailable', reason }
}
