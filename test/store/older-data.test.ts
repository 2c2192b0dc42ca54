/**
 * Rolls that an older version loaded, in both stores: once migrated they are read, changed and
 * undone like those of this version.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Client } from 'pg'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { decodeParcel } from '../../src/record/stored.ts'
import { parcelsPath } from '../../src/store/data-folder.ts'
import { type HistoryReader, NO_NOTE } from '../../src/store/history.ts'
import { openEraser, openSaleTests, openWriter } from '../../src/store/open-rolls.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { openHistoryReader as openPostgresHistory } from '../../src/store/postgres/read/history.ts'
import { openParcelReader as openPostgres } from '../../src/store/postgres/read/parcels.ts'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { findChangedPages, writeSumsOfCopy } from '../../src/store/sqlite/page-sums.ts'
import { openHistoryReader } from '../../src/store/sqlite/read/history.ts'
import { openParcelReader } from '../../src/store/sqlite/read/parcels.ts'
import type { ParcelReader } from '../../src/store/store.ts'
import { runCommand } from '../command.ts'
import { NOT_DURABLE, startServer, whyNoServer } from '../postgres-server.ts'
import { stage } from './staged.ts'

const AT = 1_750_000_000
const SALE_TEST = '{"sales":3}'

/** Gives columns the names that they have before the migrations 014 and 024. */
const OLD_NAMES = [
  'ALTER TABLE records RENAME COLUMN field_values TO leaves',
  'ALTER TABLE import_images RENAME COLUMN field_values TO leaves',
  'ALTER TABLE sale_tests RENAME COLUMN result TO told',
]

type Store = {
  place: string
  /** Makes the database one of the version before, and brings it up again. */
  upgrade(): Promise<void>
  reader(): ParcelReader
  history(): Promise<HistoryReader>
}

async function testUpgrade({ place, upgrade, reader, history }: Store): Promise<void> {
  await load(place, [1, 1, 1])
  await load(place, [1, 2, 1])
  const saleTests = await openSaleTests(place)
  await saleTests.put('WI', 55025, SALE_TEST)
  await saleTests.close()
  await upgrade()
  assert.deepEqual(await readValues(reader), [1, 2, 1])
  const change = await load(place, [1, 2, 3])
  assert.deepEqual([change.unchanged, change.updated], [2, 1])
  assert.deepEqual(await readValues(reader), [1, 2, 3])

  await upgrade()
  const found = await history()
  const [newest] = await found.list()
  await found.close()
  assert.ok(newest)
  const eraser = await openEraser(place)
  await eraser.undo(newest, AT)
  await eraser.close()
  assert.deepEqual(await readValues(reader), [1, 2, 1])
  assert.equal(await reader().saleTest('WI', 55025), SALE_TEST)
}

async function load(place: string, values: number[]) {
  // Reads of this turn of the event loop hold a snapshot until its end.
  await new Promise(setImmediate)
  const writer = await openWriter(place, AT)
  try {
    await writer.stage(values.map((value, at) => stage({ parcelId: `P-${at}`, value })))
    return await writer.apply(true, AT, undefined, NO_NOTE)
  } finally {
    await writer.discard()
  }
}

async function readValues(open: () => ParcelReader): Promise<(number | null)[]> {
  const parcels = open()
  const found = await parcels.byIds('WI', [1, 2, 3])
  await new Promise(setImmediate)
  return found
    .sort((one, other) => one.id - other.id)
    .map((parcel) => decodeParcel(parcel.fieldValues).totalMarketValue)
}

test('sqlite: a file whose columns have their former names', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'platbook-older-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const path = parcelsPath(data)
  const options = { migrations: 'parcels', synchronous: 'NORMAL' } as const
  const open = (readOnly = false) => openDatabase(path, { ...options, readOnly })
  open().close()
  await testUpgrade({
    place: data,
    async upgrade() {
      const db = new DatabaseSync(path)
      for (const statement of OLD_NAMES) db.exec(statement)
      db.exec('PRAGMA user_version = 13')
      db.close()
      open().close()
    },
    reader: () => openParcelReader(open(true)),
    history: async () => openHistoryReader(open(true)),
  })
  const db = open(true)
  const trigger = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'tile_text_update'").get()
  assert.match(String(trigger?.sql), /UPDATE OF "?field_values"? ON records/)
  db.close()
})

for (const [damage, isDamaged] of [
  ['', false],
  ['UPDATE parcels SET unit = 7 WHERE id = 2', true],
] as const) {
  const before = damage || 'no damage'
  test(`sqlite: checksums of pages after a migration; before: ${before}`, async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'platbook-older-'))
    t.after(() => rmSync(data, { recursive: true, force: true }))
    const path = parcelsPath(data)
    openDatabase(path, { migrations: 'parcels', synchronous: 'NORMAL' }).close()
    await load(data, [1, 2, 3])
    const old = new DatabaseSync(path)
    for (const statement of OLD_NAMES) old.exec(statement)
    old.exec('PRAGMA user_version = 13')
    old.close()
    writeSumsOfCopy(path)
    const damaged = new DatabaseSync(path)
    damaged.exec(damage)
    damaged.close()

    const db = openDatabase(path, { migrations: 'parcels', synchronous: 'NORMAL' })
    const changed = findChangedPages(db)
    db.close()
    assert.ok(changed !== undefined, 'there are checksums')
    assert.equal(changed.length > 0, isDamaged, `pages ${changed}`)
  })
}

const missing = whyNoServer()
test('postgres: a database whose columns have their former names', {
  skip: missing,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-older-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const server = await startServer(NOT_DURABLE)
  t.after(() => server.stop())
  const url = await server.createDatabase('older')
  await migrate(url)
  const client = new Client({ connectionString: url, options: '-c search_path=platbook' })
  await client.connect()
  await testUpgrade({
    place: url,
    async upgrade() {
      for (const statement of OLD_NAMES) await client.query(statement)
      await client.query('DELETE FROM migrations WHERE version = 24')
      await client.query('UPDATE accounts_state SET oldest = 23')
      const env = { PLATBOOK_DATABASE_URL: url }
      const { out } = await runCommand(checkCommand, [], { data: folder, env })
      assert.match(out, /^the database older on \S+: is of version 23 and this Platbook needs 24; /)
      assert.equal(await migrate(url), 24)
    },
    reader: () => openPostgres(url),
    history: async () => openPostgresHistory(url),
  })
  // Programs of version 23, which read the former columns, answer 503 from then on.
  const { rows } = await client.query('SELECT oldest FROM accounts_state')
  assert.deepEqual(rows, [{ oldest: 24 }])
  await client.end()
})
