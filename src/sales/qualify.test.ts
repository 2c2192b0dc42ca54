import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findLogRange, flagTransfer, logPricePerSqFt, type RecordedTransfer } from './qualify.ts'
import type { PricedSale } from './sale.ts'

const PLAIN: RecordedTransfer = {
  price: 250_000,
  documentType: 'WARRANTY DEED',
  saleCode: null,
  sellerSurnames: new Set(['OAKLEY']),
  buyerSurnames: new Set(['ROE']),
  parcels: 1,
}

describe('flagTransfer', () => {
  const cases: [string, Partial<RecordedTransfer>, string[]][] = [
    ['a plain sale has none', {}, []],
    [
      'a quitclaim deed alone has none: Massachusetts sells by them',
      { documentType: 'QUITCLAIM' },
      [],
    ],
    ['999 dollars', { price: 999 }, ['price']],
    ['1,000 dollars', { price: 1000 }, []],
    ['two parcels by one deed', { parcels: 2 }, ['several-parcels']],
    ['a correction deed', { documentType: 'CORRECTIVE DEED' }, ['deed']],
    ['a gift', { documentType: 'Gift Deed' }, ['deed']],
    ['a code of the roll in words', { saleCode: 'FAMILY SALE' }, ['deed']],
    ['a street called Corrected does not matter here', { documentType: null }, []],
    ['buyer and seller of one surname', { buyerSurnames: new Set(['ROE', 'OAKLEY']) }, ['family']],
    ['unknown sellers', { sellerSurnames: new Set() }, []],
    [
      'all at once',
      { price: 1, parcels: 3, saleCode: 'NOMINAL' },
      ['price', 'several-parcels', 'deed'],
    ],
  ]
  for (const [name, change, flags] of cases) {
    test(name, () => assert.deepEqual(flagTransfer({ ...PLAIN, ...change }), flags))
  }
})

describe('findLogRange', () => {
  const sale = (price: number, id: number): PricedSale => ({
    id,
    day: 20_000,
    price,
    areaSqFt: 1000,
    point: [0, 0],
    bedrooms: null,
    bathrooms: null,
    yearBuilt: null,
    kind: 'house',
  })

  test('leaves ordinary prices in and a tenth and ten times of them out', () => {
    const sales = Array.from({ length: 100 }, (_, at) => sale(200_000 + at * 1000, at))
    const { low, high } = findLogRange([...sales, sale(20_000, 100), sale(2_500_000, 101)])
    const isIn = (price: number) => {
      const log = logPricePerSqFt(sale(price, 0))
      return log >= low && log <= high
    }
    assert.deepEqual([200_000, 299_000, 20_000, 2_500_000].map(isIn), [true, true, false, false])
  })

  test('no outlier is reported among fewer than twenty sales', () => {
    const { low, high } = findLogRange([sale(1000, 1), sale(1_000_000, 2)])
    assert.deepEqual([low, high], [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  })
})
