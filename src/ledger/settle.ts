/** Decides a batch of charges: enforces the exact cap. Pure. */
import { gate, remainingOf } from '../accounts/billing-gate.ts'
import { periodAt, useAt } from '../accounts/period.ts'
import { CommandError } from '../base/errors.ts'
import {
  type Appended,
  type ChainHead,
  type EarlierCharge,
  type LedgerEntry,
  type LedgerState,
  PERIOD_SET,
} from '../store/accounts-store.ts'
import { entryHash, GENESIS, headAfter } from './chain.ts'
import { findEarlier, uniqueId } from './idempotency.ts'
import { type Charge, type ChargeOutcome, UNAVAILABLE } from './ledger.ts'
import { countedAt } from './trusted-time.ts'

/** What a batch of charges is decided by, besides the accounts. Times are epoch milliseconds. */
type Settlement = {
  nextId: number
  now: number
  /** A time that a wrong clock does not move (`trusted-time.ts`); default: `now`. */
  trusted?: number | undefined
  /** Charges by idempotency id; those of the batch are added. */
  earlier?: Map<string, EarlierCharge>
}

/**
 * Decides the charges in order, each by the whole gate with the state that the earlier ones left.
 * `states` must be read in the transaction that appends the entries.
 */
export function settle(
  charges: readonly Charge[],
  states: ReadonlyMap<string, LedgerState>,
  { nextId, now, trusted = now, earlier = new Map() }: Settlement,
): Appended<ChargeOutcome[]> {
  const heads = new Map<string, ChainHead>()
  const entries: LedgerEntry[] = []
  const result = charges.map((charge): ChargeOutcome => {
    const { accountId, cost } = charge
    const state = states.get(accountId)
    if (state === undefined) return { kind: 'unavailable', reason: UNAVAILABLE.noAccount }
    const head = heads.get(accountId) ?? state.head
    const at = countedAt(state.facts, now, trusted)
    const { idempotency } = charge
    const first = idempotency && findEarlier(earlier, idempotency.key, at)
    if (first !== undefined && first.fingerprint !== idempotency?.fingerprint) {
      return { kind: 'conflict' }
    }
    // A charge that exists already is free now, so no cap applies.
    const code = gate(state.facts, head, first === undefined ? cost : 0, at)
    if (code !== undefined) return { kind: 'blocked', code }
    const { period, used } = useAt(state.facts, head, at)
    if (first !== undefined) {
      return { kind: 'charged', used, remaining: remainingOf(state.facts, used), repeated: true }
    }
    const entry = chainEntry(head, {
      id: nextId + entries.length,
      accountId,
      requestId: charge.requestId,
      keyId: charge.keyId,
      period,
      endpoint: charge.endpoint,
      cost,
      at,
      reason: null,
      ...(idempotency !== undefined && {
        idempotency: uniqueId(idempotency.key, at),
        fingerprint: idempotency.fingerprint,
      }),
    })
    entries.push(entry)
    if (entry.idempotency != null) {
      earlier.set(entry.idempotency, { fingerprint: entry.fingerprint ?? '', at })
    }
    heads.set(accountId, headAfter(head, entry))
    return { kind: 'charged', used: used + cost, remaining: remainingOf(state.facts, used + cost) }
  })
  return { entries, heads, result }
}

/**
 * Moves an account that was charged in a later period, because a clock was ahead, back to the
 * period of `now`. The row is free; its `cost` is `used`, the use of that period, which counts from
 * then on. Appends nothing when the account is in no later period.
 */
export function settlePeriod(
  { accountId, used }: { accountId: string; used: number },
  state: LedgerState,
  nextId: number,
  now: number,
): Appended<LedgerEntry | undefined> {
  const { start } = periodAt(state.facts, now)
  const newest = state.head?.period ?? ''
  if (newest <= start) return { entries: [], heads: new Map(), result: undefined }
  const entry = chainEntry(state.head, {
    id: nextId,
    accountId,
    requestId: `period_${nextId}`,
    keyId: null,
    period: start,
    endpoint: PERIOD_SET,
    cost: used,
    at: now,
    reason: `period set back from ${newest}`,
  })
  const heads = new Map([[accountId, headAfter(state.head, entry)]])
  return { entries: [entry], heads, result: entry }
}

/**
 * A correction: returns tokens in the account's newest period, with a reason. Throws `CommandError`
 * for more than were used (docs/decisions/periods-and-credits.md).
 */
export function settleCredit(
  credit: { accountId: string; tokens: number; reason: string; requestId: string },
  state: LedgerState,
  nextId: number,
  now: number,
): Appended<LedgerEntry> {
  const { accountId, tokens, reason, requestId } = credit
  const { period, used } = useAt(state.facts, state.head, now)
  if (tokens > used) throw new CommandError(explainTooMuch(credit, period, used))
  const entry = chainEntry(state.head, {
    id: nextId,
    accountId,
    requestId,
    keyId: null,
    period,
    endpoint: 'correction',
    cost: -tokens,
    at: now,
    reason,
  })
  const heads = new Map([[accountId, headAfter(state.head, entry)]])
  return { entries: [entry], heads, result: entry }
}

function explainTooMuch(
  { accountId, tokens }: { accountId: string; tokens: number },
  period: string,
  used: number,
): string {
  return (
    `${tokens} tokens cannot be given back: ${accountId} has used ${Math.max(0, used)} ` +
    `in the period from ${period}; ` +
    'to allow more than the plan does, raise includedTokens or overageCap'
  )
}

function chainEntry(
  head: ChainHead | undefined,
  fields: Omit<LedgerEntry, 'seq' | 'hash'>,
): LedgerEntry {
  const entry = { ...fields, seq: (head?.rows ?? 0) + 1 }
  return { ...entry, hash: entryHash(head?.hash ?? GENESIS, entry) }
}
