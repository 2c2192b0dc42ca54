/**
 * OAuth 2.1 for agents at `/mcp`: metadata (RFC 9728, RFC 8414), registration (RFC 7591) and
 * tokens. Consent is given in the console. docs/mcp.md.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { redeemCode, registerClient, SCOPE } from '../../accounts/oauth.ts'
import { refuse } from '../../base/errors.ts'
import type { Leases } from '../../ledger/ledger.ts'
import { parseJson } from '../../operations/given-query.ts'
import type { KeySecrets } from '../../store/key-secret.ts'
import { rootOf } from '../incoming.ts'
import { readBody } from '../load/bodies.ts'
import { hangUp } from '../load/has-left.ts'
import { reachedBillingPage } from './billing-routes.ts'
import { refuseBadBodies } from './body-errors.ts'

type OAuthSettings = {
  /** The console's address, without a trailing slash. */
  consoleUrl: string
  /** The service's, without a trailing slash; null: the address that the caller used. */
  publicUrl: string | null
  secrets(): KeySecrets
  /** Counts the uses of a code for all workers, within a minute. */
  leases: Leases | undefined
  /** Counts a message of an address, which needs no key. Throws *too many*. */
  count(raw: IncomingMessage): Promise<void>
  /** Epoch milliseconds. */
  now(): number
}

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
const SERVER_METADATA = '/.well-known/oauth-authorization-server'
/** RFC 7591 requires this status of a registration. */
const CREATED = 201
const LIMITS = { maxBytes: 16_384, isKnown: false }

/**
 * Returns the header of a 401 at `/mcp`, which says to agents where to sign in. Agents refuse
 * metadata of another resource than the address that they use, such as `/api/mcp`.
 */
export function describeSignIn(settings: Pick<OAuthSettings, 'publicUrl'>, raw: IncomingMessage) {
  const metadata = `${baseOf(settings, raw)}${RESOURCE_METADATA}${rootOf(raw)}/mcp`
  return `Bearer resource_metadata="${metadata}", scope="${SCOPE}"`
}

function baseOf({ publicUrl }: Pick<OAuthSettings, 'publicUrl'>, raw: IncomingMessage): string {
  return publicUrl ?? reachedBillingPage(raw).replace(/\/billing$/, '')
}

export function serveOAuth(settings: OAuthSettings): FastifyPluginAsync {
  const { secrets, now, consoleUrl } = settings
  return async (fastify) => {
    refuseBadBodies(fastify)
    fastify.addHook('onRequest', async ({ raw }) => {
      if (raw.method === 'POST') await settings.count(raw)
    })
    fastify.addContentTypeParser('*', (_request, _body, done) => done(null))
    const serve = (path: string, describe: (base: string, url: string) => object) => {
      // Below it: the path of the resource, or of the issuer, where a proxy serves it below one.
      for (const own of [path, `${path}/*`]) {
        fastify.get(own, async ({ raw, url }, reply) =>
          send(reply, describe(baseOf(settings, raw), url)),
        )
      }
    }
    serve(RESOURCE_METADATA, (base, url) => ({
      resource: `${base}${/\/api\/mcp\/?(?:\?|$)/.test(url) ? '/api' : ''}/mcp`,
      authorization_servers: [base],
      scopes_supported: [SCOPE],
      bearer_methods_supported: ['header'],
    }))
    serve(SERVER_METADATA, (base) => ({
      issuer: base,
      authorization_endpoint: `${consoleUrl}/account/consent`,
      token_endpoint: `${base}/oauth/token`,
      registration_endpoint: `${base}/oauth/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: [SCOPE],
    }))
    fastify.post('/oauth/register', async (request, reply) => {
      const text = await readText(request, reply)
      if (text === undefined) return reply
      return send(
        reply.code(CREATED),
        registerClient(secrets(), parseJson(text, 'invalid_client_metadata')),
      )
    })
    fastify.post('/oauth/token', async (request, reply) => {
      const text = await readText(request, reply)
      if (text === undefined) return reply
      const form = new URLSearchParams(text)
      const key = redeemCode(secrets(), form, now())
      await useOnce(settings, key)
      return send(reply, { access_token: key, token_type: 'Bearer', scope: SCOPE })
    })
  }
}

/** Throws *bad request* for a code that any worker redeemed within the window of rate limits. */
async function useOnce({ leases }: Pick<OAuthSettings, 'leases'>, key: string): Promise<void> {
  const name = `code ${createHash('sha256').update(key).digest('base64url')}`
  const lease = await leases?.lease(name, 1, 1)
  if (lease === undefined) throw refuse.unavailable('Service temporarily unavailable')
  if (lease.count === 0) throw refuse.badRequest('invalid_grant')
}

/** Returns the body; `undefined`: the caller has disconnected. */
async function readText(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
  const body = await readBody(request.raw, reply.raw, LIMITS)
  if (body !== undefined) return body.toString()
  hangUp(reply)
  return undefined
}

function send(reply: FastifyReply, body: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
