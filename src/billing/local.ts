/** The provider of a service without billing: the operator sets facts on the command line. */
import { BadWebhook, type Provider } from './provider.ts'

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
