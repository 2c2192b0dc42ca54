/**
 * `platbook copy`: from the embedded store to PostgreSQL and back, over the real command and real
 * services.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { copyCommand } from '../../src/cli/commands/store/copy.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import type { CopyTarget } from '../../src/store/copy/ends.ts'
import { copyStore } from '../../src/store/copy/run.ts'
import { ACCOUNT_TABLES, ROLL_TABLES } from '../../src/store/copy/tables.ts'
import { accountsPath, isAddress, parcelsPath } from '../../src/store/data-folder.ts'
import { secretPath } from '../../src/store/key-secret.ts'
import { prepareData } from '../../src/store/open.ts'
import { openCopySource, openCopyTarget, openWriter } from '../../src/store/open-rolls.ts'
import type { EncodedKeys } from '../../src/store/parcel-keys.ts'
import { runCommand } from '../command.ts'
import { ROOT } from '../ledger/running-service.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { repetitions } from '../repetitions.ts'
import { startService, type TestService } from '../service.ts'
import { until } from '../until.ts'
import { makeRequests, makeRoll, shown } from './requests.ts'
import { stage } from './staged.ts'

const PARCELS = 400
const REQUESTS = repetitions(40)
const OWNERS = '/public/premium/owner/'

const missing = whyNoServer()
if (missing !== undefined) test('copy', { skip: missing }, () => undefined)
else {
  const server = await shareServer()
  const folder = mkdtempSync(join(tmpdir(), 'platbook-copy-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  mkdirSync(first)
  const services: TestService[] = []
  after(async () => {
    await Promise.all(services.map((service) => service.close()))
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const copy = (from: string, to: string, ...words: string[]) =>
    runCommand(copyCommand, ['--from', from, '--to', to, ...words], { data: first })

  const roll = await makeRoll(PARCELS)
  const url = await server.createDatabase('copied')
  const origin = await startService(roll, { data: first })
  services.push(origin)
  const key = await origin.keyFor({ includedTokens: 500 })
  for (const state of ['WI', 'TX', 'FL']) {
    await origin.get(OWNERS, { state, lastName: 'SMITH', fuzzy: true }, { key })
  }

  test('to PostgreSQL and back: equal checksums; files to copy by hand are listed', async () => {
    const there = await copy(first, url, '--json')
    assert.equal(there.code, 0)
    const report = there.json()
    assert.equal(report.states, 4)
    const tables = report.tables as { name: string; rows: number; sha256: string }[]
    assert.deepEqual(
      tables.map(({ name }) => name),
      [...ROLL_TABLES, ...ACCOUNT_TABLES].map(({ name }) => name),
    )
    const rows = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
    assert.equal(rows.parcels, rows.records)
    assert.ok((rows.parcels ?? 0) > PARCELS - 20 && (rows.ledger ?? 0) > 0, JSON.stringify(rows))
    assert.deepEqual(report.ledger, { ok: true, rows: rows.ledger, bad: null })

    const back = await copy(url, second)
    assert.match(back.out, /counts and checksums are the same/)
    assert.match(back.out, /the ledger is whole/)
    assert.match(
      back.out,
      /server secret is not copied, and 2 valid keys need it: take the PLATBOOK_KEY_SECRET/,
    )
    assert.equal(existsSync(secretPath(second)), false)
    const third = join(folder, 'third')
    const again = (await copy(second, third, '--json')).json()
    assert.deepEqual(again.tables, report.tables)
  })

  test('a record that was copied to PostgreSQL has the owner of its parcel', async () => {
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE r.owner <> p.owner) AS others,
        count(*) FILTER (WHERE r.owner <> 0) AS owned
      FROM platbook.records r JOIN platbook.parcels p USING (state, id)`,
    )
    await client.end()
    assert.equal(Number(rows[0]?.others), 0)
    assert.ok(Number(rows[0]?.owned) > PARCELS / 2)
  })

  test('the three stores answer the same requests with the same bytes', async () => {
    copyFileSync(secretPath(first), secretPath(second))
    services.push(await startService('', { data: first, databaseUrl: url, workers: 2 }))
    services.push(await startService('', { data: second, workers: 3 }))
    const used = await Promise.all(services.map((one) => one.get('/public/usage/', {}, { key })))
    assert.ok(used[0]?.body.tokens.used > 0)
    for (const { text } of used) assert.equal(text, used[0]?.text)
    const statuses = new Map<number, number>()
    const changes = { path: '/public/changes/', query: { state: 'TX' } }
    for (const { path, query } of [changes, ...makeRequests(roll, REQUESTS)]) {
      const [one, ...others] = await Promise.all(
        services.map((each) => each.get(path, query, { key })),
      )
      assert.ok(one)
      for (const other of others)
        assert.deepEqual(shown(other), shown(one), `${path} ${JSON.stringify(query)}`)
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
    }
    assert.ok((statuses.get(200) ?? 0) > REQUESTS / 3, JSON.stringify([...statuses]))
  })

  test('after a copy ids and sequences of changes continue, also after a removal', async () => {
    const from = join(folder, 'ids')
    await prepareData({ ...readConfig({}), data: from })
    await load(from, ['A', 'B', 'C'])
    await load(from, ['A', 'B'])
    const database = await server.createDatabase('ids')
    await copy(from, database)
    await load(database, ['A', 'B', 'D'])
    const back = join(folder, 'ids-back')
    await copy(database, back)
    await load(back, ['A', 'B', 'D', 'E'])
    const db = new DatabaseSync(parcelsPath(back))
    const ids = db.prepare('SELECT parcel_key AS name, id FROM parcels ORDER BY id').all()
    const changes = db.prepare('SELECT sequence, what, id FROM changes ORDER BY sequence').all()
    db.close()
    assert.deepEqual(
      changes.map(({ sequence, what, id }) => `${sequence} ${what} ${id}`),
      ['1 loaded null', '2 removed 3', '3 added 4', '4 added 5'],
      'cursors of changes remain valid',
    )
    assert.deepEqual(
      ids.map(({ name, id }) => `${name} ${id}`),
      ['A 1', 'B 2', 'D 4', 'E 5'],
    )
  })

  test('alternate parcel IDs and geometries arrive, each in its state', async () => {
    const from = join(folder, 'alternates')
    await prepareData({ ...readConfig({}), data: from })
    for (const state of ['FL', 'WI']) await load(from, ['A', 'B'], state)
    const database = await server.createDatabase('alternates')
    const there = (await copy(from, database, '--json')).json()
    const tables = there.tables as { name: string; rows: number }[]
    const rows = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
    assert.equal(rows.alternate_ids, 4)
    for (const table of ['geometries', 'shapes']) {
      assert.equal(await countRows(database, table), 4)
    }
    for (const source of [from, database]) {
      const to = join(folder, `alternates-of-${source === from ? 'folder' : 'database'}`)
      assert.deepEqual((await copy(source, to, '--json')).json().tables, there.tables)
    }
  })

  for (const kind of ['folder', 'database'] as const) {
    test(`a killed copy into a ${kind} continues and copies meanwhile changed rows`, async () => {
      const from = join(folder, `from-${kind}`)
      await prepareData({ ...readConfig({}), data: from })
      for (const state of ['FL', 'TX', 'WI']) await load(from, ['A', 'B', 'C'], state)
      const to = kind === 'folder' ? join(folder, 'killed') : await server.createDatabase('killed')
      // A state is nine writes here: the first run ends within TX, the second within WI.
      for (const state of ['TX', 'WI']) {
        assert.equal(await runKilled(from, to, 'write', 10), 'SIGKILL', state)
        assert.equal(await countRows(to, 'account'), 0, 'half a copy answers nobody')
      }
      assert.equal(await countRows(to, 'parcels'), 6)
      await load(from, ['A', 'C'], 'FL')
      await until(() => isFree(to))
      const { kept, tables } = (await copy(from, to, '--json')).json()
      assert.equal(kept, 1, 'TX was there, FL has changed, WI was never whole')
      assert.equal((tables as { rows: number }[])[0]?.rows, 8)
      assert.equal(await countRows(to, 'parcels'), 8)
      await assert.rejects(copy(from, to), /the target is not empty/)
    })

    test(`what was changed meanwhile in half a copy in a ${kind} is copied again`, async () => {
      const from = join(folder, `bent-${kind}`)
      await prepareData({ ...readConfig({}), data: from })
      for (const state of ['FL', 'TX', 'WI']) await load(from, ['A', 'B'], state)
      const to = kind === 'folder' ? join(folder, 'half') : await server.createDatabase('half')
      assert.equal(await runKilled(from, to, 'finish', 1), 'SIGKILL')
      await until(() => isFree(to))
      await change(
        to,
        "records SET loaded_at = 1 WHERE id = (SELECT min(id) FROM parcels WHERE state = 'TX')",
      )
      const { kept, tables } = (await copy(from, to, '--json')).json()
      assert.equal(kept, 2, 'FL and WI were there, TX was not as it is in the source')
      const back = (await copy(to, join(folder, `half-back-${kind}`), '--json')).json()
      assert.deepEqual(back.tables, tables)
      assert.equal(await countRows(to, 'records WHERE loaded_at = 1'), 0)
    })

    test(`a copy into a ${kind} that is killed with only its end missing goes on too`, async () => {
      const from = join(folder, `whole-${kind}`)
      const report = (await copy(first, from, '--json')).json()
      const to =
        kind === 'folder' ? join(folder, 'endless') : await server.createDatabase('endless')
      assert.equal(await runKilled(from, to, 'finish', 1), 'SIGKILL')
      assert.equal(await countRows(to, 'account'), await countRows(from, 'account'))
      await until(() => isFree(to))
      const again = (await copy(from, to, '--json')).json()
      assert.equal(again.kept, again.states)
      assert.deepEqual(again.tables, report.tables)
      await assert.rejects(copy(from, to), /the target is not empty/)
    })
  }

  for (const kind of ['folder', 'database'] as const) {
    test(`half a copy in a ${kind} changed by hand continues or says what to do`, async () => {
      const from = join(folder, `by-hand-${kind}`)
      await prepareData({ ...readConfig({}), data: from })
      for (const state of ['FL', 'TX']) await load(from, ['A', 'B'], state)
      const to =
        kind === 'folder' ? join(folder, 'handled') : await server.createDatabase('handled')
      assert.equal(await runKilled(from, to, 'finish', 1), 'SIGKILL')
      await until(() => isFree(to))
      const one = "parcels WHERE state = 'TX' AND parcel_key = 'A'"
      if (kind === 'database') {
        await query(to, `DELETE FROM platbook.${one}`)
        assert.equal((await copy(from, to, '--json')).json().kept, 1)
        return
      }
      // Its record and what else is known by its id alone are of no state now.
      const db = new DatabaseSync(parcelsPath(to), { enableForeignKeyConstraints: false })
      db.exec(`DELETE FROM ${one}`)
      db.close()
      await assert.rejects(copy(from, to), /^Error: \w+: the target holds rows .* empty target$/)
    })
  }

  test('wrong use is an error in one sentence', async () => {
    const nothing = join(folder, 'nothing')
    await assert.rejects(copy(nothing, url), /there is no data to copy/)
    await assert.rejects(copy(first, first), /are the same/)
    await assert.rejects(
      runCommand(copyCommand, ['--from', first], { data: first }),
      /needs --from and --to/,
    )
    const unprepared = await server.createEmpty('unprepared')
    await assert.rejects(copy(unprepared, nothing), /holds no data of a Platbook/)
    await assert.rejects(copy(first, url), /the target is not empty/)
  })

  test('rows that arrive changed stop the copy, and nothing of their part is kept', async () => {
    const to = await server.createDatabase('bent')
    const [source, target] = [await openCopySource(first), await openCopyTarget(to)]
    const bent: CopyTarget = {
      ...target,
      write: (table, rows) =>
        target.write(table, table.name === 'owner_words' ? rows.slice(1) : rows),
    }
    await assert.rejects(
      copyStore({ source, target: bent }, () => undefined),
      /owner_words of FL: \d+ rows were sent and \d+ arrived/,
    )
    await target.close()
    await source.close()
    assert.equal(await countRows(to, 'parcels'), 0)
  })

  test('keys that PostgreSQL cannot index are left out and counted', async () => {
    const from = join(folder, 'long')
    await prepareData({ ...readConfig({}), data: from })
    await load(from, ['A'])
    const db = new DatabaseSync(parcelsPath(from))
    db.prepare('INSERT INTO alternate_ids (fips, key, id) VALUES (55025, ?, 1)').run(
      'X'.repeat(700),
    )
    db.close()
    const database = await server.createDatabase('long')
    const { out } = await copy(from, database)
    assert.match(out, /^1 keys of more than 600 characters were left out/m)
  })

  test('every table and column of both stores is copied, but for those named here', async () => {
    const known = new Set(
      [...ROLL_TABLES, ...ACCOUNT_TABLES].flatMap(({ name, columns }) =>
        columns.map((column) => `${name}.${column.name}`),
      ),
    )
    // The history, its undo data and its tokens are not copied.
    const isHistory = (name: string) => /^(import(s|_scopes|_images)|roll_tokens)\./.test(name)
    const there = [...(await columnsOf(url)), ...(await columnsOf(first))].filter(
      (name) => !isHistory(name),
    )
    const derived = 'grid|shapes|point_counts|place_cells|owner_counts|shared_owners'
    const isDerived = new RegExp(`^(${derived})[._]`)
    const own = new Set([
      // Data of the store itself.
      ...['counters.name', 'counters.value', 'state.one', 'state.version'],
      ...['schema_number.one', 'schema_number.number'],
      ...['accounts_state.one', 'accounts_state.version'],
      ...['ledger_newest.one', 'ledger_newest.id'],
      ...['state_versions.state', 'state_versions.version'],
      // Made of the rest of the row, or of the record, by the embedded store.
      ...['records.sum', 'records.tile_text'],
      // Copied with the record.
      ...['geometries.state', 'geometries.id', 'geometries.geojson'],
      // Copied from the parcel, next to which an import stores it.
      ...['records.owner', 'records.owned'],
      // Made of points, polygons and owners by either store.
      ...there.filter((name) => isDerived.test(name)),
      // Of the last minute.
      ...['account_id', 'slot', 'node', 'count'].map((column) => `rate_grants.${column}`),
    ])
    assert.deepEqual(
      there.filter((name) => !known.has(name) && !own.has(name)),
      [],
    )
    assert.deepEqual(
      [...known].filter((name) => !there.includes(name)),
      [],
    )
  })
}

/**
 * Makes these parcels, each with an alternate ID and a geometry, the whole roll of a county of the
 * state.
 */
async function load(place: string, names: string[], state = 'WI') {
  const fips = { FL: 12001, TX: 48453, WI: 55025 }[state] ?? 0
  const writer = await openWriter(place, 1_750_000_000)
  await writer.stage(
    names.map((parcelId) => {
      const staged = stage({ parcelId, state, fips })
      const keys: EncodedKeys = { ...JSON.parse(staged.keys), i: [`ALT${parcelId}`] }
      const geometry = '{"type":"Point","coordinates":[-89.5,43.1]}'
      return { ...staged, keys: JSON.stringify(keys), geometry }
    }),
  )
  await writer.apply()
  await writer.discard()
}

/**
 * Copies in a process of its own that is killed before the `nth` call of a step of the target; the
 * signal that ended it.
 */
async function runKilled(
  from: string,
  to: string,
  step: keyof CopyTarget,
  nth: number,
): Promise<string | null> {
  await until(() => isFree(to))
  const program = `
    const { copyStore } = await import('${ROOT}src/store/copy/run.ts')
    const { openCopySource, openCopyTarget } = await import('${ROOT}src/store/open-rolls.ts')
    const { liftLimits } = await import('${ROOT}test/postgres-limits.ts')
    liftLimits(${JSON.stringify(socketsOf(from) ?? socketsOf(to))})
    const source = await openCopySource(${JSON.stringify(from)})
    const target = await openCopyTarget(${JSON.stringify(to)})
    let calls = 0
    const step = (...words) => {
      if ((calls += 1) === ${nth}) process.kill(process.pid, 'SIGKILL')
      return target.${step}(...words)
    }
    await copyStore({ source, target: { ...target, ${step}: step } }, () => undefined)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  return child.signalCode
}

/** The folder with the sockets of a database's server. */
function socketsOf(place: string): string | null {
  return isAddress(place) ? new URL(place).searchParams.get('host') : null
}

/** A server notices a disconnect a little later. */
async function isFree(place: string): Promise<boolean> {
  if (!isAddress(place)) return true
  const held =
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = ' +
    "'platbook' AND datname = current_database()"
  return (await query<{ n: number }>(place, held))[0]?.n === 0
}

async function countRows(place: string, table: string): Promise<number> {
  const sql = `SELECT count(*)::int AS n FROM platbook.${table}`
  if (isAddress(place)) return (await query<{ n: number }>(place, sql))[0]?.n ?? 0
  const db = new DatabaseSync(table === 'account' ? accountsPath(place) : parcelsPath(place))
  const row = db.prepare(`SELECT count(*) AS n FROM ${table}`).get()
  db.close()
  return Number(row?.n)
}

/** Changes data during a copy; `what` is the text after UPDATE. */
async function change(place: string, what: string): Promise<void> {
  if (isAddress(place)) {
    await query(place, `SET search_path TO platbook; UPDATE ${what}`)
    return
  }
  const db = new DatabaseSync(parcelsPath(place))
  db.exec(`UPDATE ${what}`)
  db.close()
}

/** `table.column` of everything that a store has. */
async function columnsOf(place: string): Promise<string[]> {
  if (isAddress(place)) {
    const rows = await query<{ name: string }>(
      place,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'platbook'`,
    )
    return rows.map(({ name }) => name)
  }
  return [parcelsPath(place), accountsPath(place)].flatMap((path) => {
    const db = new DatabaseSync(path)
    const rows = db
      .prepare(`SELECT m.name || '.' || c.name AS name FROM sqlite_schema m,
        pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`)
      .all()
    db.close()
    return rows.map(({ name }) => String(name))
  })
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}
