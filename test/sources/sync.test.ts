/** `platbook sync`: changed sources are loaded, and failed ones named. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { command } from '../../src/cli/command.ts'
import { coverageCommand } from '../../src/cli/commands/rolls/coverage.ts'
import { unloadCommand } from '../../src/cli/commands/rolls/history.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import * as sourceCommands from '../../src/cli/commands/rolls/sources.ts'
import { syncCommand, syncSources } from '../../src/cli/commands/rolls/sync.ts'
import { openWorld } from '../../src/cli/load-world.ts'
import { loadCatalogue } from '../../src/import/sources/catalogue.ts'
import type { Web } from '../../src/import/sources/web.ts'
import { findSources } from '../../src/import/sync/choose.ts'
import { lockSync } from '../../src/import/sync/lock.ts'
import { readJob } from '../../src/import/sync/run-sync.ts'
import { runCommand } from '../command.ts'
import { makeFolder, write } from '../import/small-roll.ts'
import { IS_LONG } from '../repetitions.ts'
import { type Feature, startArcgis } from './arcgis-server.ts'
import { rollText, serve, startRolls } from './roll-server.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 5)

const MAPPING = {
  name: 'sync-test',
  title: 'Invented county',
  state: 'TX',
  nameOrder: 'last-first',
  fields: { parcelId: 'PIN', ownerName1: 'OWNER', address: 'SITUS', city: { constant: 'WACO' } },
}

/** Broken servers are tried twice, without a pause. */
const HURRY = { tries: 2, idleMs: 4000, pause: async () => {} }

/** The command with other web settings. */
function syncWith(set: Partial<Web>) {
  return command('sync', (args, io) => {
    const { web, end, ...world } = openWorld(args.values, io)
    end()
    return syncSources(args, io, { ...world, web: { ...web, ...set } })
  })
}

type Outcome = { id: string; outcome: string; error: string | null; load: { rows: number } | null }
type Report = { sources: Outcome[]; loaded: number; unchanged: number; failed: number }

async function world(t: TestContext) {
  const data = makeFolder(t)
  const server = await startRolls()
  t.after(() => server.close())
  write(data, 'map.json', JSON.stringify(MAPPING))
  const add = async (sources: object[]) => {
    const command = Object.values(sourceCommands).find(({ name }) => name === 'sources add')
    assert.ok(command)
    await runCommand(command, [write(data, 'add.json', JSON.stringify(sources))], { data })
  }
  const sync = async (words: string[], now = START) => {
    const run = await runCommand(syncWith(HURRY), [...words, '--json', '--allow-private'], {
      data,
      now,
    })
    return { code: run.code, report: run.json() as unknown as Report, err: run.err }
  }
  return { data, server, add, sync }
}

function outcomes({ sources }: Report) {
  return Object.fromEntries(sources.map(({ id, outcome }) => [id, outcome]))
}

const source = (id: string, url: string | null, more: object = {}) => ({
  ...{ id, state: 'TX', counties: ['48309'], url, mapping: 'map.json', updates: 'weekly' },
  ...more,
})

test('a source is loaded, then unchanged by ETag without download, then changed', async (t) => {
  const { server, add, sync } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(5), { etag: '"one"' }))
  await add([source('tx-a', `${server.origin}/roll.csv`)])
  const first = await sync(['tx-a'])
  assert.equal(first.code, 0)
  assert.equal(first.report.sources[0]?.load?.rows, 5)
  server.requests.length = 0
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'unchanged' })
  assert.deepEqual(server.requests, ['HEAD /roll.csv'])
  server.answers.set('/roll.csv', serve(rollText(6), { etag: '"two"' }))
  assert.equal((await sync(['tx-a'])).report.sources[0]?.load?.rows, 6)
})

test('without ETag and time the bytes decide; --again loads the same once more', async (t) => {
  const { server, add, sync } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(5)))
  await add([source('tx-a', `${server.origin}/roll.csv`)])
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'loaded' })
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'unchanged' })
  assert.deepEqual(outcomes((await sync(['tx-a', '--again'])).report), { 'tx-a': 'loaded' })
})

test('a changed mapping, an undo or an unload makes a source load again', async (t) => {
  const { data, server, add, sync } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(5), { 'last-modified': 'Mon, 05 Jan 2026' }))
  await add([source('tx-a', `${server.origin}/roll.csv`)])
  await sync(['tx-a'])
  write(data, 'map.json', JSON.stringify({ ...MAPPING, title: 'Other title' }))
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'loaded' })
  write(data, 'map.json', JSON.stringify(MAPPING))
  server.answers.set('/roll.csv', serve(rollText(6), { 'last-modified': 'Tue, 06 Jan 2026' }))
  await sync(['tx-a'])
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'unchanged' })
  const place = ['--state', 'TX', '--county', 'McLennan', '--confirm']
  await runCommand(unloadCommand, place, { data })
  const again = await sync(['tx-a'])
  assert.equal(again.report.sources[0]?.load?.rows, 6)
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'unchanged' })
  await runCommand(importCommand, ['--undo', ...place], { data })
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'loaded' })
})

test('a layer with the same time of edit, rows and columns is not loaded again', async (t) => {
  const { add, sync } = await world(t)
  const features: Feature[] = Array.from({ length: 60 }, (_, at) => ({
    id: at + 1,
    attributes: { PIN: `17-${at}`, OWNER: 'ROE, JANE', SITUS: `${100 + at} MAPLE ST` },
  }))
  const arcgis = await startArcgis(features, { lastEdited: 1 })
  t.after(() => arcgis.close())
  await add([source('tx-a', arcgis.address)])
  assert.equal((await sync(['tx-a'])).report.sources[0]?.load?.rows, 60)
  const asked = arcgis.requests.length
  assert.deepEqual(outcomes((await sync(['tx-a'])).report), { 'tx-a': 'unchanged' })
  const rows = arcgis.requests.slice(asked).filter(({ outFields }) => outFields !== undefined)
  assert.equal(rows.length, 0)
})

test('sources that one mapping joins are fetched together', async (t) => {
  const { data, server, add, sync } = await world(t)
  server.answers.set('/roll.csv', serve('PIN,SITUS\n1,12 MAPLE ST\n2,14 MAPLE ST\n'))
  server.answers.set('/owners.csv', serve('KEY,OWNER\n1,"ROE, JANE"\n2,"DOE, JOHN"\n'))
  const joined = { ...MAPPING, join: { needs: ['KEY', 'OWNER'], key: 'KEY', to: 'PIN' } }
  write(data, 'joined.json', JSON.stringify(joined))
  await add([
    source('tx-a', `${server.origin}/roll.csv`, { mapping: 'joined.json', join: ['tx-owners'] }),
    source('tx-owners', `${server.origin}/owners.csv`, { mapping: null }),
  ])
  const { report, code } = await sync(['tx-a'])
  assert.deepEqual([code, report.sources[0]?.load?.rows], [0, 2])
})

test('the shipped catalogue fetches Ohio with its owners', (t) => {
  const catalogue = loadCatalogue(makeFolder(t))
  const [ohio] = findSources(catalogue, ['oh-ogrip'])
  assert.ok(ohio)
  const { addresses } = readJob(ohio, catalogue)
  assert.equal(addresses.length, 2)
  assert.match(addresses[1] ?? '', /odnr_landbase/)
})

test('a service of many layers gives each layer its name for the mapping', async (t) => {
  const { data, server, add, sync } = await world(t)
  const layers = ['McLennan parcels', 'Travis parcels', 'Roads']
  const json = (value: unknown) => serve(JSON.stringify(value))
  const fieldsOf = (at: number) => (at === 2 ? ['ROAD'] : ['OBJECTID', 'PIN', 'OWNER', 'SITUS'])
  const base = '/rest/services/Parcels/MapServer'
  server.answers.set(
    base,
    json({ layers: layers.map((name, id) => ({ id, name, type: 'Feature Layer' })) }),
  )
  for (const [at, name] of layers.entries()) {
    const attributes = { OBJECTID: 1, PIN: '1', OWNER: 'ROE, JANE', SITUS: '1 MAPLE ST' }
    server.answers.set(
      `${base}/${at}`,
      json({ name, maxRecordCount: 10, fields: fieldsOf(at).map((field) => ({ name: field })) }),
    )
    server.answers.set(`${base}/${at}/query`, (request, response) => {
      const asked = new URL(request.url ?? '', 'http://local').searchParams
      const answer = asked.has('returnCountOnly')
        ? { count: 1 }
        : asked.has('returnIdsOnly')
          ? { objectIdFieldName: 'OBJECTID', objectIds: [1] }
          : { features: [{ attributes }] }
      response.end(JSON.stringify(answer))
    })
  }
  const named = {
    ...MAPPING,
    fields: { ...MAPPING.fields, county: { file: true, cut: '(McLennan|Travis)_parcels[^/]*$' } },
  }
  write(data, 'named.json', JSON.stringify(named))
  await add([source('tx-many', `${server.origin}${base}`, { mapping: 'named.json' })])
  const { report, err } = await sync(['tx-many'])
  assert.equal(report.sources[0]?.error, null)
  assert.match(err, /Roads\) is left out/)
  const coverage = (await runCommand(coverageCommand, ['--json'], { data })).json() as {
    counties: { county: string }[]
  }
  assert.deepEqual(coverage.counties.map(({ county }) => county).sort(), ['MCLENNAN', 'TRAVIS'])
})

test('a second sync names the holder of the lock, and loads nothing', async (t) => {
  const { data, server, add, sync } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(5)))
  await add([source('tx-a', `${server.origin}/roll.csv`)])
  const lock = lockSync(data, START)
  lock.note('tx-b')
  const refusal = new RegExp(`process ${process.pid} on .+ since 2026-01-05.+at the source tx-b`)
  await assert.rejects(sync(['tx-a']), refusal)
  assert.deepEqual(server.requests, [])
  lock.release()
  assert.equal((await sync(['tx-a'])).code, 0)
})

test('the guard holds: a roll that lost most of its parcels is named, not loaded', async (t) => {
  const { server, add, sync } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(200), { etag: '"one"' }))
  await add([source('tx-a', `${server.origin}/roll.csv`)])
  await sync(['--all'])
  server.answers.set('/roll.csv', serve(rollText(20), { etag: '"two"' }))
  const { code, report } = await sync(['--all'])
  assert.equal(code, 1)
  assert.match(report.sources[0]?.error ?? '', /--force/)
  assert.equal((await sync(['tx-a', '--force'])).code, 0)
})

test('wrong use is an error', async (t) => {
  const { sync } = await world(t)
  await assert.rejects(sync([]), /IDs of sources, or --all/)
  await assert.rejects(sync(['ny-statewide', '--all']), /IDs of sources, or --all/)
  await assert.rejects(sync(['ny-statwide']), /no source "ny-statwide"; did you mean ny-statewide/)
  await assert.rejects(sync(['--all', '--force']), /not --all/)
  assert.deepEqual((await sync(['--all'])).report.sources, [])
})

/** A third of them is due daily. */
const GOOD = IS_LONG ? 180 : 45

test(`--all --due, ${GOOD} good sources and 20 broken: broken ones are named`, async (t) => {
  const { data, server, add, sync } = await world(t)
  const { origin, answers } = server
  // Texas numbers its 254 counties by the odd numbers.
  const fips = Array.from({ length: GOOD }, (_, at) => String(48001 + 2 * at))
  const good = Array.from({ length: GOOD }, (_, at) => {
    const headers: Record<string, string>[] = [
      { etag: `"${at}"` },
      { 'last-modified': `Mon, 05 Jan 2026 00:00:${at % 60} GMT` },
      {},
    ]
    answers.set(`/good/${at}.csv`, serve(rollText(3, `ROAD ${at}`), headers[at % 3]))
    const updates = ['daily', 'weekly', 'yearly'][at % 3]
    const counties = [fips[at]]
    return source(`tx-good-${at}`, `${origin}/good/${at}.csv`, { counties, updates })
  })
  const broken = makeBroken(data, server)
  assert.equal(broken.length, 20)
  await add([...good, ...broken.map(([one]) => one)])

  const { code, report } = await sync(['--all', '--due'])
  assert.equal(code, 1)
  // One has no address, so that it is never due.
  const reachable = broken.filter(([{ id }]) => id !== NO_ADDRESS)
  assert.deepEqual([report.loaded, report.failed, report.sources.length], [GOOD, 19, GOOD + 19])
  for (const [{ id }, reason] of reachable) {
    const source = report.sources.find((one) => one.id === id)
    assert.equal(source?.outcome, 'failed', id)
    assert.match(source?.error ?? '', reason, id)
    assert.doesNotMatch(source?.error ?? '', /unexpected|\n\s+at /, id)
  }
  const coverage = (await runCommand(coverageCommand, ['--json'], { data })).json() as {
    counties: { parcels: number }[]
  }
  assert.equal(coverage.counties.length, GOOD)
  assert.ok(coverage.counties.every(({ parcels }) => parcels === 3))
  assert.equal(existsSync(join(data, 'sync.lock.json')), false)

  // The next day: daily sources are due, and those that failed.
  const asked = server.requests.length
  const next = await sync(['--all', '--due'], START + DAY)
  assert.deepEqual(
    [next.report.loaded, next.report.unchanged, next.report.failed],
    [0, GOOD / 3, 19],
  )
  const again = server.requests.slice(asked).filter((line) => line.includes('/good/'))
  // The daily ones have an ETag each: one HEAD, and no download.
  assert.deepEqual(new Set(again.map((line) => line.split(' ')[0])), new Set(['HEAD']))
  assert.equal(again.length, GOOD / 3)
  assert.equal(readdirSync(join(data, 'sync')).length, GOOD + 19)
})

const NO_ADDRESS = 'b-no-address'

/** Twenty sources, each with another fault, and the message of each. */
function makeBroken(
  data: string,
  { origin, answers }: { origin: string; answers: Map<string, ReturnType<typeof serve>> },
) {
  const status =
    (code: number) => (_: unknown, response: Parameters<ReturnType<typeof serve>>[1]) => {
      response.writeHead(code).end('no')
    }
  const json = (value: unknown) =>
    serve(JSON.stringify(value), { 'content-type': 'application/json' })
  write(data, 'no-json.json', '{ "name": ')
  write(data, 'no-mapping.json', '{"name": "x"}')
  const at = (path: string, answer: ReturnType<typeof serve>) => {
    answers.set(path, answer)
    return `${origin}${path}`
  }
  const layer = '/rest/services/Bad/FeatureServer/0'
  return [
    [source('b-gone', `${origin}/gone.csv`), /answers 404/],
    [source('b-forbidden', at('/403.csv', status(403))), /answers 403/],
    [source('b-500', at('/500.csv', status(500))), /answers 500/],
    [source('b-busy', at('/503.csv', status(503))), /answers 503/],
    [
      source('b-page', at('/page.csv', serve('<html>', { 'content-type': 'text/html' }))),
      /web page instead of a file/,
    ],
    [
      source(
        'b-cut',
        at('/cut.csv', ({ method }, response) => {
          response.writeHead(200, { 'content-length': '1000' })
          if (method === 'HEAD') response.end()
          else response.write('PIN,OWNER\n', () => response.destroy())
        }),
      ),
      /broke off|cannot be downloaded/,
    ],
    [
      source(
        'b-silent',
        at('/silent.csv', () => {}),
      ),
      /no byte for/,
    ],
    [source('b-refused', 'http://127.0.0.1:1/roll.csv'), /ECONNREFUSED/],
    [source('b-unknown-host', 'http://no-such-host.invalid/roll.csv'), /cannot be found/],
    [
      source(
        'b-loop',
        at('/loop.csv', (_, response) => {
          response.writeHead(302, { location: '/loop.csv' }).end()
        }),
      ),
      /redirects more than/,
    ],
    [source('b-empty', at('/empty.csv', serve(''))), /empty/],
    [source('b-columns', at('/columns.csv', serve('A,B\n1,2\n'))), /no column PIN/],
    [source('b-zip', at('/roll.zip', serve(Buffer.from('PK\u0003\u0004broken')))), /unpacked/],
    [source('b-no-address', null), /no address/],
    [source('b-unmapped', `${origin}/x.csv`, { mapping: null }), /no mapping reads/],
    [source('b-mapping-name', `${origin}/x.csv`, { mapping: 'nowhere' }), /there is no mapping/],
    [source('b-mapping-json', `${origin}/x.csv`, { mapping: 'no-json.json' }), /is not JSON/],
    [source('b-mapping-form', `${origin}/x.csv`, { mapping: 'no-mapping.json' }), /not a mapping/],
    [
      source('b-layer', at(layer, json({ error: { code: 400, message: 'Invalid URL' } }))),
      /Invalid URL/,
    ],
    [
      source('b-join', at('/join.csv', serve(rollText(1))), { join: ['nobody'] }),
      /joined with nobody/,
    ],
  ] as [{ id: string }, RegExp][]
}

test('the first sync of a data folder needs none', async (t) => {
  const { data } = await world(t)
  const sync = runCommand(syncCommand, ['tx-nobody'], { data: `${data}/new` })
  await assert.rejects(sync, /the catalogue has no source/)
  const all = runCommand(syncCommand, ['--all'], { data: `${data}/new` })
  await assert.rejects(all, /does not exist/)
})

test('a sync that is asked to stop leaves the rest waiting and exits 1', async (t) => {
  const { data, server, add } = await world(t)
  server.answers.set('/roll.csv', serve(rollText(5)))
  await add([source('tx-a', `${server.origin}/roll.csv`)])
  const run = await runCommand(
    syncWith({ isStopped: () => true }),
    ['--all', '--json', '--allow-private'],
    { data },
  )
  assert.equal(run.code, 1)
  assert.deepEqual(outcomes(run.json() as unknown as Report), { 'tx-a': 'waiting' })
})
