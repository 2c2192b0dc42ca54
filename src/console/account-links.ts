/** Links with which an account's owner sees the account without signing in. */
import { createHmac } from 'node:crypto'
import type { ConsoleContext } from './context.ts'
import { isSameText } from './sign-in/guard.ts'

/** How long a link is good. */
const LINK_MS = 30 * 86_400_000

type Signer = Pick<ConsoleContext, 'store' | 'now'>

/** `/account?account=…&until=…&sign=…`, good for 30 days. */
export function signAccountLink(signer: Signer, account: string): string {
  const until = String(signer.now() + LINK_MS)
  const sign = signOf(signer, account, until)
  return `/account?${new URLSearchParams({ account, until, sign })}`
}

/** The account of a link; `undefined`: it was not signed here, or is too old. */
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
