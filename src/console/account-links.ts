/** Links to the pages of an account: signed ones for its owner, and its billing provider's. */
import { createHmac, randomBytes } from 'node:crypto'
import type { AccountsData } from '../accounts/accounts-data.ts'
import { signBillingLink } from '../accounts/billing-link.ts'
import type { AccountFacts } from '../base/model/account.ts'
import { loadSecrets } from '../store/key-secret.ts'
import type { ConsoleContext } from './context.ts'
import { isSameText } from './sign-in/guard.ts'

const LINK_MS = 30 * 86_400_000

type Signer = Pick<ConsoleContext, 'store' | 'now'>

/** Makes a link to `/account`, valid for 30 days or until an operator ends it. */
export function makeAccountLink(signer: Signer, account: string, operator: string): string {
  const [madeAt, link] = [signer.now(), randomBytes(9).toString('base64url')]
  const endsAt = madeAt + LINK_MS
  signer.store.putOwnerLink({ id: link, accountId: account, operator, madeAt, endsAt })
  const until = String(endsAt)
  const sign = signOf(signer, account, until, link)
  return `/account?${new URLSearchParams({ account, until, link, sign })}`
}

/** Returns the account of a link; `undefined` when its signature is wrong or it has ended. */
export function readAccountLink(signer: Signer, query: URLSearchParams): string | undefined {
  const [account = '', until = '', link = '', sign = ''] = NAMES.map(
    (name) => query.get(name) ?? '',
  )
  if (!isSameText(sign, signOf(signer, account, until, link))) return undefined
  const links = signer.store.ownerLinks(account, signer.now())
  return links.some(({ id }) => id === link) ? account : undefined
}

const NAMES = ['account', 'until', 'link', 'sign']

function signOf({ store }: Signer, account: string, until: string, link: string): string {
  return createHmac('sha256', store.secret())
    .update(`account ${account} ${until} ${link}`)
    .digest('base64url')
}

type Linked = { id: string; facts: AccountFacts }

/** Returns where an account pays: the operator's page, or a path below `own`; null: neither. */
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
