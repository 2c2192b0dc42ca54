/** The tests that tables of pages cite exist. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'

const ROOT = new URL('../', import.meta.url)

for (const [page, least] of [['docs/security.md', 40]] as const) {
  const text = readFileSync(new URL(page, ROOT), 'utf8')

  test(`every threat of ${page} has tests, in a file that is there`, () => {
    const [, table = ''] = text.split('| threat | defence | test |\n|---|---|---|\n')
    const rows = (table.split('\n\n')[0] ?? '').split('\n')
    assert.ok(rows.length > least, `${rows.length} rows`)
    for (const row of rows) {
      const path = /^\| .+ \| .+ \| `([\w./-]+\.ts)` \|$/.exec(row)?.[1]
      assert.ok(path !== undefined, row)
      assert.match(readFileSync(new URL(path, ROOT), 'utf8'), /\btest\(/, path)
    }
  })

  test(`every file of tests that ${page} names is there`, () => {
    const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+\.test\.ts)`/g)]
    assert.deepEqual(
      named.flatMap(([, path = '']) => (existsSync(new URL(path, ROOT)) ? [] : [path])),
      [],
    )
  })
}
