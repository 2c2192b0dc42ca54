/** The source keeps to its layers, and no folder, line or function is too long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectGraph, readProject, readSource, type SourceFile } from '../scripts/graph.ts'
import { findFunctions, inspectHouse } from '../scripts/house-rules.ts'
import { findWide, readTexts } from '../scripts/line-widths.ts'

const ROOT = new URL('..', import.meta.url).pathname

test('the project has no cycle, no arrow up, no full folder, no wide line', () => {
  const { unused: _, long: __, ...found } = inspectGraph(readProject(ROOT), readTexts(ROOT))
  assert.deepEqual(found, { cycles: [], up: [], folders: [], wide: [] })
})

test('functions are measured without those within, and their parameters counted', () => {
  const { lines } = source(
    'src/base/a.ts',
    [
      'export function outer(one: Map<string, number>, two: (a: string, b: 1) => void): void {',
      '  const own = 1',
      '',
      '  function inner(): void {',
      '    own.toString()',
      '  }',
      '',
      '  if (own) {',
      '    inner()',
      '  }',
      '}',
      'const short = (a: number) => a',
      'const arrow = async (',
      '  { a, b }: Pair,',
      '  c = 2,',
      '): Promise<void> => {',
      '  await a(b, c)',
      '}',
      'function overload(a: string): void',
      'const made = {',
      '  method(a: 1, b: 2, c: 3, d: 4, e: 5) {',
      '    return a',
      '  },',
      '}',
    ].join('\n'),
  )
  const found = findFunctions({ path: 'src/base/a.ts', lines })
  assert.deepEqual(
    found.map(({ name, length, parameters }) => [name, length, parameters]),
    [
      ['outer', 8, 2],
      ['inner', 3, 0],
      ['arrow', 6, 2],
      ['method', 3, 5],
    ],
  )
})

test('status numbers, backends and words of the glossary are found outside their place', () => {
  const files = [
    source('src/base/errors.ts', 'const status = 404'),
    source('src/console/a.ts', '  return { body, status: 404 }'),
    source('src/console/b.ts', '  return { body, status: 200 }'),
    source('src/store/open.ts', "import { a } from './sqlite/a.ts'"),
    source('src/cli/a.ts', "import { a } from '../store/sqlite/a.ts'"),
    source('src/owner/a.ts', 'const tokens = line.split(SPACE)'),
    source('src/ledger/a.ts', 'const tokens = 1'),
  ]
  assert.deepEqual(inspectHouse(files), {
    ...{ functions: [], parameters: [], statuses: ['src/console/a.ts'] },
    ...{ backends: ['src/cli/a.ts'], words: ['src/owner/a.ts'] },
  })
})

test('a cycle is found also where one import is of a type', () => {
  const files = [
    source('src/base/model/a.ts', "import { b } from './b.ts'"),
    source('src/base/model/b.ts', "import type { A } from './a.ts'"),
    source('src/base/model/c.ts', "import { b } from './b.ts'"),
  ]
  assert.deepEqual(inspectGraph(files).cycles, ['src/base/model/a.ts → src/base/model/b.ts'])
})

test('an import of a higher layer is an arrow up, over several lines too', () => {
  const files = [
    source('src/store/a.ts', "import {\n  type B,\n  b,\n} from '../operations/b.ts'"),
    source('src/operations/b.ts', 'export const b = 1\nexport type B = number'),
    source('src/base/errors.ts', "import { b } from '../operations/b.ts'"),
  ]
  assert.deepEqual(inspectGraph(files).up, [
    'src/store/a.ts → src/operations/b.ts',
    'src/base/errors.ts → src/operations/b.ts',
  ])
})

test('pages and SQL files are among the texts whose width counts', () => {
  const paths = readTexts(ROOT).map(({ path }) => path)
  for (const path of ['README.md', 'docs/import.md', 'docs/decisions/ledger.md', '.ci/run'])
    assert.ok(paths.includes(path), path)
  assert.ok(paths.some((path) => path.endsWith('.sql')))
})

test('prose and headings of a page count; tables, fenced blocks and lone links do not', () => {
  const long = 'word '.repeat(21).trim()
  const page = [long, `# ${long}`, `| ${long} |`, '```', long, '```', `- ${'x'.repeat(101)}`, long]
  assert.deepEqual(findWide({ path: 'docs/a.md', lines: page }), [
    'docs/a.md:1: 104',
    'docs/a.md:2: 106',
    'docs/a.md:8: 104',
  ])
})

test('long files, wide lines, full folders and unused exports are found', () => {
  const many = Array.from({ length: 21 }, (_, at) => source(`src/base/model/f${at}.ts`, ''))
  const found = inspectGraph([
    ...many,
    source('src/regions/a.ts', `${'\n'.repeat(300)}// ${'x'.repeat(98)}`),
    source('src/regions/b.ts', 'export const used = 1\nexport const idle = 2'),
    source('test/b.ts', "import { used } from '../src/regions/b.ts'"),
  ])
  assert.deepEqual(found, {
    cycles: [],
    up: [],
    folders: ['src/base/model: 21'],
    long: ['src/regions/a.ts: 301'],
    wide: ['src/regions/a.ts:301: 101'],
    unused: ['src/regions/b.ts: idle'],
  })
})

function source(path: string, text: string): SourceFile {
  return readSource(path, text)
}
