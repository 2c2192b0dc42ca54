import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { cachePrepared } from './prepare.ts'

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-snapshot-'))
  const path = join(folder, 'a.db')
  const writer = new DatabaseSync(path)
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (n INTEGER)')
  const reader = new DatabaseSync(path, { readOnly: true })
  t.after(() => {
    writer.close()
    if (reader.isOpen) reader.close()
    rmSync(folder, { recursive: true })
  })
  const prepare = cachePrepared(reader)
  const count = () => prepare('SELECT count(*) FROM a').get<[number]>()?.[0]
  return { writer, reader, count }
}

const nextTurn = () => new Promise(setImmediate)

test('what is read in a turn is of one moment, from the second statement on; the next turn sees what was written', async (t) => {
  const { writer, reader, count } = open(t)
  for (const before of [0, 1]) {
    assert.equal(count(), before)
    assert.equal(reader.isTransaction, false, 'one statement needs no transaction')
    assert.equal(count(), before)
    writer.exec('INSERT INTO a VALUES (1)')
    assert.equal(count(), before)
    await nextTurn()
    assert.equal(reader.isTransaction, false)
  }
  assert.equal(count(), 2)
})

test('a statement that fails leaves nothing behind, and the connection may close before the turn ends', async (t) => {
  const { writer, reader, count } = open(t)
  count()
  const fail = cachePrepared(reader)('SELECT abs(-9223372036854775808)')
  count()
  assert.throws(() => fail.get(), /overflow/)
  await nextTurn()
  writer.exec('INSERT INTO a VALUES (1)')
  assert.equal(count(), 1)
  count()
  // As SQLite does by itself when reading fails.
  reader.exec('ROLLBACK')
  await nextTurn()
  assert.equal(count(), 1)
  count()
  reader.close()
  await nextTurn()
})
