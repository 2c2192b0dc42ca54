/** Sign-in, sign-out, and the one-time link of `start`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS } from '../../base/errors.ts'
import { readNetworks } from '../../base/network/networks.ts'
import { addressGroup } from '../../http/load/address-shares.ts'
import type { ConsoleContext } from '../context.ts'
import type { Send } from '../replies.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { cookieName, isSameText, readCookie } from '../sign-in/guard.ts'
import { type KeptChange, offerAgain, readKept, showKept } from '../sign-in/send-again.ts'
import type { Sessions } from '../sign-in/sessions.ts'

const SESSION_SECONDS = 12 * 3600

export function addSignInPages(
  fastify: FastifyInstance,
  { config, store }: ConsoleContext,
  sessions: Sessions,
  sendPage: Send,
): void {
  const send = (reply: FastifyReply, page: PageReply) => sendPage(reply, page, undefined)
  const trusted = readNetworks(config.trustProxy)
  const addressOf = ({ raw }: FastifyRequest) => addressGroup(raw, trusted)
  const setCookie = writeCookies(config.consoleUrl)

  fastify.get('/sign-in', async (request, reply) => {
    const next = safePath(new URLSearchParams(request.url.split('?')[1] ?? '').get('next'))
    const hasOperators = store.operators().some(({ disabledAt }) => disabledAt === null)
    return send(reply, { title: 'Sign in', body: showForm({ next, hasOperators }) })
  })

  fastify.post('/sign-in', async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const next = safePath(form.get('next'))
    const [name, passphrase] = [form.get('name') ?? '', form.get('passphrase') ?? '']
    const kept = readKept(form, isPath)
    const result = await sessions.signIn(name.slice(0, 100), passphrase, addressOf(request))
    if (result.outcome !== 'signed-in') {
      const [status, error] = result.outcome === 'too-many' ? TOO_MANY : WRONG
      return send(reply, { title: 'Sign in', body: showForm({ next, kept, error, name }), status })
    }
    setCookie(reply, result.token, SESSION_SECONDS)
    const signedIn = sessions.find(result.token)
    if (kept !== undefined && signedIn !== undefined) {
      return sendPage(reply, offerAgain(kept, signedIn.csrf, 200), signedIn)
    }
    return reply.redirect(next, 303)
  })

  // A HEAD request, such as that of a preview in a chat, must not use the link up.
  fastify.get('/enter', { exposeHeadRoute: false }, async (request, reply) => {
    const token = new URLSearchParams(request.url.split('?')[1] ?? '').get('token') ?? ''
    const session = sessions.enter(token)
    if (session !== undefined) {
      setCookie(reply, session, SESSION_SECONDS)
      return reply.redirect('/', 303)
    }
    // A person who is signed in may follow a used link.
    if (sessions.find(readSession(request))) return reply.redirect('/', 303)
    return send(reply, USED_UP)
  })

  fastify.post('/sign-out', async (request, reply) => {
    const token = readSession(request)
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const signedIn = sessions.find(token)
    if (token !== undefined && isSameText(form.get('csrf') ?? undefined, signedIn?.csrf ?? '-')) {
      sessions.end(token)
      setCookie(reply, '', 0)
    }
    return reply.redirect('/sign-in', 303)
  })
}

function readSession({ headers }: FastifyRequest): string | undefined {
  return readCookie(headers.cookie, cookieName(headers.host))
}

/** Returns what sets the session's cookie. A console with an HTTPS address keeps it to HTTPS. */
function writeCookies(consoleUrl: string | null) {
  const secure = consoleUrl?.startsWith('https:') === true ? '; Secure' : ''
  return (reply: FastifyReply, value: string, seconds: number) =>
    reply.header(
      'set-cookie',
      `${cookieName(reply.request.headers.host)}=${value}; Path=/; HttpOnly; SameSite=Strict; ` +
        `Max-Age=${seconds}${secure}`,
    )
}

const TOO_MANY = [
  STATUS.tooMany,
  'Five wrong passphrases within a minute. Wait a minute, then try again.',
] as const

const WRONG = [STATUS.forbidden, 'Name or passphrase is wrong.'] as const

const USED_UP: PageReply = {
  title: 'The link is used up',
  body: html`<p>This link was used already, or is older than an hour.</p>
<p>Start Platbook again for a new one, or make an operator and <a href="/sign-in">sign in</a>:</p>
<pre>platbook operator create NAME --role admin</pre>`,
  status: STATUS.forbidden,
}

/** Shows the sign-in page after a change whose session had ended, and keeps the form. */
export function askAgain(kept: KeptChange, next: string): PageReply {
  const sentence =
    'Your session has ended, so nothing was changed. What you filled in is kept: sign in'
  const error = `${sentence}, and you can send it again.`
  return { title: 'Sign in', body: showForm({ next, kept, error }), status: STATUS.unauthenticated }
}

type SignInForm = {
  /** Where to go after signing in. */
  next: string
  hasOperators?: boolean
  kept?: KeptChange | undefined
  error?: string
  name?: string
}

function showForm({ next, hasOperators = true, kept, error, name = '' }: SignInForm): Html {
  const hint = html`<p class="note">There is no operator yet. Make one on the machine that runs
  Platbook:</p>
    <pre>platbook operator create NAME --role admin</pre>`
  return html`<form method="post" action="/sign-in" class="card narrow">
<input type="hidden" name="next" value="${next}">
${kept !== undefined && showKept(kept)}
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
<label>Name <input name="name" autocomplete="username" required maxlength="100" value="${name}"
autofocus></label>
<label>Passphrase <input name="passphrase" type="password" autocomplete="current-password" required
maxlength="1000"></label>
<button>Sign in</button>
</form>
${!hasOperators && hint}`
}

/** Returns a path of this console; anything else would lead to another site. */
function safePath(next: string | null): string {
  return next !== null && isPath(next) ? next : '/'
}

function isPath(text: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(text)
}
