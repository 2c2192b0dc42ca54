/** `/llms.txt` and the pages that it lists; a service of its own for the public address. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

test('llms.txt lists pages below the public address, and each is served as Markdown', async (t) => {
  const service = await startService(makeRoll([{ parcelId: '1' }]), {
    publicUrl: 'https://plat.example/data',
  })
  t.after(() => service.close())
  const list = await (await fetch(`${service.address}/llms.txt`)).text()
  const links = [...list.matchAll(/^- \[[^\]]+\]\((\S+)\)$/gm)].map(([, link = '']) => link)
  assert.ok(links.length > 30)
  for (const link of links) {
    assert.ok(link.startsWith('https://plat.example/data/docs/'), link)
    const page = await fetch(service.address + link.slice('https://plat.example/data'.length))
    assert.equal(page.status, 200, link)
    assert.match(page.headers.get('content-type') ?? '', /^text\/markdown/)
  }
  const page = await (await fetch(`${service.address}/docs/api.md`)).text()
  assert.equal(page, readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8'))
  for (const path of ['/docs/', '/docs/none.md', '/docs/../package.json', '/docs/%2e%2e/LICENSE']) {
    assert.equal((await fetch(service.address + path)).status, 404, path)
  }
  const document = await (await fetch(`${service.address}/openapi.json`)).json()
  assert.deepEqual((document as { servers: unknown }).servers, [
    { url: 'https://plat.example/data' },
  ])
})
