/**
 * Rolls and ledger on a cluster. Without Citus the suites run over a stand-in that checks whether
 * every statement is of one shard. With `PLATBOOK_TEST_CITUS_URL`, a database that may be emptied
 * (on the coordinator, with the extension and its nodes), they run over Citus.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { hashKey, makeKey, prefixOf } from '../../src/accounts/api-key.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { shardsCommand } from '../../src/cli/commands/store/shards.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { copyStore } from '../../src/store/copy/run.ts'
import { loadSecrets } from '../../src/store/key-secret.ts'
import { openAccounts, openLedger } from '../../src/store/open.ts'
import { openCopySource, openCopyTarget } from '../../src/store/open-rolls.ts'
import { LAYOUT, layOutOverCitus } from '../../src/store/postgres/citus.ts'
import { clientConfig, connect, READING } from '../../src/store/postgres/pool/connection.ts'
import { ensureSchema } from '../../src/store/postgres/schema.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { runCommand } from '../command.ts'
import { makeCharge } from '../ledger/fixture.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { IS_LONG } from '../repetitions.ts'
import { until } from '../until.ts'
import { type Stray, standInForCitus, watchStatements } from './citus-stand-in.ts'
import { testDatabase } from './postgres-suite.ts'
import { stage } from './staged.ts'

/** The locks of states that an import holds. */
const HELD = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = ${0x50427374}`

/** With the search path of the store, which the address of a cluster does not name. */
const connectTo = (url: string) => connect(clientConfig(url, 0, {}))

const citus = process.env.PLATBOOK_TEST_CITUS_URL
if (citus === undefined || citus === '') {
  const skip = 'PLATBOOK_TEST_CITUS_URL names no cluster'
  test('citus: the conformance suite', { skip }, () => undefined)
} else {
  await ensureSchema(citus)
  await layOutOverCitus(citus)
  await testDatabase('citus', citus)
  testRolls('citus', citus)
  testAccounts('citus', citus, async (data) => data)
  testPlaces(citus)
}

/** Ordinary tables on the coordinator, to which every node of the service connects. */
const LOCAL = [
  ...['account', 'key', 'plan', 'price', 'accounts_state', 'operator_log'],
  ...['ledger', 'ledger_head', 'usage_day', 'ledger_checkpoint', 'ledger_newest', 'ledger_checked'],
  ...['schema_number', 'imports', 'import_scopes'],
  ...['suppression', 'suppression_pending'],
  ...['billing_link', 'billing_event', 'billing_overage', 'billing_state'],
  ...['watch', 'watch_parcel', 'watch_event', 'watch_delivery', 'watch_position', 'watch_state'],
  ...['audit', 'audit_state', 'audit_filter', 'rate_grants'],
  ...['place_cells', 'state_versions', 'loading_states'],
]

const missing = whyNoServer()
if (missing !== undefined) test('a stand-in for Citus', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const plain = await server.createDatabase('spread')
  await assert.rejects(layOutOverCitus(plain), /has no Citus/)
  const url = await standInForCitus(plain)
  const moved = await layOutOverCitus(url)
  const again = await layOutOverCitus(url)
  const watch = watchStatements(server.folder)

  test('the layout conforms to the rules of Citus, and a second run moves nothing', async () => {
    assert.deepEqual(moved, LAYOUT)
    assert.deepEqual(again, [])
    const admin = new Client(url)
    await admin.connect()
    const ask = async (text: string) =>
      (await admin.query({ text, rowMode: 'array' })).rows.map((row) => row.join(' '))
    const tables = await ask("SELECT tablename FROM pg_tables WHERE schemaname = 'platbook'")
    assert.deepEqual(tables.sort(), [...LAYOUT, ...LOCAL].sort())
    const distributed = `(SELECT * FROM stub.pg_dist_partition WHERE partmethod = 'h')`
    const unique = `SELECT i.indexrelid::regclass FROM pg_index i
      JOIN ${distributed} d ON d.logicalrelid = i.indrelid WHERE i.indisunique AND NOT EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = d.partkey
          AND a.attnum = ANY(i.indkey[0:i.indnkeyatts - 1]))`
    assert.deepEqual(await ask(unique), [], 'unique keys without the distribution column')
    const keyed = `SELECT count(*) FROM pg_index i JOIN ${distributed} d
      ON d.logicalrelid = i.indrelid WHERE i.indisunique`
    assert.ok(Number((await ask(keyed))[0]) > 14)
    const foreign = `SELECT conrelid::regclass, confrelid::regclass FROM pg_constraint
      WHERE contype = 'f' AND (confrelid IN (SELECT logicalrelid FROM ${distributed} d)
        OR conrelid IN (SELECT logicalrelid FROM stub.pg_dist_partition))`
    assert.deepEqual(await ask(foreign), [], 'foreign keys of or to what is spread')
    const triggers = `SELECT tgrelid::regclass, tgname FROM pg_trigger
      JOIN stub.pg_dist_partition p ON p.logicalrelid = tgrelid WHERE NOT tgisinternal`
    assert.deepEqual(await ask(triggers), [], 'triggers on tables that are laid out')
    const drawn = `SELECT adrelid::regclass FROM pg_attrdef
      JOIN stub.pg_dist_partition p ON p.logicalrelid = adrelid
      WHERE pg_get_expr(adbin, adrelid) LIKE '%(%'`
    assert.deepEqual(await ask(drawn), [], 'defaults that call a function, such as a sequence')
    await admin.end()
  })

  test('where Citus is, statements are planned with their values', async () => {
    for (const [address, mode] of [
      [plain, 'force_generic_plan'],
      [url, 'auto'],
    ] as const) {
      const client = await connect(clientConfig(address, 1000, READING))
      const { rows } = await client.query('SHOW plan_cache_mode')
      assert.equal(rows[0]?.plan_cache_mode, mode)
      await client.end()
    }
  })

  test('the watch notices what Citus would refuse', async () => {
    const client = new Client(url)
    await client.connect()
    await client.query('CREATE TEMP TABLE own (state text, id bigint)')
    for (const text of [
      'SELECT p.id FROM parcels p JOIN own USING (state, id)',
      "UPDATE parcels SET city = '' WHERE id = 1",
      "SELECT 1 FROM parcels p JOIN records r ON r.id = p.id WHERE p.state = 'WI'",
      "UPDATE parcels SET id = nextval('parcel_ids') WHERE state = 'WI'",
      "SELECT 1 FROM parcels p JOIN records r ON r.id = p.id WHERE p.state = 'WI' AND " +
        "r.state = 'WI'",
    ]) {
      await client.query(text)
    }
    await client.end()
    assert.deepEqual(
      watch.strays.splice(0).map(({ why }) => why),
      [
        'own is on the coordinator alone',
        'touches 4 shards',
        'touches 4 shards',
        'a volatile function beside a distributed table',
      ],
    )
  })

  // Every statement is looked at, which costs more than it does. Answers are those of PostgreSQL.
  await testDatabase('a stand-in for Citus', url, IS_LONG ? 0.2 : 0.01)
  after(() => server.stop())

  testRolls('a stand-in for Citus', url)
  testAccounts('a stand-in for Citus', url, async () => {
    const empty = await server.createDatabase('copied')
    const target = await standInForCitus(empty)
    await layOutOverCitus(target)
    return target
  })

  test('a stand-in for Citus: an import reports a node that missed its commit', async () => {
    const admin = await connectTo(url)
    // Citus warns while it commits; so does a trigger that runs at the commit.
    await admin.query(`CREATE FUNCTION stub.warn() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE WARNING 'node-2 was lost'; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER warning AFTER INSERT ON imports DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION stub.warn()`)
    const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    await writer.stage([stage({ parcelId: 'A', state: 'WI', fips: 55025 })])
    await assert.rejects(
      async () => writer.apply(),
      /committed the roll, and a node of it did not \(node-2 was lost\)/,
    )
    await writer.discard()
    await admin.query('DROP TRIGGER warning ON imports')
    await admin.end()
  })

  test('a stand-in for Citus: rows that cannot be removed block no other state', async () => {
    const admin = await connectTo(url)
    await admin.query(`CREATE FUNCTION stub.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'node-2 is down'; END $$;
      CREATE TRIGGER refusing BEFORE DELETE ON loading_states FOR EACH ROW
        WHEN (old.state = 'NV') EXECUTE FUNCTION stub.refuse()`)
    await admin.query("INSERT INTO loading_states VALUES ('NV')")
    const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    await writer.stage([stage({ parcelId: 'A', state: 'WI', fips: 55025 })])
    const own = async () => writer.stage([stage({ parcelId: 'A', state: 'NV', fips: 32003 })])
    await assert.rejects(own, /node-2 is down/)
    await writer.discard()
    await admin.query(
      "DROP TRIGGER refusing ON loading_states; DELETE FROM loading_states WHERE state = 'NV'",
    )
    await admin.end()
  })

  test('no statement of any of these strayed from its shard', () => {
    watch.stop()
    // A slow machine leads to checks of the nodes, which are no statement on shards.
    const isCheck = ({ text }: Stray) => text.includes('citus_check_connection_to_node')
    assert.deepEqual(
      watch.strays.filter((stray) => !isCheck(stray)),
      [],
    )
    assert.ok(watch.seen.size > 80, `${watch.seen.size} statements`)
  })
}

function testRolls(name: string, url: string): void {
  test(`${name}: a roll of two states is loaded and changed, and no rows stay staged`, async () => {
    const roll = (...ids: string[]) =>
      ['WI', 'TX'].flatMap((state) =>
        ids.map((parcelId, at) => ({
          ...stage({ parcelId, state, fips: state === 'WI' ? 55025 : 48453, value: ids.length }),
          geometry: at === 0 ? `{"at":${ids.length}}` : null,
        })),
      )
    const load = async (parcels: ReturnType<typeof roll>) => {
      const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
      await writer.stage(parcels)
      const [twice = []] = await Array.fromAsync(writer.repeats())
      await writer.drop(twice.slice(1).map(({ row }) => row))
      const { scopes } = await writer.compare()
      const { change } = await writer.apply()
      await writer.discard()
      return [scopes.map(({ after, removed }) => `${after} ${removed}`), Object.values(change)]
    }
    const admin = await connectTo(url)
    await emptyRolls(url)
    const first = roll('A', 'B', 'C')
    assert.deepEqual(
      await load([...first, { ...(first[0] as (typeof first)[0]), row: 9_999_999 }]),
      [
        ['3 0', '3 0'],
        [6, 0, 0, 0],
      ],
    )
    assert.deepEqual(await load(roll('A', 'D')), [
      ['2 2', '2 2'],
      [2, 2, 0, 4],
    ])
    assert.equal(await countStaged(admin), 0)

    // One that is killed leaves its rows to the next import, of whatever state.
    const killed = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    await killed.stage(roll('A').slice(0, 1))
    const busy = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    assert.equal(await countStaged(admin), 1, 'a running one keeps them')
    await busy.discard()
    await admin.query(HELD.replace('pid', 'pg_terminate_backend(pid)'))
    await until(async () => (await admin.query(HELD)).rows.length === 0)
    await (await openRollWriter(url, { loadedAt: 1_750_000_000 })).discard()
    assert.equal(await countStaged(admin), 0)
    await killed.discard()
    await admin.end()
  })
}

/** Rows that imports have staged, in all tables for that. */
async function countStaged(admin: Client): Promise<number> {
  const { rows: tables } = await admin.query(`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'platbook'::regnamespace AND relkind IN ('r', 'p')
      AND relname ~ '^loading_(staged|change|carried|lost|deletions)$'`)
  assert.equal(tables.length, 5)
  let count = 0
  for (const { name } of tables) {
    const { rows } = await admin.query(`SELECT count(*) AS n FROM ${name}`)
    count += Number(rows[0]?.n)
  }
  return count
}

/** The content of each node is shown, with moves that balance it. */
function testPlaces(url: string): void {
  test('citus: check shows nodes and shards, and moves are proposed', async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
    t.after(() => rmSync(data, { recursive: true }))
    await emptyRolls(url)
    const writer = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    const scopes = [
      ['WI', 55025],
      ['TX', 48453],
    ] as const
    await writer.stage(scopes.map(([state, fips]) => stage({ parcelId: 'A', state, fips })))
    await writer.apply()
    await writer.discard()
    const env = { PLATBOOK_DATABASE_URL: url, PLATBOOK_KEY_SECRET: 'x'.repeat(32) }
    const check = (await runCommand(checkCommand, ['--json'], { data, env })).json() as {
      findings: { where: string; problem: string }[]
      places: { shards: number; states: { state: string }[] }[]
      unsummed: string[]
    }
    // Keys of earlier tests are hashed under a secret that was deleted.
    assert.deepEqual(
      check.findings.filter(({ where }) => where !== 'secret'),
      [],
    )
    assert.deepEqual(
      check.places.flatMap(({ states }) => states.map(({ state }) => state)).sort(),
      ['TX', 'WI'],
    )
    assert.equal(
      check.places.reduce((sum, { shards }) => sum + shards, 0),
      2,
    )
    const admin = await connectTo(url)
    const { rows } = await admin.query(`SELECT count(*) AS off FROM run_command_on_all_nodes(
      $$SELECT current_setting('data_checksums')$$) WHERE result <> 'on'`)
    await admin.end()
    assert.equal(check.unsummed.length, Number(rows[0]?.off))
    const shards = (await runCommand(shardsCommand, ['--json'], { data, env })).json() as {
      groups: { bytes: number; states: unknown[] }[]
      load: number
      after: number
    }
    assert.ok(shards.load >= shards.after && shards.after >= 1)
    assert.ok(shards.groups.every(({ bytes }) => bytes > 0))
    await emptyRolls(url)
  })
}

async function emptyRolls(url: string): Promise<void> {
  const admin = await connectTo(url)
  const tables = [...LAYOUT, 'place_cells']
  for (const table of tables) await admin.query(`TRUNCATE ${table}`)
  await admin.end()
}

/** `makeTarget`: an empty store to copy into; it may be the folder that it is given. */
function testAccounts(
  name: string,
  url: string,
  makeTarget: (folder: string) => Promise<string>,
): void {
  test(`${name}: accounts, charges, verifying and a copy`, async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
    t.after(() => rmSync(data, { recursive: true }))
    const config = { ...readConfig({}), data, databaseUrl: url }
    const { admin, reader, ledger: store, close } = await openAccounts(config)
    const [secret] = loadSecrets(data, null)
    assert.ok(secret)
    // A cluster that a run before this one used has rows already.
    const before = (await verifyLedger(store, {})).rows
    const ids = ['one', 'two', 'three', 'four'].map((name) => `${name}-${before}`)
    for (const id of ids) {
      await admin.createAccount({ id, name: id, createdAt: 1, facts: DEFAULT_FACTS })
      const key = makeKey()
      const made = { id: `key-${id}`, accountId: id, label: null, createdAt: 1 }
      await admin.createKey({ ...made, ...hashKey(key, secret), prefix: prefixOf(key) })
    }
    const ledger = openLedger(url)
    const writer = await openLedgerWriter(ledger.store, Date.now, {
      onFault: (fault) => assert.fail(String(fault)),
    })
    const charges = [...ids, ids[0] as string].map((accountId) =>
      writer.charge(makeCharge(accountId)),
    )
    await Promise.all(charges)
    await writer.close()
    await ledger.close()
    assert.equal((await verifyLedger(store, {})).rows, before + 5)
    assert.ok(await reader.tokenUse(ids[0] as string))
    await close()
    const copied = await makeTarget(join(data, 'copied'))
    const [source, target] = [await openCopySource(url), await openCopyTarget(copied)]
    await copyStore({ source, target }, () => undefined)
    await source.close()
    await target.close()
  })
}
