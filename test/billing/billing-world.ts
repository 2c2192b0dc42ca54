/** Accounts in a folder of their own, with the real provider over the fake Stripe. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { gate } from '../../src/accounts/billing-gate.ts'
import type { AccountFacts } from '../../src/base/model/account.ts'
import { assembleBilling, type Billing } from '../../src/processes/assemble-billing.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import type { OpenAccounts } from '../../src/store/accounts/opened.ts'
import { openAccounts, prepareData } from '../../src/store/open.ts'
import {
  FAKE_KEY,
  FAKE_SECRET,
  type FakeObject,
  type FakeStripe,
  signEvent,
} from './fake-stripe.ts'

export const NOW = Date.UTC(2026, 2, 10, 12)

export type BillingWorld = {
  data: string
  accounts: OpenAccounts
  billing: Billing
  clock: { now: number }
  alarms: string[]
  addAccount(id: string, customer?: string, facts?: Partial<AccountFacts>): Promise<void>
  facts(id: string): Promise<AccountFacts>
  /** Returns the gate's code for a request that costs a token. */
  code(id: string): Promise<string | undefined>
  /** Sends an event as a webhook. */
  send(event: FakeObject): Promise<string>
  close(): Promise<void>
}

export async function makeBillingWorld(
  fake: FakeStripe,
  env: Record<string, string> = {},
): Promise<BillingWorld> {
  const data = mkdtempSync(join(tmpdir(), 'platbook-billing-'))
  const config = readConfig({
    PLATBOOK_DATA: data,
    PLATBOOK_STRIPE_KEY: FAKE_KEY,
    PLATBOOK_STRIPE_WEBHOOK_SECRET: FAKE_SECRET,
    PLATBOOK_STRIPE_API: fake.address,
    ...env,
  })
  await prepareData(config)
  const clock = { now: NOW }
  const accounts = await openAccounts(config, { now: () => clock.now })
  const alarms: string[] = []
  const billing = await assembleBilling(config, accounts, {
    now: () => clock.now,
    alarm: (text) => alarms.push(text),
  })
  const factsOf = async (id: string) => {
    const account = await accounts.admin.account(id)
    if (account === undefined) throw new Error(`no account ${id}`)
    return account.facts
  }
  return {
    data,
    accounts,
    billing,
    clock,
    alarms,
    async addAccount(id, customer, facts = {}) {
      await accounts.admin.createAccount({
        id,
        name: id,
        createdAt: clock.now,
        facts: { ...DEFAULT_FACTS, ...facts },
      })
      if (customer !== undefined) await billing.store.link(id, customer, clock.now)
    },
    facts: factsOf,
    async code(id) {
      const use = await accounts.reader.tokenUse(id)
      return gate(await factsOf(id), use, 1, clock.now)
    },
    send(event) {
      const { body, signature } = signEvent(event, FAKE_SECRET, clock.now)
      return billing.apply(billing.provider.readWebhook(Buffer.from(body), signature))
    },
    async close() {
      await accounts.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
