/** Signed links that show an account to its owner without signing in. */
import { createHmac, randomBytes } from 'node:crypto'
import type { ConsoleContext } from './context.ts'
import { isSameText } from './sign-in/guard.ts'

/** Validity of a link in milliseconds. */
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
