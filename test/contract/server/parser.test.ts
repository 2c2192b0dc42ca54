/**
 * Requests that the HTTP parser refuses get a body, an id and a status like any other error:
 * docs/decisions/http-interface.md.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'
import { exchange } from './raw.ts'

const service = await startService(makeRoll([{ address: '1 MAIN ST' }]))
after(() => service.close())
const key = await service.keyFor()

const SEARCH = 'GET /public/property/search/?state=WI HTTP/1.1\r\nHost: x\r\n'
const CLOSE = 'Connection: close\r\n'

/** The refusal as a caller sees it: status, and the form that every error has. */
async function refusal(bytes: string | Buffer): Promise<number> {
  const { status, headers, body, text } = await exchange(service.address, bytes)
  const parsed = JSON.parse(body)
  assert.deepEqual(Object.keys(parsed), ['error'], text)
  assert.match(parsed.error, /\w+ \w+/)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('content-length'), String(Buffer.byteLength(body)))
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-request-id') ?? '', /./)
  assert.equal(headers.get('connection'), 'close')
  return status
}

const garbage: [string, string | Buffer][] = [
  ['no HTTP at all', 'hello there\r\n\r\n'],
  ['bytes of TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03])],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['a header without a colon', `${SEARCH}broken\r\n\r\n`],
  ['a NUL in a header', `${SEARCH}Authorization: a\0b\r\n\r\n`],
  ['a length that is not a number', `${SEARCH}Content-Length: many\r\n\r\n`],
  [
    'a length and chunks',
    `${SEARCH}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['no Host', 'GET /public/property/search/?state=WI HTTP/1.1\r\nConnection: close\r\n\r\n'],
]
for (const [what, bytes] of garbage) {
  test(`${what} is 400`, async () => {
    assert.equal(await refusal(bytes), 400)
  })
}

test('CONNECT is 405', async () => {
  assert.equal(await refusal('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'), 405)
})

test('a head of more than 8 KiB is 431', async () => {
  assert.equal(await refusal(`${SEARCH}X: ${'a'.repeat(9000)}\r\n\r\n`), 431)
  const target = `/public/property/search/?state=WI&city=${'a'.repeat(9000)}`
  assert.equal(await refusal(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`), 431)
})

test('a head of less than 8 KiB is read', async () => {
  const head = `${SEARCH}Authorization: ${key}\r\nX: ${'a'.repeat(7900)}\r\n${CLOSE}\r\n`
  assert.equal((await exchange(service.address, head)).status, 200)
})

test('a body on GET is 400', async () => {
  const own = `${SEARCH}Authorization: ${key}\r\n`
  assert.equal(await refusal(`${own}Content-Length: 2\r\n\r\n{}`), 400)
  assert.equal(
    await refusal(`${own}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`),
    400,
  )
  assert.equal(await refusal(`${own}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`), 400)
})

test('an empty body is none', async () => {
  const head = `${SEARCH}Authorization: ${key}\r\nContent-Length: 0\r\n${CLOSE}\r\n`
  assert.equal((await exchange(service.address, head)).status, 200)
})

test('an expectation that nobody knows is refused like any other error', async () => {
  const head = `${SEARCH}Authorization: ${key}\r\nExpect: a miracle\r\n${CLOSE}\r\n`
  assert.equal(await refusal(head), 417)
})

test('an expected 100-continue and an upgrade that nobody asked for change nothing', async () => {
  const own = `${SEARCH}Authorization: ${key}\r\n`
  const expecting = await exchange(service.address, `${own}Expect: 100-continue\r\n${CLOSE}\r\n`)
  assert.match(expecting.text, /HTTP\/1\.1 200 /)
  const upgrade = 'Upgrade: websocket\r\nConnection: upgrade, close\r\n'
  assert.equal((await exchange(service.address, `${own}${upgrade}\r\n`)).status, 200)
})

test('HTTP/1.0 needs no Host', async () => {
  const head = `GET /public/property/search/?state=WI HTTP/1.0\r\nAuthorization: ${key}\r\n\r\n`
  assert.equal((await exchange(service.address, head)).status, 200)
})

test('a head that does not arrive within its time is 408', async () => {
  assert.equal(await refusal(`${SEARCH}X-Slow: `), 408)
})

test('after all of that the service answers', async () => {
  assert.equal((await service.get('/public/property/search/', { state: 'WI' })).status, 200)
})

test('several requests on one connection are answered in their order', async () => {
  const ask = (state: string, more: string) =>
    `GET /public/property/search/?state=${state} HTTP/1.1\r\nHost: x\r\nAuthorization: ` +
    `${key}\r\n${more}\r\n`
  const { text } = await exchange(service.address, ask('WI', '') + ask('XX', '') + ask('IL', CLOSE))
  assert.deepEqual(text.match(/(?<=HTTP\/1\.1 )\d+/g), ['200', '400', '200'])
})
