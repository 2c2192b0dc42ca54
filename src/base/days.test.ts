import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf } from './days.ts'

for (const [text, day] of [
  ['1970-01-01', 0],
  ['2024-02-29', 19782],
  ['1969-12-31', -1],
  // Near misses.
  ['2020-02-31', undefined],
  ['2023-02-29', undefined],
  ['2020-13-01', undefined],
  ['2020-1-1', undefined],
  ['2020-01-01T00:00:00Z', undefined],
  ['', undefined],
] as const) {
  test(`"${text}" is ${day === undefined ? 'no day' : `day ${day}`}`, () => {
    assert.equal(dayOf(text), day)
  })
}
