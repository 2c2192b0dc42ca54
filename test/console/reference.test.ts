/** The reference of the API at `/`: a page for browsers, tried in Chromium with a key. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../service.ts'
import { NO_BROWSER, openPage, shareBrowser } from './browser.ts'
import { checkBothThemes, ROLL } from './people.ts'

const service = await startService(ROLL)
after(() => service.close())

test('/ is a page for browsers alone, whose policy names its own script', async () => {
  const page = await fetch(service.address, { headers: { accept: 'text/html,*/*' } })
  assert.equal(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^']{44}'; style-src 'sha256-/)
  assert.doesNotMatch(policy, /unsafe|https?:/)
  for (const accept of ['*/*', 'application/json']) {
    const other = await fetch(service.address, { headers: { accept } })
    assert.equal(other.status, 404)
    assert.deepEqual(Object.keys((await other.json()) as object), ['error'])
  }
  const headings = await fetch(`${service.address}/docs/headings.json`)
  const [first] = (await headings.json()) as { title: string; page: string; href: string }[]
  assert.deepEqual(Object.keys(first ?? {}), ['title', 'page', 'href'])
})

test('a newcomer fills in a key, sends a request, and searches operations and pages', {
  skip: NO_BROWSER,
}, async (t) => {
  const key = await service.keyFor()
  const { thing: browser, release } = await shareBrowser()
  t.after(release)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  t.after(() => context.close())
  const { page, strayed, broken } = await openPage(context, service.address)
  await page.goto(service.address)
  await page.getByRole('button', { name: 'Fill in a parcel of this service' }).click()
  await page.getByText('Fill in your API key at the top first').waitFor()
  await page.keyboard.type(key)
  await page.getByRole('button', { name: 'Fill in a parcel of this service' }).click()
  await page.getByRole('button', { name: /^Filled in: / }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('parcel id lookup')
  await page.locator('#found').getByRole('link', { name: 'Parcel ID lookup' }).first().click()
  const operation = page.locator('#parcelIdLookup')
  assert.match(await operation.locator('pre').first().innerText(), /^curl -H .*county=55025/)
  await operation.getByRole('button', { name: 'Run' }).click()
  await operation.getByText(/^200 after \d+ ms$/).waitFor()
  assert.match(
    await operation.getByLabel('The answer', { exact: true }).innerText(),
    /"parcelId": "0709-/,
  )
  await operation.locator('input[name=parcelId]').fill('0')
  await operation.getByRole('button', { name: 'Run' }).click()
  await operation.getByText(/^404 after/).waitFor()
  await checkBothThemes(page, 'the reference')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.locator('#search').fill('suppress')
  await page.locator('#found li').first().waitFor()
  await checkBothThemes(page, 'the reference on a phone')
  assert.deepEqual(strayed, [])
  assert.deepEqual(
    broken.filter((text) => !/status of 404/.test(text)),
    [],
  )
})
