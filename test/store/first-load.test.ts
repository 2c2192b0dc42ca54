/** The first load of an SQLite store uses other code than refreshes; the results must be equal. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { deletions } from '../../src/base/word-edits.ts'
import { openRollWriter } from '../../src/store/sqlite/write/roll-writer.ts'
import type { StagedParcel } from '../../src/store/store.ts'
import { stage } from './staged.ts'

const LOADED_AT = 1_750_000_000
const TABLES = [
  ...['parcels', 'records', 'alternate_ids', 'situs', 'loose_situs'],
  ...['owner_heads', 'owner_words', 'owner_deletions', 'counters', 'scopes'],
]

const NAMES = ['SMITH JOHN A & MARY', 'OAK HOLLOW LLC', 'DE LA CRUZ, ANA', 'SMITH-JONES AMY']

function makeRoll(count: number): StagedParcel[] {
  return Array.from({ length: count }, (_, at) => ({
    ...stage({
      parcelId: `P-${at}`,
      fips: at % 3 === 0 ? 55025 : 55079,
      owners: [NAMES[at % NAMES.length] ?? null, at % 5 === 0 ? 'LEE KIM' : null],
      address: `${at % 40} ${at % 2 === 0 ? 'N MAIN ST' : 'US HIGHWAY 12'}`,
      city: 'MADISON',
    }),
    geometry: at % 7 === 0 ? `{"at":${at}}` : null,
  }))
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-first-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function load(folder: string, parcels: StagedParcel[]) {
  const writer = openRollWriter(folder, LOADED_AT)
  await writer.stage(parcels)
  const { change } = await writer.apply()
  await writer.discard()
  return change
}

/** Everything that a store holds, and the statements that made its tables and indexes. */
function readAll(folder: string) {
  const db = new DatabaseSync(join(folder, 'parcels.db'), { readOnly: true })
  try {
    const schema = db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
    // The stamp of a write is random.
    const own = (table: string) => (table === 'counters' ? "WHERE name <> 'written'" : '')
    const rows = TABLES.map((table) => [
      table,
      db.prepare(`SELECT * FROM ${table} ${own(table)}`).all(),
    ])
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
    return { schema, ...Object.fromEntries(rows) }
  } finally {
    db.close()
  }
}

test('a first load leaves what a refresh of a store with one parcel leaves', async (t) => {
  const roll = makeRoll(200)
  const [first, refreshed] = [makeFolder(t), makeFolder(t)]
  await load(first, roll)
  await load(refreshed, roll.slice(0, 1))
  await load(refreshed, roll)
  const [one, other] = [readAll(first), readAll(refreshed)]
  // Tables with a key of their own are read in its order, so equal rows are in the same order.
  assert.deepEqual(one, other)
  assert.ok(one.owner_words.length > 200 && one.owner_deletions.length > 20)
})

test('a first load is invisible before its commit; an aborted one leaves nothing', async (t) => {
  const folder = makeFolder(t)
  await (await openRollWriter(folder, LOADED_AT)).discard()
  const empty = readAll(folder)
  const writer = openRollWriter(folder, LOADED_AT)
  await writer.stage(makeRoll(500))
  assert.equal((await writer.compare()).loaded, 500)
  assert.deepEqual(readAll(folder), empty)
  await writer.discard()
  assert.deepEqual(readAll(folder), empty)
  assert.equal((await load(folder, makeRoll(500))).loaded, 500)
})

test('rows dropped and staged again are found by their row, without old keys', async (t) => {
  const folder = makeFolder(t)
  const gap = { ...stage({ parcelId: 'Z', owners: ['ADAMS JO', null] }), row: 90 }
  const rows = ['A', 'B', 'A', 'C', 'B'].map((parcelId, at) => ({
    ...stage({ parcelId, owners: [`OWNER${at} X`, null], address: `${at} OAK ST` }),
    row: at < 2 ? at + 1 : at + 10,
  }))
  const writer = openRollWriter(folder, LOADED_AT)
  await writer.stage([...rows, gap])
  const groups: number[][] = []
  for await (const group of writer.repeats()) groups.push(group.map(({ row }) => row))
  assert.deepEqual(groups, [
    [1, 12],
    [2, 14],
  ])
  await writer.drop([1, 12, 14])
  await writer.stage([{ ...stage({ parcelId: 'A', owners: ['MERGED', null] }), row: 1 }])
  const { ids } = await writer.apply()
  const placed: [number, number][] = []
  for await (const { row, id } of ids) placed.push([row, id])
  assert.deepEqual(placed, [
    [2, 2],
    [13, 4],
    [90, 6],
    [1, 7],
  ])
  await writer.discard()
  const all = readAll(folder)
  const words = all.owner_words.map(({ word }: { word: string }) => word)
  assert.deepEqual(words.sort(), ['ADAMS', 'JO', 'MERGED', 'OWNER1', 'OWNER3', 'X', 'X'])
  assert.deepEqual(
    all.situs.map(({ key }: { key: string }) => key.startsWith('1|') || key.startsWith('3|')),
    [true, true],
  )
  assert.deepEqual(
    all.parcels.map(({ parcel_key }: { parcel_key: string }) => parcel_key),
    ['B', 'C', 'Z', 'A'],
  )
})

test('each word and head of an owner is found by its one-letter deletions only', async (t) => {
  const folder = makeFolder(t)
  const owners = [...NAMES, 'AAAB ZZ', 'ANN BOBBIE', `${'LONG'.repeat(16)} LEE`]
  const roll = owners.map((owner, at) => stage({ parcelId: `P${at}`, owners: [owner, null] }))
  await load(folder, roll.slice(0, 2))
  await load(folder, roll)
  const all = readAll(folder)
  const words = [...all.owner_words, ...all.owner_heads].map(({ word, head }) => word ?? head)
  const expected = new Set(
    words.flatMap((word) => deletions(word).map((form) => `${form} ${word}`)),
  )
  const kept = all.owner_deletions.map(
    ({ deletion, word }: Record<string, string>) => `${deletion} ${word}`,
  )
  assert.deepEqual(kept.sort(), [...expected].sort())
})

test('staged rows are written without a journal', async (t) => {
  const folder = makeFolder(t)
  const writer = openRollWriter(folder, LOADED_AT)
  await writer.stage(makeRoll(5))
  assert.deepEqual(readdirSync(join(folder, 'staging')), ['roll.db'])
  await writer.discard()
})
