import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_COLUMNS } from './columns.ts'
import { generateSample } from './generate.ts'

const OPTIONS = { parcels: 2000, seed: 4, salesEnd: '2026-11-06' }
const at = (row: string[], column: string) => row[SAMPLE_COLUMNS.indexOf(column)] as string
const rows = [...generateSample(OPTIONS)]
const pairs = [...generateSample({ ...OPTIONS, earlier: true })].map((before, place) => ({
  before,
  now: rows[rows.length - 700 + place] as string[],
}))

test('the roll of the year before has the largest county, with each parcel where it was', () => {
  assert.equal(pairs.length, 700)
  for (const { before, now } of pairs) {
    for (const column of ['state', 'county', 'parcelId', 'address', 'geometry'] as const)
      assert.equal(at(before, column), at(now, column))
    assert.equal(at(before, 'sourceRollYear'), '2024')
  }
})

test('what was sold since belonged to the seller, and nothing is known of the sale', () => {
  const sold = pairs.filter(({ now }) => at(now, 'transferDate') > '20240101')
  assert.ok(sold.length > 20)
  for (const { before, now } of sold) {
    assert.equal(at(before, 'ownerName1'), at(now, 'grantor'))
    assert.equal(at(before, 'transferDate') + at(before, 'grantee'), '')
  }
})

test('no value is higher than a year later, parts add up, and a new house was vacant land', () => {
  for (const { before, now } of pairs) {
    const [land, building, total] = (
      ['totalLandValue', 'totalBuildingValue', 'totalMarketValue'] as const
    ).map((column) => Number(at(before, column))) as [number, number, number]
    assert.equal(land + building, total)
    assert.ok(total <= Number(at(now, 'totalMarketValue')))
    if (at(now, 'yearBuilt') === '2024') assert.equal(at(before, 'yearBuilt') + building, '0')
  }
})
