import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { createObserve } from '../base/observe.ts'
import type { Services } from './answer.ts'
import { buildServer } from './server.ts'

test('an unexpected error is logged and closes only its own connection', {
  timeout: 30_000,
}, async () => {
  const lines: string[] = []
  const services = {
    parcels: { unreached: () => [] },
    searches: { gather: () => Promise.reject(new Error('out of order')) },
    observe: createObserve((line) => lines.push(line), Date.now),
  } as unknown as Services
  const { fastify } = buildServer({ services, metrics: undefined, patienceMs: 100 })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  const [failing, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  const ended = once(failing, 'close')
  failing.on('error', () => undefined)
  failing.write('GET /public/usage/ HTTP/1.1\r\nHost: a\r\n\r\n')
  await ended
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"operation":"usage.*out of order/)
  other.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.match(String(await once(other, 'data')), /^HTTP\/1\.1 200 /)
  other.destroy()
  await fastify.close()
})
