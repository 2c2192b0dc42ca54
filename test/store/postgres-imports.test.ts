/**
 * Imports into PostgreSQL side by side: one of a state at a time, and ids that appear in their
 * order within a state.
 */
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import type { MappingDocument } from '../../src/import/mapping/mapping.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts, prepareData } from '../../src/store/open.ts'
import { openWriter } from '../../src/store/open-rolls.ts'
import { packRecord } from '../../src/store/postgres/pack/pack.ts'
import { unpack } from '../../src/store/postgres/pack/unpack.ts'
import { openParcelReader } from '../../src/store/postgres/read/parcels.ts'
import { openRollWriter } from '../../src/store/postgres/write/roll-writer.ts'
import { importRoll, makeFolder, write } from '../import/small-roll.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { until } from '../until.ts'
import { stage } from './staged.ts'

const missing = whyNoServer()
if (missing !== undefined) test('imports side by side', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const url = await server.createDatabase('imports')
  const reader = openParcelReader(url)
  after(async () => {
    await reader.close()
    await server.stop()
  })
  const roll = (state: string, fips: number, from: number, count: number) =>
    Array.from({ length: count }, (_, at) => stage({ parcelId: `${from + at}`, state, fips }))
  const idsAfter = async (state: string, after: number) => {
    const filter = { state, assignedOnly: false }
    const page = await reader.page(
      filter,
      { afterId: after, skip: 0, limit: 1000 },
      Number.MAX_SAFE_INTEGER,
    )
    return page.parcels.map(({ id }) => id)
  }

  test('an import that fails before its first row closes its connection', async () => {
    const broken = await server.createDatabase('broken')
    const client = new Client(broken)
    await client.connect()
    await client.query('ALTER TABLE platbook.schema_number RENAME TO taken_away')
    const opening = openWriter(broken, 1)
    await assert.rejects(opening, /another version/)
    const count = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'platbook'`
    await until(async () => (await client.query(count)).rows[0]?.n === 0)
    await client.end()
  })

  test('an import makes the tables of an empty database, and so does a start', async (t) => {
    const writer = await openWriter(await server.createEmpty('first_import'), 1)
    await writer.stage(roll('WI', 55025, 0, 1))
    assert.equal((await writer.apply()).change.loaded, 1)
    await writer.discard()
    const databaseUrl = await server.createEmpty('first_start')
    const config = { ...readConfig({}), data: makeFolder(t), databaseUrl }
    await prepareData(config)
    const accounts = await openAccounts(config)
    assert.deepEqual(await accounts.admin.accounts(), [])
    await accounts.close()
  })

  test('a second import of a state is refused until the first ends; others are not', async () => {
    const first = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    await first.stage(roll('WI', 55025, 0, 10))
    const second = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    await assert.rejects(
      async () => second.stage(roll('WI', 55079, 0, 10)),
      /another import is loading parcels of WI/,
    )
    const other = await openRollWriter(url, { loadedAt: 1_750_000_000 })
    await other.stage(roll('TX', 48453, 0, 10))
    assert.equal((await other.apply()).change.loaded, 10)
    assert.equal((await first.apply()).change.loaded, 10)
    await first.discard()
    assert.equal((await idsAfter('WI', 0)).length, 10)
    // It needs no new connection for that.
    await second.stage(roll('WI', 55079, 0, 10))
    assert.equal((await second.apply()).change.loaded, 10)
    await second.discard()
    await other.discard()
  })

  test('a caller who pages while rolls of two states are committed misses no change', async () => {
    const locker = new Client(url)
    await locker.connect()
    const seen = { WI: await idsAfter('WI', 0), TX: await idsAfter('TX', 0) }
    for (let round = 1; round <= 3; round += 1) {
      const wisconsin = await openRollWriter(url, { loadedAt: 1_750_000_000 })
      const texas = await openRollWriter(url, { loadedAt: 1_750_000_000 })
      await wisconsin.stage(roll('WI', 55025, round * 100, 50))
      await texas.stage(roll('TX', 48453, round * 100, 50))
      for (const writer of [wisconsin, texas]) await writer.compare({ partial: true })
      // It has drawn its ids, and waits for its commit while the other one draws and commits.
      await locker.query('BEGIN; LOCK TABLE platbook.scopes IN SHARE MODE')
      const waiting = wisconsin.apply()
      await until(async () => (await locker.query(WAITING)).rows.length > 0)
      const next = texas.apply()
      await until(async () => (await locker.query(WAITING)).rows.length >= 2)
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

  test('skipping unchanged rows gives the same store and report as reading all', async (t) => {
    const folder = makeFolder(t)
    const sides = await Promise.all(
      ['kept', 'whole'].map(async (name) => {
        const databaseUrl = await server.createDatabase(name)
        const client = new Client(databaseUrl)
        await client.connect()
        t.after(() => client.end())
        return { name, databaseUrl, client, dataDir: join(folder, name) }
      }),
    )
    const base = Array.from({ length: 12 }, (_, at) => `3-${at},"ROE, JANE ${at}",${at} ELM ST`)
    const rolls = [
      base,
      // A changed owner, a removed row, a new one, and a second row of an existing parcel.
      [...base.with(3, '3-3,"DOE, JOHN",3 ELM ST').slice(1), '3-90,"POE, ANN",9 OAK ST'],
      [...base.slice(1), '3-5,"ROE, JANE 5",77 ELM ST'],
      base,
    ]
    const staged: number[] = []
    for (const [at, rows] of rolls.entries()) {
      const file = write(folder, 'roll.csv', ['PIN,OWNER,SITUS', ...rows, ''].join('\n'))
      const reports = []
      for (const { name, databaseUrl, dataDir } of sides) {
        if (name === 'whole') rmSync(join(dataDir, 'refresh'), { recursive: true, force: true })
        const options = { mapping: ROLL, force: true, shown: ['roll.csv'], databaseUrl, threads: 0 }
        const {
          rejectsFile: _,
          seconds: __,
          ...rest
        } = await importRoll(dataDir, [file], options, Date.UTC(2026, 5, 1 + at))
        reports.push(rest)
      }
      assert.deepEqual(reports[0], reports[1], `roll ${at}`)
      const [kept, whole] = await Promise.all(sides.map(({ client }) => dumpRolls(client)))
      assert.deepEqual(kept, whole, `roll ${at}`)
      staged.push(readdirSync(join(folder, 'kept', 'refresh')).length)
    }
    assert.deepEqual(staged, [2, 2, 2, 2])
    // A record that no import leaves so shows that its row was not read again.
    const [{ client, databaseUrl, dataDir }] = sides as [(typeof sides)[0]]
    await rewriteRecords(client, (fieldValues) => fieldValues.replaceAll('ELM', 'YEW'))
    const file = write(folder, 'roll.csv', ['PIN,OWNER,SITUS', ...base, ''].join('\n'))
    const again = await importRoll(dataDir, [file], { mapping: ROLL, databaseUrl, threads: 0 })
    assert.deepEqual([again.unchanged, again.updated], [12, 0])
    // Without the token every row is read.
    await client.query('DELETE FROM platbook.roll_tokens')
    const whole = await importRoll(dataDir, [file], { mapping: ROLL, databaseUrl, threads: 0 })
    assert.deepEqual([whole.unchanged, whole.updated], [0, 12])
  })

  test('a roll that another import changes meanwhile is refused, not mixed', async (t) => {
    const folder = makeFolder(t)
    const databaseUrl = await server.createDatabase('meanwhile')
    const options = { mapping: ROLL, databaseUrl, threads: 0 }
    const file = write(folder, 'roll.csv', 'PIN,OWNER,SITUS\n1,"ROE, JANE",1 ELM ST\n')
    await importRoll(folder, [file], options)
    const writer = await openRollWriter(databaseUrl, { loadedAt: 1_750_000_000 })
    const tokens = (await writer.marks?.tokens()) ?? []
    assert.equal(tokens.length, 1)
    await importRoll(folder, [file], options)
    await assert.rejects(async () => writer.marks?.claim(tokens), /another import has changed/)
    await writer.discard()
  })
}

/** Changes the text of each record. */
async function rewriteRecords(
  client: Client,
  rewrite: (fieldValues: string) => string,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT id, encode(field_values, 'hex') AS "fieldValues", encode(keys, 'hex') AS keys
    FROM platbook.records`,
  )
  for (const { id, ...hex } of rows) {
    const fieldValues = unpack(Buffer.from(hex.fieldValues, 'hex'))
    const keys = unpack(Buffer.from(hex.keys, 'hex'), fieldValues)
    await client.query('UPDATE platbook.records SET field_values = $2, keys = $3 WHERE id = $1', [
      id,
      ...packRecord(rewrite(fieldValues), keys),
    ])
  }
}

const ROLL: MappingDocument = {
  name: 'refresh-test',
  title: 'Invented county',
  state: 'NE',
  county: 'Lancaster',
  source: { name: 'Invented', license: 'none' },
  nameOrder: 'last-first',
  fields: { parcelId: 'PIN', ownerName1: 'OWNER', address: 'SITUS' },
}

/** All that is kept of parcels and of imports. */
async function dumpRolls(client: Client) {
  const tables: Record<string, unknown[]> = {}
  for (const [table, order] of Object.entries(DUMPED)) {
    tables[table] = (await client.query(`SELECT * FROM platbook.${table} ORDER BY ${order}`)).rows
  }
  return tables
}

const DUMPED = {
  parcels: 'id',
  records: 'id',
  situs: 'key, id, unit',
  owner_heads: 'head, id',
  owner_counts: 'owner',
  scopes: 'fips',
  changes: 'sequence',
  import_images: 'id',
}

const WAITING = 'SELECT pid FROM pg_locks WHERE NOT granted'
