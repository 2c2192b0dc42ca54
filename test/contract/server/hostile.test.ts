/** Callers who mean harm, and callers whose service stops. Each through a real socket. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { countRequests } from '../../metrics.ts'
import { startService } from '../../service.ts'
import { until } from '../../until.ts'
import { makeRoll } from '../rolls.ts'
import { exchange } from './raw.ts'

const service = await startService(makeRoll([{ ownerName1: 'SMITH JOHN', address: '1 MAIN ST' }]))
after(() => service.close())
const { hostname, port } = new URL(service.address)

function open(): Socket {
  return connect(Number(port), hostname).on('error', () => undefined)
}

const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'

test('one connection that pipelines and reads nothing takes no slot from others', async () => {
  const unread = Array.from({ length: 2 }, () => open().pause())
  for (const socket of unread) socket.write(DOCUMENT.repeat(1000))
  await setTimeout(300)
  assert.equal((await service.get('/public/usage/')).status, 200)
  for (const socket of unread) socket.destroy()
})

test('a connection begins no more than 32 requests before an answer is taken', async () => {
  const charges: (() => void)[] = []
  const proceed = () => {
    for (const go of charges.splice(0)) go()
  }
  const roll = makeRoll([{ ownerName1: 'SMITH JOHN' }])
  const slow = await startService(roll, {}, (ledger) => ({
    ...ledger,
    charge: (charge) =>
      new Promise((resolve) => {
        charges.push(() => resolve(ledger.charge(charge)))
      }),
  }))
  try {
    const key = await slow.keyFor()
    const socket = connect(Number(new URL(slow.address).port), hostname)
    let text = ''
    socket.on('data', (part) => {
      text += part
    })
    const head = `Host: x\r\nAuthorization: ${key}\r\n\r\n`
    socket.write(
      `GET /public/premium/owner/?state=WI&lastName=Smith HTTP/1.1\r\n${head}`.repeat(100),
    )
    await until(() => charges.length >= 32)
    await setTimeout(300)
    assert.equal(charges.length, 32)
    await until(() => {
      proceed()
      return (text.match(/HTTP\/1\.1 /g) ?? []).length >= 100
    })
    assert.equal((text.match(/HTTP\/1\.1 200/g) ?? []).length, 100)
    assert.equal(await slow.charges(key), 100)
    socket.destroy()
  } finally {
    await slow.close()
  }
})

test('more than 96 requests behind those in work close their connection', async () => {
  const socket = open()
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve('closed')))
  socket.resume().write('GET /public/usage/ HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600))
  assert.equal(await Promise.race([closed, setTimeout(5000, 'open')]), 'closed')
})

test('an address with 32 connections closed for bad input is blocked, no other is', {
  skip: process.platform !== 'linux' && 'only Linux has all of 127.0.0.0/8',
}, async () => {
  const openFrom = (localAddress: string) =>
    connect({ port: Number(port), host: hostname, localAddress }).on('error', () => undefined)
  const closeOf = (socket: Socket) =>
    new Promise<string>((resolve) => socket.on('close', () => resolve('closed')))
  const flood = 'GET /public/usage/ HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600)
  for (let round = 0; round < 32; round += 1) {
    const socket = openFrom('127.0.0.7').resume()
    socket.write(flood)
    assert.equal(await Promise.race([closeOf(socket), setTimeout(5000, 'open')]), 'closed')
  }
  const next = openFrom('127.0.0.7').resume()
  assert.equal(await Promise.race([closeOf(next), setTimeout(5000, 'open')]), 'closed')
  const answered = new Promise<string>((resolve) => {
    const other = openFrom('127.0.0.8')
    other.on('data', (part) => resolve(String(part).slice(0, 15)))
    other.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  })
  assert.equal(await answered, 'HTTP/1.1 200 OK')
})

test('128 requests in one write are all answered, in order', async () => {
  const paths = Array.from({ length: 128 }, (_, at) => `/nothing-${at}/`)
  const last = 'GET /last/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const text = paths
    .slice(1)
    .map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    .join('')
  const answers = await exchange(service.address, text + last)
  const paths404 = answers.text.match(/nothing-\d+|\/last/g)
  assert.deepEqual(paths404, [...paths.slice(1).map((path) => path.slice(1, -1)), '/last'])
})

test('a closed connection with many requests does not change stacks of later errors', async () => {
  const socket = open()
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.resume().write('GET /public/usage/ HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600))
  await closed
  await setTimeout(50)
  assert.ok(Error.stackTraceLimit > 0)
})

test('garbage behind an owner search: the answer first, then 400, and one charge', async () => {
  const key = await service.keyFor()
  const search =
    'GET /public/premium/owner/?state=WI&lastName=Smith HTTP/1.1\r\nHost: ' +
    `x\r\nAuthorization: ${key}\r\n\r\n`
  const { text } = await exchange(service.address, `${search}garbage\r\n\r\n`)
  const statuses = text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
  assert.deepEqual(statuses, ['200', '400'])
  assert.equal(await service.charges(key), 1)
})

for (const [name, header] of [
  ['Host', 'Host: other\r\n'],
  ['Authorization', 'Authorization: one\r\naUTHORIZATION: two\r\n'],
]) {
  test(`two ${name} headers are 400`, async () => {
    const { status, body } = await exchange(
      service.address,
      `GET /public/usage/ HTTP/1.1\r\nHost: a\r\n${header}\r\n`,
    )
    assert.equal(status, 400)
    assert.match(body, new RegExp(`The ${name} header is given more than once`))
  })
}

test('billing_url is not what the Host header says', async () => {
  const key = await service.keyFor({ suspended: true })
  const { body } = await exchange(
    service.address,
    'GET /public/usage/ HTTP/1.1\r\nHost: evil.example\r\nAuthorization: ' +
      `${key}\r\nConnection: close\r\n\r\n`,
  )
  assert.equal(JSON.parse(body).billing_url, `${service.address}/billing`)
})

test('PLATBOOK_PUBLIC_URL is where the billing page is', async () => {
  const other = await startService('', { publicUrl: 'https://api.example' })
  try {
    const key = await other.keyFor({ suspended: true })
    const { body } = await other.get('/public/usage/', {}, { key })
    assert.equal(body.billing_url, 'https://api.example/billing')
  } finally {
    await other.close()
  }
})

test('401 names the scheme, and every answer forbids sniffing', async () => {
  const refused = await service.get('/public/usage/', {}, { key: null })
  assert.equal(refused.headers.get('www-authenticate'), 'ApiKey realm="platbook"')
  for (const path of ['/public/usage/', '/nothing', '/healthz']) {
    const response = await fetch(`${service.address}${path}`)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('404, 405, 400 and 431 are counted', async () => {
  const statuses = [404, 405, 400, 431]
  const count = () => Promise.all(statuses.map((one) => countRequests(service, 'none', one)))
  const before = await count()
  await service.get('/nothing')
  await service.get('/public/usage/', {}, { method: 'POST' })
  await exchange(service.address, 'garbage\r\n\r\n')
  await exchange(service.address, `GET / HTTP/1.1\r\nX: ${'a'.repeat(9000)}\r\n\r\n`)
  assert.deepEqual(
    await count(),
    before.map((one) => one + 1),
  )
})

test('every path is below /api too', async () => {
  for (const path of ['/api/healthz', '/api/openapi.json']) {
    assert.equal((await fetch(`${service.address}${path}`)).status, 200)
  }
  const key = await service.keyFor()
  const usage = await fetch(`${service.address}/api/public/usage/`, {
    headers: { authorization: key },
  })
  assert.equal(usage.status, 200)
  assert.equal((await fetch(`${service.address}/apix/healthz`)).status, 404)
})

test('pages of listed origins may call the service, others may not', async () => {
  const origin = 'https://app.example'
  const other = await startService('', { corsOrigins: origin })
  try {
    const preflight = (from: string) =>
      fetch(`${other.address}/public/usage/`, {
        method: 'OPTIONS',
        headers: { origin: from, 'access-control-request-method': 'GET' },
      })
    const allowed = await preflight(origin)
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-origin'), origin)
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /authorization/)
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /traceparent/)
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /mcp-protocol-version/)
    assert.equal((await preflight('https://evil.example')).status, 405)
    const read = await fetch(`${other.address}/public/usage/`, { headers: { origin } })
    assert.equal(read.headers.get('access-control-allow-origin'), origin)
    assert.equal(read.headers.get('vary'), 'origin')
  } finally {
    await other.close()
  }
})
