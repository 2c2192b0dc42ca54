import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../..')

/** The files that a file imports at run time, with those that they import. */
function reach(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const text = readFileSync(path, 'utf8')
  for (const [, type, from = ''] of text.matchAll(
    /^(?:import|export)( type)? [^'"]*'(\.[^']+\.ts)'$/gm,
  )) {
    if (type === undefined) reach(join(dirname(path), from), found)
  }
  return found
}

test('the digest covers every folder whose code turns a row into a stored parcel', () => {
  const text = readFileSync(join(import.meta.dirname, 'context.ts'), 'utf8')
  const covered = new Set(/const FOLDERS = \[([^\]]*)/.exec(text)?.[1]?.match(/\w+/g))
  const reached = [...reach(join(SRC, 'import/threads/batch.ts'))].map(
    (path) => relative(SRC, path).split('/')[0] ?? '',
  )
  assert.ok(covered.size > 5 && reached.length > 50)
  assert.deepEqual(
    [...new Set(reached)].filter((folder) => !covered.has(folder)),
    [],
  )
})
