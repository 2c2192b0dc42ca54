import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRecord } from './record-words.ts'

const CASES: [record: Record<string, unknown>, term: string, text: string][] = [
  [{ totalBedrooms: 1, totalBathrooms: 1 }, 'Building', '1 bedroom, 1 bathroom'],
  [{ totalBedrooms: 3, totalBathrooms: 1.5 }, 'Building', '3 bedrooms, 1.5 bathrooms'],
  [{ totalBedrooms: 0, livingArea: 900 }, 'Building', '900 sq ft'],
  [{ acres: 1 }, 'Land', '1 acre'],
  [{ acres: 1, calculatedAcres: 1.25 }, 'Land', '1 acre'],
  [{ acres: null, calculatedAcres: 1.25 }, 'Land', '1.25 acres'],
  [{ acres: 0.25, frontage: 60, depthSize: 120 }, 'Land', '0.25 acres, 60 × 120 ft'],
]

for (const [record, term, text] of CASES) {
  test(`${JSON.stringify(record)} is ${text}`, () => {
    assert.equal(new Map(describeRecord(record).facts).get(term), text)
  })
}
