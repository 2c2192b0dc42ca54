/** Tokens beyond the included ones: what is due for each finished period, and what is invoiced. */
import type { AccountFacts, TokenAllowance } from '../base/model/account.ts'
import type { LedgerEntry } from '../store/accounts-store.ts'
import type { BillingLink, BillingStore, OverageLine } from '../store/billing-store.ts'
import type { CustomerView, Provider } from './provider.ts'

type Terms = Pick<AccountFacts, 'includedTokens' | 'overageCap'>

/** The use of one period by the ledger. */
type PeriodOverage = {
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

type OverageWorld = {
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
  /** Keeps a notice of overage that no invoice will take. The same period and part is the same. */
  noteUnbilled(unbilled: Unbilled): void
}

/** `part`: 1, and one more for each further line of the same period. */
export type Unbilled = {
  account: string
  customer: string
  period: string
  part: number
  tokens: number
}

/** The line's id and invoice when an operator bills it. */
export const BY_HAND = 'by hand'

/** The finished periods of an account; with `isEnded` also the current one. */
async function finishedPeriods(
  world: Pick<OverageWorld, 'entriesOf' | 'termsOf' | 'currentPeriod'>,
  accountId: string,
  isEnded = false,
): Promise<PeriodOverage[]> {
  const current = await world.currentPeriod(accountId)
  const periods = new Map<string, LedgerEntry[]>()
  for (const entry of await world.entriesOf(accountId)) {
    periods.getOrInsertComputed(entry.period, () => []).push(entry)
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
 * Returns the tokens of a period beyond the included ones. Each row counts by the terms of its
 * time, and none beyond their cap. A credit takes back the newest tokens.
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
 * Adds what is due to the newest open renewal invoice. A line is stored before it is sent, with the
 * key under which Stripe accepts it once; an unconfirmed one is sent again unchanged. What is left
 * of an ended subscription becomes a line to be billed by hand, with one notice.
 */
export async function reportOverage(
  world: OverageWorld,
  link: BillingLink,
  view: CustomerView,
): Promise<void> {
  const invoice = view.drafts.at(-1)
  if (invoice !== undefined) {
    for (const due of await finishedPeriods(world, link.accountId)) {
      if (!(await reportPeriod(world, link, view, { due, invoice }))) return
    }
  }
  if (!hasEnded(view)) return
  for (const due of await finishedPeriods(world, link.accountId, true)) {
    await reportPeriod(world, link, view, { due, invoice: BY_HAND })
  }
}

/** Whether the subscription has ended, so that no renewal follows. */
export function hasEnded({ facts }: Pick<BillingLink, 'facts'>): boolean {
  return facts.subscription === 'canceled'
}

type DuePeriod = { due: PeriodOverage; invoice: string }

/** Returns `false` when the price of a token is missing. */
async function reportPeriod(
  world: OverageWorld,
  link: BillingLink,
  view: CustomerView,
  { due, invoice }: DuePeriod,
): Promise<boolean> {
  const { accountId } = link
  const linesOf = async () =>
    (await world.store.overages(accountId)).filter(({ period }) => period === due.period)
  const lines = await linesOf()
  const unsent = lines.find(({ item }) => item === null)
  // No credit is given by hand: the next draft takes it if there is one.
  const isTaken = (tokens: number) => tokens > 0 || (tokens < 0 && invoice !== BY_HAND)
  const item = invoice === BY_HAND ? BY_HAND : null
  if (unsent !== undefined && isTaken(unsent.tokens)) {
    await sendAgain(world, link, { ...unsent, invoice, item })
  }
  const tokens = due.overage - lines.reduce((sum, line) => sum + line.tokens, 0)
  if (!isTaken(tokens)) return true
  if (view.overage === null && invoice !== BY_HAND) {
    world.alarm(`${accountId}: ${tokens} tokens are due and its price has no platbook_overage`)
    return false
  }
  const { period, firstRow, lastRow, head } = due
  const line: OverageLine = {
    ...{ accountId, period, part: lines.length + 1, tokens, firstRow, lastRow, head },
    included: due.included === 'unlimited' ? 0 : due.included,
    ...(view.overage ?? { unit: '', currency: '' }),
    ...{ item, invoice, at: world.now() },
  }
  await begin(world, link, line)
  // Another node may have begun the same part with other rows: the stored line is sent.
  const begun = (await linesOf()).find(({ part }) => part === line.part)
  if (begun !== undefined && begun.item === null) await send(world, link, begun)
  return true
}

/** The line may have arrived although its answer was lost, or its invoice may be closed. */
async function sendAgain(world: OverageWorld, link: BillingLink, line: OverageLine): Promise<void> {
  const standing = (await world.provider.reported(link.customer)).find(
    ({ period, part }) => period === line.period && part === line.part,
  )
  if (standing !== undefined) return world.store.confirmOverage({ ...line, item: standing.item })
  await begin(world, link, line)
  if (line.item === null) await send(world, link, line)
}

/** A line that an operator bills is complete when it is written; its notice comes first. */
async function begin(world: OverageWorld, link: BillingLink, line: OverageLine): Promise<void> {
  const { accountId: account, period, part, tokens } = line
  if (line.item === BY_HAND) {
    world.alarm(
      `${account}: ${tokens} tokens of overage, period from ${period}, are not invoiced, and the ` +
        `subscription has ended: bill ${link.customer} by a final invoice`,
    )
    world.noteUnbilled({ account, customer: link.customer, period, part, tokens })
  }
  await world.store.beginOverage(line)
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

type PeriodDifference = {
  account: string
  period: string
  /** Tokens beyond the included ones, by the ledger. */
  ledger: number
  /** Tokens on invoices. */
  invoiced: number
}

/** Tokens by the ledger and invoiced tokens, over all linked accounts. */
type Reconciled = {
  accounts: number
  ledger: number
  invoiced: number
  /** Tokens of recently ended periods, whose invoice may not be a draft yet. */
  waiting: number
  differences: PeriodDifference[]
}

/** A renewal's draft exists within hours of the period's end; its last charge may come later. */
const WAITING_MS = 3 * 86_400_000

type ReconcileWorld = Pick<OverageWorld, 'entriesOf' | 'termsOf' | 'currentPeriod' | 'now'> & {
  provider: Pick<Provider, 'reported'>
  /** The day after the last one of a period of an account. */
  endOf(accountId: string, period: string): Promise<string>
}

export async function reconcile(
  world: ReconcileWorld,
  links: readonly BillingLink[],
): Promise<Reconciled> {
  const sum: Reconciled = {
    accounts: links.length,
    ledger: 0,
    invoiced: 0,
    waiting: 0,
    differences: [],
  }
  for (const link of links) await addAccount(world, link, sum)
  return sum
}

async function addAccount(
  world: ReconcileWorld,
  link: BillingLink,
  sum: Reconciled,
): Promise<void> {
  const { accountId, customer } = link
  const invoiced = new Map<string, number>()
  for (const { period, tokens } of await world.provider.reported(customer)) {
    invoiced.set(period, (invoiced.get(period) ?? 0) + tokens)
  }
  const periods = await finishedPeriods(world, accountId, hasEnded(link))
  const due = new Map(periods.map(({ period, overage }) => [period, overage]))
  for (const period of new Set([...due.keys(), ...invoiced.keys()])) {
    const [ledger, onInvoices] = [due.get(period) ?? 0, invoiced.get(period) ?? 0]
    sum.ledger += ledger
    sum.invoiced += onInvoices
    if (ledger === onInvoices) continue
    const end = Date.parse(await world.endOf(accountId, period))
    if (ledger > onInvoices && world.now() - end < WAITING_MS) sum.waiting += ledger - onInvoices
    else sum.differences.push({ account: accountId, period, ledger, invoiced: onInvoices })
  }
}
