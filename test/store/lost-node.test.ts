/**
 * A node of a cluster that does not answer, over a stand-in for Citus: locks on the shards of one
 * state hold its statements, as a node does that is cut off.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { Refusal } from '../../src/base/errors.ts'
import { layOutOverCitus } from '../../src/store/postgres/citus.ts'
import { clientConfig, connect, READING } from '../../src/store/postgres/pool/connection.ts'
import { WalkQueue } from '../../src/store/postgres/pool/walk-queue.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { until } from '../until.ts'
import { standInForCitus } from './citus-stand-in.ts'
import { stage } from './staged.ts'

const COUNTIES = { WI: 55025, TX: 48453 } as const
type State = keyof typeof COUNTIES

const missing = whyNoServer()
if (missing !== undefined) test('a lost node', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  after(() => server.stop())
  const plain = await server.createDatabase('lost')
  const url = await standInForCitus(plain)
  await layOutOverCitus(url)
  const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
  const rolls = Object.entries(COUNTIES)
  await writer.stage(
    rolls.map(([state, fips]) => stage({ parcelId: 'A1', state, fips, point: [-90, 40] })),
  )
  await writer.apply()
  await writer.discard()
  const reader = openParcelReader(url)
  const lookUp = (state: State) => reader.byParcelId(state, COUNTIES[state], 'A1')
  const states = async () => (await reader.coverage({ partial: true })).map(({ state }) => state)

  test('a node that is silent takes only its own states with it', async () => {
    assert.equal((await lookUp('WI')).length, 1)
    const admin = await connect(clientConfig(url, 0, {}))
    await admin.query(`CREATE TABLE stub.lost (nodeport integer);
      CREATE FUNCTION stub.citus_check_connection_to_node(name text, port integer) RETURNS boolean
      LANGUAGE sql AS 'SELECT NOT EXISTS (SELECT FROM stub.lost WHERE nodeport = port)';
      CREATE OR REPLACE VIEW stub.pg_dist_placement AS
        SELECT shard::bigint AS shardid, shard + 1 AS groupid FROM generate_series(0, 7) shard;
      CREATE OR REPLACE VIEW stub.pg_dist_node AS SELECT 'node' AS nodename,
        5432 + shard AS nodeport, shard + 1 AS groupid, 'primary' AS noderole
        FROM generate_series(0, 7) shard`)
    const { rows } = await admin.query(`SELECT stub.get_shard_id_for_distribution_column(
      'platbook.parcels'::regclass, 'WI') AS wi, stub.get_shard_id_for_distribution_column(
      'platbook.parcels'::regclass, 'TX') AS tx`)
    const shard = Number(rows[0]?.wi)
    assert.notEqual(shard, Number(rows[0]?.tx))
    await admin.query('INSERT INTO stub.lost VALUES ($1)', [5432 + shard])
    const lock = new Client(url)
    await lock.connect()
    await lock.query(
      `BEGIN; LOCK TABLE ${['parcels', 'records', 'scopes']
        .map((table) => `stub.${table}_${shard}`)
        .join()}`,
    )

    // The first questions for it share their connections with the others.
    const asked = [0, 1, 2, 3].map(() => ({
      // Looked at now, because a busy machine may refuse them one after the other.
      silent: assert.rejects(lookUp('WI'), refusesNode),
      other: lookUp('TX'),
    }))
    for (const { silent, other } of asked) {
      await silent
      assert.equal((await other).length, 1, 'asked once more')
    }
    assert.deepEqual(reader.unreached(), [
      { where: `the node node:${5432 + shard}`, states: ['WI'] },
    ])
    assert.deepEqual(await states(), ['TX'])
    await assert.rejects(reader.coverage({ states: ['WI'] }), refusesNode)
    const everywhere = { west: -180e7, south: -90e7, east: 180e7, north: 90e7 }
    await assert.rejects(reader.shapesIn(everywhere, 10), refusesNode)
    // A question that was sent fails with an error of its own, which the refusal names.
    await assert.rejects(lookUp('WI'), (error) => refusesNode(error) && !wasAsked(error))

    await admin.query('DELETE FROM stub.lost')
    await lock.query('ROLLBACK')
    await until(() => reader.unreached().length === 0)
    assert.equal((await lookUp('WI')).length, 1)
    assert.deepEqual((await states()).sort(), ['TX', 'WI'])
    await Promise.all([admin.end(), lock.end()])
  })
  after(() => reader.close())

  test('a walk that waits for a silent node gives its turn to the next', async () => {
    const walks = new WalkQueue(clientConfig(url, 0, READING), 1)
    const lock = await connect(clientConfig(url, 0, {}))
    await lock.query('SELECT pg_advisory_lock(1)')
    const walk = (text: string) =>
      walks.walk(
        async (ask) => (await ask(text, [])).length,
        performance.now() + 10_000,
        () => 0,
      )
    const silent = walk('SELECT pg_advisory_xact_lock_shared(1)')
    assert.equal(await walk("SELECT 'of another node'"), 1)
    await lock.query('SELECT pg_advisory_unlock(1)')
    assert.equal(await silent, 1)
    await Promise.all([walks.close(), lock.end()])
  })
}

function wasAsked(error: unknown): boolean {
  return ((error as Refusal).cause as Error).cause !== undefined
}

function refusesNode(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    /^the node node:\d+ does not/.test(String((error.cause as Error).message))
  )
}
