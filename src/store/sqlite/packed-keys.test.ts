import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/any-character.ts'
import { repetitions } from '../../../test/repetitions.ts'
import type { EncodedKeys } from '../parcel-keys.ts'
import { defineKeys, packKeys, unpackKeys } from './packed-keys.ts'

const NONE: EncodedKeys = { i: [], s: [], a: [], h: [], w: [] }

function pack(keys: Partial<EncodedKeys>): string {
  const all = { ...NONE, ...keys }
  return packKeys(JSON.stringify(all), all)
}

test('keys are packed into lines without what follows from other lines', () => {
  const tables: [Partial<EncodedKeys>, string][] = [
    [{}, ''],
    [{ i: ['12-34', '5'] }, 'i12-34\ni5\n'],
    [{ s: [['12||MAIN|ST|', '12|MAIN', '']] }, 's12||MAIN|ST|\tMAIN\n'],
    [{ s: [['12||MAIN|ST|', '12|MAIN', '4']] }, 's12||MAIN|ST|\tMAIN\t4\n'],
    [
      {
        s: [['1-3||OAK||', '1-3|OAK', '2']],
        a: [['3||OAK||', 1, '1-3||OAK||', '2']],
      },
      's1-3||OAK||\tOAK\t2\na103||OAK||\n',
    ],
    [
      {
        h: [
          [1, 0, 'DOE', 'JANE / JOHN'],
          [2, 1, 'ACME', ''],
        ],
        w: ['DOE', 'JANE', 'AND', 'JOHN', 'TR']
          .map((word): [number, string] => [1, word])
          .concat([[2, 'ACME']]),
      },
      '0DOE\tJANE / JOHN\n3ACME\n+1TR\n',
    ],
    [
      {
        h: [[1, 1, 'DOE', 'TRUST']],
        w: [
          [1, 'THE'],
          [1, 'DOE'],
        ],
      },
      '1DOE\tTRUST\n-1THE DOE\n',
    ],
    [{ h: [[2, 0, 'DOE', '']] }, '2DOE\n-2\n'],
  ]
  for (const [keys, packed] of tables) {
    assert.equal(pack(keys), packed)
    assert.equal(unpackKeys(packed), JSON.stringify({ ...NONE, ...keys }))
  }
})

test('keys that do not fit stay as they are', () => {
  const tables: Partial<EncodedKeys>[] = [
    { i: ['1\t2'] },
    { i: ['1\n2'] },
    { h: [[1, 0, 'D\u0001E', '']] },
    { s: [['12||MAIN|ST|', '13|MAIN', '']] },
    { s: [['MAIN', 'MAIN', '']] },
    { a: [['3||OAK||', 1, '1-3||OAK||', '']] },
    { w: [[1, 'TWO WORDS']] },
    { w: [[1, '']] },
    {
      w: [
        [2, 'A'],
        [1, 'B'],
      ],
    },
  ]
  for (const keys of tables) assert.equal(pack(keys), JSON.stringify({ ...NONE, ...keys }))
})

const word = fc.constantFrom('DOE', 'JANE', '/', 'AND', 'TR', 'O"X', 'A\\B', 'É', '{', '+1', '')
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
const key = fc.oneof(
  fc.tuple(fc.constantFrom('1', '1-3', ''), text).map(([number, name]) => `${number}||${name}||`),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
)
const slot = fc.constantFrom(1, 2)
const keys = fc.record({
  i: fc.array(fc.oneof(text, fc.string()), { maxLength: 2 }),
  s: fc.array(
    fc
      .tuple(key, fc.boolean(), text, fc.constantFrom('', '4'))
      .map(([own, fits, stem, unit]): [string, string, string] => {
        return [own, fits ? own.slice(0, own.indexOf('|') + 1) + stem : stem, unit]
      }),
    { maxLength: 3 },
  ),
  h: fc.array(fc.tuple(slot, fc.constantFrom(0, 1), word, text), { maxLength: 3 }),
  w: fc.array(fc.tuple(slot, word), { maxLength: 5 }),
})

test('unpacking returns every text of keys, and SQL each list', () => {
  const db = new DatabaseSync(':memory:')
  defineKeys(db)
  const read = db.prepare('SELECT key_list(?, ?) AS list')
  fc.assert(
    fc.property(keys, fc.boolean(), (drawn, isOrdered) => {
      const w = isOrdered ? drawn.w.sort(([one], [other]) => one - other) : drawn.w
      const a = drawn.s.map(([own, , unit]): [string, number, string, string] => {
        return [own.slice(1), 1, own, unit]
      })
      const json = JSON.stringify({ i: drawn.i, s: drawn.s, a, h: drawn.h, w })
      const packed = packKeys(json, JSON.parse(json))
      assert.equal(unpackKeys(packed), json)
      for (const [name, list] of Object.entries(JSON.parse(json))) {
        assert.equal(read.get(packed, name)?.list, JSON.stringify(list))
      }
    }),
    { numRuns: repetitions(300) },
  )
})
