import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns, shareTurnEnd } from './event-loop.ts'

/** Waits for everything that only waits for promises. */
async function settle(): Promise<void> {
  for (let count = 0; count < 100; count += 1) await undefined
}

function wait(turnEnd: ReturnType<typeof shareTurnEnd>, name: string, done: string[]): void {
  void turnEnd.wait().then(() => done.push(name))
}

test('calls that wait in one turn of the event loop go on when it ends, in order', async () => {
  const turnEnd = shareTurnEnd()
  const done: string[] = []
  wait(turnEnd, 'a', done)
  wait(turnEnd, 'b', done)
  await settle()
  assert.deepEqual(done, [])
  await new Promise(setImmediate)
  assert.deepEqual(done, ['a', 'b'])
  wait(turnEnd, 'c', done)
  await settle()
  assert.deepEqual(done, ['a', 'b'])
  await new Promise(setImmediate)
  assert.deepEqual(done, ['a', 'b', 'c'])
})

test('when the limit is reached, those waiting continue at once, and later ones wait', async () => {
  const turnEnd = shareTurnEnd(2)
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) wait(turnEnd, name, done)
  await settle()
  assert.deepEqual(done, ['a', 'b'])
  await new Promise(setImmediate)
  assert.deepEqual(done, ['a', 'b', 'c'])
  for (const name of ['d', 'e', 'f', 'g']) wait(turnEnd, name, done)
  await settle()
  assert.deepEqual(done, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  await new Promise(setImmediate)
  wait(turnEnd, 'h', done)
  await settle()
  assert.equal(done.at(-1), 'g')
  await new Promise(setImmediate)
  assert.equal(done.at(-1), 'h')
})

test('who waits can be let go on before', async () => {
  const turnEnd = shareTurnEnd()
  const done: string[] = []
  turnEnd.end()
  wait(turnEnd, 'a', done)
  turnEnd.end()
  wait(turnEnd, 'b', done)
  await settle()
  assert.deepEqual(done, ['a'])
  await new Promise(setImmediate)
  assert.deepEqual(done, ['a', 'b'])
})

test('of tasks that take turns one goes on in each turn of the event loop, in order', async () => {
  const takeTurn = createTurns()
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const taken: { name: string; turn: number }[] = []
  const work = async (name: string) => {
    for (let slice = 0; slice < 3; slice += 1) {
      await takeTurn()
      taken.push({ name, turn })
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  isOver = true
  assert.equal(taken.map(({ name }) => name).join(''), 'abcabcabc')
  assert.equal(new Set(taken.map((one) => one.turn)).size, 9)
})
