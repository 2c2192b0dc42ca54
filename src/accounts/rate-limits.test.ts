import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import { Refusal } from '../base/errors.ts'
import type { Leases } from '../ledger/ledger.ts'
import { createRateWindows, WINDOW_MS } from '../ledger/rates/rate-windows.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'

const STEP_MS = 50

/** Creates workers on one ledger process with a simulated clock. */
function makeNode(workers: number) {
  const clock = { now: 1000, isDown: false }
  const steadyMs = () => clock.now
  const windows = createRateWindows()
  const asked: string[] = []
  const leases: Leases = {
    async lease(accountId, limit, want) {
      asked.push(accountId)
      return clock.isDown ? undefined : windows.lease(accountId, limit, want, clock.now)
    },
    giveBack: windows.giveBack,
  }
  const make = () => createRateLimits({ leases, workers, steadyMs })
  return { clock, asked, windows, limits: Array.from({ length: workers }, make) }
}

/** Returns whether a request was admitted; the refusal, if not. */
async function ask(limits: RateLimits, limit: number, id = 'acc_1'): Promise<true | Refusal> {
  try {
    await limits.admit(id, limit)
    return true
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error
  }
}

/** Returns the most requests in any sixty seconds. `times`: in order. */
function mostInWindow(times: number[]): number {
  let first = 0
  let most = 0
  for (let last = 0; last < times.length; last += 1) {
    while ((times[last] as number) - (times[first] as number) >= WINDOW_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Returns how many of these requests a window without slots and leases admits. */
function admitIdeally(arrived: number[], limit: number): number {
  const admitted: number[] = []
  for (const at of arrived) {
    const before = admitted[admitted.length - limit]
    if (before === undefined || at - before >= WINDOW_MS) admitted.push(at)
  }
  return admitted.length
}

test('no sixty seconds exceed the limit over all workers, and demand gets 99 % of it', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const plan = fc.record({
    workers: fc.integer({ min: 1, max: 4 }),
    limit: fc.integer({ min: 1, max: 1500 }),
    skew: fc.double({ min: 0, max: 1, noNaN: true }),
    bursts: fc.array(fc.double({ min: 0.1, max: 9, noNaN: true }), { minLength: 1, maxLength: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ workers, limit, skew, bursts }) => {
      const { clock, limits } = makeNode(workers)
      const started = clock.now
      const perStep = (limit * 1.5 * STEP_MS) / WINDOW_MS
      const mean = bursts.reduce((sum, burst) => sum + burst, 0) / bursts.length
      const admitted: number[] = []
      const arrived: number[] = []
      let due = 0
      let turn = 0
      for (let step = 0; clock.now < started + 5 * WINDOW_MS; step += 1) {
        due += (perStep * (bursts[step % bursts.length] as number)) / mean
        const asks = []
        for (; due >= 1; due -= 1) {
          // One worker may get most of the requests.
          turn += 1
          arrived.push(clock.now)
          const at = turn % 10 < skew * 10 ? 0 : turn % workers
          asks.push(ask(limits[at] as RateLimits, limit))
        }
        for (const answer of await Promise.all(asks)) {
          if (answer === true) admitted.push(clock.now)
        }
        clock.now += STEP_MS
        mock.timers.tick(STEP_MS)
      }
      assert.ok(mostInWindow(admitted) <= limit, `${mostInWindow(admitted)} of ${limit}`)
      const ideal = admitIdeally(arrived, limit)
      // One per minute may arrive in the 0.2 s by which the window is longer.
      assert.ok(admitted.length >= 0.99 * ideal - 5, `${admitted.length} of ${ideal}`)
    }),
    { numRuns: repetitions(5) },
  )
  mock.timers.reset()
})

test('1,000 requests at once over two workers: exactly the limit passes', async () => {
  const { limits } = makeNode(2)
  const asks = Array.from({ length: 1000 }, (_, at) => ask(limits[at % 2] as RateLimits, 137))
  const answers = await Promise.all(asks)
  assert.equal(answers.filter((answer) => answer === true).length, 137)
})

test('after a refusal nothing is requested until more can be available', async () => {
  const { clock, asked, limits } = makeNode(1)
  const [worker] = limits as [RateLimits]
  for (let count = 0; count < 5; count += 1) assert.equal(await ask(worker, 5), true)
  // Other workers may return leases for a moment.
  clock.now += 500
  assert.notEqual(await ask(worker, 5), true)
  const before = asked.length
  for (let count = 0; count < 100; count += 1) assert.notEqual(await ask(worker, 5), true)
  assert.equal(asked.length, before)
})

test('a refusal states when the next request is admitted, and it is', async () => {
  const { clock, limits } = makeNode(1)
  const [worker] = limits as [RateLimits]
  assert.equal(await ask(worker, 1), true)
  clock.now += 20_000
  const refusal = await ask(worker, 1)
  assert.ok(refusal !== true && refusal.rate !== undefined)
  const { retryMs, ...rate } = refusal.rate
  assert.deepEqual(rate, { policy: 'account', quota: 1, windowMs: 60_000 })
  clock.now += retryMs
  assert.equal(await ask(worker, 1), true)
})

test('a raised limit counts at once', async () => {
  const { limits } = makeNode(1)
  const [worker] = limits as [RateLimits]
  assert.equal(await ask(worker, 1), true)
  assert.notEqual(await ask(worker, 1), true)
  assert.equal(await ask(worker, 2), true)
})

test('without the ledger process each worker lets its part through', async () => {
  const { clock, limits } = makeNode(4)
  clock.isDown = true
  for (const worker of limits) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(worker, 40)))
    assert.equal(answers.filter((answer) => answer === true).length, 10)
  }
})

test('accounts that stopped asking are forgotten', () => {
  const windows = createRateWindows()
  for (let id = 0; id < 1000; id += 1) windows.lease(`acc_${id}`, 10, 1, 0)
  windows.lease('acc_new', 10, 1, 120_000)
  assert.equal(windows.size(), 1)
})
