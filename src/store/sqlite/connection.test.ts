import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { CommandError, Refusal } from '../../base/errors.ts'
import { SCHEMA_NUMBER } from '../../base/schema-number.ts'
import { asRefusal, openDatabase, transaction } from './connection.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-connection-'))
after(() => rmSync(folder, { recursive: true }))
const ACCOUNTS = { kind: 'accounts', synchronous: 'FULL' } as const

function sentence(part: string) {
  return (error: unknown) => error instanceof CommandError && error.message.includes(part)
}

test('a new file is migrated, in WAL, and opens again read-only', () => {
  const path = join(folder, 'new.db')
  const db = openDatabase(path, ACCOUNTS)
  assert.deepEqual({ ...db.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' })
  assert.deepEqual({ ...db.prepare('PRAGMA synchronous').get() }, { synchronous: 2 })
  assert.deepEqual({ ...db.prepare('PRAGMA foreign_keys').get() }, { foreign_keys: 1 })
  const reader = openDatabase(path, { ...ACCOUNTS, readOnly: true })
  assert.throws(() => reader.exec('UPDATE state SET version = 2'))
  reader.close()
  db.close()
})

test('four processes that open a new file at once all succeed', async () => {
  const path = join(folder, 'race.db')
  const url = JSON.stringify(import.meta.resolve('./connection.ts'))
  const program = `import { openDatabase } from ${url}
    openDatabase(${JSON.stringify(path)}, { kind: 'accounts', synchronous: 'FULL' }).close()`
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
  )
  await Promise.all(runs)
  openDatabase(path, { ...ACCOUNTS, readOnly: true }).close()
})

for (const number of [1, SCHEMA_NUMBER - 1, SCHEMA_NUMBER + 1, 900]) {
  test(`a database of schema ${number} is refused in a sentence that names the file`, () => {
    const path = join(folder, `schema-${number}.db`)
    const db = openDatabase(path, ACCOUNTS)
    db.exec(`PRAGMA user_version = ${number}`)
    db.close()
    const refused = sentence(`${path} was made by another version of Platbook`)
    assert.throws(() => openDatabase(path, ACCOUNTS), refused)
    assert.throws(() => openDatabase(path, { ...ACCOUNTS, readOnly: true }), refused)
  })
}

test('missing, foreign, other-kind and truncated files are refused with a sentence', () => {
  const missing = join(folder, 'missing.db')
  assert.throws(
    () => openDatabase(missing, { ...ACCOUNTS, readOnly: true }),
    sentence(`${missing} does not exist`),
  )
  assert.throws(
    () => openDatabase(join(folder, 'no-such-folder', 'x.db'), ACCOUNTS),
    sentence('cannot be opened'),
  )

  const text = join(folder, 'text.db')
  writeFileSync(text, 'a text of more than sixteen bytes\n'.repeat(200))
  assert.throws(() => openDatabase(text, ACCOUNTS), sentence(`${text} is not an SQLite database`))

  const foreign = join(folder, 'foreign.db')
  const other = new DatabaseSync(foreign)
  other.exec('CREATE TABLE theirs (x)')
  other.close()
  assert.throws(() => openDatabase(foreign, ACCOUNTS), sentence('not the accounts database'))

  const cut = join(folder, 'cut.db')
  openDatabase(cut, ACCOUNTS).close()
  truncateSync(cut, 6000)
  assert.throws(() => openDatabase(cut, ACCOUNTS), sentence(`${cut} is damaged`))
})

test('an empty or missing parcels.db next to parcels.sums is refused', () => {
  const path = join(folder, 'parcels.db')
  const options = { kind: 'parcels', synchronous: 'FULL' } as const
  writeFileSync(join(folder, 'parcels.sums'), '{}\n')
  const refused = sentence(`${path} is missing or empty, but`)
  for (const readOnly of [false, true]) {
    assert.throws(() => openDatabase(path, { ...options, readOnly }), refused)
  }
  writeFileSync(path, '')
  for (const readOnly of [false, true]) {
    assert.throws(() => openDatabase(path, { ...options, readOnly }), refused)
  }
  rmSync(join(folder, 'parcels.sums'))
  openDatabase(path, options).close()
})

test('a transaction that throws writes nothing', () => {
  const db = openDatabase(':memory:', ACCOUNTS)
  assert.throws(() =>
    transaction(db, () => {
      db.exec('UPDATE state SET version = 77')
      throw new Error('stop')
    }),
  )
  assert.deepEqual({ ...db.prepare('SELECT version FROM state').get() }, { version: 1 })
  db.close()
})

test('a busy or full database is unavailable; a mistake in SQL is our own defect', () => {
  const path = join(folder, 'busy.db')
  const holder = openDatabase(path, ACCOUNTS)
  const other = openDatabase(path, { ...ACCOUNTS, busyTimeoutMs: 1 })
  holder.exec('BEGIN IMMEDIATE')
  const busy = thrown(() => transaction(other, () => undefined))
  holder.exec('ROLLBACK')
  const refusal = asRefusal(busy)
  assert.ok(refusal instanceof Refusal && refusal.kind === 'unavailable' && refusal.cause === busy)

  holder.exec('PRAGMA max_page_count = 1')
  const full = thrown(() => holder.exec('CREATE TABLE big AS SELECT randomblob(100000)'))
  assert.ok(asRefusal(full) instanceof Refusal)
  const mistake = thrown(() => holder.exec('SELEC'))
  assert.equal(asRefusal(mistake), mistake)
  holder.close()
  other.close()
})

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
