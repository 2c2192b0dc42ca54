import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceAlong, hilbertCells } from './run.ts'

test('visits each cell of a block of 64 by 64 once, one step at a time', () => {
  const cells: [number, number][] = []
  for (let x = 0; x < 64; x += 1)
    for (let y = 0; y < 64; y += 1) cells[distanceAlong(x, y)] = [x, y]
  assert.equal(cells.length, 64 * 64)
  for (let at = 1; at < cells.length; at += 1) {
    const [[ax, ay], [bx, by]] = [cells[at - 1], cells[at]] as [[number, number], [number, number]]
    assert.equal(Math.abs(ax - bx) + Math.abs(ay - by), 1)
  }
})

test('points outside of the box count to its edge, and those that are nowhere come last', () => {
  const cellOf = hilbertCells({ west: -100, south: 0, east: 100, north: 50 })
  assert.equal(cellOf(-500, -500), cellOf(-100, 0))
  assert.ok(cellOf(null, 3) > cellOf(100, 50))
  assert.ok(cellOf(null, null) > cellOf(100, 0))
})
