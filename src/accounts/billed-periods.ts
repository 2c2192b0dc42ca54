/** Reads the accounts' billing periods, for overage. */
import type { TokenAllowance } from '../base/model/account.ts'
import { type Row, readFacts } from '../store/accounts/account-rows.ts'
import type {
  AccountAdmin,
  AccountReader,
  LedgerEntry,
  LedgerStore,
} from '../store/accounts-store.ts'
import type { BillingStore } from '../store/billing-store.ts'
import { periodAt, useAt } from './period.ts'

type BilledPeriods = {
  entriesOf(accountId: string): Promise<LedgerEntry[]>
  /** Tokens that a period included, by the terms at its end. */
  includedIn(accountId: string, period: string): Promise<TokenAllowance>
  /** First day of the account's current period. */
  currentPeriod(accountId: string): Promise<string>
  /** The day after the last one of a period. */
  endOf(accountId: string, period: string): Promise<string>
}

const ROWS = 10_000

/** `now`: epoch milliseconds. */
export function createBilledPeriods(
  data: { admin: AccountAdmin; reader: AccountReader; ledger: LedgerStore; billing: BillingStore },
  now: () => number,
): BilledPeriods {
  async function factsOf(accountId: string) {
    const account = await data.admin.account(accountId)
    if (account === undefined) throw new Error(`there is no account ${accountId}`)
    return account.facts
  }

  async function endOf(accountId: string, period: string): Promise<string> {
    return periodAt(await factsOf(accountId), Date.parse(period)).end
  }

  return {
    endOf,
    async entriesOf(accountId) {
      const entries: LedgerEntry[] = []
      for (;;) {
        const more = await data.ledger.entriesOf(accountId, entries.at(-1)?.seq ?? 0, ROWS)
        entries.push(...more)
        if (more.length < ROWS) return entries
      }
    },
    async includedIn(accountId, period) {
      const at = Date.parse(await endOf(accountId, period))
      const state = await data.billing.accountStateAt(accountId, at)
      if (state === undefined) return (await factsOf(accountId)).includedTokens
      return readFacts(JSON.parse(state) as Row).includedTokens
    },
    async currentPeriod(accountId) {
      const use = await data.reader.tokenUse(accountId)
      return useAt(await factsOf(accountId), use, now()).period
    },
  }
}
