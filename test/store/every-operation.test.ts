/**
 * The same requests of every operation to the embedded store and to PostgreSQL, and with
 * `PLATBOOK_TEST_CITUS_URL` to a cluster: status, headers and bytes are equal.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Config } from '../../src/settings/config.ts'
import { CLUSTER, createOnCluster } from '../citus-cluster.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { IS_LONG, repetitions } from '../repetitions.ts'
import { NOON, startService, type TestService } from '../service.ts'
import { type AnyRequest, makeEveryRequest } from './every-operation.ts'
import { makeRoll } from './requests.ts'

const PARCELS = IS_LONG ? 600 : 200
const REQUESTS = repetitions(120)
const AT_A_TIME = 20
const SHAPES = [{}, { responseShape: 'flat' }, { dataReads: 'v2' }] as const

/** A service with a key of each shape. */
type Asked = { name: string; service: TestService; keys: string[] }
type Told = { status: number; headers: Record<string, string>; bytes: string }

/** Headers that differ between stores: an `ETag` is made of the store's own count of changes. */
const OWN = new Set(['x-request-id', 'date', 'etag'])

const USAGE: AnyRequest = { path: '/public/usage/', query: {} }

const missing = whyNoServer()
if (missing !== undefined)
  test('every operation over PostgreSQL', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const asked: Asked[] = []
  const drops: (() => Promise<void>)[] = []
  after(async () => {
    for (const { service } of asked) await service.close()
    for (const drop of drops) await drop()
    await server.stop()
  })
  const roll = await makeRoll(PARCELS)
  await add('the embedded store', { databaseUrl: null })
  await add('PostgreSQL', { databaseUrl: await server.createDatabase('every') })
  if (CLUSTER !== undefined) {
    const { url, drop } = await createOnCluster(CLUSTER)
    drops.push(drop)
    await add('a cluster', { databaseUrl: url })
  }

  /** Loads the rolls with their polygons, and once more with changes, for the feed. */
  async function add(name: string, settings: Partial<Config>): Promise<void> {
    const service = await startService('', settings)
    for (const own of splitByState(roll)) await service.importRoll(own, { geometry: true })
    for (const own of splitByState(changeRoll(roll))) {
      await service.importRoll(own, { geometry: true, force: true, at: NOON + 60_000 })
    }
    const keys: string[] = []
    for (const facts of SHAPES) keys.push(await service.keyFor(facts))
    asked.push({ name, service, keys })
  }

  test('generated requests of every operation are answered with the same bytes', async () => {
    const statuses = new Map<string, number>()
    const requests = makeEveryRequest(roll, REQUESTS)
    for (let start = 0; start < requests.length; start += AT_A_TIME) {
      const group = requests.slice(start, start + AT_A_TIME)
      await Promise.all(
        group.map(async (request, at) => {
          const shape = (start + at) % SHAPES.length
          const [one, ...others] = await Promise.all(
            asked.map((each) => tell(each, request, shape)),
          )
          assert.ok(one)
          for (const [which, other] of others.entries()) {
            const where = `${asked[which + 1]?.name}: ${request.path} ${JSON.stringify(request)}`
            assert.deepEqual(other, one, where)
          }
          const operation = request.path.split('/', 4).join('/')
          const kind = `${one.status} ${operation}`
          statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
        }),
      )
    }
    const answered = [...statuses.keys()].filter((kind) => kind.startsWith('200 '))
    assert.ok(answered.length >= 14, JSON.stringify([...statuses]))
    const failed = [...statuses.keys()].filter((kind) => kind.startsWith('5'))
    assert.deepEqual(failed, [])
  })

  test('usage counts the same requests', async () => {
    const told = await Promise.all(
      asked.flatMap((each) => SHAPES.map((_, shape) => tell(each, USAGE, shape))),
    )
    const own = told.slice(0, SHAPES.length)
    assert.ok(own.every(({ status }) => status === 200))
    for (let at = SHAPES.length; at < told.length; at += SHAPES.length) {
      assert.deepEqual(told.slice(at, at + SHAPES.length), own)
    }
  })
}

/** A roll for each state, so that record IDs are given in the same order whatever the databases. */
function splitByState(roll: string): string[] {
  const [head, ...lines] = roll.trimEnd().split('\n')
  const states = Map.groupBy(lines, (line) => line.slice(0, 2))
  return [...states.values()].map((own) => [head, ...own, ''].join('\n'))
}

/** Every 50th parcel is missing, and every 40th has another owner or street. */
function changeRoll(roll: string): string {
  const lines = roll.trimEnd().split('\n')
  const kept = lines.filter((_, at) => at === 0 || at % 50 !== 7)
  const changed = kept.map((line, at) =>
    at % 40 === 3 ? line.replace(/ ST,/, ' AVE,').replace('SMITH', 'SMYTHE') : line,
  )
  return `${changed.join('\n')}\n`
}

/**
 * Asks, and asks again where the answer is 503: on a machine with other work, a lookup's statement
 * may end by its timeout. A 503 is not charged.
 */
async function tell(asked: Asked, request: AnyRequest, shape: number): Promise<Told> {
  for (let left = 10; ; left -= 1) {
    const told = await ask(asked, request, shape)
    if (told.status !== 503 || left === 0) return told
  }
}

async function ask({ service, keys }: Asked, request: AnyRequest, shape: number): Promise<Told> {
  const url = `${service.address}${request.path}?${new URLSearchParams(request.query)}`
  const isBatch = request.body !== undefined
  const response = await fetch(url, {
    method: isBatch ? 'POST' : 'GET',
    headers: {
      authorization: keys[shape] ?? '',
      ...(isBatch && { 'content-type': 'application/json' }),
    },
    ...(isBatch && { body: request.body as string }),
  })
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const kept = [...response.headers].filter(([name]) => !OWN.has(name))
  return { status: response.status, headers: Object.fromEntries(kept), bytes }
}
