import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Line } from './line.ts'

const FAR = Number.POSITIVE_INFINITY

test('at most `width` run at a time; the others enter in order of arrival', async () => {
  const line = new Line(2)
  const entered: number[] = []
  const all = Array.from({ length: 200 }, async (_, at) => {
    assert.equal(await line.enter(FAR), true)
    entered.push(at)
  })
  for (let left = 0; left < 198; left += 1) {
    await new Promise(setImmediate)
    assert.equal(entered.length, 2 + left)
    line.leave()
  }
  await Promise.all(all)
  assert.deepEqual(
    entered,
    Array.from({ length: 200 }, (_, at) => at),
  )
})

test('one whose deadline passes while waiting does not enter and takes no turn', async () => {
  const line = new Line(1)
  await line.enter(FAR)
  const late = line.enter(performance.now() + 5)
  const patient = line.enter(FAR)
  assert.equal(await late, false)
  line.leave()
  assert.equal(await patient, true)
  line.leave()
  assert.equal(await line.enter(FAR), true)
})

test('beyond 1,024 that wait one is refused at once', async () => {
  const line = new Line(1)
  await line.enter(FAR)
  const waiting = Array.from({ length: 1024 }, () => line.enter(FAR))
  await assert.rejects(line.enter(FAR), /Too many long searches/)
  for (const one of waiting) {
    line.leave()
    await one
  }
})
