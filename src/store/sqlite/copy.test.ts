import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { copyDatabase } from './copy.ts'

test('a copy shows one moment, however much is written while it is made', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-copy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const writer = new DatabaseSync(join(folder, 'source.db'))
  writer.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE first (n INTEGER, filler BLOB); CREATE TABLE last (n INTEGER);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    INSERT INTO first SELECT 0, zeroblob(4000) FROM numbers;
    INSERT INTO last VALUES (0)`)
  const reader = new DatabaseSync(join(folder, 'source.db'), { readOnly: true })
  let writes = 0
  await copyDatabase(reader, join(folder, 'copy.db'), () => {
    writes += 1
    writer.exec(`BEGIN; UPDATE first SET n = ${writes}; UPDATE last SET n = ${writes}; COMMIT`)
  })
  assert.ok(writes > 2, 'the copy was made in several steps')
  const copy = new DatabaseSync(join(folder, 'copy.db'), { readOnly: true })
  assert.equal(copy.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
  const seen = copy.prepare('SELECT DISTINCT n FROM first UNION ALL SELECT n FROM last').all()
  assert.deepEqual(
    seen.map(({ n }) => n),
    [0, 0],
  )
  assert.equal(reader.isTransaction, false)
  for (const db of [copy, reader, writer]) db.close()
})
