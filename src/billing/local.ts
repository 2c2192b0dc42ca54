/** The provider without a provider: facts are what the operator sets on the command line. */
import { BadWebhook, type Provider } from './provider.ts'

/**
 * The provider of a service without billing: it knows no customers and sends no events. Reporting
 * overage to it rejects.
 */
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
