/** Assembles provider, store and facts, for the billing process and for commands. */
import { applyProviderFacts } from '../accounts/account-facts.ts'
import { createBilledPeriods } from '../accounts/billed-periods.ts'
import { reconcile, reportOverage, type Unbilled } from '../billing/overage.ts'
import { type CustomerView, localProvider, type Provider } from '../billing/provider.ts'
import { createBillingSync, syncAll } from '../billing/sync.ts'
import { addNotice, makeNotice } from '../notify/notice.ts'
import type { Config } from '../settings/config.ts'
import type { OpenAccounts } from '../store/accounts/opened.ts'
import type { BillingLink } from '../store/billing-store.ts'

export type Billing = Awaited<ReturnType<typeof assembleBilling>>

type BillingWorld = {
  /** Epoch milliseconds. */
  now(): number
  alarm(text: string): void
}

export async function assembleBilling(
  config: Config,
  accounts: OpenAccounts,
  { now, alarm }: BillingWorld,
) {
  const { admin, billing: store } = accounts
  const plans = () => admin.plans()
  const provider = await openProvider(config, { plans, now })
  const periods = createBilledPeriods(accounts, now)
  const noteUnbilled = ({ part, ...data }: Unbilled) => {
    if (config.notifyUrl === null) return
    const key = `${data.account}/${data.period}/${part}`
    addNotice(config.data, makeNotice('overage_unbilled', key, data, now()))
  }
  const report = (link: BillingLink, view: CustomerView) =>
    reportOverage({ ...periods, store, provider, now, alarm, noteUnbilled }, link, view)
  const sync = createBillingSync({
    store,
    provider,
    now,
    live: config.stripeLive,
    report,
    alarm,
    async prepareFacts() {
      const known = await plans()
      return (facts, said, before) => applyProviderFacts(facts, { said, before }, now(), known)
    },
  })
  return {
    ...sync,
    provider,
    store,
    /** Reads the facts of these accounts, with at most a hundred requests per second. */
    syncAll: (links: readonly BillingLink[]) => syncAll(links, sync.sync),
    reconcile: (links: readonly BillingLink[]) => reconcile({ ...periods, provider, now }, links),
  }
}

/** A provider's package is only loaded when its key is set. */
async function openProvider(
  config: Config,
  context: { plans(): Promise<ReadonlyMap<string, string>>; now(): number },
): Promise<Provider> {
  const { stripeKey, stripeWebhookSecret, stripeApi, stripeLive } = config
  if (stripeKey === null) return localProvider
  const { createStripeProvider } = await import('../billing/stripe.ts')
  const settings = {
    key: stripeKey,
    webhookSecrets: stripeWebhookSecret ?? [],
    api: stripeApi,
    live: stripeLive,
  }
  return createStripeProvider(settings, context)
}
