/** Reads the accounts' billing periods, for overage. */
import type { AccountFacts } from '../base/model/account.ts'
import { readFacts } from '../store/accounts/account-rows.ts'
import type { AccountAdmin } from '../store/accounts/admin.ts'
import type { Row } from '../store/accounts/table-rows.ts'
import type { AccountReader, LedgerEntry, LedgerStore } from '../store/accounts-store.ts'
import type { BillingStore } from '../store/billing-store.ts'
import { periodAt, useAt } from './period.ts'

type Terms = Pick<AccountFacts, 'includedTokens' | 'overageCap'>

type BilledPeriods = {
  entriesOf(accountId: string): Promise<LedgerEntry[]>
  /** Returns the terms in force at a time (epoch milliseconds). */
  termsOf(accountId: string): Promise<(at: number) => Terms>
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
    async termsOf(accountId) {
      const states = (await data.billing.accountStates(accountId)).map(({ at, state }) => {
        return { at, facts: readFacts(JSON.parse(state) as Row) }
      })
      const now = await factsOf(accountId)
      // Before its first entry an account had the terms of that entry.
      return (at) => (states.findLast((one) => one.at <= at) ?? states[0])?.facts ?? now
    },
    async currentPeriod(accountId) {
      const use = await data.reader.tokenUse(accountId)
      return useAt(await factsOf(accountId), use, now()).period
    },
  }
}
