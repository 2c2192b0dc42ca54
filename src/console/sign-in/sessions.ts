/** Sign-in, sessions and one-time links. Only hashes of the browser's tokens are stored. */
import { hash, randomBytes } from 'node:crypto'
import type { ConsoleStore, Role } from '../../store/console-store.ts'
import { keepRecent } from '../../store/keep-recent.ts'
import { checkPassphrase } from './passphrase.ts'

const SESSION_MS = 12 * 3_600_000
const LINK_MS = 3_600_000
/**
 * Most attempts to sign in within `TRIES_WINDOW_MS`: as one operator from one address, and from one
 * address, behind which there may be several operators.
 */
const TRIES_MAX = 5
const TRIES_OF_ADDRESS_MAX = 60
const TRIES_WINDOW_MS = 60_000
/** Most entries remembered; the one that was used longest ago is dropped first. */
const TRIED_MAX = 10_000

/** Who signed in by the link that `start` prints. */
export const LINK_OPERATOR = 'start link'

/** The signed-in operator, the role, and the token that every change must carry. */
export type SignedIn = {
  operator: string
  role: Role
  /** Required with every change. */
  csrf: string
}

type SignInResult =
  | { outcome: 'signed-in'; token: string }
  | { outcome: 'refused' }
  | { outcome: 'too-many' }

/** Signs operators in and out, and identifies the sender of a request. */
export type Sessions = {
  signIn(name: string, passphrase: string, address: string): Promise<SignInResult>
  /** Uses up the token of a link; `undefined` when it was used or has expired. */
  enter(linkToken: string): string | undefined
  find(token: string | undefined): SignedIn | undefined
  end(token: string): void
}

export function createSessions(store: ConsoleStore, now: () => number): Sessions {
  const tries = new Map<string, number[]>()

  function open(operator: string, role: Role): string {
    const token = randomBytes(32).toString('base64url')
    store.putSession(digest(token), { operator, role, endsAt: now() + SESSION_MS })
    return token
  }

  const recent = (kind: string) =>
    (tries.get(kind) ?? []).filter((at) => now() - at < TRIES_WINDOW_MS)

  return {
    async signIn(name, passphrase, address) {
      const own = `${address} ${name}`
      const isTooMany =
        recent(own).length >= TRIES_MAX || recent(address).length >= TRIES_OF_ADDRESS_MAX
      if (isTooMany) return { outcome: 'too-many' }
      for (const kind of [own, address]) {
        keepRecent(tries, kind, [...recent(kind), now()], TRIED_MAX)
      }
      const operator = store.operator(name)
      const kept = operator?.disabledAt === null ? operator : undefined
      const isRight = await checkPassphrase(passphrase, kept)
      if (!isRight || kept === undefined) return { outcome: 'refused' }
      tries.delete(own)
      return { outcome: 'signed-in', token: open(kept.name, kept.role) }
    },
    enter: (token) =>
      store.takeLink(digest(token), now()) ? open(LINK_OPERATOR, 'admin') : undefined,
    find(token) {
      if (token === undefined || token.length > 100) return undefined
      const session = store.session(digest(token), now())
      if (session === undefined) return undefined
      const csrf = hash('sha256', `csrf ${token}`, 'base64url')
      return { operator: session.operator, role: session.role, csrf }
    },
    end: (token) => store.endSession(digest(token)),
  }
}

/** Creates a link token, valid for an hour, that signs in once as an admin. */
export function makeLinkToken(store: ConsoleStore, now: number): string {
  const token = randomBytes(24).toString('base64url')
  store.putLink(digest(token), now + LINK_MS)
  return token
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
