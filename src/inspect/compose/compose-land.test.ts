import assert from 'node:assert/strict'
import test from 'node:test'
import { CUTS } from './compose-land.ts'

const [BLOCK, LOT] = CUTS.map(({ cut }) => new RegExp(cut, 'iu')) as [RegExp, RegExp]

test('a lot is cut out of a legal text that names one', () => {
  for (const [text, lot, block] of [
    ['OAK HILL ADD LOT 8 BLK 3', '8', '3'],
    ['LT 12 BLK 4 OAK', '12', '4'],
    ['LOT: 12 BLK: 3', '12', '3'],
    ['LOT #12', '12'],
    ['LOT NO 12', '12'],
    ['LOT 12. BLOCK 3.', '12', '3'],
    ['LOT 12A', '12A'],
    ['LOT A OAK HILL', 'A'],
    ['LOT AA OAK HILL', 'AA'],
    ['A LOT OF LAND, LOT 5', '5'],
    ['LOT 4 LESS N 10FT', '4'],
    ['N 50 FT LOT 4 BLK 2', '4', '2'],
    ['W 1/2 LOT 4', '4'],
    ['LOT 4 BLK 1-2', '4', undefined],
    ['BLK 1 & 2 LOT 4', '4', undefined],
    ['LOT 5 TO BE KNOWN AS TRACT 2', '5'],
  ] as const) {
    assert.equal(LOT.exec(text)?.[1], lot, text)
    assert.equal(BLOCK.exec(text)?.[1], block, text)
  }
})

test('no lot is cut out of a legal text that names several, or none', () => {
  for (const text of [
    'OAK HILL LOT 8&9 BLK 3',
    'LOTS 4 AND 5 BLK 2',
    'LOT 3-6 BLK 2',
    'LOT 3 - 6',
    'LOT 3 THRU 6',
    'LOT 5 TO 9',
    'LOT 5 + 6',
    'LOT 1, 2, 3',
    'LOTS 1 2 3 BLK 4',
    'LOT 1/2',
    'LOT A & B',
    'LOT 4, PT LOT 5',
    'LOT 4 & PT OF LOT 5',
    'LOT A AND PART OF LOT B',
    'ALL LOT 4 ALL LOT 5',
    'LOT 4 W/2 LOT 5',
    'E/2 OF LOT 4 & W/2 OF LOT 5',
    'PARKING LOT',
    'LOT SPLIT 4',
    'LOT LINE ADJUSTMENT',
    'LOT OF LAND',
    'LOT IN BLOCK 5',
    'LOT SE COR OF SECTION 5',
    'THE LOT IS SOLD',
    'LOT AB & LOT 5',
  ]) {
    assert.equal(LOT.exec(text)?.[1], undefined, text)
  }
})
