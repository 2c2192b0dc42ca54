import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createObserve } from './observe.ts'

test('equal failures are one line a second, and the next has the number omitted', () => {
  const lines: Record<string, unknown>[] = []
  let now = Date.UTC(2026, 4, 1)
  const observe = createObserve(
    (line) => lines.push(JSON.parse(line)),
    () => now,
  )
  for (let at = 0; at < 5; at += 1) observe.failure(`r${at}`, 'ownerSearch', new Error('down'))
  observe.failure('other', 'ownerSearch', new Error('full'))
  now += 1000
  observe.failure('later', 'ownerSearch', new Error('down'))
  assert.deepEqual(
    lines.map(({ requestId, alikeBefore }) => [requestId, alikeBefore]),
    [
      ['r0', undefined],
      ['other', undefined],
      ['later', 4],
    ],
  )
})
