import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countUnwritten } from './pending-charges.ts'

test('charges that were not written are one line a minute, with their number', () => {
  let now = 0
  const lines: string[] = []
  const waiting: { at: number; work(): void }[] = []
  const note = countUnwritten(
    (text) => lines.push(text),
    () => now,
    (work, ms) => waiting.push({ at: now + ms, work }),
  )
  for (; now < 150_000; now += 1000) {
    while (waiting[0] !== undefined && waiting[0].at <= now) waiting.shift()?.work()
    note(2, 'the disk is full')
  }
  assert.deepEqual(lines, [
    '2 charges not written: the disk is full',
    '118 charges not written: the disk is full',
    '120 charges not written: the disk is full',
  ])
})
