/** `import list`, `import --undo` and `unload` on the command line. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { importListCommand, unloadCommand } from '../../src/cli/commands/rolls/history.ts'
import { importCommand } from '../../src/cli/commands/rolls/import.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { runCommand } from '../command.ts'
import { importRoll, makeFolder, openLoaded, readParcel, write } from './small-roll.ts'

const ROLL = `state,county,parcelId,ownerName1,address,city
NE,Lancaster,01-1,"ROE, JANE",12 OAK ST,LINCOLN
NE,Lancaster,01-2,"DOE, JOHN",14 OAK ST,LINCOLN
WI,Dane,77-1,"DOE, JANE",1 ELM ST,MADISON
NE,Lancaster,,,,
NE,Nowhere,01-9,"POE, ANN",16 OAK ST,LINCOLN
`
const NEXT = ROLL.replace('ROE, JANE', 'ROE, RICHARD').replace(/.*01-2.*\n/, '')

async function loadTwice(t: test.TestContext) {
  const data = makeFolder(t)
  const files = [write(data, 'first.csv', ROLL), write(data, 'next.csv', NEXT)]
  for (const [at, file] of files.entries()) {
    const words = [file, '--mapping', 'platbook', '--force']
    await runCommand(importCommand, words, { data, now: Date.UTC(2026, 4, 1 + at) })
  }
  return { data, files }
}

test('import list shows files, mapping, counts, time and rejects, the newest first', async (t) => {
  const { data, files } = await loadTwice(t)
  const { imports } = (await runCommand(importListCommand, ['--json'], { data })).json() as {
    imports: Record<string, unknown>[]
  }
  const [next, first] = imports
  assert.equal(imports.length, 2)
  assert.deepEqual([next?.files, first?.files], [[files[1]], [files[0]]])
  assert.deepEqual([next?.mapping, next?.kind, next?.undoable], ['platbook', 'import', true])
  assert.equal(next?.loadedAt, '2026-05-02T00:00:00.000Z')
  assert.deepEqual(
    [next?.rows, next?.loaded, next?.updated, next?.unchanged, next?.removed],
    [4, 0, 1, 1, 1],
  )
  assert.deepEqual([next?.skipped, next?.rejected, next?.duplicates], [1, 1, 0])
  assert.ok(existsSync(String(next?.rejectsFile)))
  assert.deepEqual(next?.scopes, [
    { state: 'NE', county: 'LANCASTER', fips: '31109', municipality: null },
    { state: 'WI', county: 'DANE', fips: '55025', municipality: null },
  ])
  assert.equal(first?.undoable, false)
  assert.ok(Number(next?.id) > Number(first?.id))
  const { out } = await runCommand(importListCommand, [], { data })
  assert.match(out, /LANCASTER, NE; DANE, WI +platbook +\S*next\.csv/)
  assert.match(out, /rejected rows of import 2 are in/)
})

test('import list counts the rows whose shape had no place', async (t) => {
  const folder = makeFolder(t)
  const features = [[], [[[-83.2, 37.25]]], null].map((coordinates, at) => ({
    type: 'Feature',
    properties: { state: 'KY', county: 'Perry', parcelId: `A${at}`, ownerName1: 'HARLOW PAUL' },
    geometry: coordinates && { type: 'Polygon', coordinates },
  }))
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  await importRoll(folder, [write(folder, 'a.geojson', text)], { geometry: true })
  const listed = await runCommand(importListCommand, ['--json'], { data: folder })
  const { imports } = listed.json() as { imports: { unplaced: number }[] }
  assert.deepEqual(
    imports.map(({ unplaced }) => unplaced),
    [2],
  )
})

test('import --undo counts first, and with --confirm gives the records back', async (t) => {
  const { data } = await loadTwice(t)
  const words = ['--undo', '--state', 'NE', '--county', 'Lancaster']
  const dry = await runCommand(importCommand, words, { data })
  assert.match(dry.out, /1 restored, 1 back, 0 removed\nNothing was changed/)
  const before = await readParcel(openLoaded(t, data), 'NE', 31109, '011')
  assert.equal(before.ownerName, 'ROE, RICHARD')
  const done = await runCommand(importCommand, [...words, '--confirm', '--json'], { data })
  assert.deepEqual(
    [done.json().confirmed, done.json().restored, done.json().returned],
    [true, 1, 1],
  )
  const reader = openLoaded(t, data)
  const after = await readParcel(reader, 'NE', 31109, '011')
  assert.deepEqual([after.ownerName, after.id], ['ROE, JANE', before.id])
  assert.equal((await readParcel(reader, 'NE', 31109, '012')).ownerName, 'DOE, JOHN')
  await assert.rejects(
    runCommand(importCommand, [...words, '--confirm'], { data }),
    /the last change here was an undo, number 3, which cannot be undone/,
  )
})

test('unload counts first, and with --confirm removes a county and no other', async (t) => {
  const { data } = await loadTwice(t)
  const words = ['--state', 'NE', '--county', 'Lancaster']
  const dry = await runCommand(unloadCommand, words, { data })
  assert.match(dry.out, /^LANCASTER, NE: 1 parcels\nNothing was changed\. With --confirm/)
  const done = await runCommand(unloadCommand, [...words, '--confirm', '--json'], { data })
  assert.deepEqual(done.json(), {
    confirmed: true,
    parcels: 1,
    removed: 1,
    scopes: [{ state: 'NE', county: 'LANCASTER', fips: '31109', municipality: null, parcels: 1 }],
  })
  const reader = openLoaded(t, data)
  assert.deepEqual(await reader.byParcelId('NE', 31109, '011'), [])
  assert.deepEqual(
    (await reader.coverage()).map(({ fips }) => fips),
    [55025],
  )
  await assert.rejects(runCommand(unloadCommand, words, { data }), /nothing is loaded there/)
  await assert.rejects(
    runCommand(importCommand, ['--undo', ...words], { data }),
    /was an unload, number 3/,
  )
  // Elsewhere the import before is still the newest.
  const undo = ['--undo', '--id', '2', '--confirm']
  const { out } = await runCommand(importCommand, undo, { data })
  assert.match(out, /^import 2 of 2026-05-02 00:00Z: DANE, WI\n/)
})

test('wrong use is an error: no folder, no county, conflicting options', async (t) => {
  const data = makeFolder(t)
  const away = join(data, 'typo')
  const cases: [typeof importCommand, string[], string, RegExp, number][] = [
    [importListCommand, [], away, /does not exist/, 1],
    [unloadCommand, ['--state', 'NE', '--county', 'Lancaster'], away, /does not exist/, 1],
    [unloadCommand, ['--state', 'NE'], data, /needs --state and --county/, 2],
    [importCommand, ['--undo', '--county', 'Dane'], data, /need --state/, 2],
    [importCommand, ['--undo', 'roll.csv'], data, /takes no FILE/, 2],
    [importCommand, ['--undo'], data, /there is no import to undo/, 1],
    [importCommand, ['roll.csv', '--mapping', 'x', '--confirm'], data, /needs --undo/, 2],
  ]
  for (const [command, words, folder, message, exitCode] of cases) {
    await assert.rejects(runCommand(command, words, { data: folder }), { message, exitCode })
  }
  assert.equal(existsSync(away), false)
  assert.deepEqual((await runCommand(importListCommand, ['--json'], { data })).json(), {
    imports: [],
  })
})

test('a refresh, an undo and an unload leave the facts of the stored parcels', async (t) => {
  const { data } = await loadTwice(t)
  const check = async () => (await runCommand(checkCommand, [], { data })).out
  assert.doesNotMatch(await check(), /facts/, 'after a refresh')
  const lancaster = ['--state', 'NE', '--county', 'Lancaster', '--confirm']
  await runCommand(importCommand, ['--undo', ...lancaster], { data })
  assert.doesNotMatch(await check(), /facts/, 'after an undo')
  const where = ['--state', 'WI', '--county', 'Dane', '--confirm']
  await runCommand(unloadCommand, where, { data })
  assert.doesNotMatch(await check(), /facts/, 'after an unload')
})

test('an undo takes back the quality and the errors of estimates that it measured', async (t) => {
  const data = makeFolder(t)
  const head =
    'state,county,parcelId,ownerName1,useCode,latitude,longitude,transferDate,transferPrice\n'
  const roll = (ids: number[], price: number) =>
    head +
    ids
      .map((id) => `NE,Lancaster,${id},"ROE, JO",1001,40.8,-96.7,2026-03-0${id},${price}\n`)
      .join('')
  const read = async () => {
    const reader = openLoaded(t, data)
    return [await reader.qualities('NE', 31109), await reader.saleTest('NE', 31109)]
  }
  const load = (name: string, csv: string, day: number) => {
    const words = [write(data, name, csv), '--mapping', 'platbook', '--force']
    return runCommand(importCommand, words, { data, now: Date.UTC(2026, 4, day) })
  }
  await load('first.csv', roll([1, 2, 3, 4], 90_000), 1)
  const before = await read()
  assert.notEqual(before[1], undefined)
  await load('next.csv', roll([1, 2], 900_000), 2)
  assert.notDeepEqual(await read(), before)
  const now = Date.UTC(2026, 4, 3)
  await runCommand(importCommand, ['--undo', '--confirm'], { data, now })
  assert.deepEqual(await read(), before)
  await runCommand(unloadCommand, ['--state', 'NE', '--county', 'Lancaster', '--confirm'], {
    data,
    now,
  })
  assert.equal((await read())[1], undefined)
})
