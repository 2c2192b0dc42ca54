import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SearchQueue } from './search-queue.ts'

/** A clock that only advances by simulated work. */
function makeWorld() {
  const world = { ms: 0, order: [] as string[] }
  const turns = new SearchQueue(() => world.ms)
  const work = (name: string, ms: number) =>
    turns.run(async () => {
      world.ms += ms
      world.order.push(name)
      return name
    })
  return { turns, work, order: world.order }
}

/** Waits for more microtasks than any of these searches has. */
const microtasks = async () => {
  for (let count = 0; count < 100; count += 1) await undefined
}

/** Waits for everything that can run in this turn of the event loop. */
const settle = async () => {
  await microtasks()
  await new Promise<void>((resolve) => process.nextTick(resolve))
  await microtasks()
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('one search alone is worked on at once', async () => {
  const { work, order } = makeWorld()
  const done = work('a', 1)
  assert.deepEqual(order, [])
  // Set if the event loop turns meanwhile.
  let turned = false
  setImmediate(() => {
    turned = true
  })
  await settle()
  assert.ok(!turned)
  assert.deepEqual(order, ['a'])
  assert.equal(await done, 'a')
})

test('searches beyond the time of a turn wait for the next one, in order of arrival', async () => {
  const { work, order } = makeWorld()
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => work(name, 3))
  setImmediate(() => order.push('|'))
  await settle()
  order.push('|')
  await nextTurn()
  await Promise.all(all)
  assert.deepEqual(order, ['a', 'b', '|', 'c', 'd', '|', 'e'])
})

test('a search longer than a turn runs in one turn, and the others run after it', async () => {
  const { work, order } = makeWorld()
  const all = ['a', 'b', 'c'].map((name) => work(name, 50))
  await settle()
  assert.deepEqual(order, ['a'])
  await nextTurn()
  assert.deepEqual(order, ['a', 'b'])
  await Promise.all(all)
  assert.deepEqual(order, ['a', 'b', 'c'])
})

test('a search that gives the loop back itself keeps nobody waiting', async () => {
  const { turns, work, order } = makeWorld()
  let finish = () => {}
  const long = turns.run(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  )
  await nextTurn()
  await work('b', 3)
  assert.deepEqual(order, ['b'])
  finish()
  await long
})

test('what fails gives its turn on', async () => {
  const { turns, work, order } = makeWorld()
  const failing = turns.run(async () => {
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await work('b', 1)
  assert.deepEqual(order, ['b'])
})

test('one more than may wait is refused at once, and nobody else', async () => {
  const { work } = makeWorld()
  const all = Array.from({ length: 600 }, () => work('x', 10))
  const settled = await Promise.allSettled(all)
  const refused = settled.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 600 - 512)
  const [{ reason }] = refused as [PromiseRejectedResult]
  assert.equal(reason.kind, 'unavailable')
})

test('lookups run before searches, also those that arrive while searches wait', async () => {
  const { turns, work, order } = makeWorld()
  const lookup = async (name: string) => {
    await turns.gather()
    // A lookup has a dozen microtasks.
    for (let count = 0; count < 12; count += 1) await undefined
    order.push(name)
  }
  const search = async (name: string) => {
    await turns.gather()
    await work(name, 3)
  }
  const first = [search('s1'), search('s2'), search('s3'), lookup('a'), lookup('b')]
  await nextTurn()
  await settle()
  assert.deepEqual(order, ['a', 'b', 's1', 's2'])
  const second = lookup('c')
  await Promise.all([...first, second])
  assert.deepEqual(order, ['a', 'b', 's1', 's2', 'c', 's3'])
})

test('searches of several steps share the time of a turn with each other', async () => {
  const world = { ms: 0, order: [] as string[] }
  const turns = new SearchQueue(() => world.ms)
  const walk = (name: string) =>
    turns.run(async (pause) => {
      for (const step of [1, 2]) {
        world.ms += 3
        world.order.push(`${name}${step}`)
        if (step === 1) await pause()
      }
    })
  const all = ['a', 'b', 'c'].map(walk)
  for (let turn = 0; turn < 4; turn += 1) {
    await settle()
    world.order.push('|')
    await nextTurn()
  }
  await Promise.all(all)
  // Two steps fit in a turn; the steps run in order of arrival.
  assert.deepEqual(world.order.slice(0, 8), ['a1', 'b1', '|', 'c1', 'a2', '|', 'b2', 'c2'])
})
