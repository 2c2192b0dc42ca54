import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openInserter } from './roll-common.ts'

for (const count of [0, 1, 7, 8, 9, 20]) {
  test(`inserts ${count} rows in order, the last ones when flushed`, () => {
    const db = new DatabaseSync(':memory:')
    db.exec('CREATE TABLE t (id INTEGER, name TEXT)')
    const rows = openInserter(db, 't (name, id)', 2)
    const given = Array.from({ length: count }, (_, id) => ({ id, name: id % 2 ? `N${id}` : null }))
    for (const { id, name } of given) rows.add(name, id)
    rows.flush()
    rows.flush()
    const found = db.prepare('SELECT id, name FROM t ORDER BY rowid').all()
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      given,
    )
  })
}
