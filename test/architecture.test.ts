/** docs/architecture.md names files that exist; the schemas describe every table. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = new URL('..', import.meta.url).pathname
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

test('every table of both stores says above it what a row is', () => {
  for (const pattern of ['src/store/sqlite/baseline/*.sql', 'src/store/postgres/baseline.sql']) {
    const found = globSync(pattern, { cwd: ROOT }).flatMap((path) => [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /^(.*)\nCREATE (?:UNLOGGED |VIRTUAL )?TABLE (\w+)/gm,
      ),
    ])
    assert.ok(found.length > 30)
    for (const [, above = '', name = ''] of found) assert.match(above, /^-- ./, name)
  }
})

test('a file is named in plain quotes, which the published package writes with its ending', () => {
  const built = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .filter((line) => /\.ts["`]/.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  assert.deepEqual(built, [])
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
