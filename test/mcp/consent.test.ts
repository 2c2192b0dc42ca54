/** The consent page in Chromium: an agent sends its user there, and gets a key or none. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { makeAccountLink } from '../../src/console/account-links.ts'
import { NO_BROWSER, openPage, shareBrowser } from '../console/browser.ts'
import { begin, type Kept, newClient, openTransport, type SignIn, startSignIn } from './sign-in.ts'

let signIn: SignIn
let browser: Browser
let release: () => Promise<void>
/** Where the agent waits for its user; the addresses that came back. */
const returned: URL[] = []
const agent = createServer((request, response) => {
  if (request.url?.startsWith('/callback')) returned.push(new URL(request.url, back()))
  response.setHeader('content-type', 'text/html').end('<title>Back at the agent</title>')
})
const back = () => `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`

before(async () => {
  if (NO_BROWSER) return
  signIn = await startSignIn()
  await once(agent.listen(0, '127.0.0.1'), 'listening')
  ;({ thing: browser, release } = await shareBrowser())
})
after(async () => {
  if (NO_BROWSER) return
  agent.close()
  agent.closeAllConnections()
  await release()
  await signIn.close()
})

/** Begins to sign in and opens the consent page, at the console's real address. */
async function visit(kept: Kept, path = '/mcp') {
  const { transport, url } = await begin(signIn.service, kept, back(), path)
  const context = await browser.newContext()
  const { page, broken } = await openPage(context, signIn.consoleAddress)
  await page.goto(`${signIn.consoleAddress}${url.pathname}${url.search}`)
  return { transport, page, broken, close: () => context.close() }
}

const link = (account: string) =>
  `http://console.example${makeAccountLink(signIn.context, account, 'ada')}`

for (const path of ['/mcp', '/api/mcp']) {
  test(`a user allows an agent at ${path}, which then calls tools`, {
    skip: NO_BROWSER,
  }, async () => {
    const kept: Kept = {}
    const { transport, page, broken, close } = await visit(kept, path)
    assert.match(await page.innerText('main'), /Test agent asks to read property records/)
    assert.match(await page.innerText('main'), new RegExp(`returns to ${new URL(back()).host}`))
    await page.fill('input[name=link]', 'http://console.example/account?account=acc_2&sign=x')
    await page.click('button[value=allow]')
    assert.equal(await page.innerText('[role=alert]'), 'This link is not valid.')
    assert.equal(broken.filter((text) => !/403/.test(text)).length, 0, broken.join())
    await page.fill('input[name=link]', link('acc_2'))
    await page.click('button[value=allow]')
    await page.waitForURL(`${back()}?**`)
    assert.equal(await page.title(), 'Back at the agent')
    await close()
    const came = returned.at(-1)
    assert.equal(came?.searchParams.get('state'), 'state 1')
    await transport.finishAuth(came?.searchParams ?? new URLSearchParams())
    const client = newClient()
    await client.connect(openTransport(signIn.service, kept, back(), path))
    const found = await client.callTool({ name: 'coverage', arguments: {} })
    assert.notEqual(found.isError, true)
    await client.close()
  })
}

test('a user who denies is sent back with access_denied, and no key is made', {
  skip: NO_BROWSER,
}, async () => {
  const keys = () => signIn.service.accounts.admin.keys('acc_2')
  const before = (await keys()).length
  const { transport, page, close } = await visit({})
  await page.click('button[value=deny]')
  await page.waitForURL(`${back()}?**`)
  await close()
  const came = returned.at(-1)?.searchParams ?? new URLSearchParams()
  assert.deepEqual(Object.fromEntries(came), { error: 'access_denied', state: 'state 1' })
  await assert.rejects(transport.finishAuth(came))
  assert.equal((await keys()).length, before)
})

test('a code that came back after more than a minute is refused', {
  skip: NO_BROWSER,
}, async () => {
  const kept: Kept = {}
  const { transport, page, close } = await visit(kept)
  await page.fill('input[name=link]', link('acc_2'))
  await page.click('button[value=allow]')
  await page.waitForURL(`${back()}?**`)
  await close()
  signIn.service.setClock(Date.now() + 61_000)
  const came = returned.at(-1)?.searchParams ?? new URLSearchParams()
  await assert.rejects(transport.finishAuth(came), /invalid_grant/)
  assert.equal(kept.tokens, undefined)
  signIn.service.setClock(Date.now())
})

test('a page with another address than the registered one has no form', {
  skip: NO_BROWSER,
}, async () => {
  const { url } = await begin(signIn.service, {}, back())
  url.searchParams.set('redirect_uri', 'https://elsewhere.example/callback')
  const context = await browser.newContext()
  const { page } = await openPage(context, signIn.consoleAddress)
  await page.goto(`${signIn.consoleAddress}${url.pathname}${url.search}`)
  assert.match(await page.innerText('main'), /opens from an agent/)
  assert.equal(await page.locator('button[value=allow]').count(), 0)
  await context.close()
})
