/**
 * States in databases of their own, over two PostgreSQL servers: answers are those of one database,
 * each state is where the map says, and a server that is down affects only its own states.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { writeStateDatabases } from '../../src/base/model/state-databases.ts'
import { coverageCommand } from '../../src/cli/commands/rolls/coverage.ts'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { copyCommand } from '../../src/cli/commands/store/copy.ts'
import { loadCommands } from '../../src/cli/commands.ts'
import { tendDatabases } from '../../src/processes/state-databases.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { parcelsPlace } from '../../src/store/data-folder.ts'
import { openStore, prepareData } from '../../src/store/open.ts'
import { openHistory } from '../../src/store/open-rolls.ts'
import { runCommand } from '../command.ts'
import { makeRoll, type Row } from '../contract/rolls.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { NOON, startService, type TestService } from '../service.ts'

const COMMANDS = await loadCommands()

const PLACES: [state: string, county: string, latitude: number, longitude: number][] = [
  ['WI', 'Dane', 43.07, -89.4],
  ['OK', 'Tulsa', 36.1, -95.9],
  ['TX', 'Travis', 30.27, -97.74],
]

const ROWS: Row[] = PLACES.flatMap(([state, county, latitude, longitude]) =>
  [1, 2, 3, 4].map((number) => ({
    ...{ state, county, parcelId: `${number}`, nameOrder: 'last-first' },
    ...{ ownerName1: number === 4 ? 'VAREK, LENA' : 'QUILLON, MARA', address: `${number} MAIN ST` },
    ...{ city: 'HOLM', zip: '00001', latitude: latitude + number / 1000, longitude },
    totalAssessedValue: 1000,
  })),
)

/** Questions of every kind, of each state. */
const QUESTIONS: [path: string, query: Record<string, string | number>][] = [
  ...PLACES.flatMap(([state, county, latitude, longitude]): typeof QUESTIONS => [
    ['/public/property/parcelId/', { state, county, parcelId: '2' }],
    ['/public/property/address/', { state, county, address: '3 Main Street', city: 'Holm' }],
    ['/public/property/address/', { state, county, address: '3 Mian Street' }],
    ['/public/property/search/', { state, county, limit: 3 }],
    ['/public/premium/owner/', { state, lastName: 'QUILLON', limit: 2 }],
    ['/public/premium/owner/', { state, lastName: 'QUILON', fuzzy: 'true' }],
    ['/public/property/location/', { latitude, longitude, radius: 1 }],
    ['/public/changes/', { state }],
    ['/public/coverage/', { state }],
  ]),
  ['/public/coverage/', {}],
]

const missing = whyNoServer()
if (missing !== undefined) test('states in databases of their own', { skip: missing }, () => {})
else {
  const [first, second] = await Promise.all([startServer(NOT_DURABLE), startServer(NOT_DURABLE)])
  const folder = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  const services: TestService[] = []
  after(async () => {
    for (const service of services) await service.close()
    await Promise.all([first.stop(), second.stop()])
    rmSync(folder, { recursive: true })
  })
  const main = await first.createDatabase('main')
  const other = await second.createDatabase('other')
  const stateDatabases = { OK: other, TX: other }
  const env = {
    PLATBOOK_DATABASE_URL: main,
    PLATBOOK_STATE_DATABASES: writeStateDatabases(stateDatabases),
  }
  const roll = makeRoll(ROWS)
  const alone = await startService(roll, { databaseUrl: await first.createDatabase('alone') })
  services.push(alone)
  const service = await startService(roll, { databaseUrl: main, stateDatabases })
  services.push(service)

  const count = async (url: string, what = 'parcels') => {
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query(
      `SELECT state, count(*)::int AS n FROM platbook.${what} GROUP BY state ORDER BY state`,
    )
    await client.end()
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
  }
  const coverageNames = async () => {
    const { body } = await service.get('/public/coverage/')
    return [body.counties.map(({ state }: { state: string }) => state).sort(), body.unavailable]
  }
  const run = (name: string, words: string[]) => {
    const command = COMMANDS.find((one) => one.name === name)
    assert.ok(command)
    return runCommand(command, words, { data: service.config.data, now: NOON, env })
  }

  test('each state is in the database that the map names', async () => {
    assert.deepEqual(await count(main), { WI: 4 })
    assert.deepEqual(await count(other), { OK: 4, TX: 4 })
    assert.deepEqual(await count(main, 'owner_words'), { WI: 8 })
  })

  test('answers are byte for byte those of one database', async () => {
    for (const [path, query] of QUESTIONS) {
      const [mine, theirs] = [await service.get(path, query), await alone.get(path, query)]
      assert.ok([200, 404].includes(mine.status), `${path} ${mine.text}`)
      assert.equal(mine.text, theirs.text, `${path} ${JSON.stringify(query)}`)
    }
  })

  test('one import is one line of the history, whatever databases it was written to', async () => {
    const history = await openHistory(service.config)
    const entries = await history.list()
    assert.equal(entries.length, 1)
    assert.equal(entries[0]?.loaded, 12)
    assert.deepEqual(entries[0]?.scopes.map(({ state }) => state).sort(), ['OK', 'TX', 'WI'])
    await history.close()
  })

  test('an import that changes two databases can be undone in both', async () => {
    const changed = makeRoll(ROWS.map((row) => ({ ...row, totalAssessedValue: 2000 })))
    const report = await service.importRoll(changed, { force: true, at: NOON + 1000 })
    assert.equal(report.updated, 12)
    const { json } = await run('import', ['--undo', '--confirm', '--json'])
    assert.equal(json().restored, 12)
    for (const [state, county] of PLACES) {
      const { body } = await service.get('/public/property/parcelId/', {
        ...{ state, county, parcelId: '1' },
      })
      assert.match(JSON.stringify(body), /1000/)
    }
  })

  test('ids of parcels are given once over all databases', async () => {
    const ids: number[] = []
    for (const url of [main, other]) {
      const client = new Client(url)
      await client.connect()
      const { rows } = await client.query('SELECT id FROM platbook.parcels')
      ids.push(...rows.map(({ id }) => Number(id)))
      await client.end()
    }
    assert.equal(new Set(ids).size, 12)
  })

  test('check reads every database and shows the place of each state', async () => {
    const check = await run('check', ['--json'])
    const { ok, findings, parcels, places } = check.json() as CheckReport
    assert.deepEqual([findings, ok, parcels, check.code], [[], true, 12, 0])
    assert.deepEqual(
      places.map(({ states }) => states.map(({ state }) => state)),
      [['WI'], ['OK', 'TX']],
    )
    assert.ok(places.every(({ bytes }) => Number(bytes) > 100_000))
    await assert.rejects(
      run('shards', []),
      /the rolls in the database main on .* are not laid out over a cluster/,
    )
  })

  test('a state is exported, and a name is suppressed, in whichever database', async () => {
    const out = join(folder, 'tx.csv')
    await runCommand(exportCommand, ['--state', 'TX', '--format', 'csv', '--out', out], {
      data: service.config.data,
      env,
    })
    assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 5)
    const added = await run('suppress add', [
      ...['--owner', 'VAREK, LENA', '--name-order', 'last-first', '--basis', 'asked', '--json'],
    ])
    assert.equal(added.json().hidden, 3, added.out)
    for (const [state] of PLACES) {
      const { body } = await service.get('/public/premium/owner/', { state, lastName: 'VAREK' })
      assert.equal(body.data?.length ?? body.properties?.length ?? 0, 0, JSON.stringify(body))
    }
  })

  test('a copy of a folder into the map, and back, keeps every row', async () => {
    const [toMain, toOther] = [
      await first.createDatabase('copy'),
      await second.createDatabase('copy'),
    ]
    const sqlite = await startService(roll)
    services.push(sqlite)
    const world = {
      data: folder,
      env: {
        PLATBOOK_DATABASE_URL: toMain,
        PLATBOOK_STATE_DATABASES: writeStateDatabases({ TX: toOther }),
      },
    }
    const there = await runCommand(
      copyCommand,
      ['--from', sqlite.config.data, '--to', toMain, '--json'],
      world,
    )
    assert.deepEqual([await count(toMain), await count(toOther)], [{ OK: 4, WI: 4 }, { TX: 4 }])
    const again = join(folder, 'again')
    const back = await runCommand(copyCommand, ['--from', toMain, '--to', again, '--json'], world)
    assert.deepEqual(back.json().tables, there.json().tables)
  })

  test('while a server is down its states are 503; coverage names them', async () => {
    await second.kill()
    for (const [path, query] of QUESTIONS) {
      const { status } = await service.get(path, query)
      const isDown = 'latitude' in query ? query.latitude !== 43.07 : query.state !== 'WI'
      assert.equal(status, isDown && path !== '/public/coverage/' ? 503 : status, path)
      if (!isDown) assert.ok([200, 404].includes(status), `${path} ${JSON.stringify(query)}`)
    }
    assert.deepEqual(await coverageNames(), [['WI'], ['OK', 'TX']])
    assert.equal((await service.get('/public/coverage/', { state: 'TX' })).status, 503)
    const health = await fetch(`${service.address}/healthz`)
    assert.equal(health.status, 200)
    assert.deepEqual(await health.json(), { status: 'ok', unavailable: ['OK', 'TX'] })
  })

  test('commands continue with the available states and name the missing server', async () => {
    const { code, err, json } = await runCommand(coverageCommand, ['--json'], {
      data: service.config.data,
      env,
    })
    assert.equal(code, 1)
    assert.match(err, /the database other on .* cannot be reached: OK, TX left out/)
    assert.deepEqual(json().unavailable, ['OK', 'TX'])
    const only = (state: string) => makeRoll(ROWS.filter((row) => row.state === state))
    assert.equal((await service.importRoll(only('WI'), { at: NOON + 9000 })).unchanged, 4)
    await assert.rejects(
      service.importRoll(only('TX')),
      /the database other on .* cannot be used: .*/,
    )
    const adding = run('suppress add', ['--owner', 'QUILLON, MARA', '--basis', 'asked'])
    await assert.rejects(adding, /the database other on .* cannot be used: /)
    const file = join(folder, 'wi.csv')
    writeFileSync(file, only('WI'))
    await assert.rejects(
      runCommand(importCommand, [file, '--mapping', 'platbook', '--force'], {
        data: service.config.data,
        env,
      }),
      /the roll is loaded; one suppression stays a filter of answers .* the database other on /,
    )
  })

  test('a service starts without that server, and its states answer once it is back', async () => {
    const own = await first.createDatabase('late')
    const config = {
      ...readConfig({ PLATBOOK_DATA: join(folder, 'late') }),
      ...{ databaseUrl: own, stateDatabases: { TX: second.url('late') } },
    }
    const waiting = await prepareData(config)
    assert.deepEqual(waiting, [second.url('late')])
    const lines: string[] = []
    const tending = await tendDatabases(parcelsPlace(config), waiting, (line) => lines.push(line))
    const store = openStore(config)
    try {
      assert.deepEqual(await store.parcels.byIds('WI', [1, 2]), [])
      await assert.rejects(store.parcels.byIds('TX', [1, 2]), /unavailable/)
      await second.start()
      await second.createDatabase('late')
      const isThere = () => lines.some((line) => line.endsWith('is there'))
      while (!isThere()) await sleep(50)
      const asked = async () => store.parcels.byIds('TX', [1, 2]).catch(() => undefined)
      while ((await asked()) === undefined) await sleep(50)
    } finally {
      await store.close()
      await tending.stop()
    }
    assert.match(lines[0] ?? '', /the database late on .* cannot be reached; its states answer 503/)
    while ((await service.get('/public/coverage/', { state: 'TX' })).status !== 200) await sleep(50)
    assert.deepEqual(await coverageNames(), [['OK', 'TX', 'WI'], undefined])
  })

  test('check names faults, and a server that is down', async () => {
    const client = new Client(other)
    await client.connect()
    for (const damage of DAMAGES) await client.query(`SET search_path = platbook; ${damage}`)
    const { rows } = await client.query('SHOW data_checksums')
    await client.end()
    const damaged = await run('check', [])
    assert.equal(damaged.code, 1)
    for (const finding of FINDINGS) assert.match(damaged.out, finding)
    await second.kill()
    const check = await run('check', ['--json'])
    const { findings, parcels, unsummed } = check.json() as CheckReport
    assert.equal(check.code, 1)
    assert.equal(parcels, 4)
    assert.equal(unsummed.length, rows[0]?.data_checksums === 'on' ? 0 : 1)
    assert.match(findings[0]?.where ?? '', /^the database other on /)
    assert.match(findings[0]?.problem ?? '', /^cannot be used: /)
  })
}

type CheckReport = {
  ok: boolean
  findings: { where: string; problem: string }[]
  parcels: number
  places: { where: string; states: { state: string }[]; bytes: number | null }[]
  unsummed: string[]
}

const DAMAGES = [
  "DELETE FROM records WHERE state = 'OK' AND id = (SELECT min(id) FROM parcels " +
    "WHERE state = 'OK')",
  "DELETE FROM owner_words WHERE state = 'TX' AND word = 'MARA'",
  "DELETE FROM loose_situs WHERE state = 'TX'",
  "DELETE FROM owner_deletions WHERE state = 'TX' AND word = 'QUILLON'",
  "INSERT INTO alternate_ids VALUES ('TX', 48453, 'X', 999999)",
  "UPDATE scopes SET parcels = parcels + 1 WHERE state = 'TX'",
  "UPDATE point_counts SET parcels = parcels + 1 WHERE state = 'OK'",
  "DELETE FROM place_cells WHERE state = 'TX'",
  "UPDATE owner_counts SET parcels = parcels + 1 WHERE state = 'OK'",
  `UPDATE records SET field_values = substr(field_values, 1, length(field_values) - 1)
    WHERE state = 'OK'`,
  "INSERT INTO parcels SELECT 'WI', id, 55025, municipality, stripped_key, " +
    'parcel_key, city, zip, unit, use_code, residential, transfer_day, assigned, ' +
    "roll_year, filled FROM parcels WHERE state = 'TX' LIMIT 1",
]

const FINDINGS = [
  /^the database other on .*: OK: 1 parcels have no row in records \(0{23}\w\)$/m,
  /TX: 3 keys of parcels are missing in owner_words/,
  /TX: 4 addresses are not found by their loose key/,
  /TX: \d+ rows of owner_heads cannot be found by a fuzzy search/,
  /TX: 1 rows of alternate_ids belong to no parcel \(0{18}0f423f\)/,
  /TX: alternate_ids and the keys of the records differ by 1 rows/,
  /TX: 1 roll scopes have another number of parcels than coverage says/,
  /OK: the counts of \d map tiles are not those of their parcels/,
  /OK: the counts of \d owners are not those of their parcels/,
  /TX: \d cells of one degree with its parcels are not listed/,
  /OK: 3 records cannot be shown/,
  /OK: the keys of 3 records cannot be read/,
  /WI: its rolls are stored here and not used: the map of states names another server for it/,
]

test('a faulty map is an error that names the entry, without a password', () => {
  const read = (map: string) => readConfig({ PLATBOOK_STATE_DATABASES: map }).stateDatabases
  assert.deepEqual(read(' tx=postgres://a/p , CA+NV=postgresql://b/q,'), {
    ...{ TX: 'postgres://a/p', CA: 'postgresql://b/q', NV: 'postgresql://b/q' },
  })
  assert.equal(read(''), null)
  const secret = 'postgres://u:hidden@a/p'
  for (const [map, said] of [
    [`TX=${secret},XX=postgres://b/p`, /: entry 2 of 2: "XX" is not a US state$/],
    [`TX=${secret},TX=postgres://b/p`, /: entry 2 of 2: TX is named twice$/],
    [`TX=mysql://u:hidden@a/p`, /: entry 1 of 1 is not of the form TX=postgres:/],
    [secret, /: entry 1 of 1 is not of the form TX=postgres:/],
    [
      `TX=${secret},CA=postgres://v:hidden@a/p`,
      /: entry 2 of 2: a:5432\/p is named before by another/,
    ],
  ] as const) {
    assert.throws(
      () => read(map),
      (error: Error) => {
        assert.match(error.message, said)
        assert.doesNotMatch(error.message, /hidden/)
        return true
      },
    )
  }
})

test('a map needs the main database, and names that by the same address', async () => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
  const config = (databaseUrl: string | null, states: Record<string, string>) => ({
    ...readConfig({ PLATBOOK_DATA: data }),
    ...{ databaseUrl, stateDatabases: states },
  })
  writeFileSync(join(data, 'empty'), '')
  await assert.rejects(
    prepareData(config(null, { TX: 'postgres://a/p' })),
    /needs PLATBOOK_DATABASE_URL/,
  )
  await assert.rejects(
    prepareData(config('postgres://a/p', { TX: 'postgres://u@a:5432/p' })),
    /TX names the database of PLATBOOK_DATABASE_URL by another address/,
  )
  rmSync(data, { recursive: true })
})
