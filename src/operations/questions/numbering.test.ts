import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Numbering, NumberTable } from './numbering.ts'

test('a table of numbers holds what a Map does', () => {
  const [table, map] = [new NumberTable(), new Map<number, number>()]
  for (let at = 0; at < 50_000; at += 1) {
    const key = at % 3 === 0 ? at * 2 ** 20 : at % 3 === 1 ? -at : (at * 7919) % 1000
    table.set(key, at)
    map.set(key, at)
  }
  for (const [key, value] of map) assert.equal(table.get(key), value, String(key))
  for (const key of [0.5, 2 ** 46 + 1, -0.25]) assert.equal(table.get(key), undefined)
})

test('each key has one number, and numbers and their texts differ', () => {
  const numbering = new Numbering()
  const keys = [5, '5', null, 'null', 5, '', 0, null]
  assert.deepEqual(
    keys.map((key) => numbering.of(key)),
    [0, 1, 2, 3, 0, 4, 5, 2],
  )
  assert.equal(numbering.size, 6)
})
