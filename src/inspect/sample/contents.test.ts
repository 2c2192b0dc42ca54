import assert from 'node:assert/strict'
import test from 'node:test'
import { findSentinels } from './contents.ts'

/** Numbers of a column, and which of them mean unknown. */
const CASES: [numbers: number[], sentinels: number[]][] = [
  [[-1, -1, 40, 60, 85], [-1]],
  [[-9999, -9999, 0.5, 1.2, 40], [-9999]],
  [[99, 99, 1, 2, 3], [99]],
  [[9999, 9999, 1987, 2001, 1920], [9999]],
  [[999999999, 999999999, 125_000, 90_000], [999999999]],
  [
    [-1, -1, -99, -99, 12, 40],
    [-1, -99],
  ],
  // Near misses: degrees, credits, one real value, nines among others of their size, nothing else.
  [[-96.7, -96.8, -96.9, -96.6], []],
  [[-5, -5, -12, -12, -30, -30, 200, 400], []],
  [[99, 1, 2, 3], []],
  [[99, 99, 120, 85, 60], []],
  [[-1, -1, -1], []],
  [[99, 99, 99], []],
]

for (const [numbers, sentinels] of CASES) {
  test(`of ${numbers.join(', ')} ${sentinels.join(', ') || 'nothing'} means unknown`, () => {
    assert.deepEqual(findSentinels(numbers), sentinels)
  })
}
