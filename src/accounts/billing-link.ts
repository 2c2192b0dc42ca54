/** Sealed, short-lived links to the billing provider's page of an account. */
import type { KeySecrets } from '../store/key-secret.ts'
import { openSealed, seal } from './sealed.ts'

const PURPOSE = 'billing link'
const LINK_MS = 900_000

/** A link's query, and its end in epoch milliseconds. */
type BillingLinkQuery = { query: string; until: number }

/** Returns `account=…&token=…`, valid for 15 minutes. `now`: epoch milliseconds. */
export function signBillingLink(
  secrets: KeySecrets,
  account: string,
  now: number,
): BillingLinkQuery {
  const until = now + LINK_MS
  const token = seal(secrets, PURPOSE, { account, until })
  return { query: String(new URLSearchParams({ account, token })), until }
}

/** Returns the account of a link; `undefined` for one that is forged, changed or expired. */
export function readBillingLink(
  secrets: KeySecrets,
  query: URLSearchParams,
  now: number,
): string | undefined {
  type Link = { account: string; until: number }
  const link = openSealed<Link>(secrets, PURPOSE, query.get('token') ?? '')?.value
  if (link === undefined || link.account !== query.get('account')) return undefined
  return link.until >= now && link.until <= now + LINK_MS ? link.account : undefined
}
