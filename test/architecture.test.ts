/** docs/architecture.md names the tables and files that exist, and every table. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = new URL('..', import.meta.url).pathname
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

const BASELINES = ['src/store/sqlite/baseline/*.sql', 'src/store/postgres/baseline.sql']
const tables = BASELINES.map((pattern) =>
  globSync(pattern, { cwd: ROOT }).flatMap((path) => {
    const sql = readFileSync(join(ROOT, path), 'utf8')
    const found = sql.matchAll(/CREATE (?:UNLOGGED |VIRTUAL )?TABLE (\w+)/g)
    return [...found].map(([, name = '']) => name)
  }),
)

test('every table of both stores is on the page', () => {
  assert.ok(tables.every((names) => names.length > 30))
  const lines = PAGE.split('\n').filter((line) => line.startsWith('| `'))
  assert.deepEqual(
    tables.flat().filter((name) => !lines.some((line) => line.includes(`\`${name}\``))),
    [],
  )
})

test('the tables on the page exist', () => {
  const [, databases = ''] = PAGE.split('## The databases')
  const named = [...databases.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  assert.ok(named.length > 30)
  assert.deepEqual(
    named.filter((name) => !tables.flat().includes(name)),
    [],
  )
})

test('the files on the page exist', () => {
  const named = [...PAGE.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.ts)`/g)].map(([, path = '']) => path)
  const files = globSync('{src,test}/**/*.ts', { cwd: ROOT })
  assert.ok(named.length > 60)
  assert.deepEqual(
    named.filter(
      (path) => !existsSync(join(ROOT, path)) && !files.some((one) => one.endsWith(`/${path}`)),
    ),
    [],
  )
})
