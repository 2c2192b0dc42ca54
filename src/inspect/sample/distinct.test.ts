import assert from 'node:assert/strict'
import test from 'node:test'
import { Distinct } from './distinct.ts'

function count(size: number, repeats: number): number {
  const set = new Distinct()
  for (let round = 0; round < repeats; round += 1) {
    for (let at = 0; at < size; at += 1) set.add(`26-0${at % 7}-${at}`)
  }
  return set.count()
}

test('few distinct texts are counted exactly', () => {
  assert.equal(count(0, 1), 0)
  assert.equal(count(256, 3), 256)
})

test('many are counted within half a percent, however often each comes', () => {
  for (const size of [257, 5000, 200_000, 1_000_000]) {
    const found = count(size, size < 10_000 ? 4 : 1)
    assert.ok(Math.abs(found - size) <= Math.max(1, size * 0.005), `${found} of ${size}`)
  }
})
