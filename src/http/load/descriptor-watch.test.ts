import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchDescriptors } from './descriptor-watch.ts'

test('a lack of descriptors is reported at once, and then once a minute', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let code: string | undefined
  const alarms: string[] = []
  const watch = watchDescriptors(
    ({ message }) => alarms.push(message),
    () => {
      if (code !== undefined) throw Object.assign(new Error(code), { code })
    },
  )
  t.mock.timers.tick(10_000)
  code = 'EACCES'
  t.mock.timers.tick(10_000)
  assert.deepEqual(alarms, [])
  code = 'EMFILE'
  t.mock.timers.tick(1000)
  assert.deepEqual(alarms, ['no file descriptor is left: new connections are closed'])
  t.mock.timers.tick(59_000)
  assert.equal(alarms.length, 1)
  t.mock.timers.tick(2000)
  assert.equal(alarms.length, 2)
  watch.stop()
  t.mock.timers.tick(600_000)
  assert.equal(alarms.length, 2)
})

test('the system’s own descriptors are probed, and there are some', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const watch = watchDescriptors((error) => assert.fail(error))
  t.mock.timers.tick(3000)
  watch.stop()
})
