/**
 * The console's HTTP server: what each request has to pass, and its routes. It runs in a process of
 * its own and serves nothing of the API; nothing of it is on the API's port.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CommandError, Refusal } from '../errors.ts'
import type { Role } from '../store/console-store.ts'
import { Assets, encodeAsset } from './assets.ts'
import type { ConsoleContext } from './context.ts'
import { addAccountPages } from './pages/accounts.ts'
import { addCoveragePages } from './pages/coverage.ts'
import { addImportPages } from './pages/imports.ts'
import { addMapPages } from './pages/map.ts'
import { addOperationPages } from './pages/operation.ts'
import { addOwnerPages } from './pages/owner-account.ts'
import { addOtherPages } from './pages/parcel-others.ts'
import { addPrivacyPages } from './pages/privacy.ts'
import { addSearchPages, parcelPath } from './pages/search.ts'
import { addSignInPages } from './pages/sign-in.ts'
import { COOKIE, type Page, type PageReply, type Routes } from './routes.ts'
import { html } from './show/html.ts'
import { showPage } from './show/layout.ts'
import {
  hasRole,
  isOwnHost,
  isOwnOrigin,
  isSameText,
  readCookie,
  SECURITY_HEADERS,
} from './sign-in/guard.ts'
import { createSessions, type SignedIn } from './sign-in/sessions.ts'

/** A form's largest body, bytes; uploads of rolls have a limit of their own. */
const BODY_MAX = 256 * 1024
type ConsoleServer = { fastify: FastifyInstance; assets: Assets }

/** Builds the server; it does not listen yet. */
export function buildConsole(context: ConsoleContext): ConsoleServer {
  const fastify = Fastify({ bodyLimit: BODY_MAX, forceCloseConnections: true })
  const assets = new Assets()
  const sessions = createSessions(context.store, context.now)
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  // A roll that is dropped on the page: its route reads the stream.
  fastify.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  )

  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS)
    if (!isOwnHost(request.headers.host, context.hosts)) {
      return refuse(
        reply,
        'The console is not reached by this name. Set PLATBOOK_CONSOLE_URL to it.',
      )
    }
    const isChange = request.method !== 'GET' && request.method !== 'HEAD'
    if (isChange && !isOwnOrigin(request.headers.origin, request.headers.host)) {
      return refuse(reply, 'This change does not come from a page of the console.')
    }
    return undefined
  })

  fastify.get('/assets/*', async (request, reply) => {
    const asset = assets.find(pathOf(request))
    if (asset === undefined) return reply.code(404).type('text/plain').send('not here\n')
    const { bytes, encoding } = await encodeAsset(asset, request.headers['accept-encoding'])
    if (encoding !== undefined) reply.header('content-encoding', encoding)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    reply.header('vary', 'accept-encoding')
    return reply.type(asset.type).send(bytes)
  })
  fastify.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  fastify.get('/healthz', (_request, reply) =>
    reply.type('application/json').send('{"status":"ok"}'),
  )

  addSignInPages(fastify, context, sessions, (reply, page) => send(reply, page, undefined))

  const routes: Routes = {
    get: (path, page, role = 'viewer') => {
      fastify.get(path, (request, reply) => serve(request, reply, page, role))
    },
    post: (path, page, role = 'operator') => {
      fastify.post(path, (request, reply) => serve(request, reply, page, role))
    },
  }
  addMapPages(routes, context)
  addSearchPages(routes, context)
  addOtherPages(routes, context, parcelPath)
  addCoveragePages(routes, context)
  addAccountPages(routes, context)
  addImportPages(routes, context)
  addOperationPages(routes, context)
  addPrivacyPages(routes, context)
  addOwnerPages(fastify, context, (reply, page) => send(reply, page, undefined))
  fastify.setNotFoundHandler((request, reply) =>
    serve(request, reply, async () => NOT_FOUND, 'viewer'),
  )
  fastify.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500
    if (status >= 500) context.report(`console: ${request.method} ${pathOf(request)}: ${error}`)
    const text = status >= 500 ? 'Something went wrong here. The log says what.' : String(error)
    return reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`)
  })

  async function serve(request: FastifyRequest, reply: FastifyReply, page: Page, role: Role) {
    const signedIn = sessions.find(readCookie(request.headers.cookie, COOKIE))
    if (signedIn === undefined) return askToSignIn(request, reply)
    if (!hasRole(signedIn.role, role)) {
      const body = html`<p>This needs the role ${role}; you are signed in as ${signedIn.operator}
        with the role ${signedIn.role}. An admin can give you another one.</p>`
      return send(reply, { title: 'Not for your role', body, status: 403 }, signedIn)
    }
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    if (request.method === 'POST') {
      const given = form.get('csrf') ?? (request.headers['x-csrf-token'] as string | undefined)
      if (!isSameText(given ?? undefined, signedIn.csrf)) {
        return refuse(
          reply,
          'This page is from an earlier session. Load it again and repeat the change.',
        )
      }
    }
    const params = request.params as Record<string, string>
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    try {
      return send(reply, await page({ params, query, form, signedIn, raw: request }), signedIn)
    } catch (error) {
      const told = explain(error)
      if (told === undefined) throw error
      if (wantsJson(request))
        return send(reply, { json: { error: told.text }, status: told.status }, signedIn)
      const body = html`<p class="error" role="alert">${told.text}</p>
        <p><a href="${request.headers.referer ?? '/'}">Back</a></p>`
      return send(reply, { title: 'That did not work', body, status: told.status }, signedIn)
    }
  }

  function send(reply: FastifyReply, page: PageReply, signedIn: SignedIn | undefined) {
    reply.header('cache-control', 'no-store')
    if ('redirect' in page) return reply.redirect(page.redirect, 303)
    if ('json' in page) {
      return reply
        .code(page.status ?? 200)
        .type('application/json')
        .send(JSON.stringify(page.json))
    }
    if ('bytes' in page) {
      return reply
        .code(page.status ?? 200)
        .headers(page.headers ?? {})
        .type(page.type)
        .send(page.bytes)
    }
    const text = showPage({ ...page, assets, signedIn }).text
    return reply
      .code(page.status ?? 200)
      .type('text/html; charset=utf-8')
      .send(text)
  }

  return { fastify, assets }
}

const NOT_FOUND: PageReply = {
  title: 'There is nothing here',
  body: html`<p>No page has this address. The search finds parcels; the menu leads to the
  rest.</p>`,
  status: 404,
}

/** What a person can understand of an error; `undefined`: a defect. */
function explain(error: unknown): { text: string; status: number } | undefined {
  if (error instanceof CommandError) return { text: sentence(error.message), status: 400 }
  if (!(error instanceof Refusal)) return undefined
  const status = { 'bad-request': 400, 'not-found': 404, unavailable: 503 }[error.kind as string]
  return { text: sentence(error.message), status: status ?? 400 }
}

function sentence(text: string): string {
  // A sentence may begin with the name of a fact, such as unpaidInvoices.
  const isWord = /^[a-z]+(?![A-Za-z_])/.test(text)
  const first = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?]$/.test(first) ? first : `${first}.`
}

function wantsJson(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('application/json')
}

function askToSignIn(request: FastifyRequest, reply: FastifyReply) {
  if (wantsJson(request) || request.method !== 'GET') {
    return reply.code(401).type('application/json').send('{"error":"Sign in again."}')
  }
  return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
}

function refuse(reply: FastifyReply, text: string) {
  return reply.code(403).type('text/plain; charset=utf-8').send(`${text}\n`)
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}
