/**
 * The console's HTTP server: the checks of each request, and its routes. It runs in its own process
 * and serves no API; the API's port serves no console.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Role } from '../store/console-store.ts'
import { Assets, encodeAsset } from './assets.ts'
import type { ConsoleContext } from './context.ts'
import { explainFault } from './faults.ts'
import { addAccountPages } from './pages/accounts.ts'
import { addAdminPages } from './pages/admin.ts'
import { addCoveragePages } from './pages/coverage.ts'
import { addImportPages } from './pages/imports.ts'
import { addMapPages } from './pages/map.ts'
import { addOperationPages } from './pages/operation.ts'
import { addOwnerPages } from './pages/owner-account.ts'
import { addOtherPages } from './pages/parcel-others.ts'
import { addPrivacyPages } from './pages/privacy.ts'
import { addSearchPages, askForParcel, parcelPath } from './pages/search.ts'
import { addSignInPages, askAgain } from './pages/sign-in.ts'
import { createSend, pathOf, pathOfReferer, sayNo, wantsJson } from './replies.ts'
import { cookieName, type Page, type PageReply, type Routes } from './routes.ts'
import { html } from './show/html.ts'
import {
  hasRole,
  isOwnHost,
  isOwnOrigin,
  isSameText,
  readCookie,
  SECURITY_HEADERS,
} from './sign-in/guard.ts'
import { keepChange, offerAgain, offerCorrection } from './sign-in/send-again.ts'
import { createSessions } from './sign-in/sessions.ts'

/** Largest body of a form in bytes; uploads of rolls have their own limit. */
const BODY_MAX = 256 * 1024
type ConsoleServer = { fastify: FastifyInstance; assets: Assets }

/** Builds the server; it does not listen yet. */
export function buildConsole(context: ConsoleContext): ConsoleServer {
  const fastify = Fastify({ bodyLimit: BODY_MAX, forceCloseConnections: true })
  const assets = new Assets()
  const sessions = createSessions(context.store, context.now)
  const send = createSend(assets)
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  // The route of a dropped roll reads the stream.
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
      return refuse(
        reply,
        'This change does not come from a page of the console. ' +
          'A proxy before it has to pass the Host header on.',
      )
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

  addSignInPages(fastify, context, sessions, send)

  const routes: Routes = {
    get: (path, page, role = 'viewer') => {
      fastify.get(path, (request, reply) => serve(request, reply, page, role))
    },
    post: (path, page, role = 'operator') => {
      fastify.post(path, (request, reply) => serve(request, reply, page, role))
    },
  }
  // A page that is still open after a new sign-in gets the new token here.
  routes.get('/session.json', async ({ signedIn: { csrf } }) => ({ json: { csrf } }))
  addMapPages(routes, context)
  addSearchPages(routes, context)
  addOtherPages(routes, context, parcelPath, askForParcel)
  addCoveragePages(routes, context)
  addAccountPages(routes, context)
  addImportPages(routes, context)
  addOperationPages(routes, context)
  addPrivacyPages(routes, context)
  addAdminPages(routes, context)
  addOwnerPages(fastify, context, (reply, page) => send(reply, page, undefined))
  fastify.setNotFoundHandler((request, reply) =>
    serve(request, reply, async () => NOT_FOUND, 'viewer'),
  )
  fastify.setErrorHandler((error, request, reply) => {
    const told = explainFault(error) ?? explainRequest(error)
    if (told === undefined || told.status >= 500) {
      context.report(`console: ${request.method} ${pathOf(request)}: ${error}`)
    }
    const { text, status } = told ?? DEFECT
    return send(reply, sayNo(request, { title: 'That did not work', text, status }), undefined)
  })

  async function serve(request: FastifyRequest, reply: FastifyReply, page: Page, role: Role) {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const signedIn = sessions.find(
      readCookie(request.headers.cookie, cookieName(request.headers.host)),
    )
    if (signedIn === undefined) return askToSignIn(request, reply, form)
    const no = (title: string, text: string) =>
      send(reply, sayNo(request, { title, text, status: 403 }), signedIn)
    if (!hasRole(signedIn.role, role)) {
      const { operator, role: own } = signedIn
      return no(
        'Not for your role',
        `This needs the role ${role}; ${operator} has the role ${own}. An admin can give another.`,
      )
    }
    if (request.method === 'POST') {
      const given = form.get('csrf') ?? (request.headers['x-csrf-token'] as string | undefined)
      if (!isSameText(given ?? undefined, signedIn.csrf)) {
        if (wantsJson(request)) {
          return send(reply, { json: { error: STALE, stale: true }, status: 403 }, signedIn)
        }
        const kept = keepChange(pathOf(request), form)
        return send(reply, offerAgain(kept, signedIn.csrf, 403), signedIn)
      }
    }
    const params = request.params as Record<string, string>
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    try {
      return send(reply, await page({ params, query, form, signedIn, raw: request }), signedIn)
    } catch (error) {
      const told = explainFault(error, request.method === 'GET')
      if (told === undefined || told.status >= 500) {
        context.report(`console: ${request.method} ${pathOf(request)}: ${error}`)
      }
      const { text, status } = told ?? DEFECT
      const kept = keepChange(pathOf(request), form)
      if (kept.form !== '' && !wantsJson(request)) {
        return send(reply, offerCorrection(kept, signedIn.csrf, { text, status }), signedIn)
      }
      const title = status === 404 ? 'Not found' : 'That did not work'
      return send(reply, sayNo(request, { title, text, status }), signedIn)
    }
  }

  /** Keeps a submitted form on the sign-in page. */
  function askToSignIn(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams) {
    if (wantsJson(request)) {
      return send(reply, { json: { error: ENDED, signIn: true }, status: 401 }, undefined)
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
    }
    const kept = keepChange(pathOf(request), form)
    return send(reply, askAgain(kept, pathOfReferer(request)), undefined)
  }

  return { fastify, assets }
}

const ENDED = 'Your session has ended, so nothing was changed.'
const STALE = 'This page is from an earlier session. Load it again and repeat the change.'
const DEFECT = {
  text:
    'A defect of the console: this could not be answered. Its log, on standard error of the ' +
    'service, says why. The service itself goes on.',
  status: 500,
}

const NOT_FOUND: PageReply = {
  title: 'There is nothing here',
  body: html`<p>No page has this address. The search finds parcels; the menu leads to the
  rest.</p>`,
  status: 404,
}

/** Explains Fastify's refusals: a body that is too large, or of another type. */
function explainRequest(error: unknown): { text: string; status: number } | undefined {
  const { statusCode: status = 500 } = error as { statusCode?: number }
  if (status >= 500) return undefined
  const text =
    status === 413
      ? 'What was sent is larger than the console takes.'
      : 'The console does not take a request of this kind.'
  return { text, status }
}

function refuse(reply: FastifyReply, text: string) {
  return reply.code(403).type('text/plain; charset=utf-8').send(`${text}\n`)
}
