/** Links from the console to an account's page at its billing provider. */
import type { AccountsData } from '../accounts/accounts-data.ts'
import { signBillingLink } from '../accounts/billing-link.ts'
import type { AccountFacts } from '../base/model/account.ts'
import { loadSecrets } from '../store/key-secret.ts'
import type { ConsoleContext } from './context.ts'

type Linked = { id: string; facts: AccountFacts }

/**
 * Returns where an account pays: a page set by the operator, or else a path below `own`. The path
 * creates a signed link when it is opened. null: neither exists.
 */
export async function findBilling(
  { config }: ConsoleContext,
  { billing }: Pick<AccountsData, 'billing'>,
  { id, facts }: Linked,
  own: string,
): Promise<string | null> {
  const named = facts.billingUrl ?? config.billingUrl
  if (named !== null) return named
  return (await billing.linkOfAccount(id)) === undefined ? null : own
}

/** Returns a link to the provider's page of the account, valid for 15 minutes. */
export function makeBillingLink({ config, service, now }: ConsoleContext, account: string): string {
  const base = config.publicUrl ?? service
  const secrets = loadSecrets(config.data, config.keySecret)
  return `${base}/billing?${signBillingLink(secrets, account, now()).query}`
}
