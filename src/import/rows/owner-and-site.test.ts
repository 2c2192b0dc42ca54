import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankParcel } from '../../record/parcel.ts'
import { fillOwner, fillSite } from './owner-and-site.ts'

const LINES: [string, string | null, number][] = [
  ['1-Mar HARLOW ST', 'HARLOW ST', 1],
  ['12-Jan', null, 1],
  ['Mar-05 HARLOW ST', 'HARLOW ST', 1],
  ['2025-03-01 HARLOW ST', 'HARLOW ST', 1],
  ['3/1/2025 HARLOW ST', 'HARLOW ST', 1],
  ['1.2E+5 HARLOW ST', 'HARLOW ST', 1],
  ['-1 HARLOW ST', 'HARLOW ST', 1],
  ['-9999', null, 1],
  // Near misses: dashes and letters, months and days in names of streets, ranges, capitals.
  ['1-3 HARLOW ST', '1-3 HARLOW ST', 0],
  ['-12A HARLOW ST', '-12A HARLOW ST', 0],
  ['- 12 HARLOW ST', '- 12 HARLOW ST', 0],
  ['12E HARLOW ST', '12E HARLOW ST', 0],
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
      const found = fillSite(blankParcel('1', 31109), get, 'NE', {
        unread: (_, part) => lost.push(part),
      })
      assert.deepEqual([found.line, lost.length], [line, count], field)
    }
  })
}

const CITIES: [string | null, string | null, string | null, string | null][] = [
  ['LINCOLN, NE', 'NE', 'LINCOLN', 'NE'],
  ['OMAHA NE 68102', 'NE', 'OMAHA', 'NE'],
  ['EAU CLAIRE WI', null, 'EAU CLAIRE', 'WI'],
  ['HARLOW, XX', 'XX', 'HARLOW, XX', null],
  // Near misses: another state, no such place, words that look like states.
  ['KANSAS CITY MO', 'KS', 'KANSAS CITY MO', 'KS'],
  ['HARLOWTOWN NE', 'NE', 'HARLOWTOWN NE', 'NE'],
  ['KANSAS CITY', 'KS', 'KANSAS CITY', 'KS'],
  ['IOWA CITY', 'IA', 'IOWA CITY', 'IA'],
  ['TORONTO', 'ON', 'TORONTO', 'ON'],
]

for (const [text, state, city, own] of CITIES) {
  test(`the city ${text} of the state ${state} is ${city}, ${own}`, () => {
    const parcel = { ...blankParcel('1', 31109), ownerCity: text, ownerState: state, city: text }
    fillOwner(
      parcel,
      () => null,
      () => {},
    )
    assert.deepEqual([parcel.ownerCity, parcel.ownerState], [city, own])
    if (state === null || own === null) return
    fillSite(parcel, () => null, state, { unread: () => {} })
    assert.equal(parcel.city, city)
  })
}
