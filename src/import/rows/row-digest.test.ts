import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { RowDigest } from './row-digest.ts'
import { DuplicateRowFilter } from './row-digest.ts'

const ROWS = 20_000

function digestOf(row: number): RowDigest {
  const bytes = hash('sha256', String(row), 'buffer')
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)]
}

test('most rows that come again are seen after the table has grown, and no others', () => {
  const filter = new DuplicateRowFilter()
  const rows = Array.from({ length: ROWS }, (_, row) => digestOf(row))
  assert.equal(rows.filter((row) => filter.sees(row, true)).length, 0)
  assert.equal(rows.filter((row) => filter.sees(row, false)).length, 0)
  for (const hasPoint of [true, false]) {
    const seen = rows.filter((row) => filter.sees(row, hasPoint)).length
    assert.ok(seen > 0.9 * ROWS, `${seen} rows were seen again`)
  }
})
