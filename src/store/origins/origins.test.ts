import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeOrigins, encodeOrigins, type ParcelOrigin } from './origins.ts'

const row = (line: number, part = 0) => ({ part, line, partners: [] })

const CASES: [name: string, block: number, parcels: ParcelOrigin[]][] = [
  ['no parcel', 0, []],
  ['the first id of a block', 0, [{ id: 0, rows: [row(2)] }]],
  [
    'ids that are missing, lines that go back',
    3,
    [
      { id: 49_152, rows: [row(900)] },
      { id: 49_160, rows: [row(2)] },
      { id: 65_535, rows: [row(3_000_000)] },
    ],
  ],
  [
    'several rows and files',
    1,
    [
      { id: 16_384, rows: [row(5), row(9), row(7, 1)] },
      { id: 16_385, rows: [row(6)] },
    ],
  ],
  [
    'joined rows, one of them absent',
    0,
    [
      { id: 7, rows: [{ part: 0, line: 2, partners: [{ part: 1, line: 40 }, null] }] },
      { id: 8, rows: [{ part: 0, line: 3, partners: [null, { part: 2, line: 1 }] }] },
    ],
  ],
  ['ids above 32 bits', 2 ** 30, [{ id: 2 ** 44 + 5, rows: [row(1)] }]],
]

for (const [name, block, parcels] of CASES) {
  test(`a block of origins is read as it was written: ${name}`, () => {
    assert.deepEqual(decodeOrigins(block, encodeOrigins(block, parcels)), parcels)
  })
}

test('a roll in the order of its file takes far less than 6 bytes a parcel', () => {
  const parcels = Array.from({ length: 16_384 }, (_, id) => ({ id, rows: [row(id + 2)] }))
  assert.ok(encodeOrigins(0, parcels).length < 16_384)
})

test('a roll in any order takes at most 6 bytes a parcel', () => {
  const lines = Array.from({ length: 16_384 }, (_, at) => ((at * 7919 + 31) % 16_384) * 60)
  const parcels = lines.map((line, id) => ({ id, rows: [row(line)] }))
  assert.ok(encodeOrigins(0, parcels).length <= 6 * 16_384)
})
