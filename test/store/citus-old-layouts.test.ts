/**
 * Databases that older versions distributed otherwise: over a stand-in, and over the cluster of
 * `PLATBOOK_TEST_CITUS_URL` if it is set.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Client } from 'pg'
import { bringHome, LAYOUT, layOutOverCitus, readPlaced } from '../../src/store/postgres/citus.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { clientConfig, connect } from '../../src/store/postgres/pool/connection.ts'
import { CLUSTER, createOnCluster } from '../citus-cluster.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { standInForCitus } from './citus-stand-in.ts'

const ACCOUNT = `INSERT INTO account (id, name, created_at, data_reads, response_shape, suspended,
    billing, subscription, payment_method, unpaid_invoices, past_due_grace_days)
  VALUES ('one', 'One', 1, 'v3', 'flat', false, 'ok', 'none', 'none', 0, 0)`

/** What the first version did before it distributed the ledger by account. */
const FIRST_LAYOUT = `DROP TRIGGER ledger_stays_whole ON ledger;
  DROP TRIGGER ledger_head_stays ON ledger_head;
  ALTER TABLE ledger DROP CONSTRAINT ledger_pkey;
  ALTER TABLE ledger ADD PRIMARY KEY (account_id, id);
  CREATE INDEX ledger_by_id ON ledger (id);
  DROP INDEX ledger_idempotency;
  INSERT INTO ledger (id, account_id, seq, request_id, period, endpoint, cost, at, hash)
    VALUES (1, 'one', 1, 'r', '2026-01-01', 'x', 1, 1, 'h')`

async function assertHome(client: Client): Promise<void> {
  const placed = [...(await readPlaced(client))].sort()
  assert.deepEqual(placed, LAYOUT.map(({ table }) => table).sort())
  const { rows } = await client.query(`SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint
    WHERE conrelid = 'ledger'::regclass AND contype = 'p'`)
  assert.deepEqual(rows, [{ key: 'PRIMARY KEY (id)' }])
  const change = client.query("UPDATE ledger SET cost = 2 WHERE account_id = 'one'")
  await assert.rejects(change, /append-only/)
  await assert.rejects(client.query('TRUNCATE ledger_head'), /append-only/)
  const kept = await client.query('SELECT account_id, cost FROM ledger')
  assert.deepEqual(kept.rows, [{ account_id: 'one', cost: 1 }])
}

const missing = whyNoServer()
if (missing !== undefined) test('a stand-in for Citus', { skip: missing }, () => undefined)
else {
  test('a stand-in for Citus: a ledger that was distributed by account comes back', async () => {
    const server = await startServer(NOT_DURABLE)
    after(() => server.stop())
    const plain = await server.createDatabase('old')
    await migrate(plain)
    const url = await standInForCitus(plain)
    await layOutOverCitus(url)
    const client = await connect(clientConfig(url, 0, {}))
    await client.query(ACCOUNT)
    await client.query(FIRST_LAYOUT)
    await client.query("SELECT create_distributed_table('ledger', 'account_id', 'none')")
    await bringHome(url)
    await assertHome(client)
    await bringHome(url)
    await client.end()
  })
}

if (CLUSTER !== undefined) {
  const cluster = CLUSTER
  test('citus: accounts and a ledger that were distributed come back, with all rows', async () => {
    const made = await createOnCluster(cluster)
    const client = await connect(clientConfig(made.url, 0, {}))
    try {
      await client.query(ACCOUNT)
      await client.query(FIRST_LAYOUT)
      await client.query("SELECT create_reference_table('platbook.account')")
      await client.query("SELECT undistribute_table('platbook.ledger')").catch(() => undefined)
      await client.query("SELECT create_distributed_table('platbook.ledger', 'account_id')")
      assert.ok((await readPlaced(client)).has('account'))
      await bringHome(made.url)
      await assertHome(client)
    } finally {
      await client.end()
      await made.drop()
    }
  })

  test('citus: rows of a filled database are not kept twice', async () => {
    const made = await createOnCluster(cluster)
    const client = await connect(clientConfig(made.url, 0, {}))
    try {
      const sizes = async () =>
        (await client.query("SELECT pg_relation_size('platbook.sale_tests') AS bytes")).rows
      await client.query("SELECT undistribute_table('platbook.sale_tests')")
      await client.query("INSERT INTO sale_tests (state, fips, result) VALUES ('WI', 55025, 'x')")
      assert.notDeepEqual(await sizes(), [{ bytes: 0 }])
      await layOutOverCitus(made.url)
      assert.deepEqual(await sizes(), [{ bytes: 0 }])
      const { rows } = await client.query('SELECT result FROM sale_tests')
      assert.deepEqual(rows, [{ result: 'x' }])
    } finally {
      await client.end()
      await made.drop()
    }
  })
}
