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
    const reader = {
      advice: { tileColumns: 64 },
      countsIn: async () => counts,
    } as unknown as ParcelReader
    return Array.fromAsync(readTileParts(reader, TILE, async () => undefined))
  }
  const count = (x: number, y: number, parcels: number) => ({ x, y, z: 14, parcels })
  const expected = [{ counts: [count(1, 1, 30), count(1, 2, 20), count(2, 1, 15)] }]
  assert.deepEqual(await read(cells), expected)
  assert.deepEqual(await read(cells.toReversed()), expected)
})

test('parcels of several states are listed by ascending id, with or without states', async () => {
  const stateOf = (id: number) => (id % 2 === 0 ? 'KS' : 'MO')
  const ids = Array.from({ length: 2500 }, (_, at) => at + 1)
  const read = async (isRemote: boolean) => {
    const hits = ids.map((id) => ({ id, state: stateOf(id), x: 0, y: 0 }))
    const reader = {
      advice: { tileRows: 1000 },
      shapesIn: async () => hits.toReversed(),
      pointsIn: async () => hits,
      ...(!isRemote && { shapeIdsIn: async () => ids.toReversed() }),
      tileRows: async (state: string, asked: number[]) => {
        assert.ok(state === '' || asked.every((id) => stateOf(id) === state))
        return asked.map((id) => ({ id, text: String(id), geometry: null }))
      },
    } as unknown as ParcelReader
    const tile = { z: 16, x: 15_000, y: 25_000 }
    const parts = await Array.fromAsync(readTileParts(reader, tile, async () => undefined))
    return parts.flatMap((part) => ('rows' in part ? part.rows.map(({ text }) => text) : []))
  }
  assert.deepEqual(await read(false), ids.map(String))
  assert.deepEqual(await read(true), ids.map(String))
})
