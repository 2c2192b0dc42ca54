import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseShape } from './choose-shape.ts'

const CASES: [string, (number | null)[], number | null, number][] = [
  ['no polygon', [null, null], 1, -1],
  ['the only one', [null, 2], null, 1],
  ['the largest without a recorded area', [1, 3, 2], null, 1],
  ['the nearest to the recorded area', [1, 3, 2], 1.9, 2],
  ['the first of equal ones', [2, 2], 5, 0],
  ['a remnant never beats another', [0.0001, 40], 0.0002, 1],
  ['a remnant alone stays', [0.0001, null], 1, 0],
]

for (const [what, areas, recorded, expected] of CASES) {
  test(`chooses ${what}`, () => assert.equal(chooseShape(areas, recorded), expected))
}
