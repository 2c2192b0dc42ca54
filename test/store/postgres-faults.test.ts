/**
 * Answers while a PostgreSQL server does not respond: refusals with *try again*, in bounded time,
 * and normal answers afterwards.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { Refusal } from '../../src/base/errors.ts'
import { asDriverError, asRefusal } from '../../src/store/postgres/pool/errors.ts'
import { Session } from '../../src/store/postgres/pool/session.ts'
import { openLookupQueue, openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { ensureSchema } from '../../src/store/postgres/schema.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import type { ParcelReader } from '../../src/store/store.ts'
import { startProxy } from '../postgres-proxy.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { until } from '../until.ts'
import { stage } from './staged.ts'

/** Longest wait of a caller: connecting and one statement, plus the delays of this machine. */
const PATIENCE_MS = 8000
/** What waits for its patience one after the other, as once it did, takes 22 s. */
const BOUNDED = { timeout: 2 * PATIENCE_MS }

const RAISE = 'UPDATE accounts_state SET version = version + 1'
const VERSION = 'SELECT version::int FROM platbook.accounts_state'

const missing = whyNoServer()
if (missing !== undefined) test('faults of PostgreSQL', { skip: missing }, () => undefined)
else {
  const server = await startServer([...NOT_DURABLE, 'max_connections=20'])
  const url = await server.createDatabase('faults')
  await ensureSchema(url)
  const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
  await writer.stage([stage({ parcelId: 'A', owners: ['SMITH, JOHN', null] })])
  await writer.apply()
  await writer.discard()
  const admin = new Client(url)
  await admin.connect()
  after(async () => {
    await admin.end().catch(() => undefined)
    await server.stop()
  })
  const look = (reader: ParcelReader) => reader.byParcelId('WI', 55025, 'A')
  const walk = (reader: ParcelReader) =>
    reader.page(
      { state: 'WI', assignedOnly: false },
      { afterId: 0, skip: 0, limit: 10 },
      Number.MAX_SAFE_INTEGER,
    )

  /**
   * Repeats a request until it is answered; every refusal says that it may be tried again, and
   * every answer is complete.
   */
  async function becomesGood(reader: ParcelReader): Promise<number> {
    const started = performance.now()
    for (;;) {
      const outcome = await outcomeOf(look(reader))
      if (outcome === 'answered') return performance.now() - started
      assert.ok(performance.now() - started < PATIENCE_MS, 'it never answers again')
      await sleep(10)
    }
  }

  test('errors by code: temporary ones are unavailable, our defects stay defects', async () => {
    for (const [codes, kind] of [
      [['08006', '28000', '53300', '53200', '57014', '57P01', '57P02', '57P03', '58030'], true],
      [['25006', '26000', '3D000', '40001', '40P01', '55P03', '55006', 'XX001', 'XX002'], true],
      [['42601', '42703', '22021', '22P02', '23505', 'P0001', 'XX000'], false],
    ] as const) {
      for (const code of codes) {
        const raised = await admin
          .query(`DO $$ BEGIN RAISE EXCEPTION 'any words' USING ERRCODE = '${code}'; END $$`)
          .then(
            () => undefined,
            (error: unknown) => error,
          )
        assert.ok(raised instanceof DatabaseError, code)
        const refusal = asRefusal(asDriverError(raised))
        assert.equal(refusal instanceof Refusal && refusal.kind === 'unavailable', kind, code)
      }
    }
  })

  for (const wire of ['silent', 'cut'] as const) {
    test(
      `a wire that is ${wire}: refused in bounded time, answered again when it is whole`,
      BOUNDED,
      async (t) => {
        const proxy = await startProxy(server.folder)
        const reader = openParcelReader(`postgres://postgres@127.0.0.1:${proxy.port}/faults`)
        assert.equal(await outcomeOf(look(reader)), 'answered')
        assert.equal((await walk(reader)).parcels.length, 1)
        proxy.set(wire)
        const outcomes = await Promise.all([
          ...Array.from({ length: 20 }, () => outcomeOf(look(reader))),
          ...Array.from({ length: 6 }, () => outcomeOf(walk(reader))),
        ])
        assert.deepEqual([...new Set(outcomes)], ['unavailable'])
        proxy.set('open')
        t.diagnostic(`good again after ms: ${Math.round(await becomesGood(reader))}`)
        assert.equal((await walk(reader)).parcels.length, 1)
        await reader.close()
        await proxy.close()
      },
    )
  }

  test('a wire that is slow: all is answered, each to who asked', async () => {
    const proxy = await startProxy(server.folder)
    const reader = openParcelReader(`postgres://postgres@127.0.0.1:${proxy.port}/faults`)
    proxy.delay(100)
    const found = await Promise.all(
      Array.from({ length: 60 }, (_, at) => reader.byParcelId('WI', 55025, at % 3 ? 'A' : 'B')),
    )
    assert.deepEqual(
      found.map((rows) => rows.length),
      found.map((_, at) => (at % 3 ? 1 : 0)),
    )
    await reader.close()
    await proxy.close()
  })

  const readPids = async () => {
    const text = `SELECT pid FROM pg_stat_activity
      WHERE application_name = 'platbook' AND datname = current_database()`
    return new Set((await admin.query(text)).rows.map(({ pid }) => Number(pid)))
  }

  test('lookups have one connection, and another once one has to wait', async () => {
    await until(async () => (await readPids()).size === 0)
    const queue = openLookupQueue(url)
    for (let at = 0; at < 3; at += 1) await queue.ask('SELECT 1', [])
    assert.equal((await readPids()).size, 1)
    await Promise.all([queue.ask('SELECT pg_sleep(0.1)', []), queue.ask('SELECT 1', [])])
    await until(async () => (await readPids()).size === 2)
    await queue.close()
  })

  test('a statement that waits too long and a walk without connection are refused', async () => {
    // Those of the test before end a moment after they are closed.
    await until(async () => (await readPids()).size === 0)
    const reader = openParcelReader(url)
    await look(reader)
    await walk(reader)
    const before = await readPids()
    await admin.query('BEGIN; LOCK TABLE platbook.parcels')
    // More walks than there are connections for them.
    const outcomes = await Promise.all([
      outcomeOf(look(reader)),
      ...Array.from({ length: 9 }, () => outcomeOf(walk(reader))),
    ])
    await admin.query('COMMIT')
    assert.deepEqual([...new Set(outcomes)], ['unavailable'])
    await becomesGood(reader)
    assert.equal((await walk(reader)).parcels.length, 1)
    assert.ok(before.isSubsetOf(await readPids()))
    await reader.close()
  })

  for (const [what, table, ask] of [
    ['addresses', 'situs', (reader, at) => reader.bySitusKey('WI', `${at}||MAIN|ST|`)],
    ['parcel IDs', 'parcels', (reader, at) => reader.byParcelId('WI', 55025, `${at}`)],
  ] satisfies [string, string, (reader: ParcelReader, at: number) => Promise<unknown[]>][]) {
    test(
      `a locked table, and thousands of ${what} asked at once: none waits for the others`,
      BOUNDED,
      async () => {
        const reader = openParcelReader(url)
        await admin.query(`BEGIN; LOCK TABLE platbook.${table}`)
        const outcomes = await Promise.all(
          Array.from({ length: 3000 }, (_, at) => outcomeOf(ask(reader, at))),
        )
        assert.deepEqual([...new Set(outcomes)], ['unavailable'])
        await admin.query('COMMIT')
        await becomesGood(reader)
        await reader.close()
      },
    )
  }

  test('a server without free connections is unavailable until one is free', async () => {
    const others: Client[] = []
    for (;;) {
      const other = new Client(url)
      other.on('error', () => undefined)
      const connected = await other.connect().then(
        () => true,
        () => false,
      )
      if (!connected) break
      others.push(other)
    }
    const reader = openParcelReader(url)
    assert.equal(await outcomeOf(look(reader)), 'unavailable')
    await Promise.all(others.map((other) => other.end()))
    await becomesGood(reader)
    await reader.close()
  })

  test('a server that turns read-only: writing is unavailable, reading continues', async () => {
    const session = new Session(url, 2000)
    const raise = (own: Session) =>
      own
        .transaction([], async () => ({ closing: [{ text: RAISE }], result: 'written' }))
        .catch((error: unknown) => (error instanceof Refusal ? error.kind : String(error)))
    const readVersion = async () => (await admin.query(VERSION)).rows[0]?.version
    assert.equal(await raise(session), 'written')
    await session.close()
    const before = await readVersion()
    // The error of a primary that has become a standby: 25006.
    await admin.query('ALTER DATABASE faults SET default_transaction_read_only = on')
    const again = new Session(url, 2000)
    const reader = openParcelReader(url)
    assert.equal(await raise(again), 'unavailable')
    assert.equal(await outcomeOf(look(reader)), 'answered')
    assert.equal(await readVersion(), before)
    await admin.query('SET default_transaction_read_only = off')
    await admin.query('ALTER DATABASE faults RESET default_transaction_read_only')
    // The connection on which that was heard is not used again: the next one may lead to the
    // primary.
    assert.equal(await raise(again), 'written')
    assert.equal(await readVersion(), before + 1)
    await again.close()
    await reader.close()
  })
}

async function outcomeOf(asked: Promise<unknown>): Promise<'answered' | 'unavailable'> {
  try {
    const found = await asked
    if (Array.isArray(found)) assert.equal(found.length, 1, 'half an answer')
    return 'answered'
  } catch (error) {
    assert.ok(error instanceof Refusal && error.kind === 'unavailable', String(error))
    return 'unavailable'
  }
}
