import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWaitedMs, watchLiveness } from './liveness.ts'

const never = () => 0

test('a process that never reported is not watched', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let silent = 0
  watchLiveness(() => {
    silent += 1
  }, never)
  t.mock.timers.tick(60_000)
  assert.equal(silent, 0)
})

test('silence is reported once, within 5 s of the last sign of life', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let silent = 0
  const watch = watchLiveness(() => {
    silent += 1
  }, never)
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
  const watch = watchLiveness(() => assert.fail('told after stop'), never)
  watch.heard()
  watch.stop()
  t.mock.timers.tick(60_000)
})

test('a process that waits for a processor has five times as long', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let silent = 0
  let waitedMs = 0
  const watch = watchLiveness(
    () => {
      silent += 1
    },
    () => {
      waitedMs += 150
      return waitedMs
    },
  )
  watch.heard()
  t.mock.timers.tick(23_000)
  assert.equal(silent, 0)
  t.mock.timers.tick(1000)
  assert.equal(silent, 1)
})

test('the waiting of a process is read, and none of one that has ended', {
  skip: process.platform !== 'linux' && 'only Linux counts it',
}, () => {
  assert.ok(readWaitedMs(process.pid) > 0)
  assert.equal(readWaitedMs(2 ** 30), 0)
})
