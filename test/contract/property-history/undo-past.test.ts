/** A roll of the past can be taken out again; the guard reads rolls that become present ones. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rollsPlace } from '../../../src/store/data-folder.ts'
import { findUndoable } from '../../../src/store/history.ts'
import { openEraser, openHistory } from '../../../src/store/open-rolls.ts'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { NOON, startService, type TestService } from '../../service.ts'
import { dayOf, HEAD, loadYear, readAll, rollOf } from './years.ts'

const DANE = { state: 'WI', fips: 55025 }

async function listImports({ config }: TestService) {
  const reader = await openHistory(config)
  const list = await reader.list()
  await reader.close()
  return list
}

/** Undoes the newest import of a county and returns its kind. */
async function undo(service: TestService, filter = DANE) {
  const { data: dataDir, databaseUrl } = service.config
  const entry = findUndoable(await listImports(service), filter)
  // Reads of this turn of the event loop hold a snapshot until its end.
  await new Promise(setImmediate)
  const eraser = await openEraser(rollsPlace({ dataDir, databaseUrl }))
  assert.deepEqual(await eraser.planUndo(entry), await eraser.undo(entry, NOON / 1000))
  await eraser.close()
  return entry.kind
}

async function tryAll(service: TestService) {
  for (const year of [2017, 2019, 2020, 2022]) await loadYear(service, year)
  const before = await readAll(service)
  // Before the oldest, between others, and just before the present roll.
  for (const year of [2016, 2018, 2021]) {
    await loadYear(service, year)
    assert.equal(await undo(service), 'past')
    assert.deepEqual(await readAll(service), before, String(year))
  }
  for (const year of [2021, 2016, 2018]) await loadYear(service, year)
  for (const _ of [1, 2, 3]) assert.equal(await undo(service), 'past')
  assert.deepEqual(await readAll(service), before)
  // Then the newest import of all can still be undone.
  assert.equal(await undo(service), 'import')
  await loadYear(service, 2022)
  assert.deepEqual(await readAll(service), before)
}

const service = await startService('')
after(() => service.close())

test('a roll of the past is undone without a trace, and then the import before it', () =>
  tryAll(service))

test('an import before which an earlier roll was put is not undone with it in place', async () => {
  await loadYear(service, 2021)
  const [newest] = await listImports(service)
  assert.equal(newest?.kind, 'past')
  assert.equal(await undo(service), 'past')
  assert.equal(await undo(service), 'import')
  assert.throws(() => findUndoable([], DANE), /no import to undo/)
})

test('the guard refuses a roll with --vintage that becomes the present one', async () => {
  await loadYear(service, 2022)
  const [head = '', ...rows] = rollOf(2023).split('\n')
  const few = [head, ...rows.slice(0, 5), ''].join('\n')
  const at = (year: number, keep: number | null = null) => ({
    versions: { keep, vintage: dayOf(year) },
  })
  await assert.rejects(service.importRoll(few, at(2023)), /it would remove/)
  await assert.rejects(service.importRoll(HEAD, at(2023)), /not one row/)
  await assert.rejects(service.importRoll(HEAD, at(2018)), /not one row/)
  await assert.rejects(service.importRoll(few, at(2018, 0)), /PLATBOOK_HISTORY is off/)
  const before = (await listImports(service)).length
  await service.importRoll(few, at(2018))
  assert.equal((await listImports(service)).length, before + 1)
  assert.equal(await undo(service), 'past')
})

test('a roll that is older than that of one county only is refused', async () => {
  const other = `${rollOf(2018)}WI,Rock,1,"ROE, JO",last-first,1 OAK ST,2018,1\n`
  const versions = { keep: null, vintage: dayOf(2018) }
  const load = service.importRoll(other, { force: true, versions })
  await assert.rejects(load, /older than that of Dane, WI, and would be the present one of Rock/i)
})

const missing = whyNoServer()
test('PostgreSQL undoes a roll of the past', { skip: missing ?? false }, async () => {
  const server = await shareServer()
  const own = await startService('', { databaseUrl: await server.createDatabase('undo_past') })
  try {
    await tryAll(own)
  } finally {
    await own.close()
    await server.stop()
  }
})
