import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { closeIdle } from './idle.ts'

const ROUND_MS = 1000

async function startServer(t: TestContext, answer: RequestListener) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const server = createServer(answer)
  closeIdle(server, ROUND_MS)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket.on('error', () => undefined))
    await once(socket, 'connect')
    return socket
  }
}

const ask = (socket: Socket) => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
const passRound = (t: TestContext) => t.mock.timers.tick(ROUND_MS)

test('who asks nothing for three rounds is closed, who asks now and then is not', async (t) => {
  const open = await startServer(t, (_request, response) => response.end('here'))
  const [idle, used] = [await open(), await open()]
  for (const socket of [idle, used]) {
    ask(socket)
    await once(socket, 'data')
  }
  for (let round = 1; round <= 2; round += 1) {
    passRound(t)
    ask(used)
    await once(used, 'data')
    assert.equal(idle.readyState, 'open', `after ${round} rounds`)
  }
  const ended = once(idle.resume(), 'close')
  passRound(t)
  await ended
  ask(used)
  assert.match(String(await once(used, 'data')), /here$/)
})

test('who still reads an answer is not idle', async (t) => {
  const megabytes = 'x'.repeat(20_000_000)
  const open = await startServer(t, (_request, response) => response.end(megabytes))
  const slow = await open()
  let length = 0
  slow.on('data', (part: Buffer) => {
    length += part.length
  })
  ask(slow)
  await once(slow, 'data')
  slow.pause()
  for (let round = 1; round <= 5; round += 1) {
    passRound(t)
    await setTimeout(1)
  }
  slow.resume()
  let closed = false
  slow.once('close', () => {
    closed = true
  })
  while (length < megabytes.length && !closed) await setTimeout(1)
  assert.ok(!closed, 'closed before all was read')
})
