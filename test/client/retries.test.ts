/** The client's tries, before a server that fails in the ways that networks and services do. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { ConnectionError, Platbook, RateLimitError, ServerError } from '../../client/src/index.ts'

type Step = (request: IncomingMessage, response: ServerResponse) => void

let steps: Step[] = []
let asked: IncomingMessage[] = []
const server = createServer((request, response) => {
  asked.push(request)
  const step = steps.shift() ?? answerUsage
  step(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
const platbook = new Platbook({ baseUrl: `http://127.0.0.1:${port}/`, key: 'pbk_any' })

/** Answers one call of `usage` with the steps, and returns the number of requests. */
async function play(next: Step[], options = {}) {
  steps = next
  asked = []
  return platbook.usage(options)
}

const answerUsage: Step = (_request, response) => response.end('{"period":{},"tokens":{}}')
const refuse =
  (status: number, headers: Record<string, string> = {}): Step =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end('{"error":"no"}')
  }
const drop: Step = (request) => request.socket.destroy()
const cut: Step = (request, response) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"peri')
  request.socket.destroySoon()
}
const silent: Step = () => {}

describe('tries', () => {
  for (const status of [408, 429, 500, 502, 503, 504]) {
    test(`${status} is tried again`, async () => {
      assert.ok(await play([refuse(status), refuse(status)]))
      assert.equal(asked.length, 3)
    })
  }

  test('a connection that is dropped or cut is tried again', async () => {
    assert.ok(await play([drop, cut]))
    assert.equal(asked.length, 3)
  })

  test('a try without an answer ends after its time and is followed by another', async () => {
    assert.ok(await play([silent], { timeoutMs: 100 }))
    assert.equal(asked.length, 2)
  })

  test('all tries of a call carry one idempotency key, and another call another one', async () => {
    await play([drop, refuse(503)])
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    assert.equal(new Set(keys).size, 1)
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
    await play([])
    assert.notEqual(asked[0]?.headers['idempotency-key'], keys[0])
  })

  test('after the last try the error is thrown', async () => {
    await assert.rejects(play([refuse(503), refuse(503), refuse(503)]), ServerError)
    assert.equal(asked.length, 3)
    await assert.rejects(play([drop], { retries: 0 }), ConnectionError)
    assert.equal(asked.length, 1)
  })

  test('what the caller did wrong is not tried again', async () => {
    for (const status of [400, 401, 403, 422]) {
      await assert.rejects(play([refuse(status)]))
      assert.equal(asked.length, 1)
    }
  })

  test('a Retry-After beyond a minute is an error without a wait', async () => {
    const error = await play([refuse(429, { 'retry-after': '61' })]).catch((thrown) => thrown)
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.retryAfter, 61)
    assert.equal(asked.length, 1)
  })

  test('a 200 that is not JSON is an error and not an answer', async () => {
    const page: Step = (_request, response) => response.end('<html>sign in</html>')
    await assert.rejects(play([page], { retries: 0 }), ConnectionError)
  })
})

describe('ending a call', () => {
  test('the signal of the caller ends the wait for an answer', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const answer = play([silent], { signal: controller.signal })
    controller.abort(reason)
    await assert.rejects(answer, reason)
  })

  test('the signal of the caller ends the pause between tries', async () => {
    const controller = new AbortController()
    const stopLater: Step = (request, response) => {
      refuse(503, { 'retry-after': '50' })(request, response)
      response.on('close', () => setTimeout(() => controller.abort(), 20))
    }
    await assert.rejects(play([stopLater], { signal: controller.signal }), { name: 'AbortError' })
    assert.equal(asked.length, 1)
  })
})
