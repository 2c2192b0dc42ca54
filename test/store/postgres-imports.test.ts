/**
 * Imports into PostgreSQL side by side: one of a state at a time, and ids that appear in their
 * order within a state.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openStaging } from '../../src/import/staging.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { stage } from './staged.ts'

const missing = whyNoServer()
if (missing !== undefined) test('imports side by side', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const url = await server.createDatabase('imports')
  await migrate(url)
  const reader = openParcelReader(url)
  after(async () => {
    await reader.close()
    await server.stop()
  })
  const roll = (state: string, fips: number, from: number, count: number) =>
    Array.from({ length: count }, (_, at) => stage({ parcelId: `${from + at}`, state, fips }))
  const idsAfter = async (state: string, after: number) => {
    const filter = { state, assignedOnly: false }
    const page = await reader.page(filter, after, 0, 1000, Number.MAX_SAFE_INTEGER)
    return page.parcels.map(({ id }) => id)
  }

  test('an import that fails before its first row leaves no connection behind', async () => {
    const broken = await server.createDatabase('broken')
    await migrate(broken)
    const client = new Client(broken)
    await client.connect()
    await client.query('ALTER TABLE platbook.places_wanted RENAME TO taken_away')
    const opening = openStaging({ dataDir: '', databaseUrl: broken, dryRun: false, loadedAt: 1 })
    await assert.rejects(opening, /places_wanted/)
    const count = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = 'broken' AND application_name = 'platbook'`
    while ((await client.query(count)).rows[0]?.n > 0) await sleep(20)
    await client.end()
  })

  test('a second import of a state is refused until the first has ended; one of another state is not', async () => {
    const first = await openRollWriter(url)
    await first.stage(roll('WI', 55025, 0, 10))
    const second = await openRollWriter(url)
    await assert.rejects(
      async () => second.stage(roll('WI', 55079, 0, 10)),
      /another import is loading parcels of WI/,
    )
    const other = await openRollWriter(url)
    await other.stage(roll('TX', 48453, 0, 10))
    assert.equal((await other.apply(true, 1_750_000_000)).loaded, 10)
    assert.equal((await first.apply(true, 1_750_000_000)).loaded, 10)
    await first.discard()
    assert.equal((await idsAfter('WI', 0)).length, 10)
    // It needs no new connection for that.
    await second.stage(roll('WI', 55079, 0, 10))
    assert.equal((await second.apply(true, 1_750_000_000)).loaded, 10)
    await second.discard()
    await other.discard()
  })

  test('a caller who pages while rolls of two states are committed in whatever order misses none of either', async () => {
    const locker = new Client(url)
    await locker.connect()
    const seen = { WI: await idsAfter('WI', 0), TX: await idsAfter('TX', 0) }
    for (let round = 1; round <= 3; round += 1) {
      const wisconsin = await openRollWriter(url)
      const texas = await openRollWriter(url)
      await wisconsin.stage(roll('WI', 55025, round * 100, 50))
      await texas.stage(roll('TX', 48453, round * 100, 50))
      // It has drawn its ids, and waits for its commit while the other one draws and commits.
      await locker.query('BEGIN; LOCK TABLE platbook.scopes IN SHARE MODE')
      const waiting = wisconsin.apply(false, 1_750_000_000)
      while ((await locker.query(WAITING)).rows.length === 0);
      const next = texas.apply(false, 1_750_000_000)
      while ((await locker.query(WAITING)).rows.length < 2);
      await locker.query('COMMIT')
      await Promise.all([waiting, next])
      for (const state of ['WI', 'TX'] as const) {
        seen[state].push(...(await idsAfter(state, seen[state].at(-1) ?? 0)))
        assert.deepEqual(seen[state], await idsAfter(state, 0))
        assert.deepEqual(
          seen[state],
          seen[state].toSorted((a, b) => a - b),
        )
      }
      await Promise.all([wisconsin.discard(), texas.discard()])
    }
    assert.deepEqual([seen.WI.length, seen.TX.length], [170, 160])
    assert.ok(new Set(seen.WI).isDisjointFrom(new Set(seen.TX)))
    await locker.end()
  })
}

const WAITING = 'SELECT pid FROM pg_locks WHERE NOT granted'
