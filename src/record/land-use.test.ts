import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LAND_USES, readLandUse } from './land-use.ts'

const CASES: [string, string | null][] = [
  ['SINGLE FAMILY RESIDENCE', '1001'],
  ['Single Family', '1001'],
  ['1 FAMILY DWELLING', '1001'],
  ['RESIDENTIAL CONDOMINIUM', '1003'],
  ['OFFICE CONDO', '2090'],
  ['TWO-FAMILY DWELLING', '1011'],
  ['DUPLEX', '1011'],
  ['3 FAMILY', '1012'],
  ['2-4 UNIT', '1010'],
  ['One & Two Family Buildings', '1000'],
  ['Multi-Family Walk-Up Buildings', '1020'],
  ['APARTMENTS 5-9 UNITS', '1020'],
  ['Mixed Residential & Commercial Buildings', '2080'],
  ['MOBILE HOME PARK', '1031'],
  ['MOBILE HOME', '1030'],
  ['RESIDENTIAL VACANT LAND', '5010'],
  ['VACANT COMMERCIAL', '5020'],
  ['VACANT LAND', '5000'],
  ['RETAIL STORE', '2010'],
  ['COMMERCIAL', '2000'],
  ['Parking Facilities', '2060'],
  ['WAREHOUSE', '3020'],
  ['PASTURE', '4000'],
  ['CHURCH', '6030'],
  ['STATE OWNED', '6010'],
  ['EXEMPT', '6000'],
  ['RESIDENTIAL', '1000'],
  ['CODE 17', null],
  ['', null],
]

test('a roll’s own words give a common code', () => {
  for (const [text, code] of CASES) assert.equal(readLandUse(null, text), code, text)
})

test('what the mapping gives wins: a code of the table, or words', () => {
  assert.equal(readLandUse('1003', 'SINGLE FAMILY'), '1003')
  assert.equal(readLandUse('Duplex', 'SINGLE FAMILY'), '1011')
  assert.equal(readLandUse('9999', 'SINGLE FAMILY'), '1001')
})

test('every code that words give is in the table', () => {
  for (const [text] of CASES) {
    const code = readLandUse(null, text)
    assert.ok(code === null || code in LAND_USES, text)
  }
})
