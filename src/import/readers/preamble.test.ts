import assert from 'node:assert/strict'
import test from 'node:test'
import { joinHeader } from './preamble.ts'

const GROUPS = ['Parcel', '', 'Owner', '', '', 'Situs', '', 'Values', '']
const PARTS = ['ID', 'Alt', 'Name', 'City', 'Zip', 'No.', 'Street', 'Land', 'Total']
const ROW = ['01-2', '7', 'ROE ANN', 'TRENT', '53533', '12', 'ELM ST', '4,000', '9,000']

test('a name above several columns begins the name of each', () => {
  for (const [what, groups, parts, row, first] of [
    ['groups', GROUPS, PARTS, ROW, ['Parcel ID', 'Parcel Alt', 'Owner Name', 'Owner City']],
    ['short groups', GROUPS.slice(0, 8), PARTS, ROW, ['Parcel ID']],
    ['no group first', ['', ...GROUPS.slice(1)], PARTS, ROW, ['ID', 'Alt', 'Owner Name']],
    ['a blank part below a name', GROUPS, ['', ...PARTS.slice(1)], ROW, ['Parcel', 'Parcel Alt']],
    ['names in one line', [...GROUPS, 'Acres'], PARTS, [...ROW, '1'], ['Parcel ID', 'Parcel Alt']],
    ['one header line', PARTS, ROW, ROW, undefined],
    ['a row below blanks', GROUPS, ROW, ROW, undefined],
    ['a title', ['Roll', ...GROUPS.map(() => '').slice(1)], PARTS, ROW, undefined],
    ['texts below', GROUPS, PARTS, ROW.map(() => 'A'), undefined],
    ['few blanks', ['A', 'B', '', 'D', 'E', 'F', 'G', 'H', 'I'], PARTS, ROW, undefined],
    ['a row without numbers', GROUPS, ['A', 'B', 'C', 'D', '', 'E', 'F', '', ''], ROW, undefined],
    ['a row that repeats', GROUPS, ['A', 'B', 'C', 'TRENT', 'E', 'F', 'G', 'H'], ROW, undefined],
    ['a hole in both lines', GROUPS, ['ID', '', ...PARTS.slice(2)], ROW, undefined],
  ] as const) {
    const names = joinHeader([groups, parts, row, row].map((one) => [...one]))
    assert.deepEqual(first && names?.slice(0, first.length), first, what)
    assert.equal(names?.length, first && Math.max(groups.length, parts.length), what)
  }
})
