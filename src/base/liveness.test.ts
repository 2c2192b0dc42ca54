import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchLiveness } from './liveness.ts'

test('a process that never reported is not watched', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let silent = 0
  watchLiveness(() => {
    silent += 1
  })
  t.mock.timers.tick(60_000)
  assert.equal(silent, 0)
})

test('silence is reported once, within 5 s of the last sign of life', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let silent = 0
  const watch = watchLiveness(() => {
    silent += 1
  })
  watch.heard()
  t.mock.timers.tick(4000)
  watch.heard()
  t.mock.timers.tick(4500)
  assert.equal(silent, 0)
  t.mock.timers.tick(500)
  assert.equal(silent, 1)
  t.mock.timers.tick(60_000)
  assert.equal(silent, 1)
})

test('after stop nothing is reported', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const watch = watchLiveness(() => assert.fail('told after stop'))
  watch.heard()
  watch.stop()
  t.mock.timers.tick(60_000)
})
