/** Reads the accounts' billing periods, for overage. */
import { readFacts } from '../store/accounts/account-rows.ts'
import type { AccountAdmin } from '../store/accounts/admin.ts'
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import type { Row } from '../store/accounts/table-rows.ts'
import type { AccountReader, LedgerEntry } from '../store/accounts-store.ts'
import type { BillingStore } from '../store/billing-store.ts'
import { periodAt, useAt } from './period.ts'

const ROWS = 10_000

/** `now`: epoch milliseconds. */
export function createBilledPeriods(
  data: { admin: AccountAdmin; reader: AccountReader; ledger: LedgerStore; billing: BillingStore },
  now: () => number,
) {
  async function factsOf(accountId: string) {
    const account = await data.admin.account(accountId)
    if (account === undefined) throw new Error(`there is no account ${accountId}`)
    return account.facts
  }

  async function endOf(accountId: string, period: string): Promise<string> {
    return periodAt(await factsOf(accountId), Date.parse(period)).end
  }

  return {
    /** The day after the last one of a period. */
    endOf,
    async entriesOf(accountId: string) {
      const entries: LedgerEntry[] = []
      for (;;) {
        const more = await data.ledger.entriesOf(accountId, entries.at(-1)?.seq ?? 0, ROWS)
        entries.push(...more)
        if (more.length < ROWS) return entries
      }
    },
    /** Returns the terms in force at a time (epoch milliseconds). */
    async termsOf(accountId: string) {
      const states = (await data.billing.accountStates(accountId)).map(({ at, state }) => {
        return { at, facts: readFacts(JSON.parse(state) as Row) }
      })
      const now = await factsOf(accountId)
      // Before its first entry an account had the terms of that entry.
      return (at: number) => (states.findLast((one) => one.at <= at) ?? states[0])?.facts ?? now
    },
    /** First day of the account's current period. */
    async currentPeriod(accountId: string) {
      const use = await data.reader.tokenUse(accountId)
      return useAt(await factsOf(accountId), use, now()).period
    },
  }
}
