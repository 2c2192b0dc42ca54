import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CellCount } from '../../store/places.ts'
import type { ParcelReader } from '../../store/store.ts'
import { readTileParts } from './tile-parts.ts'

const TILE = { z: 8, x: 64, y: 94 }

test('counts are summed over states, in an order that the store does not decide', async () => {
  const cells: CellCount[] = [
    { x: 2, y: 1, parcels: 10 },
    { x: 1, y: 2, parcels: 20 },
    { x: 1, y: 1, parcels: 30 },
    { x: 2, y: 1, parcels: 5 },
  ]
  const read = async (counts: CellCount[]) => {
    const reader = { isRemote: true, countsIn: async () => counts } as unknown as ParcelReader
    return Array.fromAsync(readTileParts(reader, TILE, async () => undefined))
  }
  const count = (x: number, y: number, parcels: number) => ({ x, y, z: 14, parcels })
  const expected = [{ counts: [count(1, 1, 30), count(1, 2, 20), count(2, 1, 15)] }]
  assert.deepEqual(await read(cells), expected)
  assert.deepEqual(await read(cells.toReversed()), expected)
})
