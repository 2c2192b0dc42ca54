/**
 * The client through a proxy that drops, delays and repeats, before a real service that charges.
 */
import assert from 'node:assert/strict'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { AccessDeniedError, Platbook } from '../../client/src/index.ts'
import { makeRoll, times } from '../contract/rolls.ts'
import { startService, type TestService } from '../service.ts'

const PARCELS = 3000
const makeRows = (suffix: string) =>
  makeRoll(
    times(PARCELS, (number) => ({
      ...{ parcelId: `P-${number}`, address: `${number} OAK ST`, city: 'MADISON' },
      ...{ ownerName1: `GARCIA MARIA ${suffix}`, nameOrder: 'surname-first' },
    })),
  )

type Fault = 'none' | 'drop-before' | 'drop-after' | 'delay' | 'repeat'

let service: TestService
let faults: Fault[] = []
const proxy = createServer((request, response) => {
  pass(request, response).catch(() => response.destroy())
})
before(async () => {
  service = await startService(makeRows('A'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await service.close()
})

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fault = faults.shift() ?? 'none'
  if (fault === 'drop-before') {
    request.socket.destroy()
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  if (fault === 'delay') await wait(150)
  if (fault === 'repeat') await forward(request, body)
  const { status, headers, text } = await forward(request, body)
  // The service has charged and answered; the caller does not receive the answer.
  if (fault === 'drop-after') {
    request.socket.destroy()
    return
  }
  response.writeHead(status, headers)
  response.end(text)
}

function forward(request: IncomingMessage, body: Buffer) {
  type Forwarded = { status: number; headers: NodeJS.Dict<string | string[]>; text: Buffer }
  return new Promise<Forwarded>((resolve, reject) => {
    const { method, headers } = request
    const onward = ask(`${service.address}${request.url}`, { method, headers }, async (answer) => {
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      const { statusCode: status = 0 } = answer
      resolve({ status, headers: answer.headers, text: Buffer.concat(parts) })
    })
    onward.on('error', reject)
    onward.end(body)
  })
}

const through = (key: string) =>
  new Platbook({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, key })

for (const fault of ['drop-before', 'drop-after', 'delay', 'repeat'] as const) {
  test(`an owner search behind a proxy with the fault ${fault} is charged once`, async () => {
    const key = await service.keyFor({ responseShape: 'flat' })
    faults = [fault]
    const found = through(key).premiumOwnerSearch({ state: 'WI', lastName: 'Garcia', limit: 5 })
    const [page] = [(await found.pages().next()).value]
    assert.equal(page?.items.length, 5)
    assert.equal(await service.charges(key), 1)
  })
}

test('a batch whose answer was lost is sent again as it was', async () => {
  const key = await service.keyFor({ responseShape: 'flat' })
  faults = ['drop-after']
  const rows = times(1001, (number) => ({ id: number, state: 'WI', address: `${number} Oak St` }))
  const results = await through(key).batch(rows)
  assert.equal(results.length, 1001)
  assert.ok(
    results.every(
      ({ id, status, property }, at) =>
        id === at + 1 && status === 200 && property?.parcelId === `P-${at + 1}`,
    ),
  )
})

test('a batch that is refused midway keeps the results that were paid for', async () => {
  const rows = times(2500, (number) => ({ id: number, state: 'WI', address: `${number} Oak St` }))
  let asked = 0
  const refusing: typeof fetch = async (_, init) => {
    asked += 1
    if (asked === 3) {
      const body = { error: 'used up', code: 'overage_limit_exceeded', action: 'wait' }
      return Response.json(body, { status: 403 })
    }
    const sent = JSON.parse(String(init?.body)) as { id: number }[]
    return Response.json({ results: sent.map(({ id }) => ({ id, status: 404 })) })
  }
  const platbook = new Platbook({ baseUrl: 'http://127.0.0.1', key: 'key', fetch: refusing })
  const error = await platbook.batch(rows).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof AccessDeniedError)
  const ids = error.results.map((result) => (result as { id: number }).id)
  assert.deepEqual([ids.length, ids.at(0), ids.at(-1)], [2000, 1, 2000])
})

test('an id that is given thrice in a batch has three answers, as three rows cost', async () => {
  const key = await service.keyFor({ responseShape: 'flat' })
  const rows = times(3, () => ({ id: 'same', state: 'WI', address: '7 Oak St' }))
  const found = (await through(key).batch(rows)).map(({ id, status }) => [id, status])
  assert.deepEqual(found, new Array(3).fill(['same', 200]))
})

test('a cursor gives each record once while an import changes all of them', async () => {
  const key = await service.keyFor({ responseShape: 'flat' })
  const seen: string[] = []
  let importing: Promise<unknown> | undefined
  for await (const { parcelId } of through(key).propertySearch({ state: 'WI', limit: 100 })) {
    seen.push(String(parcelId))
    if (seen.length === 500) importing = service.importRoll(makeRows('B'))
  }
  await importing
  assert.equal(seen.length, PARCELS)
  assert.equal(new Set(seen).size, PARCELS)
})
