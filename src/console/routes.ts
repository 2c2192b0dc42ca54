/** The interface of the console's pages, and how they are added to the server. */
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Role } from '../store/console-store.ts'
import type { Html } from './show/html.ts'
import type { SignedIn } from './sign-in/sessions.ts'

/**
 * Returns the name of the session's cookie. Browsers send cookies to every port of a host, so
 * another console on the host needs another name.
 */
export function cookieName(host: string | undefined): string {
  const port = /:(\d+)$/.exec(host ?? '')?.[1]
  return port === undefined ? 'platbook_session' : `platbook_session_${port}`
}

/** The field of a form with a random name, by which a form that is sent twice is recognized. */
export const SENT_FORM = 'sent-form'

/** A request of a signed-in operator. */
export type PageRequest = {
  params: Record<string, string>
  query: URLSearchParams
  /** A form's fields; its CSRF token was checked. */
  form: URLSearchParams
  signedIn: SignedIn
  raw: FastifyRequest
}

/** A page of HTML. */
export type ShownPage = {
  title: string
  body: Html
  status?: number
  /** Assets that follow after the first paint: modules, and styles of what they draw. */
  late?: string[]
  styles?: string[]
  /** Fills the window; its heading is for screen readers only. */
  wide?: boolean
  /** Takes more of a large window than text does. */
  broad?: boolean
}

/** A page, a file, or a redirect. */
export type PageReply =
  | ShownPage
  /** A path of the console. */
  | { redirect: string }
  | { json: unknown; status?: number }
  | {
      bytes: string | Buffer | Readable
      type: string
      status?: number
      headers?: Record<string, string>
    }

/** Answers a request of the console. A thrown refusal becomes an error page. */
export type Page = (request: PageRequest) => Promise<PageReply>

/** `role`: the least role for a page; viewers see, operators change. */
export type Routes = {
  get(path: string, page: Page, role?: Role): void
  post(path: string, page: Page, role?: Role): void
}
