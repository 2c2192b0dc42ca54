import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankParcel } from '../../record/parcel.ts'
import { fillSite } from './owner-and-site.ts'

const LINES: [string, string | null, number][] = [
  ['1-Mar HARLOW ST', 'HARLOW ST', 1],
  ['12-Jan', null, 1],
  ['Mar-05 HARLOW ST', 'HARLOW ST', 1],
  ['2025-03-01 HARLOW ST', 'HARLOW ST', 1],
  ['3/1/2025 HARLOW ST', 'HARLOW ST', 1],
  // Near misses: months and days in names of streets, ranges, capitals.
  ['1-3 HARLOW ST', '1-3 HARLOW ST', 0],
  ['12 MAR VISTA DR', '12 MAR VISTA DR', 0],
  ['1-MAR HARLOW ST', '1-MAR HARLOW ST', 0],
  ['9 Mar-Lyn Ct', '9 MAR-LYN CT', 0],
  ['2025 HARLOW ST', '2025 HARLOW ST', 0],
]

for (const [text, line, count] of LINES) {
  test(`the line ${text} is ${line}, with ${count} number lost to a spreadsheet`, () => {
    for (const field of ['address', 'addressFull']) {
      const lost: string[] = []
      const get = (name: string) => (name === field ? text : null)
      const found = fillSite(blankParcel('1', 31109), get, 'NE', (_, part) => lost.push(part))
      assert.deepEqual([found.line, lost.length], [line, count], field)
    }
  })
}
