/** Sign-in, sessions and one-time links. Only hashes of the browser's tokens are stored. */
import { hash, randomBytes } from 'node:crypto'
import type { ConsoleStore, Role } from '../../store/console-store.ts'
import { checkPassphrase } from './passphrase.ts'

const SESSION_MS = 12 * 3_600_000
const LINK_MS = 3_600_000
/** Most attempts to sign in within `TRIES_WINDOW_MS`, by name and by address. */
const TRIES_MAX = 5
const TRIES_WINDOW_MS = 60_000
/** Most names and addresses remembered. */
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

  /** Counts an attempt; returns whether it exceeds the limit. */
  function isTooMany(kind: string): boolean {
    const recent = (tries.get(kind) ?? []).filter((at) => now() - at < TRIES_WINDOW_MS)
    if (recent.length >= TRIES_MAX) return true
    if (tries.size >= TRIED_MAX) tries.clear()
    tries.set(kind, [...recent, now()])
    return false
  }

  return {
    async signIn(name, passphrase, address) {
      const kinds = [`name ${name}`, `address ${address}`]
      if (kinds.map(isTooMany).includes(true)) return { outcome: 'too-many' }
      const operator = store.operator(name)
      const kept = operator?.disabledAt === null ? operator : undefined
      const isRight = await checkPassphrase(passphrase, kept)
      if (!isRight || kept === undefined) return { outcome: 'refused' }
      for (const kind of kinds) tries.delete(kind)
      return { outcome: 'signed-in', token: open(kept.name, kept.role) }
    },
    enter: (token) =>
      store.takeLink(digest(token), now()) ? open(LINK_OPERATOR, 'admin') : undefined,
    find(token) {
      if (token === undefined || token.length > 100) return undefined
      const session = store.session(digest(token), now())
      if (session === undefined) return undefined
      return { operator: session.operator, role: session.role, csrf: csrfOf(token) }
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

function csrfOf(token: string): string {
  return hash('sha256', `csrf ${token}`, 'base64url')
}
