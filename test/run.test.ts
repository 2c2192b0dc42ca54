/** The runner of `npm test`: which files share a process, and what it says when one fails. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { toPools } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('files of src are a pool, and those of small folders of test; a file may be apart', () => {
  const apart = '/** A process of its own: it sets the clock. */\n'
  const first: Record<string, string> = { 'test/ledger/clock.test.ts': apart }
  const files = ['src/a/b.test.ts', 'src/c.test.ts', 'test/cli.test.ts', 'test/ledger/one.test.ts']
  const more = ['test/ledger/clock.test.ts', 'test/ledger/deep/two.test.ts', 'test/x.long.test.ts']
  assert.deepEqual(
    toPools([...files, ...more, 'test/mcp/a.test.ts'], (file) => first[file] ?? '/** Lines. */'),
    [
      {
        name: 'small folders of test',
        files: ['test/ledger/one.test.ts', 'test/ledger/deep/two.test.ts', 'test/mcp/a.test.ts'],
      },
      { name: 'test', files: ['test/cli.test.ts'] },
      { name: 'test/ledger/clock.test.ts', files: ['test/ledger/clock.test.ts'] },
      { name: 'test/x.long.test.ts', files: ['test/x.long.test.ts'] },
      { name: 'src', files: ['src/a/b.test.ts', 'src/c.test.ts'] },
    ],
  )
})

test('folders of more files have their own processes, and pages in a browser begin', () => {
  const list = (folder: string) =>
    Array.from({ length: 14 }, (_, at) => `test/${folder}/${at}.test.ts`)
  const drawn = 'test/mcp/a.test.ts'
  const pools = toPools(
    [...list('client'), ...list('store'), ...list('console'), drawn, 'test/mcp/b.test.ts'],
    (file) => (file === drawn ? "import { shareBrowser } from '../console/browser.ts'\n" : ''),
  )
  assert.deepEqual(
    pools.map(({ name }) => name),
    ['test/console', 'test/store', 'small folders of test', 'test/client'],
  )
  assert.ok(pools[0]?.files.includes(drawn))
})

test('many files of a folder are divided evenly, and each runs once', () => {
  const files = Array.from({ length: 131 }, (_, at) => `test/import/${at}.test.ts`)
  const pools = toPools(files, () => '')
  assert.deepEqual(
    pools.map((pool) => pool.files.length),
    [44, 44, 43],
  )
  assert.deepEqual(pools.flatMap((pool) => pool.files).toSorted(), files.toSorted())
})

const IMPORT = "import { after, beforeEach, test } from 'node:test'\n"

/** Runs files with these contents, in one process of theirs; its exit code and output. */
function runFiles(contents: Record<string, string>): { code: number | null; out: string } {
  const files = Object.entries(contents).map(([name, text]) => {
    writeFileSync(join(folder, name), IMPORT + text)
    return join(folder, name)
  })
  const runner = fileURLToPath(new URL('run.ts', import.meta.url))
  const failed = join(folder, 'failed')
  const { NODE_TEST_CONTEXT: _context, TEST_POOL: _pool, ...env } = process.env
  const ran = spawnSync(process.execPath, [runner, '--failed', failed, ...files], {
    encoding: 'utf8',
    env,
  })
  return { code: ran.status, out: ran.stdout }
}

test('a failed test is named with its file and line, and the others still run', () => {
  const { code, out } = runFiles({
    'a.test.mjs': "test('passes', () => {})\ntest('fails', () => { throw new Error('boom') })\n",
    'b.test.mjs': "test('passes', () => {})\ntest('later', { skip: 'why' }, () => {})\n",
  })
  assert.equal(code, 1)
  assert.match(out, /✖ .*a\.test\.mjs:3: fails\n {4}Error: boom/)
  assert.match(out, /✖ .*a\.test\.mjs \(2 tests, 1 FAILED/)
  assert.match(out, /✔ .*b\.test\.mjs \(2 tests, 1 skipped/)
  assert.match(
    out,
    /failed:\n {2}✖ .*:3: fails \(Error: boom\)\n\nℹ tests 4\nℹ pass 2\nℹ fail 1\nℹ skipped 1\n/,
  )
})

test('hooks of a file apply to its tests, and end before the next file begins', () => {
  const { code, out } = runFiles({
    'c.test.mjs':
      "beforeEach(() => console.log('each of c'))\nafter(() => console.log('c ends'))\n" +
      "test('one', () => console.log('one'))\n",
    'd.test.mjs': "console.log('d begins')\ntest('two', () => console.log('two'))\n",
  })
  assert.equal(code, 0)
  const said = out.split('\n').filter((line) => /^[a-z]/.test(line))
  assert.deepEqual(said, ['each of c', 'one', 'c ends', 'd begins', 'two'])
})

test('what a test throws later is its failure, and a test within it is its own', () => {
  const late = "setTimeout(() => { throw new Error('late') }, 5)\n"
  const wait = (ms: number) => `await new Promise((end) => setTimeout(end, ${ms})) })\n`
  const { code, out } = runFiles({
    'h.test.mjs':
      `test('throws', async () => { ${late}${wait(500)}` +
      `test('rejects', async () => { Promise.reject(new Error('lost'))\n${wait(50)}` +
      "test('outer', (outer) => outer.test('inner', () => { throw new Error('in') }))\n",
    'i.test.mjs': "test('passes', () => {})\n",
  })
  assert.equal(code, 1)
  assert.match(out, /✖ .*h\.test\.mjs:2: throws\n {4}Error: late/)
  assert.match(out, /✖ .*h\.test\.mjs:4: rejects\n {4}Error: lost/)
  assert.match(out, /✖ .*h\.test\.mjs:6: outer › inner\n {4}Error: in/)
  assert.match(out, /✔ .*i\.test\.mjs \(1 tests/)
})

test('a file that cannot be loaded fails, and so does one that ends its process', () => {
  const { code, out } = runFiles({
    'e.test.mjs': "import './nowhere.mjs'\n",
    'f.test.mjs': "test('exits', () => process.exit(0))\n",
    'g.test.mjs': "test('passes', () => {})\n",
  })
  assert.equal(code, 1)
  assert.match(out, /✖ .*e\.test\.mjs \(.*FAILED/)
  assert.match(out, /✖ .*f\.test\.mjs: its process ended early/)
  assert.match(out, /✔ .*g\.test\.mjs \(1 tests/)
})
