/**
 * Who may do what in the console: sign-in, sessions, Host, Origin, CSRF, roles, the operator log.
 */
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { makeLinkToken } from '../../src/console/sign-in/sessions.ts'
import { exchange } from '../contract/server/raw.ts'
import { actAs, PASSPHRASE, type RunningConsole, startTestConsole } from './running-console.ts'

let console: RunningConsole
before(async () => {
  console = await startTestConsole('')
  await console.makeOperator('vera', 'viewer')
  await console.makeOperator('otto', 'operator')
})
after(() => console.close())

function trySignIn(name: string, passphrase: string): Promise<Response> {
  return fetch(`${console.address}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: console.address },
    body: new URLSearchParams({ name, passphrase }),
  })
}

/** `fetch` sets Host itself, and hides how an answer was encoded. */
function getRaw(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(console.address + path, { headers }, (response) => {
      response.resume()
      resolve(response)
    })
    asked.on('error', reject).end()
  })
}

async function getAs(host: string): Promise<number | undefined> {
  return (await getRaw('/sign-in', { host })).statusCode
}

test('without a session every page leads to the sign-in, and JSON is 401', async () => {
  const page = await fetch(`${console.address}/accounts`, { redirect: 'manual' })
  assert.equal(page.status, 303)
  assert.equal(page.headers.get('location'), '/sign-in?next=%2Faccounts')
  const headers = { accept: 'application/json' }
  assert.equal((await fetch(`${console.address}/coverage.json`, { headers })).status, 401)
})

test('a session cookie is HttpOnly and SameSite=Strict and ends after 12 hours', async () => {
  const response = await trySignIn('vera', PASSPHRASE)
  const cookie = response.headers.get('set-cookie') ?? ''
  assert.match(cookie, /; HttpOnly; SameSite=Strict; Max-Age=43200$/)
  const vera = await actAs(console.address, cookie.split(';')[0] ?? '')
  assert.equal((await vera.get('/coverage')).status, 200)
  console.passTime(12 * 3_600_000)
  assert.equal((await vera.get('/coverage')).status, 303)
})

test('signing out ends the session for good', async () => {
  const vera = await console.signIn('vera')
  await vera.post('/sign-out', {})
  assert.equal((await vera.get('/coverage')).status, 303)
})

test('after five wrong tries within a minute the right passphrase is refused too', async () => {
  console.passTime(60_000)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.equal((await trySignIn('vera', 'a wrong passphrase')).status, 403)
  }
  assert.equal((await trySignIn('vera', PASSPHRASE)).status, 429)
  console.passTime(60_000)
  assert.equal((await trySignIn('vera', PASSPHRASE)).status, 303)
})

test('a foreign name in Host is refused, addresses and localhost are not', async () => {
  const { port } = new URL(console.address)
  assert.equal(await getAs(`rebound.example:${port}`), 403)
  assert.equal(await getAs(`localhost:${port}`), 200)
  assert.equal(await getAs(`127.0.0.1:${port}`), 200)
})

test('a change needs the Origin of the console and the CSRF token of the session', async () => {
  const otto = await console.signIn('otto')
  const form = { name: 'Acme Title' }
  const strange = { origin: 'http://elsewhere.example' }
  assert.equal((await otto.post('/accounts', form, strange)).status, 403)
  assert.equal((await otto.post('/accounts', { ...form, csrf: 'x' })).status, 403)
  const made = await otto.post('/accounts', form)
  assert.equal(made.status, 303)
  assert.match(made.headers.get('location') ?? '', /^\/accounts\/acc_/)
})

test('a viewer sees accounts and changes nothing', async () => {
  const vera = await console.signIn('vera')
  const page = await vera.get('/accounts')
  assert.equal(page.status, 200)
  assert.doesNotMatch(await page.text(), /New account/)
  assert.equal((await vera.post('/accounts', { name: 'No' })).status, 403)
})

test('every answer has the policy, and no page may be kept', async () => {
  const vera = await console.signIn('vera')
  const { headers } = await vera.get('/coverage')
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: " +
    "data:; connect-src 'self'; worker-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  assert.equal(headers.get('content-security-policy'), policy)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-frame-options'), 'DENY')
})

test('assets are kept for a year under a path with their hash, and are nowhere else', async () => {
  const page = await (await fetch(`${console.address}/sign-in`)).text()
  const path = /\/assets\/[0-9a-f]{16}\/style\.css/.exec(page)?.[0] ?? ''
  const style = await fetch(console.address + path)
  assert.match(style.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
  const raw = await getRaw(path, { 'accept-encoding': 'gzip, br' })
  assert.equal(raw.headers['content-encoding'], 'br')
  assert.match(await style.text(), /:root/)
  const other = path.replace('style.css', '..%2f..%2fpackage.json')
  assert.equal((await fetch(console.address + other)).status, 404)
})

test('the link that start prints signs in once', async () => {
  const token = makeLinkToken(console.context.store, console.context.now())
  const enter = () => fetch(`${console.address}/enter?token=${token}`, { redirect: 'manual' })
  const first = await enter()
  assert.equal(first.status, 303)
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';')
  assert.equal((await (await actAs(console.address, cookie)).get('/accounts')).status, 200)
  assert.equal((await enter()).status, 403)
})

test('a HEAD request does not use the link up', async () => {
  const token = makeLinkToken(console.context.store, console.context.now())
  const link = `${console.address}/enter?token=${token}`
  await fetch(link, { method: 'HEAD', redirect: 'manual' })
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 303)
})

test('a form that does not arrive ends its connection', async () => {
  const { port } = new URL(console.address)
  const head =
    `POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${console.address}\r\n` +
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nname='
  assert.equal((await exchange(console.address, head)).text, '')
})

test('two Host headers are 400', async () => {
  const { port } = new URL(console.address)
  const host = `Host: 127.0.0.1:${port}\r\n`
  const head = `GET /sign-in HTTP/1.1\r\n${host}${host}Connection: close\r\n\r\n`
  assert.equal((await exchange(console.address, head)).status, 400)
})

test('a new key is shown once, and the operator log says who made it', async () => {
  const otto = await console.signIn('otto')
  const path = (await otto.post('/accounts', { name: 'Keys' })).headers.get('location') ?? ''
  const page = await (await otto.post(`${path}/keys`, { label: 'shop' })).text()
  const key = /pbk_\w+/.exec(page)?.[0] ?? ''
  const asked = await fetch(`${console.service.address}/public/usage/`, {
    headers: { authorization: key },
  })
  assert.equal(asked.status, 200)
  assert.doesNotMatch(await (await otto.get(path)).text(), new RegExp(key))
  const entries = await console.context.accounts(({ ledger }) =>
    ledger.operatorEntriesAfter(0, 1000),
  )
  const actions = entries.filter(({ kind, subject }) => kind === 'action' && subject === 'otto')
  assert.match(actions.at(-1)?.state ?? '', /"key create"/)
  assert.doesNotMatch(entries.map(({ state }) => state).join(), new RegExp(key))
})

test('a form that is sent twice is carried out once, and one of another page again', async () => {
  const otto = await console.signIn('otto')
  const pageOf = async () => (await otto.get('/accounts')).text()
  const formOf = async () => /name="sent-form" value="([^"]+)"/.exec(await pageOf())?.[1] ?? ''
  const countMade = async () => (await pageOf()).match(/>Twice</g)?.length ?? 0
  const form = { name: 'Twice', 'sent-form': await formOf() }
  const sent = await Promise.all([1, 2].map(() => otto.post('/accounts', form)))
  const [first, second] = sent.map(({ headers }) => headers.get('location'))
  assert.ok(first)
  assert.equal(second, first)
  assert.equal(await countMade(), 1)
  await otto.post('/accounts', { ...form, 'sent-form': await formOf() })
  assert.equal(await countMade(), 2)
  // What was refused is not kept as an answer.
  const wrong = { name: '', 'sent-form': await formOf() }
  for (const _ of [1, 2]) assert.equal((await otto.post('/accounts', wrong)).status, 400)
})

test('an account is blocked by a fact and unblocked, and the page shows why', async () => {
  const otto = await console.signIn('otto')
  const path = (await otto.post('/accounts', { name: 'Late' })).headers.get('location') ?? ''
  await otto.post(`${path}/facts`, { unpaidInvoices: '2' })
  assert.match(await (await otto.get(path)).text(), /Pay the open invoices/)
  await otto.post(`${path}/facts`, { unpaidInvoices: '0' })
  assert.match(await (await otto.get(path)).text(), /would be answered now/)
  // A page that was opened before another's change undoes nothing of it.
  const stale = { subscription: 'active', unpaidInvoices: '0', overageCap: '7' }
  const shown = String(new URLSearchParams({ ...stale, overageCap: '0' }))
  await otto.post(`${path}/facts`, { subscription: 'paused' })
  await otto.post(`${path}/facts`, { ...stale, shown })
  const { facts } = await console.context.accounts(async ({ admin }) => {
    const account = await admin.account(path.split('/').at(-1) ?? '')
    return account ?? assert.fail()
  })
  assert.deepEqual([facts.subscription, facts.overageCap], ['paused', 7])
  const wrong = await otto.post(`${path}/facts`, { unpaidInvoices: 'many' })
  assert.equal(wrong.status, 400)
  assert.match(await wrong.text(), /Unpaid invoices cannot be &#34;many&#34;/)
})

test('nothing of the console is on the port of the API', async () => {
  for (const path of ['/sign-in', '/accounts', '/search', '/account', '/enter']) {
    assert.equal((await fetch(console.service.address + path)).status, 404, path)
  }
})

test('billing of a linked account opens by a new signed link for operators and owner', async () => {
  console.passTime(120_000)
  await console.service.keyFor()
  const { accounts } = console.context
  const id = (await accounts(({ admin }) => admin.accounts()))[0]?.id ?? ''
  const otto = await console.signIn('otto')
  assert.doesNotMatch(await (await otto.get(`/accounts/${id}`)).text(), />Billing</)
  await accounts(({ billing }) => billing.link(id, 'cus_1', 0))
  const page = await (await otto.get(`/accounts/${id}`)).text()
  assert.match(page, new RegExp(`href="/accounts/${id}/billing">Billing<`))
  assert.match(page, /<code>cus_1<\/code>, never read/)
  await accounts(({ billing }) => billing.noteProblem(id, 'no plan for the price price_1'))
  assert.match(
    await (await otto.get(`/accounts/${id}`)).text(),
    />no plan for the price price_1\.</,
  )
  const signed = new RegExp(`^${console.service.address}/billing\\?account=${id}&token=[\\w.-]+$`)
  const location = async (path: string) => (await otto.get(path)).headers.get('location') ?? ''
  assert.match(await location(`/accounts/${id}/billing`), signed)
  const vera = await console.signIn('vera')
  assert.equal((await vera.get(`/accounts/${id}/billing`)).status, 403)
  const own = (await otto.post(`/accounts/${id}/links`, {})).headers.get('location') ?? ''
  const owners = await (await fetch(console.address + own)).text()
  const way = /href="(\/account\/billing\?[^"]*)"/.exec(owners)?.[1]?.replaceAll('&#38;', '&')
  assert.match(await location(way ?? ''), signed)
  assert.equal((await fetch(`${console.address}/account/billing`)).status, 403)
})
