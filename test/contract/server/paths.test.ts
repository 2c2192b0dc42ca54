/** Requests for paths without an operation: docs/decisions/http-interface.md. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'

const service = await startService(makeRoll([{ address: '1 MAIN ST' }]))
after(() => service.close())

const UNKNOWN = [
  '/',
  '/public',
  '/public/property/',
  '/public/property/Address/',
  '/public/premium/owner/more/',
  '/public/property/parcelid/',
  '/public//property/search/',
  '/favicon.ico',
  '/billing/more',
]

for (const path of UNKNOWN) {
  test(`${path} is 404 with an error text, before the key is looked at`, async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await service.get(path, {}, { key: null, method })
      assert.equal(status, 404)
      assert.deepEqual(Object.keys(body), ['error'])
      assert.match(body.error, /./)
    }
  })
}

test('a long path is shortened in the answer', async () => {
  const { status, body } = await service.get(`/${'a'.repeat(4000)}`)
  assert.equal(status, 404)
  assert.ok(body.error.length < 400)
})

test('a broken percent-encoding of the path is 400 with an error text', async () => {
  for (const path of ['/public/%zz/', '/%', '/public/property/search/%E0%A4%A']) {
    const { status, body } = await service.get(path)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['error'])
  }
})

test('the service’s own paths take GET alone too', async () => {
  for (const [path, allowed] of [
    ['/healthz', 'GET, HEAD'],
    ['/readyz', 'GET, HEAD'],
    ['/openapi.json', 'GET'],
    ['/billing', 'GET'],
  ] as const) {
    const { status, headers, body } = await service.get(path, {}, { method: 'POST', key: null })
    assert.equal(status, 405)
    assert.equal(headers.get('allow'), allowed)
    assert.deepEqual(Object.keys(body), ['error'])
  }
})

test('a cross-origin preflight is not an operation', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' }
  const { status } = await service.get(
    '/public/property/search/',
    {},
    { method: 'OPTIONS', headers },
  )
  assert.equal(status, 405)
})
