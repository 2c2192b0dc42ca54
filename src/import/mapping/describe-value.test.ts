import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeValue } from './describe-value.ts'
import type { Value } from './mapping.ts'

const CASES: [Value, string][] = [
  ['OWNER', 'OWNER'],
  [{ column: ['OWNER', 'OWN1'] }, 'OWNER or OWN1'],
  [{ join: ['NO', 'STREET'] }, 'NO and STREET, joined by a blank'],
  [{ join: ['A', 'B', 'C'], with: '-', all: true }, 'A, B and C, joined by "-", if all are known'],
  [
    { first: ['A', { column: 'B', nulls: ['0'] }] },
    'the first known of A and (B; unknown where it is "0")',
  ],
  [{ sum: ['LAND', 'BLDG'] }, 'the sum of LAND and BLDG'],
  [{ constant: 'market' }, 'always "market"'],
  [{ file: true }, 'the name of the file'],
  [{ column: 'A', when: 'B' }, 'A; only where B is known'],
  [{ column: 'A', cut: '^\\d+' }, 'A; what /^\\d+/ finds'],
  [{ column: 'A', replace: [{ pattern: 'X', with: '' }] }, 'A; /X/ becomes ""'],
  [{ column: 'A', codes: { Y: true, N: null } }, 'A; Y is true, N is unknown'],
  [
    { column: 'A', cases: [{ pattern: '^1', gives: 'one' }], otherwise: null },
    'A; /^1/ is "one"; else unknown',
  ],
  [
    { column: 'A', codes: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 } },
    'A; by a table of 7 codes',
  ],
  [{ column: 'A', times: 1000 }, 'A; times 1000'],
  [{ column: 'A', date: 'YYYYMMDD' }, 'A; a date as YYYYMMDD'],
  [{ column: 'A', unit: 'acres' }, 'A; in acres'],
]

for (const [value, words] of CASES) {
  test(`describes ${JSON.stringify(value)}`, () => assert.equal(describeValue(value), words))
}
