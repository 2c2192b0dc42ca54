import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { backtestSales, COVERAGE, estimateValue } from './estimate.ts'
import { median, quantile, type Sale } from './sale.ts'
import { compareSale, mayReach, PARTS } from './similarity.ts'

const TODAY = 20_000

const SUBJECT: Sale = {
  id: 1,
  day: TODAY,
  price: 200_000,
  point: [-96.7, 40.8],
  areaSqFt: 1500,
  bedrooms: 3,
  bathrooms: 2,
  yearBuilt: 1990,
  kind: 'house',
}

describe('compareSale', () => {
  test('the weights add up to 1, and an equal property sold today is 1', () => {
    const weights = Object.values(PARTS).map(({ weight }) => weight)
    assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9)
    assert.ok(Math.abs(compareSale(SUBJECT, SUBJECT, TODAY).similarity - 1) < 1e-9)
  })

  test('each part falls with its difference and halves at the value of the table', () => {
    const half = compareSale(SUBJECT, { ...SUBJECT, yearBuilt: 1990 + PARTS.yearBuilt.half }, TODAY)
    assert.ok(Math.abs(half.parts.yearBuilt - 0.5) < 1e-9)
    const far = compareSale(SUBJECT, { ...SUBJECT, point: [-96.6, 40.8] }, TODAY)
    assert.ok(far.parts.distance < 0.01 && far.similarity < 0.8)
  })

  test('a missing value counts neither for nor against, and its difference is null', () => {
    const { parts, differences } = compareSale(SUBJECT, { ...SUBJECT, bedrooms: null }, TODAY)
    assert.equal(parts.bedrooms, 0.5)
    assert.equal(differences.bedrooms, null)
  })
})

describe('estimateValue', () => {
  test('equal houses give their price, and a larger subject more but not in proportion', () => {
    const sales = [2, 3, 4].map((id) => ({ ...SUBJECT, id }))
    assert.equal(estimateValue(SUBJECT, sales, TODAY)?.value, 200_000)
    const larger = estimateValue({ ...SUBJECT, areaSqFt: 3000 }, sales, TODAY)
    assert.ok(larger !== undefined && larger.value > 300_000 && larger.value < 400_000)
  })

  test('reads the sixteen most similar of many, in any order of the list', () => {
    const near = Array.from({ length: 16 }, (_, at) => ({ ...SUBJECT, id: 2 + at }))
    const less = Array.from({ length: 200 }, (_, at) => ({
      ...{ ...SUBJECT, id: 100 + at, price: 900_000 },
      yearBuilt: 1950 - (at % 50),
    }))
    for (const sales of [
      [...near, ...less],
      [...less, ...near],
    ]) {
      assert.equal(estimateValue(SUBJECT, sales, TODAY)?.value, 200_000)
    }
    const equal = less.map((sale) => ({ ...SUBJECT, id: sale.id - 98, price: sale.id }))
    const first = estimateValue(SUBJECT, equal.slice(0, 16), TODAY)
    assert.deepEqual(estimateValue(SUBJECT, equal.toReversed(), TODAY), first)
  })

  test('is not made from two sales, from another kind, or without an area', () => {
    const sales = [2, 3, 4].map((id) => ({ ...SUBJECT, id }))
    assert.equal(estimateValue(SUBJECT, sales.slice(1), TODAY), undefined)
    assert.equal(estimateValue({ ...SUBJECT, kind: 'condo' }, sales, TODAY), undefined)
    assert.equal(estimateValue({ ...SUBJECT, areaSqFt: null }, sales, TODAY), undefined)
  })
})

describe('mayReach', () => {
  test('rules out no sale whose similarity is as high, and most of those far below', () => {
    const known = (values: fc.Arbitrary<number>) => fc.option(values, { freq: 5 })
    const place = (from: number) => fc.double({ min: from, max: from + 0.05, noNaN: true })
    const sales = fc.record<Sale>({
      id: fc.integer({ min: 1, max: 99 }),
      day: fc.integer({ min: TODAY - 800, max: TODAY }),
      price: fc.constant(1),
      point: fc.tuple(place(-96.7), place(40.8)),
      areaSqFt: known(fc.integer({ min: 1, max: 4000 })),
      bedrooms: known(fc.integer({ min: 0, max: 6 })),
      bathrooms: known(fc.integer({ min: 0, max: 4 })),
      yearBuilt: known(fc.integer({ min: 1900, max: 2026 })),
      kind: fc.constant('house'),
    })
    fc.assert(
      fc.property(sales, sales, (subject, sale) => {
        assert.ok(mayReach(subject, sale, TODAY, compareSale(subject, sale, TODAY).similarity))
      }),
    )
    const other = { ...SUBJECT, areaSqFt: 200, yearBuilt: 1890 }
    assert.ok(!mayReach(SUBJECT, other, TODAY, 0.9))
    assert.ok(!mayReach(SUBJECT, { ...SUBJECT, point: [-96.7, 40.85] }, TODAY, 0.9))
  })
})

describe('backtestSales', () => {
  const county = (count: number, noise: number) => {
    const random = makeRandom(7)
    return Array.from({ length: count }, (_, id): Sale => {
      const areaSqFt = 900 + Math.floor(random() * 2000)
      const swing = Math.exp(noise * (random() + random() + random() - 1.5) * 2)
      return {
        ...SUBJECT,
        id,
        day: TODAY - Math.floor(random() * 700),
        areaSqFt,
        price: Math.round(2000 * areaSqFt ** 0.7 * swing),
        point: [-96.7 + random() / 20, 40.8 + random() / 20],
      }
    })
  }

  test('the measured range contains about the intended share', () => {
    const backtest = backtestSales(county(1500, 0.3), 1000)
    assert.ok(backtest !== undefined)
    assert.ok(Math.abs(backtest.coverage - COVERAGE) < 0.06, String(backtest.coverage))
    assert.ok(backtest.low < 1 && backtest.high > 1)
  })

  test('noisier prices give larger errors and a wider range', () => {
    const [calm, wild] = [
      backtestSales(county(900, 0.1), 600),
      backtestSales(county(900, 0.5), 600),
    ]
    assert.ok(calm !== undefined && wild !== undefined)
    assert.ok(calm.medianError < wild.medianError)
    assert.ok(calm.high / calm.low < wild.high / wild.low)
    assert.ok(calm.within20Percent > wild.within20Percent)
  })

  test('fewer than 200 predictions give no range', () => {
    assert.equal(backtestSales(county(150, 0.1), 1000), undefined)
  })
})

test('quantiles lie between the least and the greatest value, and the median halves', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
  assert.equal(median([]), undefined)
  const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 })
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const value = quantile(list, share) as number
      assert.ok(value >= Math.min(...list) && value <= Math.max(...list))
    }),
  )
})

/** Reproducible numbers from 0 to 1. Source: mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
