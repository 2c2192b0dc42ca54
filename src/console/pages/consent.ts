/**
 * `/account/consent`: where the owner of an account lets an agent use it at `/mcp`, and
 * `/account/end`: where such a key is ended. Both need the account's signed link.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isMcpKey } from '../../accounts/api-key.ts'
import { createKey, revokeKey } from '../../accounts/manage-keys.ts'
import { makeCode, mayReturnTo, readClient } from '../../accounts/oauth.ts'
import { loadSecrets } from '../../store/key-secret.ts'
import { readAccountLink } from '../account-links.ts'
import type { ConsoleContext } from '../context.ts'
import { formOf } from '../serve-page.ts'
import { html, type PageReply } from '../show/html.ts'
import { securityHeaders } from '../sign-in/guard.ts'
import { REFUSED } from './owner-account.ts'

/** What an agent asks for. */
type Asked = { query: URLSearchParams; name: string; redirect: string; challenge: string }

export function addConsentPages(
  fastify: FastifyInstance,
  context: ConsoleContext,
  send: (reply: FastifyReply, page: PageReply) => FastifyReply,
): void {
  fastify.get('/account/consent', async (request, reply) => {
    const asked = readAsked(context, queryOf(request.url))
    if (asked === undefined) return send(reply, NOT_ASKED)
    return send(allowRedirect(reply, asked), askConsent(asked))
  })

  fastify.post('/account/consent', async (request, reply) => {
    const asked = readAsked(context, queryOf(request.url))
    if (asked === undefined) return send(reply, NOT_ASKED)
    const form = formOf(request)
    if (form.get('choice') !== 'allow') return send(reply, back(asked, { error: 'access_denied' }))
    const link = form.get('link')?.trim() ?? ''
    const account = readAccountLink(context, queryOf(link))
    if (account === undefined) {
      return send(allowRedirect(reply, asked), askConsent(asked, 'This link is not valid.'))
    }
    return send(reply, back(asked, { code: await grant(context, account, asked) }))
  })

  fastify.post('/account/end', async (request, reply) => {
    const query = queryOf(request.url)
    const account = readAccountLink(context, query)
    const id = formOf(request).get('key') ?? ''
    if (account === undefined) return send(reply, NOT_ASKED)
    await context.accounts(async ({ admin }) => {
      const key = await admin.key(id)
      if (key?.accountId !== account || !isMcpKey(key.prefix)) return
      await revokeKey(admin, id, context.now())
    })
    return send(reply, { redirect: `/account?${query}` })
  })
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?')[1]?.split('#')[0] ?? '')
}

/** Reads a request for consent; `undefined` unless client, address and challenge are right. */
function readAsked({ config }: ConsoleContext, query: URLSearchParams): Asked | undefined {
  const secrets = loadSecrets(config.data, config.keySecret)
  const client = readClient(secrets, query.get('client_id') ?? '')
  const redirect = query.get('redirect_uri') ?? ''
  const challenge = query.get('code_challenge') ?? ''
  const isRight =
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256' &&
    /^[\w-]{43}$/.test(challenge) &&
    client !== undefined &&
    mayReturnTo(client, redirect)
  return isRight ? { query, name: client.name, redirect, challenge } : undefined
}

/** Creates the key and returns its code. */
async function grant(context: ConsoleContext, account: string, asked: Asked): Promise<string> {
  const { config, now } = context
  const label = `agent: ${asked.name}`
  const { key } = await context.accounts(({ admin }) =>
    createKey(config, admin, { accountId: account, label, kind: 'mcp' }, now()),
  )
  const { query, redirect, challenge } = asked
  const client = query.get('client_id') ?? ''
  const secrets = loadSecrets(config.data, config.keySecret)
  return makeCode(secrets, { key, client, redirect, challenge }, now())
}

/** Returns to the agent, with its state. */
function back({ query, redirect }: Asked, result: Record<string, string>): PageReply {
  const url = new URL(redirect)
  const state = query.get('state')
  for (const [name, text] of Object.entries(result)) url.searchParams.set(name, text)
  if (state !== null) url.searchParams.set('state', state)
  return { redirect: String(url) }
}

/** A browser sends the form only if its policy also allows the address after it. */
function allowRedirect(reply: FastifyReply, { redirect }: Asked): FastifyReply {
  const policy = securityHeaders()['content-security-policy']
  const { origin } = new URL(redirect)
  const own = policy.replace("form-action 'self'", `form-action 'self' ${origin}`)
  return reply.header('content-security-policy', own)
}

const NOT_ASKED: PageReply = {
  title: 'Nothing to allow',
  body: html`<p>This page opens from an agent that wants to use your account.
  Start again there.</p>`,
  status: REFUSED,
}

function askConsent({ query, name, redirect }: Asked, fault?: string): PageReply {
  const body = html`${fault !== undefined && html`<p class="error" role="alert">${fault}</p>`}
<p><b>${name}</b> asks to read property records with your account. It returns to
<code>${new URL(redirect).host}</code>. What it reads is charged to your account. You can end this
on the page of your account.</p>
<form method="post" action="/account/consent?${String(query)}">
<p><label>The link to your account, which the operator sent you<br>
<input name="link" type="text" autocomplete="off" size="60"></label></p>
<p><button name="choice" value="allow">Allow</button>
<button name="choice" value="deny">Deny</button></p></form>`
  return { title: 'Allow an agent', body, ...(fault !== undefined && { status: REFUSED }) }
}
