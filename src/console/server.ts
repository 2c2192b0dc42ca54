/** The console's server, in a process of its own: the checks of each request, and its routes. */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { STATUS } from '../base/errors.ts'
import { findRepeated } from '../http/check-head.ts'
import { WITHOUT_SCHEMAS } from '../http/framework.ts'
import { hasBody } from '../http/load/connection.ts'
import type { Role } from '../store/console-store.ts'
import { Assets, encodeAsset } from './assets.ts'
import type { ConsoleContext, Routes } from './context.ts'
import { addAppealPage } from './fairness/appeal.ts'
import { addFairnessPages } from './fairness/fairness.ts'
import { explainFault } from './faults.ts'
import { addBasemapRoutes, ownMapOf } from './map/basemap.ts'
import { addMapData } from './map/data.ts'
import { addSelectionPages } from './map/selection.ts'
import { addAccountPages } from './pages/accounts.ts'
import { addAdminPages } from './pages/admin.ts'
import { addConsentPages } from './pages/consent.ts'
import { addCoveragePages } from './pages/coverage.ts'
import { addMapPages } from './pages/map.ts'
import { addJobPages, addOperationPages } from './pages/operation.ts'
import { addOwnerPages } from './pages/owner-account.ts'
import { addHistoryPage } from './pages/parcel-history.ts'
import { addOtherPages } from './pages/parcel-others.ts'
import { addPrivacyPages } from './pages/privacy.ts'
import { addExportPages } from './pages/rolls/exports.ts'
import { addImportPages } from './pages/rolls/imports.ts'
import { addSourcePages } from './pages/rolls/sources.ts'
import { addUndoPages } from './pages/rolls/undo.ts'
import { addSearchPages } from './pages/search.ts'
import { addSignInPages } from './pages/sign-in.ts'
import { addSummaryPages } from './pages/summary.ts'
import { createSend, pathOf, sayNo } from './replies.ts'
import { createPageServer, explain, type ServePage } from './serve-page.ts'
import { html, type PageReply } from './show/html.ts'
import { isOwnHost, isOwnOrigin, securityHeaders } from './sign-in/guard.ts'
import { createSessions } from './sign-in/sessions.ts'

/** Largest body of a form in bytes; uploads of rolls have their own limit. */
const BODY_MAX = 256 * 1024

/** Milliseconds for a head, and for the body of a form. Uploads of rolls take longer. */
const HEAD_MS = 5_000
const FORM_MS = 10_000

type ConsoleServer = { fastify: FastifyInstance; assets: Assets }

/** Builds the server; it does not listen yet. */
export function buildConsole(context: ConsoleContext): ConsoleServer {
  const fastify = Fastify({
    bodyLimit: BODY_MAX,
    forceCloseConnections: true,
    schemaController: WITHOUT_SCHEMAS,
    http: { headersTimeout: HEAD_MS, connectionsCheckingInterval: 1_000 },
  })
  const assets = new Assets()
  const sessions = createSessions(context.store, context.now)
  const send = createSend(assets)
  const serve = createPageServer(context, sessions, send)
  addBodies(fastify)
  refuseForeign(fastify, context)
  endUnfinished(fastify)
  addAssets(fastify, assets)
  fastify.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  fastify.get('/healthz', (_request, reply) =>
    reply.type('application/json').send('{"status":"ok"}'),
  )
  addSignInPages(fastify, context, sessions, send)
  addPages(fastify, context, serve)
  addOwnerPages(fastify, context, (reply, page) => send(reply, page, undefined))
  addConsentPages(fastify, context, (reply, page) => send(reply, page, undefined))
  fastify.setNotFoundHandler((request, reply) =>
    serve(request, reply, async () => NOT_FOUND, 'viewer'),
  )
  fastify.setErrorHandler((error, request, reply) => {
    const found = explainFault(error) ?? explainRequest(error)
    const { text, status } = explain(context, request, found, error)
    return send(reply, sayNo(request, { title: 'That did not work', text, status }), undefined)
  })
  return { fastify, assets }
}

function addBodies(fastify: FastifyInstance): void {
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
}

/** Refuses requests for another host, and changes that come from another site. */
function refuseForeign(fastify: FastifyInstance, { hosts, config }: ConsoleContext): void {
  const headers = securityHeaders(ownMapOf(config)?.origins)
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    const repeated = findRepeated(request.raw.rawHeaders)
    if (repeated !== undefined) {
      const text = `The ${repeated} header is given more than once`
      return reply.code(STATUS.badRequest).type('text/plain; charset=utf-8').send(`${text}\n`)
    }
    if (!isOwnHost(request.headers.host, hosts)) {
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
          'A proxy in front of the console must forward the Host header.',
      )
    }
    return undefined
  })
}

/** Ends connections whose form does not arrive in time, and those of refused uploads. */
function endUnfinished(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, proceed) => {
    const { raw } = request
    if (hasBody(raw)) {
      const end = () => {
        if (!raw.complete) raw.socket.destroy()
      }
      const isUpload = raw.headers['content-type'] === 'application/octet-stream'
      if (isUpload) reply.raw.once('finish', () => setTimeout(end, FORM_MS).unref())
      else {
        const timer = setTimeout(end, FORM_MS).unref()
        raw.once('close', () => clearTimeout(timer))
      }
    }
    proceed()
  })
}

function addAssets(fastify: FastifyInstance, assets: Assets): void {
  fastify.get('/assets/*', async (request, reply) => {
    const asset = assets.find(pathOf(request))
    if (asset === undefined)
      return reply.code(STATUS.notFound).type('text/plain').send('not here\n')
    const { bytes, encoding } = await encodeAsset(asset, request.headers['accept-encoding'])
    if (encoding !== undefined) reply.header('content-encoding', encoding)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    reply.header('vary', 'accept-encoding')
    return reply.type(asset.type).send(bytes)
  })
}

function addPages(fastify: FastifyInstance, context: ConsoleContext, serve: ServePage): void {
  const routesOf = (seeing: Role, changing: Role): Routes => ({
    get(path, page) {
      fastify.get(path, (request, reply) => serve(request, reply, page, seeing))
    },
    post(path, page) {
      fastify.post(path, (request, reply) => serve(request, reply, page, changing))
    },
    as: (role) => routesOf(role, role),
  })
  const routes = routesOf('viewer', 'operator')
  // A page that is still open after a new sign-in gets the new token here.
  routes.get('/session.json', async ({ signedIn: { csrf } }) => ({ json: { csrf } }))
  addMapPages(routes, context)
  addBasemapRoutes(routes, context)
  addMapData(routes, context)
  addSelectionPages(routes, context)
  addSearchPages(routes, context)
  addSummaryPages(routes, context)
  addOtherPages(routes, context)
  addHistoryPage(routes, context)
  addCoveragePages(routes, context)
  addFairnessPages(routes, context)
  addAppealPage(routes, context)
  addAccountPages(routes, context)
  addImportPages(routes, context)
  addJobPages(routes, context)
  addSourcePages(routes, context)
  addUndoPages(routes, context)
  addExportPages(routes, context)
  addOperationPages(routes, context)
  addPrivacyPages(routes, context)
  addAdminPages(routes, context)
}

const NOT_FOUND: PageReply = {
  title: 'There is nothing here',
  body: html`<p>No page has this address. The search finds parcels; the menu leads to the
  rest.</p>`,
  status: STATUS.notFound,
}

/** Explains Fastify's refusals: a body that is too large, or of another type. */
function explainRequest(error: unknown): { text: string; status: number } | undefined {
  const { statusCode: status = STATUS.failed } = error as { statusCode?: number }
  if (status >= STATUS.failed) return undefined
  const text =
    status === STATUS.tooLarge
      ? 'What was sent is larger than the console takes.'
      : 'The console does not take a request of this kind.'
  return { text, status }
}

function refuse(reply: FastifyReply, text: string) {
  return reply.code(STATUS.forbidden).type('text/plain; charset=utf-8').send(`${text}\n`)
}
