/** Deliveries: signatures, retries, rotation, failing receivers, and refused addresses. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { operate } from '../../processes/operator.ts'
import { NOON, startService } from '../../service.ts'
import { until } from '../../until.ts'
import { type EventReceiver, type Received, startEventReceiver } from './receiver.ts'

const HEAD = 'state,county,parcelId,ownerName1,nameOrder,address,totalAssessedValue\n'
const roll = (value: number, count = 3) =>
  HEAD +
  Array.from(
    { length: count },
    (_, at) => `WI,Dane,${at},"DOE, JO",last-first,1 A ST,${value}`,
  ).join('\n')
const DAY = 86_400_000
const PATH = '/public/watches/'
const service = await startService(roll(1000), { watchPrivate: '127.0.0.0/8' })
const receivers: EventReceiver[] = []
after(async () => {
  await service.close()
  for (const one of receivers) await one.close()
})
const receive = async () => {
  const receiver = await startEventReceiver()
  receivers.push(receiver)
  return receiver
}
let value = 1000
let now = NOON
/** An import that changes all parcels, and the events of it. */
async function load(count?: number): Promise<void> {
  value += 1
  now += DAY
  service.setClock(now)
  await service.importRoll(roll(value, count), { force: true, at: now })
  await setImmediate()
  while (await service.keeper.find());
}
async function deliver(): Promise<void> {
  await service.keeper.send()
  await service.keeper.idle()
}
const wait = (ms: number) => {
  now += ms
  service.setClock(now)
}
async function make(body: object) {
  const ids = { kind: 'parcels', propertyIds: ['55025-0', '55025-1', '55025-2'] }
  const answer = await service.get(PATH, {}, { method: 'POST', body: { ...ids, ...body } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body as { id: string; secret: string }
}
const read = async (id: string) => (await service.get(`${PATH}${id}/`)).body
const remove = (id: string) => service.get(`${PATH}${id}/`, {}, { method: 'DELETE' })
const idsOf = ({ taken }: EventReceiver) => taken.map(({ headers }) => headers['webhook-id'])
const eventsOf = ({ body }: Received) => JSON.parse(body).events as { id: string; type: string }[]

/** Verifies a delivery as its receiver does, at the service's time. */
function verify({ body, headers }: Received, secret: string): unknown {
  const { now: real } = Date
  Date.now = () => now
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    Date.now = real
  }
}

test("a delivery is verified by the specification's own package", async () => {
  const receiver = await receive()
  const { id, secret } = await make({ url: receiver.url })
  await load()
  await deliver()
  const [delivery] = receiver.taken
  assert.ok(delivery !== undefined && receiver.taken.length === 1)
  const body = verify(delivery, secret) as { type: string; watch: string; events: unknown[] }
  assert.deepEqual([body.type, body.watch, body.events.length], ['watch.events', id, 3])
  const pulled = await service.get(`${PATH}${id}/events/`)
  assert.deepEqual(body.events, pulled.body.events)
  assert.throws(() => verify({ ...delivery, body: `${delivery.body} ` }, secret))
  const { deliveries } = await read(id)
  assert.deepEqual(
    deliveries.map((one: { status: string; answer: string; events: number }) => [
      one.status,
      one.answer,
      one.events,
    ]),
    [['delivered', '200', 3]],
  )
  await deliver()
  assert.equal(receiver.taken.length, 1, 'nothing is sent twice')
  await remove(id)
})

test('for a day after a rotation both secrets sign, then the new one alone', async () => {
  const receiver = await receive()
  const { id, secret } = await make({ url: receiver.url })
  const options = { method: 'PATCH', body: { rotateSecret: true } }
  const { secret: next } = (await service.get(`${PATH}${id}/`, {}, options)).body
  const send = () => service.get(`${PATH}${id}/test/`, {}, { method: 'POST' })
  assert.deepEqual((await send()).body, { delivered: true, answer: '200' })
  for (const one of [secret, next]) verify(receiver.taken[0] as Received, one)
  wait(DAY + 1)
  await send()
  verify(receiver.taken[1] as Received, next)
  assert.throws(() => verify(receiver.taken[1] as Received, secret))
  assert.equal(eventsOf(receiver.taken[1] as Received)[0]?.type, 'watch.test')
  await remove(id)
})

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const WAITS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR],
  ...[20 * HOUR, 24 * HOUR],
]

test('retries follow the schedule with one id; then the watch is failing', async () => {
  const receiver = await receive()
  receiver.status = 500
  const { id } = await make({ url: receiver.url })
  await load()
  await deliver()
  assert.equal(receiver.taken.length, 1)
  for (const [at, ms] of WAITS.entries()) {
    wait(ms - 1)
    await deliver()
    assert.equal(receiver.taken.length, at + 1, `not before ${ms} ms`)
    wait(1)
    await deliver()
    assert.equal(receiver.taken.length, at + 2, `after ${ms} ms`)
  }
  assert.equal(new Set(idsOf(receiver)).size, 1)
  const failing = await read(id)
  assert.deepEqual([failing.status, failing.deliveries[0].status], ['failing', 'failed'])
  await load()
  await deliver()
  assert.equal(receiver.taken.length, 10, 'a failing watch sends nothing')
  assert.equal((await service.get(`${PATH}${id}/events/`)).body.events.length, 6)

  receiver.status = 200
  await service.get(`${PATH}${id}/`, {}, { method: 'PATCH', body: { status: 'active' } })
  await deliver()
  await deliver()
  const [again, next] = receiver.taken.slice(10)
  assert.equal(again?.headers['webhook-id'], idsOf(receiver)[0])
  assert.equal(again?.body, receiver.taken[0]?.body)
  assert.equal(eventsOf(again as Received).length, 3)
  assert.equal(eventsOf(next as Received).length, 3)
  await remove(id)
})

test('a receiver that answers 410 is gone: nothing more is tried', async () => {
  const receiver = await receive()
  receiver.status = 410
  const { id } = await make({ url: receiver.url })
  await load()
  await deliver()
  wait(DAY)
  await deliver()
  assert.equal(receiver.taken.length, 1)
  const { status, deliveries } = await read(id)
  assert.deepEqual(
    [status, deliveries[0].status, deliveries[0].answer],
    ['failing', 'failed', '410'],
  )
  await remove(id)
})

test('a redirect is a failure and is not followed', async () => {
  const [receiver, other] = [await receive(), await receive()]
  receiver.status = 307
  receiver.headers = { location: other.url }
  const { id } = await make({ url: receiver.url })
  await load()
  await deliver()
  assert.deepEqual([receiver.taken.length, other.taken.length], [1, 0])
  assert.equal((await read(id)).deliveries[0].answer, '307')
  await remove(id)
})

test('a POST has at most 100 events, and the next one follows it', async () => {
  const receiver = await receive()
  const { id } = await make({
    kind: 'owner',
    owner: 'DOE',
    propertyIds: undefined,
    url: receiver.url,
  })
  await load(103)
  await deliver()
  assert.equal(receiver.taken.length, 1)
  await deliver()
  const sizes = receiver.taken.map((one) => eventsOf(one).length)
  assert.deepEqual(sizes, [100, 3])
  const ids = receiver.taken.flatMap(eventsOf).map((one) => one.id)
  assert.equal(new Set(ids).size, 103)
  await remove(id)
  await load(3)
})

test('receivers that never answer delay nobody else', async () => {
  const [hanging, good] = [await receive(), await receive()]
  hanging.status = null
  const slow = []
  for (let at = 0; at < 8; at += 1) slow.push((await make({ url: hanging.url })).id)
  const { id } = await make({ url: good.url })
  await load()
  await service.keeper.send()
  await until(() => good.taken.length > 0)
  assert.equal((await read(slow[0] as string)).deliveries[0].status, 'pending')
  assert.ok(hanging.taken.length <= 4)
  await hanging.close()
  await service.keeper.idle()
  for (const one of [...slow, id]) await remove(one)
})

test('names of an account that never resolve delay no other account', async () => {
  const good = await receive()
  const asked: string[] = []
  const waiting: (() => void)[] = []
  let isSlow = false
  service.setResolve((name) => {
    if (!isSlow) return Promise.resolve([])
    asked.push(name)
    return new Promise((_, reject) => waiting.push(() => reject(new Error('no answer'))))
  })
  const slow: string[] = []
  for (let at = 0; at < 60; at += 1) {
    slow.push((await make({ url: `http://n${at}.slow.test/hook` })).id)
  }
  const key = await service.keyFor()
  const propertyIds = ['55025-0']
  const body = { kind: 'parcels', propertyIds, url: good.url }
  const { body: other } = await service.get(PATH, {}, { key, method: 'POST', body })
  isSlow = true
  await load()
  await service.keeper.send()
  await until(() => good.taken.length > 0 && asked.length >= 16)
  assert.equal(asked.length, 16)
  isSlow = false
  for (const end of waiting) end()
  await service.keeper.idle()
  for (const one of slow) await remove(one)
  await service.get(`${PATH}${other.id}/`, {}, { key, method: 'DELETE' })
})

test('four test events of an account wait for an answer; one more is 429', async () => {
  const [hanging, good] = [await receive(), await receive()]
  hanging.status = null
  const { id } = await make({ url: hanging.url })
  const other = await make({ url: good.url })
  const send = (one: string) => service.get(`${PATH}${one}/test/`, {}, { method: 'POST' })
  const waiting = [send(id), send(id), send(id), send(id)]
  await until(() => hanging.taken.length >= 4)
  const fifth = await send(other.id)
  assert.deepEqual(
    [fifth.status, fifth.body.error],
    [429, '4 test events wait for an answer; try later'],
  )
  await hanging.close()
  for (const { body } of await Promise.all(waiting)) assert.equal(body.delivered, false)
  assert.equal((await send(other.id)).body.delivered, true)
  for (const one of [id, other.id]) await remove(one)
})

test('the address that was checked is called, and a private one never', async () => {
  const receiver = await receive()
  const { port } = new URL(receiver.url)
  const calls: string[] = []
  const names: Record<string, string[][]> = {
    // The second answer is what a name gives that has changed its address.
    'rebinding.test': [['127.0.0.1'], ['10.0.0.1']],
    'private.test': [['10.0.0.1'], ['10.0.0.1']],
    'mixed.test': [['127.0.0.1', '10.0.0.1'], ['127.0.0.1']],
  }
  service.setResolve(async (name) => {
    calls.push(name)
    const answers = names[name] ?? []
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
  })
  for (const host of ['private.test', 'mixed.test']) {
    const body = { kind: 'owner', owner: 'DOE', url: `http://${host}:${port}/hook` }
    const { status } = await service.get(PATH, {}, { method: 'POST', body })
    assert.equal(status, 400, host)
  }
  const { id } = await make({ url: `http://rebinding.test:${port}/hook` })
  calls.length = 0
  const answer = await service.get(`${PATH}${id}/test/`, {}, { method: 'POST' })
  assert.deepEqual(answer.body, { delivered: false, answer: 'its address is private' })
  names['rebinding.test'] = [['127.0.0.1']]
  const sent = await service.get(`${PATH}${id}/test/`, {}, { method: 'POST' })
  assert.equal(sent.body.delivered, true)
  assert.deepEqual(calls, ['rebinding.test', 'rebinding.test'], 'resolved once for each attempt')
  assert.equal(receiver.taken[0]?.headers.host, `rebinding.test:${port}`)
  await remove(id)
})

test('a suspended account hears nothing until it is restored', async () => {
  const receiver = await receive()
  const key = await service.keyFor()
  const body = { kind: 'owner', owner: 'DOE', url: receiver.url }
  await service.get(PATH, {}, { key, method: 'POST', body })
  await service.changeFacts(key, { suspended: true })
  await load()
  await deliver()
  assert.equal(receiver.taken.length, 0)
  await service.changeFacts(key, { suspended: false })
  wait(6 * SECOND)
  await deliver()
  assert.equal(receiver.taken.length, 1)
})

test('what arrives is charged once, by event; every attempt is audited', async () => {
  const { admin } = service.accounts
  const receiver = await receive()
  const key = await service.keyFor({ includedTokens: 8, overageCap: 0 })
  const body = { kind: 'owner', owner: 'DOE', url: receiver.url }
  const { id } = (await service.get(PATH, {}, { key, method: 'POST', body })).body
  await admin.putPrice('watchEvent', 2)
  receiver.status = 500
  await load()
  await deliver()
  assert.equal(await service.charges(key), 0, 'what did not arrive is free')
  receiver.status = 200
  wait(5 * SECOND)
  await deliver()
  const [charge, ...others] = await service.entries(key)
  const [sent] = idsOf(receiver)
  assert.deepEqual(
    [charge?.endpoint, charge?.cost, charge?.requestId, charge?.keyId, others.length],
    ['watchEvent', 6, sent, id, 0],
  )
  // Six of eight tokens are used: three events more are too many.
  await load()
  await deliver()
  assert.equal(receiver.taken.length, 2)
  const { deliveries } = (await service.get(`${PATH}${id}/`, {}, { key })).body
  assert.equal(deliveries[0].answer, 'the account is refused: overage_limit_exceeded')
  await service.changeFacts(key, { includedTokens: 'unlimited' })
  wait(6 * SECOND)
  await deliver()
  assert.deepEqual([receiver.taken.length, await service.charges(key)], [3, 2])
  await service.get(`${PATH}${id}/events/`, {}, { key })
  assert.equal((await service.entries(key))[2]?.cost, 12, 'so is what is asked for')
  // Free answers are audited within a second.
  const { accountId } = (await service.accounts.watches.byId(id)) ?? { accountId: '' }
  let noted: { operation: string; properties: string[] }[] = []
  for (let time = 0; noted.length < 4 && time < 100; time += 1) {
    await new Promise((done) => setTimeout(done, 50))
    noted = (await operate(service.config.data, 'audit', 'account', accountId)).answers
  }
  assert.deepEqual(
    noted.map(({ operation, properties }) => [operation, ...properties.toSorted()]),
    Array(4).fill(['watchEvent', '55025-0', '55025-1', '55025-2']),
  )
  await admin.putPrice('watchEvent', 0)
  await service.get(`${PATH}${id}/`, {}, { key, method: 'DELETE' })
})

test('no secret is in the accounts, the log or the answers', async () => {
  const { id, secret } = await make({ url: 'https://192.0.43.8/h' })
  const watch = await service.accounts.watches.byId(id)
  assert.ok(!JSON.stringify([watch, service.logged, await read(id)]).includes(secret.slice(6)))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  assert.equal(createHmac('sha256', key).update('').digest().length, 32)
  assert.equal(key.length, 32)
})
