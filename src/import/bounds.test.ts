import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Batch } from './batch.ts'
import { ROW_MAX, rejectLargeRows } from './bounds.ts'

const BATCH: Batch = {
  file: 'roll.json',
  columns: ['a', 'b'],
  rows: [
    ['1', '2'],
    ['3', 'x'.repeat(ROW_MAX)],
    ['5', '6'],
  ],
  lines: [2, 3, 4],
  points: [[1, 1], null, [3, 3]],
  broken: [],
}

test('a row above 8 MB is rejected; the other rows are unchanged', () => {
  const { rows, lines, points, broken } = rejectLargeRows(BATCH)
  assert.deepEqual(rows, [
    ['1', '2'],
    ['5', '6'],
  ])
  assert.deepEqual(lines, [2, 4])
  assert.deepEqual(points, [
    [1, 1],
    [3, 3],
  ])
  assert.deepEqual(
    broken.map(({ line, reason }) => [line, reason]),
    [[3, 'a row of more than 8 MB']],
  )
  assert.ok((broken[0]?.text.length ?? 0) < 2000)
})

test('a polygon counts too, and a batch without large rows is handed on as it is', () => {
  const polygons = ['{}', '{}', 'x'.repeat(ROW_MAX)]
  const small = { ...BATCH, rows: [['1'], ['3'], ['5']], polygons }
  assert.deepEqual(rejectLargeRows(small).lines, [2, 3])
  const none = { ...small, polygons: ['{}', null, null] }
  assert.equal(rejectLargeRows(none), none)
})
