import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { createObserve } from '../base/observe.ts'
import type { Services } from './answer.ts'
import { SearchQueue } from './load/search-queue.ts'
import { buildServer } from './server.ts'

test('closing finishes running requests, ends their connections, and waits for no idle caller', {
  // Callers may keep a connection for 72 s.
  timeout: 30_000,
}, async () => {
  const found = Promise.withResolvers<undefined>()
  const services = {
    keys: { recall: () => undefined, find: () => found.promise },
    observe: createObserve(() => undefined, Date.now),
    searches: new SearchQueue(),
    failedKeys: { note: () => undefined },
    priceOf: () => 0,
    keyIn: (header: string) => header,
    now: Date.now,
  } as unknown as Services
  const { fastify } = buildServer({ services, metrics: undefined, patienceMs: 100 })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1')
  const asked = once(fastify.server, 'request')
  socket.write('GET /public/usage/ HTTP/1.1\r\nHost: a\r\nAuthorization: key\r\n\r\n')
  await asked
  const closing = fastify.close()
  await new Promise(setImmediate)
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  const ended = once(socket, 'end')
  found.resolve(undefined)
  await Promise.all([closing, ended])
  assert.match(text, /^HTTP\/1\.1 401 .*\r\nconnection: close\r\n.*Invalid API key"\}$/s)
  assert.doesNotMatch(text, /keep-alive/i)
})
