import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../base/errors.ts'
import { BURST, createFailedKeys } from './failed-keys.ts'

/** Counts how many of `count` requests without a key are admitted. */
function passing(failed: ReturnType<typeof createFailedKeys>, address: string, count: number) {
  let passed = 0
  for (let at = 0; at < count; at += 1) {
    try {
      failed.note(address)
      passed += 1
    } catch (error) {
      assert.ok(error instanceof Refusal && error.kind === 'too-many')
    }
  }
  return passed
}

test('an address may fail a hundred times at once, then twenty times a second', () => {
  let now = 0
  const failed = createFailedKeys(() => now)
  assert.equal(passing(failed, '192.0.2.1', 500), BURST)
  now += 1000
  assert.equal(passing(failed, '192.0.2.1', 500), 20)
  now += 50
  assert.equal(passing(failed, '192.0.2.1', 500), 1)
  assert.equal(passing(failed, '192.0.2.2', 1), 1)
})

test('an address that failed among 30,000 others has its burst again later, not sooner', () => {
  let now = 0
  const failed = createFailedKeys(() => now)
  assert.equal(passing(failed, 'first', 500), BURST)
  for (let at = 0; at < 9000; at += 1) failed.note(`other ${at}`)
  assert.equal(passing(failed, 'first', 10), 0)
  now += 5000
  for (let at = 0; at < 21_000; at += 1) failed.note(`later ${at}`)
  assert.equal(passing(failed, 'first', 500), BURST)
})
