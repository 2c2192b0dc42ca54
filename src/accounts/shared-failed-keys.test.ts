import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BURST, createFailedKeys, type FailedKeys } from './failed-keys.ts'
import { shareFailedKeys } from './shared-failed-keys.ts'

/** Two workers over one primary, which answers in the next turn, or never. */
function startWorkers(answers = true) {
  const world = { now: 0 }
  const steadyMs = () => world.now
  const primary = createFailedKeys(steadyMs)
  const make = () => {
    const worker = shareFailedKeys(steadyMs, ({ number, counts }) => {
      const grants = counts.map(([address, count]) => primary.take(address, count))
      if (answers) setImmediate(() => worker.hear({ number, grants }))
    })
    return worker
  }
  return { world, one: make(), two: make() }
}

/** How many of `count` requests at once pass. */
async function passing(worker: FailedKeys, address: string, count: number): Promise<number> {
  const tries = Array.from({ length: count }, async () => worker.note(address))
  const settled = await Promise.allSettled(tries)
  return settled.filter(({ status }) => status === 'fulfilled').length
}

test('an address has one allowance over all workers, at the same moment too', async () => {
  const { world, one, two } = startWorkers()
  const both = await Promise.all([passing(one, 'a', 80), passing(two, 'a', 80)])
  assert.equal(both[0] + both[1], BURST)
  assert.equal(await passing(one, 'a', 10), 0)
  assert.equal(await passing(two, 'b', 10), 10)
  world.now += 1000
  const later = await Promise.all([passing(one, 'a', 80), passing(two, 'a', 80)])
  assert.equal(later[0] + later[1], 20)
})

test('a refused address is not asked for again before its time', async () => {
  const { world, one } = startWorkers()
  assert.equal(await passing(one, 'a', BURST + 5), BURST)
  assert.throws(() => one.note('a'), /without a valid API key/)
  world.now += 50
  assert.equal(await passing(one, 'a', 2), 1)
})

test('a worker whose primary does not answer counts by itself', async () => {
  const { one } = startWorkers(false)
  assert.equal(await passing(one, 'a', BURST + 20), BURST)
})
