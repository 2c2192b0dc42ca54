/** Compares the overage in the ledger with the lines on invoices. */
import type { BillingLink } from '../store/billing-store.ts'
import { finishedPeriods, hasEnded, type OverageWorld } from './overage.ts'
import type { Provider } from './provider.ts'

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

/** Compares the ledger and the provider for every linked account. */
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
