/** Sign-in of agents by OAuth, walked by the SDK's own provider; the console is a real one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import { makeAccountLink } from '../../src/console/account-links.ts'
import type { ConsoleContext } from '../../src/console/context.ts'
import { serveOAuth } from '../../src/http/routes/oauth.ts'
import type { Leases } from '../../src/ledger/ledger.ts'
import { createRateWindows } from '../../src/ledger/rates/rate-windows.ts'
import { loadSecrets } from '../../src/store/key-secret.ts'
import type { TestService } from '../service.ts'
import * as agent from './sign-in.ts'
import { BACK, type Kept, newClient, type SignIn } from './sign-in.ts'

let signIn: SignIn
let service: TestService
let context: ConsoleContext
let console: { address: string }
before(async () => {
  signIn = await agent.startSignIn()
  ;({ service, context } = signIn)
  console = { address: signIn.consoleAddress }
})
after(() => signIn.close())

const openTransport = (kept: Kept) => agent.openTransport(service, kept)
const begin = (kept: Kept) => agent.begin(service, kept)

/** Answers the consent page at the console's real address. */
function answerConsent(url: URL, form: Record<string, string>) {
  return fetch(`${console.address}${url.pathname}${url.search}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: console.address },
    body: new URLSearchParams(form),
  })
}

test('an agent signs in, uses its key only at /mcp, and the owner ends it', async () => {
  const kept: Kept = {}
  const { transport, url } = await begin(kept)
  const page = await fetch(`${console.address}${url.pathname}${url.search}`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Test agent<\/b> asks/)
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/127/)
  const link = `http://console.example${makeAccountLink(context, 'acc_2', 'ada')}`
  const given = await answerConsent(url, { choice: 'allow', link })
  assert.equal(given.status, 303)
  const back = new URL(given.headers.get('location') ?? '')
  assert.equal(back.origin + back.pathname, BACK)
  assert.equal(back.searchParams.get('state'), 'state 1')
  await transport.finishAuth(back.searchParams)
  const key = kept.tokens?.access_token ?? ''
  assert.match(key, /^pbk_mcp_/)

  const client = newClient()
  await client.connect(openTransport(kept))
  assert.ok((await client.listTools()).tools.length > 5)
  const found = await client.callTool({ name: 'coverage', arguments: {} })
  assert.notEqual(found.isError, true)
  const rest = await service.get('/public/property/search/', { state: 'WI' }, { key })
  assert.deepEqual(rest.status, 401)

  const query = link.slice(link.indexOf('?'))
  const owned = await (await fetch(`${console.address}/account${query}`)).text()
  const id = /name="key"\s+value="([^"]+)"/.exec(owned)?.[1] ?? ''
  const ended = await fetch(`${console.address}/account/end${query}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: console.address },
    body: new URLSearchParams({ key: id }),
  })
  assert.equal(ended.status, 303)
  service.setClock(Date.now() + 2000)
  await begin({ ...kept })
})

test('a 401 at either address of MCP names metadata of that address', async () => {
  for (const path of ['/mcp', '/api/mcp']) {
    for (const authorization of [undefined, 'Bearer pbk_mcp_ended']) {
      const headers = {
        'content-type': 'application/json',
        ...(authorization && { authorization }),
      }
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
      const refused = await fetch(`${service.address}${path}`, { method: 'POST', headers, body })
      assert.equal(refused.status, 401)
      const [, url = ''] =
        /^Bearer resource_metadata="([^"]+)", scope="mcp"$/.exec(
          refused.headers.get('www-authenticate') ?? '',
        ) ?? []
      const metadata = (await (await fetch(url)).json()) as { resource: string }
      assert.equal(metadata.resource, `${service.address}${path}`)
    }
  }
  for (const at of ['', '/parcels']) {
    const issued = await fetch(`${service.address}/.well-known/oauth-authorization-server${at}`)
    assert.equal(((await issued.json()) as { issuer: string }).issuer, service.address)
  }
})

test('consent needs the link of an account, and may be denied', async () => {
  const { url } = await begin({})
  for (const link of ['', 'http://console.example/account?account=acc_2&until=9&sign=x']) {
    assert.equal((await answerConsent(url, { choice: 'allow', link })).status, 403)
  }
  const denied = await answerConsent(url, { choice: 'deny' })
  const back = new URL(denied.headers.get('location') ?? '')
  assert.equal(back.searchParams.get('error'), 'access_denied')
})

test('a request for consent with another address or without S256 shows no form', async () => {
  const { url } = await begin({})
  const wrong: Record<string, string>[] = [
    { redirect_uri: 'http://127.0.0.1:3001/elsewhere' },
    { redirect_uri: 'http://localhost:3000/callback' },
    { redirect_uri: 'https://127.0.0.1:3000/callback' },
    { redirect_uri: 'http://ada@127.0.0.1:3001/callback' },
    { redirect_uri: 'http://127.0.0.1.example:3000/callback' },
    { redirect_uri: 'http://127.0.0.1:3001/callback?x=1' },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { client_id: 'x'.repeat(80) },
    { response_type: 'token' },
  ]
  for (const change of wrong) {
    const asked = new URL(url)
    for (const [name, text] of Object.entries(change)) asked.searchParams.set(name, text)
    const page = await fetch(`${console.address}${asked.pathname}${asked.search}`)
    assert.equal(page.status, 403, JSON.stringify(change))
  }
})

test('an address of the own machine may have any port', async () => {
  const { url } = await begin({})
  for (const port of ['3001', '80', '65535']) {
    const asked = new URL(url)
    asked.searchParams.set('redirect_uri', `http://127.0.0.1:${port}/callback`)
    const page = await fetch(`${console.address}${asked.pathname}${asked.search}`)
    assert.equal(page.status, 200, port)
  }
})

test('a code is good once, for its client, address and verifier', async () => {
  const kept: Kept = {}
  const { url } = await begin(kept)
  const link = makeAccountLink(context, 'acc_2', 'ada')
  const given = await answerConsent(url, { choice: 'allow', link })
  const code = new URL(given.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const good = {
    grant_type: 'authorization_code',
    code,
    client_id: url.searchParams.get('client_id') ?? '',
    redirect_uri: BACK,
    code_verifier: kept.verifier ?? '',
  }
  const redeem = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form)
    const response = await fetch(`${service.address}/oauth/token`, { method: 'POST', body })
    return [response.status, ((await response.json()) as { error?: string }).error]
  }
  for (const change of [
    { code_verifier: 'x'.repeat(43) },
    { redirect_uri: 'http://127.0.0.1:3001/callback' },
    { client_id: 'x' },
    { code: `${code.slice(0, -4)}AAAA` },
  ]) {
    assert.deepEqual(await redeem({ ...good, ...change }), [400, 'invalid_grant'])
  }
  assert.deepEqual(await redeem({ ...good, grant_type: 'password' }), [
    400,
    'unsupported_grant_type',
  ])
  assert.deepEqual(await redeem(good), [200, undefined])
  assert.deepEqual(await redeem(good), [400, 'invalid_grant'])
  assert.deepEqual(await redeemAtWorkers(good), [200])
})

/** Redeems a code ten times at two workers, whose ledger process is one; the good answers. */
async function redeemAtWorkers(form: Record<string, string>): Promise<number[]> {
  const windows = createRateWindows()
  const leases: Leases = {
    lease: async (account, limit, want) => windows.lease(account, limit, want, 0),
    giveBack: windows.giveBack,
  }
  const secrets = () => loadSecrets(service.config.data, service.config.keySecret)
  const settings = {
    consoleUrl: 'http://console.example',
    publicUrl: null,
    secrets,
    leases,
    now: Date.now,
  }
  const world = { ...settings, count: async () => undefined, now: Date.now }
  const workers = [1, 2].map(() => Fastify().register(serveOAuth(world)))
  const addresses = await Promise.all(workers.map((worker) => worker.listen({ port: 0 })))
  const body = new URLSearchParams(form)
  const all = Array.from({ length: 10 }, async (_, at) => {
    const { status } = await fetch(`${addresses[at % 2]}/oauth/token`, { method: 'POST', body })
    return status
  })
  const statuses = await Promise.all(all)
  await Promise.all(workers.map((worker) => worker.close()))
  return statuses.filter((status) => status === 200)
}

test('only HTTPS addresses and those of the own machine are registered', async () => {
  const register = async (redirects: unknown) => {
    const body = JSON.stringify({ redirect_uris: redirects })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${service.address}/oauth/register`, { method: 'POST', headers, body }))
      .status
  }
  for (const good of ['https://agent.example/back', 'http://localhost:9/x', 'http://[::1]/x']) {
    assert.equal(await register([good]), 201, good)
  }
  const bad = [
    ...['http://agent.example/', 'javascript:alert(1)', 'https://a.example/#x', 'x', '', 7],
    ...['https://a.example\\@b.example/', 'https://a\n.example/', 'https://:pw@a.example/'],
    ...['https:a.example', 'http://127.0.0.1@b.example/', 'http://localhost.b.example/'],
  ]
  for (const one of bad) assert.equal(await register([one]), 400, String(one))
  for (const none of [[], undefined, 'https://agent.example/']) {
    assert.equal(await register(none), 400)
  }
  const name = { redirect_uris: ['https://a.example/'], client_name: { toString: null } }
  const body = JSON.stringify(name)
  const headers = { 'content-type': 'application/json' }
  const nameless = await fetch(`${service.address}/oauth/register`, {
    method: 'POST',
    headers,
    body,
  })
  assert.equal(((await nameless.json()) as { client_name: string }).client_name, 'An agent')
})

test('registrations and codes of an address have a rate of their own', async () => {
  const statuses: number[] = []
  for (let sent = 0; sent < 150; sent += 1) {
    statuses.push((await fetch(`${service.address}/oauth/token`, { method: 'POST' })).status)
  }
  assert.equal(statuses.at(-1), 429)
})
