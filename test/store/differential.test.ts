/**
 * The same requests to the whole service over both stores: status, headers and bytes are equal.
 * Requests are made from the roll, with names and streets shortened, misspelt and combined as
 * callers do.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { IS_LONG, repetitions } from '../repetitions.ts'
import { type Answer, type Query, startService, type TestService } from '../service.ts'
import { makeRequests, makeRoll, shown } from './requests.ts'

const PARCELS = IS_LONG ? 1200 : 500
const REQUESTS = repetitions(80)
const AT_A_TIME = 20

const missing = whyNoServer()
if (missing !== undefined) test('both stores answer alike', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const services: TestService[] = []
  after(async () => {
    await Promise.all(services.map((service) => service.close()))
    await server.stop()
  })

  test('both stores answer generated requests with the same bytes', async () => {
    const roll = await makeRoll(PARCELS)
    const databaseUrl = await server.createDatabase('differential')
    services.push(await startService(roll), await startService(roll, { databaseUrl }))
    const shapes = [{}, { responseShape: 'flat' }, { dataReads: 'v2' }] as const
    const keys = await Promise.all(
      services.map(async (service) => {
        const own: string[] = []
        for (const facts of shapes) own.push(await service.keyFor(facts))
        return own
      }),
    )
    const requests = makeRequests(roll, REQUESTS)
    const statuses = new Map<number, number>()
    for (let start = 0; start < requests.length; start += AT_A_TIME) {
      const group = requests.slice(start, start + AT_A_TIME)
      await Promise.all(
        group.map(async ({ path, query }, at) => {
          const shape = (start + at) % shapes.length
          const [one, two] = await Promise.all(
            services.map((service, which) =>
              askPatiently(service, path, query, keys[which]?.[shape] ?? null),
            ),
          )
          assert.ok(one && two)
          assert.deepEqual(shown(two), shown(one), `${path} ${JSON.stringify(query)}`)
          statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
        }),
      )
    }
    assert.ok((statuses.get(200) ?? 0) > REQUESTS / 3, JSON.stringify([...statuses]))
    assert.ok((statuses.get(404) ?? 0) > REQUESTS / 50, JSON.stringify([...statuses]))
  })

  test('both stores end a walk over all pages with the same records', async () => {
    const [one, two] = await Promise.all(services.map(walkState))
    assert.ok((one?.length ?? 0) > 100)
    assert.deepEqual(two, one)
  })

  test('both stores make the same of a roll that has changed, and keep the same ids', async () => {
    const lines = (await makeRoll(PARCELS)).trimEnd().split('\n')
    const changed = lines
      .filter((_, at) => at === 0 || at % 50 !== 7)
      .map((line, at) =>
        at % 40 === 3 ? line.replace(/ ST,/, ' AVE,').replace('SMITH', 'SMYTHE') : line,
      )
      .concat(lines.slice(1, 3).map((line) => line.replace(/(\d)(\d)(\d)/, '9$1$2$3')))
      .join('\n')
    const options = { force: true, at: Date.UTC(2026, 3, 1) }
    const reports = []
    for (const service of services) {
      const { loaded, updated, unchanged, removed, duplicates, rejected } =
        await service.importRoll(`${changed}\n`, options)
      reports.push({ loaded, updated, unchanged, removed, duplicates, rejected })
    }
    assert.deepEqual(reports[1], reports[0])
    assert.ok((reports[0]?.removed ?? 0) > 0 && (reports[0]?.updated ?? 0) > 0)
    const [one, two] = await Promise.all(services.map(walkState))
    assert.deepEqual(two, one)
  })
}

/** Asks again while the store is too busy: a machine that runs all tests may be. */
async function askPatiently(...[service, path, query, key]: Asked): Promise<Answer> {
  for (let turn = 1; ; turn += 1) {
    const answer = await service.get(path, query, { key })
    if (answer.status !== 503 || turn === 20) return answer
    await setTimeout(250)
  }
}

type Asked = [service: TestService, path: string, query: Query, key: string | null]

async function walkState(service: TestService): Promise<unknown[]> {
  const records: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { state: 'WI', limit: '100', includeUnassignedAddress: 'true', cursor }
    const { body } = await service.get('/public/property/search/', query)
    records.push(...body.properties)
    cursor = body.metadata.nextCursor
  }
  return records
}
