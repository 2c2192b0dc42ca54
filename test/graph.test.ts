/** The source keeps to its layers: no cycle of imports, and no import that points up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectGraph, readProject, readSource, type SourceFile } from '../scripts/graph.ts'

const ROOT = new URL('..', import.meta.url).pathname

test('the project has no cycle of imports, no arrow up, no long file and no full folder', () => {
  const { cycles, up, folders, long } = inspectGraph(readProject(ROOT))
  assert.deepEqual({ cycles, up, folders, long }, { cycles: [], up: [], folders: [], long: [] })
})

test('a cycle is found also where one import is of a type', () => {
  const files = [
    source('src/model/a.ts', "import { b } from './b.ts'"),
    source('src/model/b.ts', "import type { A } from './a.ts'"),
    source('src/model/c.ts', "import { b } from './b.ts'"),
  ]
  assert.deepEqual(inspectGraph(files).cycles, ['src/model/a.ts → src/model/b.ts'])
})

test('an import of a higher layer is an arrow up, over several lines too', () => {
  const files = [
    source('src/store/a.ts', "import {\n  type B,\n  b,\n} from '../operations/b.ts'"),
    source('src/operations/b.ts', 'export const b = 1\nexport type B = number'),
    source('src/errors.ts', "import { b } from './operations/b.ts'"),
  ]
  assert.deepEqual(inspectGraph(files).up, [
    'src/store/a.ts → src/operations/b.ts',
    'src/errors.ts → src/operations/b.ts',
  ])
})

test('long files, wide lines, full folders and unused exports are told', () => {
  const many = Array.from({ length: 21 }, (_, at) => source(`src/model/f${at}.ts`, ''))
  const found = inspectGraph([
    ...many,
    source('src/place/a.ts', `${'\n'.repeat(300)}// ${'x'.repeat(98)}`),
    source('src/place/b.ts', 'export const used = 1\nexport const idle = 2'),
    source('test/b.ts', "import { used } from '../src/place/b.ts'"),
  ])
  assert.deepEqual(found, {
    cycles: [],
    up: [],
    folders: ['src/model: 21'],
    long: ['src/place/a.ts: 301'],
    wide: ['src/place/a.ts:301: 101'],
    unused: ['src/place/b.ts: idle'],
  })
})

function source(path: string, text: string): SourceFile {
  return readSource(path, text)
}
