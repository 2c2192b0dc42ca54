import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../../test/until.ts'
import type { Services } from '../answer.ts'
import { buildServer } from '../server.ts'
import { IDLE_CHECK_MS } from './connections.ts'

const ROUND_MS = 30_000

/** Starts the service's own server; `/healthz` and `/openapi.json` need no services. */
async function startServer(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { fastify } = buildServer({
    services: {
      observe: { request: () => undefined },
      parcels: { unreached: () => [] },
    } as unknown as Services,
    metrics: undefined,
    patienceMs: 100,
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const sockets: Socket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await fastify.close()
  })
  return async () => {
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket.on('error', () => undefined))
    await once(socket, 'connect')
    return socket
  }
}

const ask = (socket: Socket, path = '/healthz') =>
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
const passRound = (t: TestContext) => t.mock.timers.tick(ROUND_MS)

test('a connection idle for four checks is closed; one used now and then stays open', async (t) => {
  const open = await startServer(t)
  const [idle, used] = [await open(), await open()]
  for (const socket of [idle, used]) {
    ask(socket)
    assert.match(String(await once(socket, 'data')), /\r\nkeep-alive: timeout=72\r\n/i)
  }
  for (let round = 1; round <= 3; round += 1) {
    passRound(t)
    ask(used)
    await once(used, 'data')
    assert.equal(idle.readyState, 'open', `after ${round} rounds`)
  }
  const ended = once(idle.resume(), 'close')
  passRound(t)
  await ended
  for (let round = 1; round <= 5; round += 1) {
    passRound(t)
    ask(used)
    assert.match(String(await once(used, 'data')), /"ok"/)
  }
})

test('a caller that reads slowly is neither idle nor stuck', async (t) => {
  const open = await startServer(t)
  const slow = await open()
  let length = 0
  let last: Buffer = Buffer.alloc(0)
  slow.on('data', (part: Buffer) => {
    length += part.length
    last = part
  })
  ask(slow, '/openapi.json')
  await once(slow, 'data')
  await until(() => String(last).endsWith('}'))
  const one = length
  let closed = false
  slow.once('close', () => {
    closed = true
  })
  // More than the system's buffers of a connection.
  const times = Math.ceil(60_000_000 / one)
  const enough = one * (times + 1) - times * 10
  let asked = 1
  while (length < enough && !closed) {
    // Keeps fewer requests waiting than a connection may hold.
    for (; asked <= times && asked - length / one < 64; asked += 1) ask(slow, '/openapi.json')
    const before = length
    slow.pause()
    t.mock.timers.tick(IDLE_CHECK_MS)
    slow.resume()
    // Reads the data in the system's buffers first, which the server does not notice.
    await until(() => closed || length >= Math.min(before + 4_000_000, enough), 1)
  }
  assert.ok(!closed, 'closed before all was read')
})

test('a caller that reads nothing of an answer for ten seconds is closed', async (t) => {
  const open = await startServer(t)
  const unread = await open()
  unread.pause()
  // What was sent and not read makes the end a reset.
  unread.on('error', () => undefined)
  const closed = new Promise((resolve) => unread.once('close', resolve))
  for (let at = 0; at < 300; at += 1) ask(unread, '/openapi.json')
  await setTimeout(200)
  for (let check = 1; check <= 7; check += 1) {
    t.mock.timers.tick(IDLE_CHECK_MS)
    await setTimeout(1)
  }
  unread.resume()
  await closed
})
