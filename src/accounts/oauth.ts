/** OAuth 2.1 for agents: sealed registrations and codes, which are stored nowhere. docs/mcp.md. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../base/errors.ts'
import type { KeySecrets } from '../store/key-secret.ts'
import { openSealed, seal } from './sealed.ts'

export const SCOPE = 'mcp'

/** How long a code can be redeemed, in milliseconds. */
const CODE_MS = 60_000
const NAME_MAX = 80
const REDIRECTS_MAX = 5
const REDIRECT_MAX = 500

type OAuthClient = { name: string; redirects: string[] }

/** What an authorization code holds. `key`: the account's new key. */
type Grant = { key: string; client: string; redirect: string; challenge: string; until: number }

/** Registers a client: its id is its sealed data. Throws *bad request* with a code of RFC 7591. */
export function registerClient(secrets: KeySecrets, asked: unknown) {
  const { redirect_uris: given, client_name: name } = (asked ?? {}) as Record<string, unknown>
  const redirects = Array.isArray(given) ? given.filter(isRedirect) : []
  if (!Array.isArray(given) || redirects.length !== given.length || redirects.length === 0) {
    throw refuse.badRequest('invalid_redirect_uri')
  }
  if (redirects.length > REDIRECTS_MAX) throw refuse.badRequest('invalid_client_metadata')
  const shown = (typeof name === 'string' ? name : '').replace(/[^\p{L}\p{N} ._-]/gu, '')
  const client: OAuthClient = { name: shown.slice(0, NAME_MAX) || 'An agent', redirects }
  return {
    client_id: seal(secrets, 'oauth client', client),
    client_name: client.name,
    redirect_uris: redirects,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPE,
  }
}

/** Returns the client of an id; `undefined` for one that this service did not give. */
export function readClient(secrets: KeySecrets, id: string): OAuthClient | undefined {
  return openSealed<OAuthClient>(secrets, 'oauth client', id)?.value
}

/**
 * Reports whether a client may be sent to an address: a registered one, or one of the user's own
 * machine with another port, which programs choose when they start (RFC 8252, 7.3).
 */
export function mayReturnTo({ redirects }: Pick<OAuthClient, 'redirects'>, asked: string): boolean {
  if (redirects.includes(asked)) return true
  if (!isRedirect(asked) || !isLocal(new URL(asked))) return false
  const free = withoutPort(asked)
  return redirects.some((one) => isLocal(new URL(one)) && withoutPort(one) === free)
}

function withoutPort(text: string): string {
  const url = new URL(text)
  url.port = ''
  return String(url)
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

/** Returns a code for a new key, valid for a minute. */
export function makeCode(secrets: KeySecrets, grant: Omit<Grant, 'until'>, now: number): string {
  return seal(secrets, 'oauth code', { ...grant, until: now + CODE_MS })
}

/**
 * Redeems a code for its key. Throws *bad request* `invalid_grant` for one that is not of this
 * client and address, has expired, or does not fit the verifier (RFC 7636, S256).
 */
export function redeemCode(secrets: KeySecrets, form: URLSearchParams, now: number): string {
  if (form.get('grant_type') !== 'authorization_code') {
    throw refuse.badRequest('unsupported_grant_type')
  }
  const grant = openSealed<Grant>(secrets, 'oauth code', form.get('code') ?? '')?.value
  const verifier = form.get('code_verifier') ?? ''
  const isGood =
    grant !== undefined &&
    grant.until > now &&
    grant.client === form.get('client_id') &&
    grant.redirect === form.get('redirect_uri') &&
    /^[\w.~-]{43,128}$/.test(verifier) &&
    isSame(grant.challenge, createHash('sha256').update(verifier).digest('base64url'))
  if (!isGood) throw refuse.badRequest('invalid_grant')
  return grant.key
}

/** HTTPS, or HTTP to the caller's own machine; without a fragment. */
function isRedirect(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > REDIRECT_MAX || !URL.canParse(text)) return false
  const url = new URL(text)
  const { protocol, hash, username, password } = url
  const isSafe = protocol === 'https:' || isLocal(url)
  // Browsers read backslashes and line breaks as another address than a person does.
  const isPlain = /^[a-z]+:\/\/[!-[\]-~]+$/i.test(text) && !text.includes('#')
  // The host becomes a part of a page's policy, whose signs a host may have: ; , ' *
  const isNamed = /^[a-z0-9.-]+$/.test(url.hostname) || isLocal(url)
  return isSafe && isPlain && isNamed && hash === '' && `${username}${password}` === ''
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
