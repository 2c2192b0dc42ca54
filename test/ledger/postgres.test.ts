/**
 * The ledger, keys and lookups over a real PostgreSQL server: several processes, and a server that
 * dies, hangs and recovers.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { DEFAULT_FACTS } from '../../src/accounts/account-facts.ts'
import { hashKey, makeKey, prefixOf } from '../../src/accounts/api-key.ts'
import { createKeyDirectory } from '../../src/accounts/directory.ts'
import { Refusal } from '../../src/base/errors.ts'
import type { AccountFacts } from '../../src/base/model/account.ts'
import { SCHEMA_NUMBER } from '../../src/base/schema-number.ts'
import { connectLedger } from '../../src/ledger/client.ts'
import { createSharedWindows } from '../../src/ledger/rates/shared-windows.ts'
import { settleCredit } from '../../src/ledger/settle.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openLedgerWriter } from '../../src/ledger/writer.ts'
import { superviseLedger } from '../../src/processes/supervise-ledger.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import type { LedgerState } from '../../src/store/accounts-store.ts'
import { loadSecrets } from '../../src/store/key-secret.ts'
import { openAccounts, openLedger, openStore, prepareData } from '../../src/store/open.ts'
import { Session } from '../../src/store/postgres/pool/session.ts'
import { createGrantStore } from '../../src/store/postgres/rate-grants.ts'
import { ensureSchema } from '../../src/store/postgres/schema.ts'
import { CLUSTER, createOnCluster, NOT_OURS } from '../citus-cluster.ts'
import { startProxy } from '../postgres-proxy.ts'
import { startServer, whyNoServer } from '../postgres-server.ts'
import { until } from '../until.ts'
import { makeCharge } from './fixture.ts'

const missing = whyNoServer()
if (missing !== undefined) test('the ledger over PostgreSQL', { skip: missing }, () => undefined)
else {
  // As durable as an operator's own.
  const server = await startServer()
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  const cluster = CLUSTER === undefined ? undefined : await createOnCluster(CLUSTER)
  const databaseUrl = cluster?.url ?? (await server.createDatabase('ledger'))
  const config = { ...readConfig({}), data, databaseUrl }
  await Promise.all(Array.from({ length: 10 }, () => prepareData(config)))
  const accounts = await openAccounts(config)
  after(async () => {
    await accounts.close()
    await cluster?.drop()
    await server.stop()
    rmSync(data, { recursive: true })
  })
  const times = <Made>(count: number, make: () => Made) => Array.from({ length: count }, make)

  async function makeAccount(id: string, facts: Partial<AccountFacts> = {}): Promise<string> {
    const all = { ...DEFAULT_FACTS, ...facts }
    await accounts.admin.createAccount({ id, name: id, createdAt: Date.now(), facts: all })
    return id
  }

  async function openNode(place = databaseUrl) {
    const ledger = openLedger(place)
    const faults: unknown[] = []
    const writer = await openLedgerWriter(ledger.store, Date.now, {
      onFault: (fault) => faults.push(fault),
    })
    return { writer, faults, close: () => writer.close().then(() => ledger.close()) }
  }

  test('ten nodes that start at once create the tables once', async () => {
    const client = new Client(databaseUrl)
    await client.connect()
    const { rows } = await client.query('SELECT number FROM platbook.schema_number')
    await client.end()
    assert.deepEqual(rows, [{ number: SCHEMA_NUMBER }])
  })

  test('tables of another version are refused in a sentence', { skip: NOT_OURS }, async () => {
    const says = {
      message:
        /database other on .* was made by another version of Platbook.* import the rolls again$/,
    }
    const url = await server.createDatabase('other')
    await ensureSchema(url)
    const client = new Client(url)
    await client.connect()
    await client.query('UPDATE platbook.schema_number SET number = number - 1')
    await assert.rejects(ensureSchema(url), says)
    await client.query('DROP TABLE platbook.schema_number')
    await assert.rejects(ensureSchema(url), says)
    await client.end()
  })

  test('with N tokens left, three nodes give exactly N answers', async () => {
    const account = await makeAccount('acc_cap', { includedTokens: 100 })
    const other = await makeAccount('acc_other')
    const nodes = await Promise.all(times(3, () => openNode()))
    const outcomes = await Promise.all(
      nodes.flatMap(({ writer }) =>
        times(90, () => [
          writer.charge(makeCharge(account)),
          writer.charge(makeCharge(other)),
        ]).flat(),
      ),
    )
    const charged = outcomes.filter(({ kind }) => kind === 'charged').length
    const blocked = outcomes.filter(
      (outcome) => outcome.kind === 'blocked' && outcome.code === 'overage_limit_exceeded',
    )
    assert.deepEqual([charged, blocked.length], [100 + 270, 170])
    const { rows, bad } = await verifyLedger(accounts.ledger)
    assert.deepEqual([rows, bad], [370, undefined])
    await Promise.all(nodes.map((node) => node.close()))
  })

  test('a credit of more than was used is refused, also while others charge', async () => {
    const account = await makeAccount('acc_credit')
    const node = await openNode()
    const give = (tokens: number) =>
      accounts.ledger.append([account], (states, nextId) => {
        const fields = { accountId: account, tokens, reason: 'r', requestId: `credit_${nextId}` }
        return settleCredit(fields, states.get(account) as LedgerState, nextId, Date.now())
      })
    await assert.rejects(give(1), /has used 0/)
    await node.writer.charge(makeCharge(account))
    // Two operators at once, and one token to give back.
    const given = await Promise.allSettled([give(1), give(1)])
    assert.deepEqual(given.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
    assert.equal((await accounts.reader.tokenUse(account))?.used, 0)
    await node.close()
  })

  test('nodes that follow the ledger side by side find no fault in each other’s rows', async () => {
    const own = await Promise.all(['acc_f1', 'acc_f2'].map((id) => makeAccount(id)))
    const nodes = await Promise.all(times(2, () => openNode()))
    // Enough rows that both walk several slices and one of them makes a checkpoint.
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        nodes.flatMap(({ writer }, at) =>
          times(450, () => writer.charge(makeCharge(own[(at + round) % 2] ?? ''))),
        ),
      )
    }
    // A slice is verified after each group.
    for (let round = 0; round < 24; round += 1) {
      for (const { writer } of nodes) await writer.charge(makeCharge(own[0] ?? ''))
    }
    assert.deepEqual(
      nodes.flatMap(({ faults }) => faults),
      [],
    )
    assert.ok((await accounts.ledger.checkedId()) >= 10_000)
    await Promise.all(nodes.map((node) => node.close()))
    const again = await openNode()
    assert.deepEqual(again.faults, [])
    await again.close()
  })

  test('rows of the ledger are never changed or removed', async () => {
    const client = new Client(databaseUrl)
    await client.connect()
    for (const text of [
      'UPDATE platbook.ledger SET cost = 0',
      'DELETE FROM platbook.ledger',
      'TRUNCATE platbook.ledger CASCADE',
      'DELETE FROM platbook.ledger_head',
    ]) {
      await assert.rejects(client.query(text), /append-only/, text)
    }
    await client.end()
  })

  test('a changed fact, a new key and a revoked one are heard of within a second', async () => {
    const id = await makeAccount('acc_key')
    const key = makeKey()
    const [secret] = loadSecrets(data, null)
    assert.ok(secret)
    const store = openStore(config)
    const keys = createKeyDirectory(store.accounts, () => loadSecrets(data, null))
    assert.equal(await keys.find(key, Date.now()), undefined)
    await accounts.admin.createKey({
      id: 'key_1',
      accountId: id,
      label: null,
      prefix: prefixOf(key),
      createdAt: 0,
      ...hashKey(key, secret),
    })
    assert.equal((await keys.find(key, Date.now()))?.account.facts.suspended, false)
    await accounts.admin.changeFacts(id, (facts) => ({ ...facts, suspended: true }))
    const later = Date.now() + 1000
    assert.equal((await keys.find(key, later))?.account.facts.suspended, true)
    await accounts.ledger.noteUses(keys.takeUses())
    assert.ok(((await accounts.admin.key('key_1'))?.lastUsedAt ?? 0) > 0)
    await accounts.admin.revokeKey('key_1', later)
    assert.equal(await keys.find(key, later + 1000), undefined)
    assert.equal(await keys.find(key, later - 86_400_000), undefined, 'also with a clock set back')
    await store.close()
  })

  test('a change is heard of at once, without being asked for', async () => {
    const id = await makeAccount('acc_heard')
    const key = makeKey()
    const [secret] = loadSecrets(data, null)
    assert.ok(secret)
    const made = { id: 'key_3', accountId: id, label: null, prefix: prefixOf(key), createdAt: 0 }
    await accounts.admin.createKey({ ...made, ...hashKey(key, secret) })
    const store = openStore(config)
    const keys = createKeyDirectory(store.accounts, () => loadSecrets(data, null))
    // With a fixed clock, nothing is read again.
    const isSuspended = async () => (await keys.find(key, 0))?.account.facts.suspended
    for (const suspended of [true, false]) {
      await accounts.admin.changeFacts(id, (facts) => ({ ...facts, suspended }))
      await until(async () => (await isSuspended()) === suspended)
    }
    await store.close()
  })

  test('facts, key owners and triggers changed outside the program are found', async () => {
    const id = await makeAccount('acc_logged', { includedTokens: 5 })
    const key = { id: 'key_logged', accountId: id, label: null, prefix: 'pbk_', createdAt: 1 }
    await accounts.admin.createKey({ ...key, hash: Buffer.alloc(32, 7), secretId: 'one' })
    await accounts.ledger.noteUses([
      { keyId: key.id, at: 1, rehash: { hash: Buffer.alloc(32, 8), secretId: 'two' } },
    ])
    await accounts.admin.revokeKey(key.id, 5)
    assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
    const client = new Client(databaseUrl)
    await client.connect()
    const changes: [string, string, RegExp][] = [
      [
        "UPDATE account SET included_tokens = 6 WHERE id = 'acc_logged'",
        "UPDATE account SET included_tokens = 5 WHERE id = 'acc_logged'",
        /acc_logged.*included_tokens/,
      ],
      [
        "UPDATE key SET account_id = 'acc_key' WHERE id = 'key_logged'",
        "UPDATE key SET account_id = 'acc_logged' WHERE id = 'key_logged'",
        /key_logged.*account_id/,
      ],
      [
        'ALTER TABLE ledger DISABLE TRIGGER ledger_stays_whole',
        'ALTER TABLE ledger ENABLE TRIGGER ledger_stays_whole',
        /trigger ledger_stays_whole/,
      ],
    ]
    for (const [change, back, problem] of changes) {
      await client.query(`SET search_path = platbook; ${change}`)
      assert.match((await verifyLedger(accounts.ledger)).bad?.problem ?? '', problem)
      await client.query(back)
    }
    await client.end()
    assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
  })

  test('one Idempotency-Key on two nodes at once is one charge', async () => {
    const id = await makeAccount('acc_idempotent', { includedTokens: 1 })
    const nodes = await Promise.all([openNode(), openNode()])
    const idempotency = { key: 'a'.repeat(64), fingerprint: 'b'.repeat(64) }
    const outcomes = await Promise.all(
      times(100, () => makeCharge(id, { idempotency })).map((charge, at) =>
        nodes[at % 2 === 0 ? 0 : 1]?.writer.charge(charge),
      ),
    )
    assert.ok(outcomes.every((outcome) => outcome?.kind === 'charged'))
    assert.equal((await accounts.ledger.entriesOf(id, 0, 10)).length, 1)
    assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
    await Promise.all(nodes.map((node) => node.close()))
  })

  test('a node with a server secret of its own does not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platbook-test-'))
    const key = makeKey()
    const [secret] = loadSecrets(data, null)
    assert.ok(secret)
    await accounts.admin.createKey({
      id: 'key_2',
      accountId: 'acc_key',
      label: null,
      prefix: prefixOf(key),
      createdAt: 0,
      ...hashKey(key, secret),
    })
    await assert.rejects(prepareData({ ...config, data: folder }), /secret is missing/)
    loadSecrets(folder, null)
    await assert.rejects(prepareData({ ...config, data: folder }), /another server secret/)
    await prepareData(config)
    rmSync(folder, { recursive: true })
  })

  test('a commit whose reply is lost is not a charge, and its row breaks nothing', {
    skip: NOT_OURS,
  }, async () => {
    const account = await makeAccount('acc_lost')
    const proxy = await startProxy(server.folder)
    const node = await openNode(`postgres://postgres@127.0.0.1:${proxy.port}/ledger`)
    assert.equal((await node.writer.charge(makeCharge(account))).kind, 'charged')
    proxy.dropAfterCommit()
    assert.equal((await node.writer.charge(makeCharge(account))).kind, 'unavailable')
    assert.equal((await node.writer.charge(makeCharge(account))).kind, 'charged')
    const rows = await accounts.ledger.entriesOf(account, 0, 10)
    assert.equal(rows.length, 3, 'the row of the lost reply is there')
    assert.equal((await verifyLedger(accounts.ledger)).bad, undefined)
    await node.close()
    await proxy.close()
  })

  /** A node's share of minutes, by a clock that the test moves. */
  function openShare(t: TestContext, place = databaseUrl) {
    const clock = { now: 1000 }
    const reports: unknown[] = []
    const windows = createSharedWindows({
      store: createGrantStore(new Session(place, 30_000)),
      steadyMs: () => clock.now,
      onAlone: (error) => reports.push(error),
      answerMs: 30_000,
    })
    async function useUp(account: string, limit: number): Promise<number> {
      for (let used = 0; ; ) {
        const { count } = await windows.lease(account, limit, 1)
        if (count === 0) return used
        used += count
      }
    }
    t.after(() => windows.close())
    return { ...windows, clock, reports, useUp }
  }

  test('two nodes that ask at once admit exactly the limit together', async (t) => {
    const nodes = [openShare(t), openShare(t)]
    const used = await Promise.all(nodes.map((node) => node.useUp('acc_rate', 700)))
    assert.equal((used[0] ?? 0) + (used[1] ?? 0), 700, `${used}`)
    const lease = await nodes[0]?.lease('acc_rate', 700, 1)
    assert.ok(lease !== undefined && lease.retryMs > 0 && lease.retryMs <= 61_200)
    assert.deepEqual(
      nodes.flatMap(({ reports }) => reports),
      [],
    )
  })

  test('what a node gives back of a limit, another node can use', async (t) => {
    const [one, two] = [openShare(t), openShare(t)]
    const held = await one.lease('acc_given', 160, 1)
    assert.ok(held.count > 1)
    assert.equal(await two.useUp('acc_given', 160), 150, 'a sixteenth is held')
    one.giveBack('acc_given', held.slot, held.count - 1)
    one.clock.now += 2000
    await one.tidy()
    // Longer than any wait that it was given.
    two.clock.now += 62_000
    assert.equal(await two.useUp('acc_given', 160), 9)
  })

  test('only what left the window is removed from the shared minute', async (t) => {
    const store = createGrantStore(new Session(databaseUrl, 30_000))
    t.after(() => store.close())
    const client = new Client(databaseUrl)
    t.after(() => client.end())
    await client.connect()
    const asked = { accountId: 'acc_swept', limit: 100, countsMs: 3_600_000, unused: [] }
    const { slot } = await store.take({ ...asked, want: 10 })
    await client.query(
      `INSERT INTO platbook.rate_grants VALUES ('acc_swept', $1, 'other', 1), ('acc_swept', $2,
        'other', 1)`,
      [slot - 36_001, slot - 35_000],
    )
    await store.sweep(asked.countsMs)
    const { rows } = await client.query(
      'SELECT slot::text, count::text FROM platbook.rate_grants WHERE account_id = ' +
        "'acc_swept' ORDER BY slot",
    )
    assert.deepEqual(rows, [
      { slot: `${slot - 35_000}`, count: '1' },
      { slot: `${slot}`, count: '10' },
    ])
  })

  test('without its database a node counts requests by itself, and shares again when it is back', {
    skip: NOT_OURS,
  }, async (t) => {
    const proxy = await startProxy(server.folder)
    t.after(() => proxy.close())
    const node = openShare(t, `postgres://postgres@127.0.0.1:${proxy.port}/ledger`)
    assert.ok((await node.lease('acc_away', 50, 1)).slot < 0, 'it shares')
    proxy.set('cut')
    assert.equal(await node.useUp('acc_cut', 50), 50)
    assert.equal(await node.useUp('acc_away', 50), 50)
    assert.equal(node.reports.length, 1)
    proxy.set('open')
    await until(async () => {
      node.clock.now += 1000
      await node.tidy()
      return (await node.lease('acc_back', 50, 1)).slot < 0
    }, 0)
  })

  test('the ledger process of a node takes its leases from the shared minute', async (t) => {
    const supervisor = superviseLedger(databaseUrl, { report: () => undefined })
    const client = connectLedger(supervisor.socketPath)
    t.after(() => client.close().finally(() => supervisor.stop()))
    await supervisor.started
    await client.ready()
    // A server that is slow at first is asked again within some seconds.
    await until(async () => ((await client.leases.lease('acc_process', 1000, 1))?.slot ?? 0) < 0)
  })

  for (const [what, strike, mend] of [
    ['killed', () => server.kill(), () => server.start()],
    ['standing still', async () => server.pause(), async () => server.resume()],
  ] as const) {
    test(`with the server ${what}, charges and lookups are unavailable, then recover`, {
      skip: NOT_OURS,
    }, async (t) => {
      const account = await makeAccount(`acc_${what.slice(0, 4)}`)
      const node = await openNode()
      const store = openStore(config)
      const delivered: number[] = []
      const seen = { charged: 0, unavailable: 0, answered: 0, refused: 0 }
      let going = true
      const lastGood = { charge: 0, lookup: 0 }
      const callers = [
        ...times(8, async () => {
          while (going) {
            const outcome = await node.writer.charge(makeCharge(account))
            if (outcome.kind === 'charged') delivered.push(outcome.used)
            seen[outcome.kind === 'charged' ? 'charged' : 'unavailable'] += 1
            if (outcome.kind === 'charged') lastGood.charge = performance.now()
            else await sleep(5)
          }
        }),
        ...times(8, async () => {
          while (going) {
            try {
              assert.deepEqual(await store.parcels.byParcelId('WI', 55025, 'X'), [])
              seen.answered += 1
              lastGood.lookup = performance.now()
            } catch (error) {
              assert.ok(error instanceof Refusal && error.kind === 'unavailable', String(error))
              seen.refused += 1
              await sleep(5)
            }
          }
        }),
      ]
      await sleep(300)
      await strike()
      await sleep(what === 'killed' ? 300 : 2500)
      const refusedBy = { ...seen }
      await mend()
      const mended = performance.now()
      const good: Record<string, number> = {}
      for (const kind of ['charge', 'lookup'] as const) {
        while (lastGood[kind] < mended && performance.now() < mended + 10_000) await sleep(5)
        good[kind] = Math.round(performance.now() - mended)
      }
      going = false
      await Promise.all(callers)
      t.diagnostic(`${JSON.stringify(seen)}, good again after ms: ${JSON.stringify(good)}`)
      assert.ok(refusedBy.refused > 0, 'lookups were refused')
      // A charge waits longer than the server hangs here.
      assert.ok(seen.unavailable > 0 || what !== 'killed', 'charges were refused')
      assert.ok(lastGood.lookup > mended, 'lookups answer again')
      assert.ok(lastGood.charge > mended, 'charges are written again')
      const rows = await accounts.ledger.entriesOf(account, 0, 1_000_000)
      assert.ok(rows.length >= delivered.length, 'every answer has its row')
      assert.equal(new Set(delivered).size, delivered.length, 'no token was given twice')
      const { bad } = await verifyLedger(accounts.ledger)
      assert.equal(bad, undefined)
      await store.close()
      await node.close()
    })
  }

  test('a lost connection and a missing server are sentences on the command line', async () => {
    const nowhere = { ...config, databaseUrl: 'postgres://user:hidden@127.0.0.1:1/none' }
    await assert.rejects(prepareData(nowhere), (error: Error) => {
      assert.match(error.message, /^the database none on 127\.0\.0\.1:1 cannot be used/)
      return !error.message.includes('hidden')
    })
    const wrong = { ...config, databaseUrl: server.url('nothing') }
    await assert.rejects(prepareData(wrong), /there is no such database/)
    await assert.rejects(prepareData({ ...config, databaseUrl: 'mysql://x' }), /an address like/)
  })
}
