/**
 * Two whole services over one PostgreSQL server, as on two machines: the cap between them, and the
 * server killed under load.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts, prepareData } from '../../src/store/open.ts'
import { openWriter } from '../../src/store/open-rolls.ts'
import { CLUSTER, createOnCluster, NOT_OURS, noteDatabase } from '../citus-cluster.ts'
import { startServer, whyNoServer } from '../postgres-server.ts'
import { makeCustomer } from '../processes/operator.ts'
import { stage } from '../store/staged.ts'
import { until } from '../until.ts'
import { ask, endAll, type RunningService, startLoad, startRunning } from './running-service.ts'

const QUERY = 'state=WI&lastName=SMITH&limit=1'

const missing = whyNoServer()
if (missing !== undefined) test('two services over PostgreSQL', { skip: missing }, () => undefined)
else {
  const server = await startServer()
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  const cluster = CLUSTER === undefined ? undefined : await createOnCluster(CLUSTER)
  const databaseUrl = cluster?.url ?? (await server.createDatabase('services'))
  const env = { PLATBOOK_DATABASE_URL: databaseUrl }
  noteDatabase(data, databaseUrl)
  const config = { ...readConfig({}), data, databaseUrl }
  await prepareData(config)
  const writer = await openWriter(databaseUrl, 1_750_000_000)
  await writer.stage([stage({ parcelId: '1', owners: ['SMITH, JOHN', null] })])
  await writer.apply()
  await writer.discard()
  const services: RunningService[] = await Promise.all(
    [1, 2].map(() => startRunning({ data, workers: 1, env })),
  )
  const accounts = await openAccounts(config)
  after(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await endAll()
    await accounts.close()
    await cluster?.drop()
    await server.stop()
    rmSync(data, { recursive: true })
  })

  test('with N tokens left, exactly N of many requests to both services are answered', async () => {
    const tokens = 25
    const { account, key } = await makeCustomer(data, `includedTokens=${tokens}`)
    const agent = new Agent({ keepAlive: true, maxSockets: 40 })
    const answered = new Set<string>()
    const statuses = await Promise.all(
      Array.from({ length: 160 }, (_, at) =>
        ask(`${services[at % 2]?.address}/public/premium/owner/?${QUERY}`, key, agent, answered),
      ),
    )
    agent.destroy()
    assert.equal(answered.size, tokens)
    assert.equal(statuses.filter((status) => status === '403').length, 160 - tokens)
    assert.equal((await accounts.ledger.entriesOf(account, 0, 1000)).length, tokens)
  })

  test('what one command changes, both services know', async (t) => {
    const { account, key } = await makeCustomer(data)
    const statusesOf = () =>
      Promise.all(
        services.map(({ address }) =>
          ask(`${address}/public/premium/owner/?${QUERY}`, key, undefined, new Set()),
        ),
      )
    assert.deepEqual(await statusesOf(), ['200', '200'])
    for (const [suspended, status] of [
      [true, '403'],
      [false, '200'],
    ] as const) {
      await accounts.admin.changeFacts(account, (facts) => ({ ...facts, suspended }))
      const changed = performance.now()
      await until(async () => (await statusesOf()).every((one) => one === status))
      t.diagnostic(`${status} everywhere after ms: ${Math.round(performance.now() - changed)}`)
    }
  })

  test('the server is killed and restarted under load: no answer without its charge', {
    skip: NOT_OURS,
  }, async (t) => {
    const { account, key } = await makeCustomer(data)
    const loads = services.map(({ address }) => startLoad(() => address, key, 8, QUERY))
    const seen = () => loads.reduce((sum, { answered }) => sum + answered.size, 0)
    const back: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const before = seen()
      await until(() => seen() >= before + 50)
      await server.kill()
      await sleep(100)
      await server.start()
      const started = performance.now()
      const then = seen()
      await until(() => seen() > then)
      back.push(Math.round(performance.now() - started))
    }
    const mended = seen()
    await until(() => seen() >= mended + 100)
    await Promise.all(loads.map((load) => load.stop()))
    const answered = new Set(loads.flatMap((load) => [...load.answered]))
    const charged = new Set<string>()
    for (let seq = 0; ; seq += 1000) {
      const rows = await accounts.ledger.entriesOf(account, seq, 1000)
      for (const { requestId } of rows) charged.add(requestId)
      if (rows.length < 1000) break
    }
    const sent = loads.reduce((sum, load) => sum + load.sent, 0)
    const refused = loads.reduce((sum, { statuses }) => sum + (statuses.get('503') ?? 0), 0)
    t.diagnostic(
      `${sent} sent, ${charged.size} charged, ${answered.size} answered, ${refused} ` +
        `refused; answers came again after ms: ${back}`,
    )
    assert.ok(refused > 0)
    assert.deepEqual(
      [...answered].filter((id) => !charged.has(id)),
      [],
    )
    assert.ok(charged.size <= sent)
    assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
  })
}
