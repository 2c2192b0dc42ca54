import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
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

test('the later statements of a turn share a snapshot; the next turn sees writes', async (t) => {
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

test('a failed statement leaves no transaction; the connection may be closed', async (t) => {
  const { writer, reader, count } = open(t)
  count()
  const fail = cachePrepared(reader)('SELECT abs(-9223372036854775808)')
  count()
  assert.throws(() => fail.get(), /overflow/)
  await nextTurn()
  writer.exec('INSERT INTO a VALUES (1)')
  assert.equal(count(), 1)
  count()
  // SQLite itself does this when a read fails.
  reader.exec('ROLLBACK')
  await nextTurn()
  assert.equal(count(), 1)
  count()
  reader.close()
  await nextTurn()
})

test('an unreadable file is an error of each statement, and ends nothing else', {
  skip: process.platform !== 'linux' && 'files are found in /proc',
}, async (t) => {
  const { writer, reader } = open(t)
  writer.exec('CREATE TABLE b (bytes BLOB); PRAGMA wal_checkpoint(TRUNCATE)')
  writer.exec(
    'INSERT INTO b SELECT zeroblob(3000) FROM ' +
      'json_each(json_array(1,2,3,4,5,6,7,8,9)), json_each(json_array(1,2,3,4,5,6,7,8,9))',
  )
  writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  reader.exec('PRAGMA cache_size = 1')
  const prepare = cachePrepared(reader)
  const sum = () => prepare('SELECT sum(length(bytes)) FROM b').get<[number]>()?.[0]
  assert.deepEqual([sum(), sum()], [243_000, 243_000])
  await nextTurn()
  const path = reader.location() ?? ''
  const files = readdirSync('/proc/self/fd').filter((fd) => pathOf(fd) === path)
  // The writer's file was opened first.
  const fd = Number(files.at(-1))
  closeSync(fd)
  assert.equal(openSync('/dev/null', 'r'), fd)
  for (let turn = 0; turn < 3; turn += 1) {
    for (let at = 0; at < 3; at += 1) assert.throws(sum, { code: 'ERR_SQLITE_ERROR' })
    await nextTurn()
    assert.equal(reader.isTransaction, false)
  }
})

function pathOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}
