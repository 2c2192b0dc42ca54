/** Signed links that show an account to its owner without signing in. */
import { createHmac } from 'node:crypto'
import type { ConsoleContext } from './context.ts'
import { isSameText } from './sign-in/guard.ts'

/** Validity of a link in milliseconds. */
const LINK_MS = 30 * 86_400_000

type Signer = Pick<ConsoleContext, 'store' | 'now'>

/** Returns `/account?account=…&until=…&sign=…`, valid for 30 days. */
export function signAccountLink(signer: Signer, account: string): string {
  const until = String(signer.now() + LINK_MS)
  const sign = signOf(signer, account, until)
  return `/account?${new URLSearchParams({ account, until, sign })}`
}

/** Returns the account of a link; `undefined` when its signature is wrong or it has expired. */
export function readAccountLink(signer: Signer, query: URLSearchParams): string | undefined {
  const [account, until] = [query.get('account') ?? '', query.get('until') ?? '']
  const isGood = isSameText(query.get('sign') ?? '', signOf(signer, account, until))
  return isGood && Number(until) > signer.now() ? account : undefined
}

function signOf({ store }: Signer, account: string, until: string): string {
  return createHmac('sha256', store.secret())
    .update(`account ${account} ${until}`)
    .digest('base64url')
}
