/** Serves a page: session, role, token of a form, and what went wrong. */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { STATUS } from '../base/errors.ts'
import { nameInFolder } from '../base/hide-secrets.ts'
import type { Role } from '../store/console-store.ts'
import type { ConsoleContext, Page } from './context.ts'
import { explainFault, type Fault } from './faults.ts'
import { askAgain } from './pages/sign-in.ts'
import { pathOf, pathOfReferer, type Send, sayNo, wantsJson } from './replies.ts'
import { type PageReply, SENT_FORM } from './show/html.ts'
import { cookieName, hasRole, isSameText, readCookie } from './sign-in/guard.ts'
import { keepChange, offerAgain, offerCorrection } from './sign-in/send-again.ts'
import type { Sessions, SignedIn } from './sign-in/sessions.ts'

export type ServePage = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  role: Role,
) => Promise<FastifyReply>

/** Returns the form of a request; empty for another body or none. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** Returns the function that serves pages to signed-in operators. */
export function createPageServer(context: ConsoleContext, sessions: Sessions, send: Send) {
  const once = createOnce()
  const serve: ServePage = async (request, reply, page, role) => {
    const form = formOf(request)
    const signedIn = sessions.find(
      readCookie(request.headers.cookie, cookieName(request.headers.host)),
    )
    if (signedIn === undefined) return askToSignIn(request, reply, form)
    if (!hasRole(signedIn.role, role)) {
      const { operator, role: own } = signedIn
      const text =
        `This needs the role ${role}; ${operator} has the role ${own}. ` +
        'An admin can give another.'
      return send(
        reply,
        sayNo(request, { title: 'Not for your role', text, status: STATUS.forbidden }),
        signedIn,
      )
    }
    if (request.method === 'POST' && !hasToken(request, form, signedIn)) {
      if (wantsJson(request)) {
        return send(
          reply,
          { json: { error: STALE, stale: true }, status: STATUS.forbidden },
          signedIn,
        )
      }
      const kept = keepChange(pathOf(request), form)
      return send(reply, offerAgain(kept, signedIn.csrf, STATUS.forbidden), signedIn)
    }
    const params = request.params as Record<string, string>
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    try {
      const csrf = hasRole(signedIn.role, 'operator') ? signedIn.csrf : undefined
      const run = () => page({ params, query, form, signedIn, csrf, raw: request })
      const isForm = request.method === 'POST' && form.has(SENT_FORM) && !wantsJson(request)
      const sentTo = `${signedIn.csrf} ${request.url} ${form}`
      return send(reply, await (isForm ? once(sentTo, run) : run()), signedIn)
    } catch (error) {
      const found = explainFault(error, request.method === 'GET')
      const said = explain(context, request, found, error)
      const kept = keepChange(pathOf(request), form)
      if (kept.form !== '' && !wantsJson(request)) {
        return send(reply, offerCorrection(kept, signedIn.csrf, said), signedIn)
      }
      const title = said.status === STATUS.notFound ? 'Not found' : 'That did not work'
      return send(reply, sayNo(request, { title, ...said }), signedIn)
    }
  }

  /** Keeps a submitted form on the sign-in page. */
  function askToSignIn(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams) {
    if (wantsJson(request)) {
      return send(
        reply,
        { json: { error: ENDED, signIn: true }, status: STATUS.unauthenticated },
        undefined,
      )
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
    }
    const kept = keepChange(pathOf(request), form)
    return send(reply, askAgain(kept, pathOfReferer(request)), undefined)
  }

  return serve
}

/** How long an answer is kept: it may show a key, and a form of a page that was left is meant. */
const SENT_MS = 10_000

/** Carries out a form sent twice within seconds once, unless it failed: both get one answer. */
export function createOnce() {
  const sent = new Map<string, Promise<PageReply>>()
  return (sentTo: string, run: () => Promise<PageReply>): Promise<PageReply> => {
    const key = hash('sha256', sentTo)
    const known = sent.get(key)
    if (known !== undefined) return known
    const answer = run()
    sent.set(key, answer)
    const forget = () => sent.delete(key)
    answer.then(() => setTimeout(forget, SENT_MS).unref(), forget)
    return answer
  }
}

/** Reports whether a change has the token of the session, which only a page of it knows. */
function hasToken(request: FastifyRequest, form: URLSearchParams, { csrf }: SignedIn): boolean {
  const given = form.get('csrf') ?? (request.headers['x-csrf-token'] as string | undefined)
  return isSameText(given ?? undefined, csrf)
}

/** Returns what a page says of an error, and reports defects. `found`: the explanation, if any. */
export function explain(
  context: ConsoleContext,
  request: FastifyRequest,
  found: Fault | undefined,
  error: unknown,
): Fault {
  if (found === undefined || found.status >= STATUS.failed) {
    context.report(`console: ${request.method} ${pathOf(request)}: ${error}`)
  }
  return found === undefined
    ? DEFECT
    : { ...found, text: nameInFolder(found.text, context.config.data) }
}

const ENDED = 'Your session has ended, so nothing was changed.'
const STALE = 'This page is from an earlier session. Load it again and repeat the change.'
const DEFECT = {
  text:
    'A defect of the console: this could not be answered. Its log, on standard error of the ' +
    'service, says why. The service keeps running.',
  status: STATUS.failed,
}
