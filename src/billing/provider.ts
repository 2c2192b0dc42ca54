/** A billing provider: `local` without a service, or `stripe`, in the billing process alone. */
import type { BillingEvent, FactTexts, OverageLine } from '../store/billing-store.ts'

export type CustomerView = {
  /** In the command line's notation: `subscription` → `past_due`. */
  facts: FactTexts
  /** Why `billing` is `misconfigured`; null when it is not. */
  wrong: string | null
  /** The provider has no such customer, no longer, or only in the other mode. */
  isMissing?: boolean
  /** Ids of renewal invoices that accept lines, oldest first. */
  drafts: string[]
  /** Price of a token beyond the included ones; null when the price does not define it. */
  overage: { unit: string; currency: string } | null
}

/** An event at the provider, which only hints that something changed. */
export type ProviderEvent = Omit<BillingEvent, 'appliedAt'> & {
  live: boolean
  /** It names a customer by what is no id. */
  isUnreadable: boolean
}

/** Tokens of one period to be invoiced. `key`: constant for the same line. */
export type OverageReport = OverageLine & { customer: string; key: string }

export type ReportedLine = { period: string; part: number; tokens: number; item: string }

export type Provider = {
  name: string
  /** Returns the customer's present facts. Throws `ProviderDown` without an answer. */
  facts(customer: string): Promise<CustomerView>
  /** Returns events since a time (epoch milliseconds), oldest first. */
  events(since: number): Promise<ProviderEvent[]>
  /** Adds a line to an invoice, once per key, and returns its id. */
  report(line: OverageReport): Promise<string>
  reported(customer: string): Promise<ReportedLine[]>
  /** Returns the address of a payment page for one visit. */
  portal(customer: string, returnUrl: string): Promise<string>
  /** Parses a webhook. Throws `BadWebhook` unless the provider has sent it. */
  readWebhook(body: Buffer, signature: string): ProviderEvent
}

/** The provider is unreachable, or refuses to answer. */
export class ProviderDown extends Error {
  /** Whether a retry may succeed: too many requests, or a fault of the provider or the network. */
  readonly isPassing: boolean
  /** Whether it only refuses this request, so that those of other customers may succeed. */
  readonly isOfOne: boolean
  constructor(text: string, options: { isPassing: boolean; isOfOne?: boolean; cause?: unknown }) {
    super(text, { cause: options.cause })
    this.isPassing = options.isPassing
    this.isOfOne = options.isOfOne ?? false
  }
}

export class BadWebhook extends Error {}

/** Has no customers and no events. Reporting overage to it rejects. */
export const localProvider: Provider = {
  name: 'local',
  facts: async () => ({ facts: {}, wrong: null, drafts: [], overage: null }),
  events: async () => [],
  async report() {
    throw new Error('the local provider has no invoices')
  },
  reported: async () => [],
  portal: async (_customer, returnUrl) => returnUrl,
  readWebhook() {
    throw new BadWebhook('no billing provider is set')
  },
}
