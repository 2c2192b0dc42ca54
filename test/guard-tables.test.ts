/** The tests that tables of pages cite exist. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'

const ROOT = new URL('../', import.meta.url)

for (const [page, least] of [['docs/security.md', 40]] as const) {
  const text = readFileSync(new URL(page, ROOT), 'utf8')

  test(`every test that ${page} names is in the file that is named`, () => {
    const rows = [...text.matchAll(/^\| .+ \| `([\w./-]+\.test\.ts)`: (.+) \|$/gm)]
    assert.ok(rows.length > least, `${rows.length} rows`)
    for (const [, path = '', name = ''] of rows) {
      const file = new URL(path, ROOT)
      assert.ok(existsSync(file), path)
      const text = readFileSync(file, 'utf8')
      const titles = text.split('\n').filter((line) => /^\s*test\(/.test(line))
      // Tests made of a list have their names in it.
      if (text.includes(`    '${name}',\n`) && titles.some((line) => line.includes('test(name,'))) {
        continue
      }
      assert.ok(
        titles.some((line) => line.includes(name)),
        `${path} has no test called ${name}`,
      )
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
