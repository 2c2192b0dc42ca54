/** The table of docs/import.md that says which test guards what names tests that are there. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'

const ROOT = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/import.md', ROOT), 'utf8')
const rows = [...page.matchAll(/^\| .+ \| `([\w./-]+\.test\.ts)`: (.+) \|$/gm)]

test('every named test is in the file that is named', () => {
  assert.ok(rows.length > 25, `${rows.length} rows`)
  for (const [, path = '', name = ''] of rows) {
    const file = new URL(path, ROOT)
    assert.ok(existsSync(file), path)
    const titles = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^\s*test\(/.test(line))
    assert.ok(
      titles.some((line) => line.includes(name)),
      `${path} has no test called ${name}`,
    )
  }
})
