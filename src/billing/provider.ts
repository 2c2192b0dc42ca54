/**
 * What a billing provider is. `local` has none of it outside; `stripe` runs in the billing process
 * only.
 */
import type { FactTexts, OverageLine } from '../store/billing-store.ts'

/** What a provider says of a customer. */
export type CustomerView = {
  /** As the command line writes facts: `subscription` → `past_due`. */
  facts: FactTexts
  /** Why `billing` is `misconfigured`; null: it is not. */
  wrong: string | null
  /** The provider has no such customer, or only in the other mode. */
  isMissing?: boolean
  /** Renewal invoices that still take lines: ids, oldest first. */
  drafts: string[]
  /** What a token beyond the included ones costs; null: the price does not say. */
  overage: { unit: string; currency: string } | null
}

/** Something that happened at the provider: a hint to look again. */
export type ProviderEvent = {
  id: string
  type: string
  /** The customer it is about; null: none in particular. */
  customer: string | null
  version: string
  /** SHA-256 of the body, hex. */
  hash: string
  /** Epoch milliseconds, by the provider's clock. */
  created: number
  live: boolean
}

/** Tokens of one period on their way to an invoice. `key`: the same for the same line. */
export type OverageReport = OverageLine & { customer: string; key: string }

/** A line that stands at the provider. */
export type ReportedLine = { period: string; part: number; tokens: number; item: string }

export type Provider = {
  name: string
  /** What holds of a customer now. Throws `ProviderDown` when it cannot be told. */
  facts(customer: string): Promise<CustomerView>
  /** Events from a moment on (epoch milliseconds), oldest first. */
  events(since: number): Promise<ProviderEvent[]>
  /** Puts a line on an invoice, once for each key; gives its id. */
  report(line: OverageReport): Promise<string>
  /** The lines that stand on invoices of a customer. */
  reported(customer: string): Promise<ReportedLine[]>
  /** The address of a page where the customer pays, made for one visit. */
  portal(customer: string, returnUrl: string): Promise<string>
  /** Reads what the provider sent. Throws `BadWebhook` when it cannot have. */
  readWebhook(body: Buffer, signature: string): ProviderEvent
}

/** The provider cannot be asked, or refuses to answer. */
export class ProviderDown extends Error {
  /** Whether it is worth asking again: too many requests, a fault at the provider or on the way. */
  readonly isPassing: boolean
  constructor(text: string, options: { isPassing: boolean; cause?: unknown }) {
    super(text, { cause: options.cause })
    this.isPassing = options.isPassing
  }
}

/** What came as a webhook did not come from the provider. */
export class BadWebhook extends Error {}
