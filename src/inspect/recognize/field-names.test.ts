import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { readName } from './name-words.ts'
import { bestField } from './score.ts'

const CASES = readFileSync(new URL('cases/column-names.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [field = '', names = ''] = line.split(': ')
    return [...names.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => ({
      field,
      name: quoted ?? plain ?? '',
    }))
  })

/**
 * Share of column names that must be recognized by the name alone; the others also need their
 * values.
 */
const TOLD = 0.97

test('names of columns give their field without the values', () => {
  const wrong = CASES.flatMap(({ field, name }) => {
    const found = bestField(name)
    return found === field ? [] : [`${name}: ${found ?? 'nothing'}, not ${field}`]
  })
  const share = 1 - wrong.length / CASES.length
  assert.ok(share >= TOLD, `${wrong.length} of ${CASES.length} are wrong:\n${wrong.join('\n')}`)
})

test('a name is read alike in whatever way its words are joined', () => {
  for (const name of [
    'OwnerName1',
    'OWNERNAME1',
    'OWNER_NAME_1',
    'owner name 1',
    'OWNERNME1',
    'own.OWNER_NAME1',
  ]) {
    assert.deepEqual(
      readName(name)
        .words.join(' ')
        .replace(/^owner$/, 'owner name'),
      'owner name',
      name,
    )
    assert.equal(readName(name).ordinal, 1, name)
  }
})

test('a name as long as a page is not read, and one of a line is', () => {
  for (const name of ['OWNER'.repeat(8000), `${'a'.repeat(40_000)}_OWNER`, '#'.repeat(100_000)])
    assert.deepEqual(readName(name), { words: [], ordinal: 0 })
  assert.deepEqual(readName(`${'OWNER_'.repeat(30)}NAME`).words.at(-1), 'name')
})
