/** Traces are sent to a collector by OTLP, without request data. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { endAll, startRunning } from '../../ledger/running-service.ts'
import { makeCustomer, operate } from '../../processes/operator.ts'

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status?: { code?: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const NAME = 'Quillfeather'

const scratch = mkdtempSync(join(tmpdir(), 'platbook-test-'))
const bodies: string[] = []
const collector = createServer(async (request, response) => {
  bodies.push(await text(request))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
after(async () => {
  await endAll()
  collector.close()
  rmSync(scratch, { recursive: true, force: true })
})

test('a request span has spans of lookup and charge and holds no request data', async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const data = join(scratch, 'data')
  await operate(data, 'sample', '--parcels', '600')
  const { key } = await makeCustomer(data)
  const env = { PLATBOOK_TRACES_URL: `http://127.0.0.1:${port}/v1/traces` }
  const service = await startRunning({ data, workers: 1, env })
  const ask = (path: string, headers = {}) =>
    fetch(service.address + path, { headers: { authorization: key, ...headers } })
  const lookup = `/public/property/address/?state=TX&address=1+${NAME}+ST`
  const missed = await ask(lookup, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })
  const paid = await ask('/public/premium/owner/?state=TX&lastName=Smith')
  assert.deepEqual([missed.status, paid.status], [404, 200])
  assert.equal(await service.stop(), 0)

  const spans = bodies.flatMap(
    (body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as Span[],
  )
  const request = spans.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7')
  assert.ok(request)
  assert.equal(request.name, 'GET /public/property/address/')
  assert.equal(readAttribute(request, 'http.response.status_code'), 404)
  assert.equal(readAttribute(request, 'platbook.request_id'), missed.headers.get('x-request-id'))
  assert.deepEqual(below(request, spans), ['find'])
  const search = spans.find(({ name }) => name === 'GET /public/premium/owner/')
  assert.ok(search)
  assert.deepEqual(below(search, spans), ['charge', 'find'])
  const sent = bodies.join('')
  assert.ok(!sent.includes(NAME) && !sent.includes(NAME.toUpperCase()), 'no address')
  assert.ok(!sent.includes('lastName') && !sent.includes(key), 'no query and no key')
})

test('a collector that is down costs no answer', async () => {
  const data = join(scratch, 'data')
  const { key } = await makeCustomer(data)
  const env = { PLATBOOK_TRACES_URL: 'http://127.0.0.1:9/v1/traces' }
  const service = await startRunning({ data, workers: 1, env })
  const usage = await fetch(`${service.address}/public/usage/`, { headers: { authorization: key } })
  assert.equal(usage.status, 200)
  assert.equal(await service.stop(), 0)
})

function below(parent: Span, spans: Span[]): string[] {
  return spans
    .filter(({ parentSpanId, traceId }) => {
      return parentSpanId === parent.spanId && traceId === parent.traceId
    })
    .map(({ name }) => name)
    .sort()
}

function readAttribute({ attributes }: Span, key: string): string | number | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}
