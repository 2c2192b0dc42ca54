/** The client in Chromium, from a page of another origin than the service. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeSandboxKey } from '../../src/accounts/api-key.ts'
import { buildSandbox } from '../../src/sandbox/build.ts'
import { NO_BROWSER, shareBrowser } from '../console/browser.ts'
import { NOON, startService, type TestService } from '../service.ts'

const SOURCE = new URL('../../client/src/', import.meta.url)

let service: TestService
let page: Page
let release: () => Promise<void>
let key = ''
/** Serves an empty page, and the client's files without their types. */
const pages = createServer(({ url = '/' }, response) => {
  const name = /^\/(\w+\.ts)$/.exec(url)?.[1]
  const code = name && stripTypeScriptTypes(readFileSync(new URL(name, SOURCE), 'utf8'))
  response.setHeader('content-type', name ? 'text/javascript' : 'text/html')
  response.end(code ?? '<!doctype html><title>A page</title>')
})
before(async () => {
  if (NO_BROWSER !== false) return
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  service = await startService('', { corsOrigins: origin() })
  await buildSandbox(service.config.data, () => NOON)
  key = await service.keyFor({ responseShape: 'flat' }, makeSandboxKey)
  const shared = await shareBrowser()
  release = shared.release
  page = await shared.thing.newPage()
})
after(async () => {
  await page?.close()
  await release?.()
  await service?.close()
  pages.close()
})

function origin(): string {
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
}

test('lookups, lists, batches and errors work in a page of another origin', {
  skip: NO_BROWSER,
}, async () => {
  await page.goto(origin())
  const seen = await page.evaluate(
    `(async ([baseUrl, key]) => {
      const { Platbook, AuthenticationError } = await import('/index.ts')
      const platbook = new Platbook({ baseUrl, key })
      const found = await platbook.addressLookup({ state: 'WI', address: '1200 Pecanhill Ave' })
      const missing = await platbook.addressLookup({ state: 'WI', address: '9 Nowhere St' })
      const owned = []
      const colemans = platbook.ownerSearch({ state: 'IL', lastName: 'Coleman' })
      for await (const { address } of colemans) owned.push(address)
      const rows = [{ id: 7, state: 'TX', county: 'Travis', parcelId: '101195' }]
      const [row] = await platbook.batch(rows)
      const stranger = new Platbook({ baseUrl, key: 'pbk_no', retries: 0 })
      const wrong = await stranger.usage().catch((error) => error)
      return {
        parcelId: found.parcelId, match: found.meta.match, answered: typeof found.meta.requestId,
        missing, owned: owned.length > 0, row: [row.id, row.status],
        wrong: wrong instanceof AuthenticationError,
      }
    })(${JSON.stringify([service.address, key])})`,
  )
  assert.deepEqual(seen, {
    ...{ parcelId: '0510-111-0000001-6', match: 'exact', answered: 'string' },
    ...{ missing: null, owned: true, row: [7, 200], wrong: true },
  })
})
