import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NumberSet, NumberTable } from './number-table.ts'

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

test('a set of numbers knows those that were added', () => {
  const [set, known] = [new NumberSet(), new Set<number>()]
  for (let at = 0; at < 50_000; at += 1) {
    const key = at % 3 === 0 ? at * 2 ** 20 : at % 3 === 1 ? -at : (at * 7919) % 1000
    assert.equal(set.hasOrAdd(key), known.has(key), String(key))
    known.add(key)
  }
})

test('no two tables or sets share a number', () => {
  for (let key = 0; key < 1000; key += 1) {
    new NumberTable().set(key, 1)
    new NumberSet().hasOrAdd(key)
    assert.equal(new NumberTable().get(key), undefined)
    assert.equal(new NumberSet().hasOrAdd(key), false, String(key))
  }
})
