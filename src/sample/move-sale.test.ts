import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_COLUMNS } from './columns.ts'
import { generateSample } from './generate.ts'

const DATE = SAMPLE_COLUMNS.indexOf('transferDate')
const DATES: ReadonlySet<string> = new Set(['transferDate', 'recordingDate', 'ownershipStartDate'])

test('sales end at the asked day, and nothing else of the sample changes with it', () => {
  const options = { parcels: 2000, seed: 1 }
  const [plain, moved] = [
    generateSample(options),
    generateSample({ ...options, salesEnd: '2026-11-06' }),
  ].map((rows) => [...rows]) as [string[][], string[][]]
  const newest = moved
    .map((row) => row[DATE] ?? '')
    .sort()
    .at(-1)
  assert.ok(newest !== undefined && newest <= '20261106' && newest >= '20260901')
  const without = (row: string[]) => row.filter((_, at) => !DATES.has(SAMPLE_COLUMNS[at] ?? ''))
  assert.deepEqual(moved.map(without), plain.map(without))
})
