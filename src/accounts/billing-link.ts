/** Signed, short-lived links to the billing provider's page of an account. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { KeySecrets } from '../store/key-secret.ts'

const LINK_S = 900

/** A link's query, and its end in epoch milliseconds. */
type BillingLinkQuery = { query: string; until: number }

/** Returns `account=…&token=…`, valid for 15 minutes. `now`: epoch milliseconds. */
export function signBillingLink(
  secrets: KeySecrets,
  account: string,
  now: number,
): BillingLinkQuery {
  const [newest] = secrets
  if (newest === undefined) throw new Error('there is no server secret')
  const until = Math.floor(now / 1000) + LINK_S
  const token = `${until}.${signOf(newest.value, account, until)}`
  return { query: String(new URLSearchParams({ account, token })), until: until * 1000 }
}

/** Returns the account of a link; `undefined` for a wrong signature or an expired one. */
export function readBillingLink(
  secrets: KeySecrets,
  query: URLSearchParams,
  now: number,
): string | undefined {
  const account = query.get('account') ?? ''
  const [, seconds, sign] = /^(\d{10,12})\.([\w-]{43})$/.exec(query.get('token') ?? '') ?? []
  if (seconds === undefined || sign === undefined) return undefined
  const until = Number(seconds)
  if (until * 1000 < now || until * 1000 > now + LINK_S * 1000) return undefined
  const given = Buffer.from(sign)
  const isGood = secrets.some(({ value }) =>
    timingSafeEqual(given, Buffer.from(signOf(value, account, until))),
  )
  return isGood ? account : undefined
}

function signOf(secret: Uint8Array, account: string, until: number): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'platbook billing link', 32))
  return createHmac('sha256', key).update(`${account}\n${until}`).digest('base64url')
}
