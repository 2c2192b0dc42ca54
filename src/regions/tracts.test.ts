import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTract } from './tracts.ts'

const CASES: readonly [recorded: string, fips: number, tract: string | null][] = [
  ['31109000201', 31109, '311090002.01'],
  ['311090002.01', 31109, '311090002.01'],
  ['31-109-0002.01', 31109, null],
  ['133219504004086', 13321, '133219504.004086'],
  ['133219504.004086', 13321, '133219504.004086'],
  ['133219504001', 13321, '133219504.00'],
  ['0016.03', 55025, '550250016.03'],
  ['16.03', 55025, '550250016.03'],
  ['Census Tract 16.03', 55025, '550250016.03'],
  ['CT 16', 55025, '550250016.00'],
  ['201', 31109, '311090201.00'],
  ['020100', 31109, '311090201.00'],
  ['20100', 31109, '311090201.00'],
  ['37016600', 47037, '470370166.00'],
  ['6037123400', 6037, '060371234.00'],
  ['06037-1234.00', 6037, null],
  ['1000201', 36061, '360610002.01'],
  ['1000201', 36047, null],
  ['31111000201', 31109, null],
  ['16.3', 55025, null],
  ['0', 55025, null],
  ['000000', 55025, null],
  ['NORTH', 55025, null],
  ['16A', 55025, null],
  ['', 55025, null],
]

test('a recorded tract is completed by state and county, or is null', () => {
  for (const [recorded, fips, tract] of CASES) {
    assert.equal(readTract(recorded, fips), tract, `${recorded} in ${fips}`)
  }
})
