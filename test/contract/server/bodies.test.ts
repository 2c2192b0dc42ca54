/** Bodies that do not arrive, and bodies that nobody may send. Each through a real socket. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { NOON, startService } from '../../service.ts'
import { makeRoll } from '../rolls.ts'
import { exchange } from './raw.ts'

const service = await startService(makeRoll([{ address: '1 MAIN ST' }]), { addressShare: 100 })
after(() => service.close())
const { hostname, port } = new URL(service.address)

// An address may send so many requests without a key, and the clock of the service is fixed.
let minutes = 0
beforeEach(() => later())
function later(): void {
  minutes += 1
  service.setClock(NOON + minutes * 60_000)
}

/** More than a worker has slots. */
const MANY = 1_100

async function open(text: string): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const head = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}`
const UNFINISHED = 'Content-Length: 100\r\n\r\n['

for (const [name, path, authorize] of [
  ['batches with a key', '/public/batch/', true],
  ['batches without a key', '/public/batch/', false],
  ['messages without a key', '/mcp', false],
] as const) {
  test(`unfinished bodies take no slot from lookups: ${name}`, async () => {
    const key = authorize ? `Authorization: ${await service.keyFor()}\r\n` : ''
    const sockets: Socket[] = []
    for (let at = 0; at < MANY; at += 1) sockets.push(await open(head(path, key) + UNFINISHED))
    for (let at = 0; at < 20; at += 1) {
      const { status } = await service.get('/public/property/address/', {
        state: 'WI',
        address: '1 Main St',
      })
      assert.equal(status, 200)
    }
    for (const socket of sockets) socket.destroy()
  })
}

test('a body that does not arrive is 408, after the answers before it', async () => {
  const key = `Authorization: ${await service.keyFor()}\r\n`
  const usage = `GET /public/usage/ HTTP/1.1\r\nHost: a\r\n${key}\r\n`
  const batch = head('/public/batch/', key)
  const [alone, behind, chunked] = await Promise.all([
    exchange(service.address, batch + UNFINISHED),
    exchange(service.address, usage + batch + UNFINISHED),
    exchange(service.address, `${batch}Transfer-Encoding: chunked\r\n\r\n5\r\n[{"st`),
  ])
  assert.deepEqual(statusesOf(alone.text), ['408'])
  assert.deepEqual(statusesOf(behind.text), ['200', '408'])
  assert.deepEqual(statusesOf(chunked.text), ['408'])
})

test('a body is not awaited before the key and the gate have passed', async () => {
  const blocked = `Authorization: ${await service.keyFor({ suspended: true })}\r\n`
  for (const [key, status] of [
    ['', '401'],
    ['Authorization: pbk_wrong\r\n', '401'],
    [blocked, '403'],
  ]) {
    const socket = await open(head('/public/batch/', key) + UNFINISHED)
    const [first] = await once(socket, 'data')
    assert.deepEqual(statusesOf(String(first)), [status])
    socket.destroy()
  }
})

test('the connection of an early refusal carries the next request', async () => {
  const batch = `${head('/public/batch/')}Content-Length: 2\r\n\r\n`
  const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const { text } = await exchange(service.address, `${batch}[]${last}`)
  assert.deepEqual(statusesOf(text), ['401', '200'])
})

test('more than a body may have is 413, with a length and in chunks', async () => {
  const key = `Authorization: ${await service.keyFor()}\r\n`
  const rest = `Transfer-Encoding: chunked\r\n\r\n${'10000\r\n'}${'x'.repeat(65_536)}\r\n`
  const announced = await exchange(service.address, head('/mcp', 'Content-Length: 65537\r\n\r\n'))
  assert.equal(announced.status, 413)
  const sent = await exchange(service.address, `${head('/mcp', key)}${rest}1\r\nx\r\n`)
  assert.equal(sent.status, 413)
  const fits = await exchange(
    service.address,
    `${head('/mcp', 'Connection: close\r\n')}${rest}0\r\n\r\n`,
  )
  assert.notEqual(fits.status, 413)
})

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function post(body: unknown, key?: string): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }
  if (key !== undefined) headers.authorization = key
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${service.address}/mcp`, { method: 'POST', headers, body: text })
}

test('a JSON-RPC array is 400, however long, and one message is answered', async () => {
  for (const body of [[LIST], Array(100).fill(LIST), [], ' \n[]', '\ufeff[]']) {
    const response = await post(body)
    assert.equal(response.status, 400)
    assert.ok((await response.text()).length < 200)
  }
  assert.equal((await post(LIST)).status, 200)
})

test('messages without a key have a rate of their own, which a key does not meet', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 101; at += 1) statuses.push((await post(LIST)).status)
  assert.deepEqual([statuses.indexOf(429), statuses.lastIndexOf(200)], [100, 99])
  const key = await service.keyFor()
  for (let at = 0; at < 10; at += 1) assert.equal((await post(LIST, key)).status, 200)
  const wrong = await service.get('/public/usage/', {}, { key: 'pbk_wrong' })
  assert.equal(wrong.status, 401, 'requests with a wrong key are counted for themselves')
  later()
  assert.equal((await post(LIST)).status, 200)
})

test('/mcp answers who accepts JSON, anything or names nothing, and others 406', async () => {
  const ask = async (accept: string | undefined) => {
    const lines = accept === undefined ? '' : `Accept: ${accept}\r\n`
    const body = JSON.stringify(LIST)
    const { status } = await exchange(
      service.address,
      `${head('/mcp', lines)}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return status
  }
  for (const accept of ['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1', '']) {
    assert.equal(await ask(accept), 200, accept)
  }
  assert.equal(await ask(undefined), 200)
  for (const accept of ['text/html', 'text/event-stream', 'image/png']) {
    assert.equal(await ask(accept), 406, accept)
  }
})

function statusesOf(text: string): string[] {
  return text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
}
