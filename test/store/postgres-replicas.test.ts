/**
 * Parcels from real streaming replicas: they take turns, are skipped while dead or behind, and the
 * primary is used when none is left.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { serveCommand } from '../../src/cli/commands/service/serve.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openReplicatedReader } from '../../src/store/postgres/read/replicas.ts'
import { ensureSchema } from '../../src/store/postgres/schema.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import type { ParcelReader } from '../../src/store/store.ts'
import { runCommand } from '../command.ts'
import { NOT_DURABLE, startServer, type TestServer, whyNoServer } from '../postgres-server.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'
import { stage } from './staged.ts'

const DATABASE = 'replicated'
const LAG_MS = 2500

const missing = whyNoServer()
if (missing !== undefined) test('replicas', { skip: missing }, () => undefined)
else {
  const primary = await startServer([...NOT_DURABLE, 'wal_keep_size=256MB'])
  const url = await primary.createDatabase(DATABASE)
  await ensureSchema(url)
  await load(url, 1)
  const replicas = [await primary.replicate(), await primary.replicate()]
  const urls = replicas.map((replica) => replica.url(DATABASE))
  after(async () => {
    await Promise.all([primary, ...replicas].map((server) => server.stop()))
  })

  test('a stopped replica answers until it is too far behind, and after catching up', async () => {
    const reader = openReplicatedReader(url, urls, LAG_MS)
    for (const server of replicas) {
      await until(async () => (await readValue(reader)) === 1 && (await isAsked(server)))
      await say(server, 'SELECT pg_wal_replay_pause()')
      const paused = 'SELECT pg_get_wal_replay_pause_state()'
      await until(async () => (await ask(server, paused)) === 'paused')
    }
    await load(url, 2)
    assert.equal(await readValue(reader), 1, 'a replica answers')
    const late = openReplicatedReader(url, urls, LAG_MS)
    for (let round = 0; round < 50; round += 1) {
      assert.equal(await readValue(late), 2, 'who has just started asks none that is behind')
      await sleep(20)
    }
    await late.close()
    await until(async () => (await readValue(reader)) === 2)
    for (let round = 0; round < 20; round += 1) assert.equal(await readValue(reader), 2)
    for (const server of replicas) await say(server, 'SELECT pg_wal_replay_resume()')
    await caughtUp()
    await reader.close()
  })

  test('under load all answers are right while replicas are killed and restarted', async (t) => {
    const reader = openReplicatedReader(url, urls, LAG_MS)
    await readValue(reader)
    let going = true
    let answered = 0
    const callers = Array.from({ length: 8 }, async () => {
      while (going) {
        assert.equal(await readValue(reader), 2)
        answered += 1
      }
    })
    const more = async () => {
      const before = answered
      await until(async () => answered > before + 200)
    }
    for (const replica of replicas) {
      await until(() => isAsked(replica))
      await replica.kill()
      await more()
    }
    for (const replica of replicas) {
      await replica.start()
      await until(() => isAsked(replica))
    }
    await more()
    going = false
    await Promise.all(callers)
    t.diagnostic(`${answered} answers`)
    await reader.close()
  })

  test('a stopped replica is left out after the time limit of a lookup', async () => {
    const reader = openReplicatedReader(url, [urls[0] ?? ''], LAG_MS)
    const isInUse = async () => {
      await readValue(reader)
      return isAsked(replicas[0])
    }
    await until(isInUse)
    replicas[0]?.pause()
    const answers = await Promise.all(Array.from({ length: 40 }, () => readValue(reader)))
    assert.deepEqual(new Set(answers), new Set([2]))
    replicas[0]?.resume()
    await until(isInUse)
    await reader.close()
  })

  test('the service answers from replicas, and charges where the primary is', async () => {
    const service = await startService('', {
      databaseUrl: url,
      readDatabaseUrl: urls.join(','),
    })
    const key = await service.keyFor({ includedTokens: 2 })
    const query = { state: 'WI', lastName: 'SMITH' }
    await until(async () => {
      await service.get('/public/property/search/', { state: 'WI' }, { key })
      return isAsked(replicas[1])
    })
    const statuses = []
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await service.get('/public/premium/owner/', query, { key })).status)
    }
    assert.deepEqual(statuses, [200, 200, 403])
    await Promise.all(replicas.map((replica) => replica.kill()))
    assert.equal(
      (await service.get('/public/property/search/', { state: 'WI' }, { key })).status,
      200,
    )
    assert.equal(await service.charges(key), 2)
    await service.close()
  })

  test('standbys without their primary are wrong use', async () => {
    await assert.rejects(
      runCommand(serveCommand, ['--read-database', urls[0] ?? ''], { data: '/nowhere' }),
      /--read-database needs --database/,
    )
    await assert.rejects(
      runCommand(serveCommand, ['--read-database', 'host'], { data: '/nowhere' }),
      /--read-database: addresses like/,
    )
    for (const second of ['postgres://[::1', 'mysql://r2/platbook']) {
      assert.throws(
        () => readConfig({ PLATBOOK_READ_DATABASE_URL: `postgres://r1/platbook, ${second}` }),
        /^Error: PLATBOOK_READ_DATABASE_URL: addresses like .*; number 2 of these 2 is not one$/,
      )
    }
  })

  async function caughtUp(): Promise<void> {
    const at = await ask(primary, 'SELECT pg_current_wal_lsn()')
    for (const server of replicas) {
      await until(async () =>
        Boolean(await ask(server, `SELECT pg_last_wal_replay_lsn() >= '${at}'::pg_lsn`)),
      )
    }
  }
}

async function load(url: string, value: number): Promise<void> {
  const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
  await writer.stage([stage({ parcelId: 'A', owners: ['SMITH, JOHN', null], value })])
  await writer.apply()
  await writer.discard()
}

/** The value that the one parcel has. */
async function readValue(reader: ParcelReader): Promise<number> {
  const [parcel] = await reader.byParcelId('WI', 55025, 'A')
  assert.ok(parcel)
  return Number(decodeParcel(parcel.fieldValues).totalMarketValue)
}

/** Whether a service of ours has a connection to it that was used in the last moment. */
async function isAsked(server: TestServer | undefined): Promise<boolean> {
  const text = `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'platbook'
    AND query LIKE '%parcels%' AND clock_timestamp() - state_change < interval '1 second'`
  return Number(await ask(server, text)) > 0
}

async function say(server: TestServer, text: string): Promise<void> {
  await ask(server, text)
}

async function ask(server: TestServer | undefined, text: string): Promise<unknown> {
  assert.ok(server)
  const client = new Client(server.url(DATABASE))
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}
