import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Numbering } from './numbering.ts'

test('each key has one number, and numbers and their texts differ', () => {
  const numbering = new Numbering()
  const keys = [5, '5', null, 'null', 5, '', 0, null]
  assert.deepEqual(
    keys.map((key) => numbering.of(key)),
    [0, 1, 2, 3, 0, 4, 5, 2],
  )
  assert.equal(numbering.size, 6)
})
