import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { CommandError } from '../base/errors.ts'
import { supervise } from './supervise.ts'

/** Supervises processes that exist only here; `children` are those started so far. */
function superviseFakes(isNeeded: boolean) {
  const children: EventEmitter[] = []
  const lines: string[] = []
  const start = () => {
    const child = new EventEmitter()
    children.push(child)
    return child as ChildProcess
  }
  const child = { name: () => 'the fake process', start, isNeeded }
  return { children, lines, supervised: supervise(child, (line) => lines.push(line)) }
}

test('replaces a process at once, and those that die soon later each time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { children, lines } = superviseFakes(false)
  for (const waitMs of [0, 100, 200, 400]) {
    const { length } = children
    children.at(-1)?.emit('exit', 1, null)
    if (waitMs > 0) t.mock.timers.tick(waitMs - 1)
    assert.equal(children.length, length)
    t.mock.timers.tick(1)
    assert.equal(children.length, length + 1)
  }
  assert.deepEqual(new Set(lines), new Set(['the fake process died (1); starting it again']))
})

test('a needed process that ends before it is ready is the end, with what it said', async () => {
  const { children, lines, supervised } = superviseFakes(true)
  children[0]?.emit('message', { kind: 'failed', text: 'the port is in use' })
  children[0]?.emit('exit', 1, null)
  await assert.rejects(supervised.started, (error) => {
    return error instanceof CommandError && error.message.includes('the port is in use')
  })
  assert.deepEqual(lines, [])
  assert.equal(children.length, 1)
})

test('a process that refuses to start is not started again', async () => {
  const { children, supervised } = superviseFakes(false)
  children[0]?.emit('message', { kind: 'refused', text: 'the port is in use' })
  children[0]?.emit('exit', 1, null)
  await assert.rejects(supervised.started, { message: 'the port is in use' })
  assert.equal(children.length, 1)
})
