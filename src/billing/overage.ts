/**
 * Computes tokens beyond the included ones from the ledger: what is due for each finished period,
 * and what is invoiced already. Pure, except `reportOverage`.
 */
import type { AccountFacts, TokenAllowance } from '../base/model/account.ts'
import type { LedgerEntry } from '../store/accounts-store.ts'
import type { BillingLink, BillingStore, OverageLine } from '../store/billing-store.ts'
import type { CustomerView, Provider } from './provider.ts'

type Terms = Pick<AccountFacts, 'includedTokens' | 'overageCap'>

/** The use of one period by the ledger. */
type PeriodOverage = {
  /** First day of the period. */
  period: string
  used: number
  included: TokenAllowance
  /** Tokens beyond them. */
  overage: number
  firstRow: number
  lastRow: number
  /** Hash of the last row, hex. */
  head: string
}

/** What reporting overage reads and calls. */
export type OverageWorld = {
  store: BillingStore
  provider: Pick<Provider, 'report' | 'reported'>
  /** Every row of an account's ledger, in order. */
  entriesOf(accountId: string): Promise<LedgerEntry[]>
  /** Returns the terms in force at a time (epoch milliseconds). */
  termsOf(accountId: string): Promise<(at: number) => Terms>
  /** First day of the account's current period. */
  currentPeriod(accountId: string): Promise<string>
  now(): number
  alarm(text: string): void
  /** Notes overage that no invoice will take, for a notice. */
  noteUnbilled(unbilled: Unbilled): void
}

export type Unbilled = { account: string; customer: string; tokens: number }

/** The finished periods of an account; with `isEnded` also the current one. */
export async function finishedPeriods(
  world: Pick<OverageWorld, 'entriesOf' | 'termsOf' | 'currentPeriod'>,
  accountId: string,
  isEnded = false,
): Promise<PeriodOverage[]> {
  const current = await world.currentPeriod(accountId)
  const periods = new Map<string, LedgerEntry[]>()
  for (const entry of await world.entriesOf(accountId)) {
    const rows = periods.get(entry.period)
    if (rows === undefined) periods.set(entry.period, [entry])
    else rows.push(entry)
  }
  const finished = [...periods].filter(([period]) => isEnded || period < current).sort()
  const termsAt = await world.termsOf(accountId)
  return finished.map(([period, rows]) => sumPeriod(period, rows, termsAt))
}

function sumPeriod(
  period: string,
  rows: LedgerEntry[],
  termsAt: (at: number) => Terms,
): PeriodOverage {
  const [first, last] = [rows[0] as LedgerEntry, rows.at(-1) as LedgerEntry]
  return {
    period,
    used: rows.reduce((sum, { cost }) => sum + cost, 0),
    included: termsAt(last.at).includedTokens,
    overage: sumOverage(rows, termsAt),
    firstRow: first.seq,
    lastRow: last.seq,
    head: Buffer.from(last.hash).toString('hex'),
  }
}

/**
 * Returns the tokens of a period's rows beyond the included ones. Each row counts by the terms when
 * it was used, and no token is billed beyond the cap of that time. A credit takes back the newest
 * tokens.
 */
export function sumOverage(
  rows: readonly Pick<LedgerEntry, 'cost' | 'at'>[],
  termsAt: (at: number) => Terms,
): number {
  /** Tokens that rows used, in order, and how many of them are billed. */
  const uses: { tokens: number; billed: number }[] = []
  let [used, overage] = [0, 0]
  for (const { cost, at } of rows) {
    if (cost > 0) {
      const { includedTokens, overageCap } = termsAt(at)
      const beyond = used + cost - Math.max(used, amountOf(includedTokens))
      const billed = Math.max(0, Math.min(beyond, amountOf(overageCap) - overage))
      uses.push({ tokens: cost, billed })
      overage += billed
    }
    used += cost
    for (let left = -cost; left > 0; ) {
      const newest = uses.at(-1)
      if (newest === undefined) break
      const tokens = Math.min(left, newest.tokens)
      // The billed tokens of a row are its last ones.
      const billed = Math.min(tokens, newest.billed)
      Object.assign(newest, { tokens: newest.tokens - tokens, billed: newest.billed - billed })
      if (newest.tokens === 0) uses.pop()
      overage -= billed
      left -= tokens
    }
  }
  return overage
}

function amountOf(tokens: TokenAllowance): number {
  return tokens === 'unlimited' ? Number.POSITIVE_INFINITY : tokens
}

/**
 * Adds what is due to the oldest open renewal invoice. A line is stored before it is sent, with the
 * key under which Stripe accepts it once; an unconfirmed line is sent again unchanged.
 */
export async function reportOverage(
  world: OverageWorld,
  link: BillingLink,
  view: CustomerView,
): Promise<void> {
  const invoice = view.drafts.at(-1)
  if (invoice === undefined) return alarmOfEnded(world, link, view)
  const { accountId } = link
  for (const due of await finishedPeriods(world, accountId)) {
    const lines = (await world.store.overages(accountId)).filter(
      ({ period }) => period === due.period,
    )
    const unsent = lines.find(({ item }) => item === null)
    if (unsent !== undefined) await sendAgain(world, link, { ...unsent, invoice })
    const tokens = due.overage - lines.reduce((sum, line) => sum + line.tokens, 0)
    if (tokens === 0) continue
    if (view.overage === null) {
      world.alarm(`${accountId}: ${tokens} tokens are due and its price has no platbook_overage`)
      return
    }
    const { period, firstRow, lastRow, head } = due
    const line: OverageLine = {
      ...{ accountId, period, part: lines.length + 1, tokens, firstRow, lastRow, head },
      included: due.included === 'unlimited' ? 0 : due.included,
      ...view.overage,
      ...{ item: null, invoice, at: world.now() },
    }
    await world.store.beginOverage(line)
    // Another node may have begun the same part with other rows: the stored line is sent.
    const begun = (await world.store.overages(accountId)).find(
      (one) => one.period === period && one.part === line.part,
    )
    if (begun !== undefined && begun.item === null) await send(world, link, begun)
  }
}

/** A subscription that has ended gets no further invoice, so its operator must bill what is due. */
async function alarmOfEnded(
  world: OverageWorld,
  { accountId, customer }: BillingLink,
  { facts }: CustomerView,
): Promise<void> {
  if (facts.subscription !== 'canceled') return
  const periods = await finishedPeriods(world, accountId, true)
  const due = periods.reduce((sum, { overage }) => sum + overage, 0)
  const lines = await world.store.overages(accountId)
  const left = due - lines.reduce((sum, { tokens }) => sum + tokens, 0)
  if (left <= 0) return
  world.alarm(
    `${accountId}: ${left} tokens of overage are not invoiced, and the subscription has ended: ` +
      `bill ${customer} by a final invoice`,
  )
  world.noteUnbilled({ account: accountId, customer, tokens: left })
}

/**
 * The line may be at the provider although its answer was lost, or its invoice may accept no more
 * lines.
 */
async function sendAgain(world: OverageWorld, link: BillingLink, line: OverageLine): Promise<void> {
  const standing = (await world.provider.reported(link.customer)).find(
    ({ period, part }) => period === line.period && part === line.part,
  )
  if (standing !== undefined) return world.store.confirmOverage({ ...line, item: standing.item })
  await world.store.beginOverage(line)
  await send(world, link, line)
}

async function send(world: OverageWorld, link: BillingLink, line: OverageLine): Promise<void> {
  const key = lineKey(line)
  const item = await world.provider.report({ ...line, customer: link.customer, key })
  await world.store.confirmOverage({ ...line, item })
}

/** `account/period`, and `/part` for rows after the first line. */
function lineKey({ accountId, period, part }: OverageLine): string {
  return part === 1 ? `${accountId}/${period}` : `${accountId}/${period}/${part}`
}
