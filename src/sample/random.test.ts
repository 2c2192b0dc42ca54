import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random, Ranks, weighted } from './random.ts'

test('a stream depends on its seed and its name', () => {
  const first = (seed: number, name: string) => new Random(seed, name).next()
  assert.equal(first(1, 'a'), first(1, 'a'))
  const all = [first(1, 'a'), first(2, 'a'), first(1, 'b'), first(2 ** 40 + 1, 'a'), first(0, '')]
  assert.equal(new Set(all).size, all.length)
})

test('the numbers of a stream are the ones of every machine', () => {
  const random = new Random(1, 'pinned')
  assert.deepEqual(
    Array.from({ length: 4 }, () => random.next()),
    [3733057389, 2068443933, 585236065, 2852226105],
  )
})

test('numbers fill their range evenly', () => {
  const random = new Random(7, 'even')
  const drawn = Array.from({ length: 100_000 }, () => random.between(3, 5))
  assert.deepEqual([...new Set(drawn)].sort(), [3, 4, 5])
  const sums = [3, 4, 5].map((value) => drawn.filter((one) => one === value).length)
  for (const sum of sums) assert.ok(Math.abs(sum - 33_333) < 700, String(sums))
})

test('spread and factor keep their bounds', () => {
  const random = new Random(3, 'bounds')
  let below = 0
  for (let at = 0; at < 50_000; at++) {
    const spread = random.spread()
    assert.ok(spread >= -1 && spread <= 1)
    const factor = random.factor()
    assert.ok(factor >= 0.25 && factor <= 4)
    if (factor < 1) below++
  }
  assert.ok(Math.abs(below - 25_000) < 700)
})

test('ranks are drawn in proportion to 1 / (rank + flat)', () => {
  const random = new Random(5, 'ranks')
  const ranks = new Ranks(1000, 10)
  const counts = new Array<number>(1000).fill(0)
  for (let at = 0; at < 200_000; at++) {
    const rank = ranks.draw(random)
    counts[rank] = (counts[rank] ?? 0) + 1
  }
  const ratio = (counts[0] ?? 0) / (counts[90] ?? 1)
  assert.ok(ratio > 8 && ratio < 12.5, `first to 91st: ${ratio}`)
  assert.ok((counts[999] ?? 0) > 0)
})

test('weighted draws follow their weights', () => {
  const random = new Random(11, 'weights')
  const draw = weighted([
    ['a', 3],
    ['b', 1],
    ['never', 0],
  ])
  const counts: Record<string, number> = {}
  for (let at = 0; at < 40_000; at++) {
    const value = draw(random)
    counts[value] = (counts[value] ?? 0) + 1
  }
  assert.equal(counts.never, undefined)
  assert.ok(Math.abs((counts.a ?? 0) - 30_000) < 500)
})
