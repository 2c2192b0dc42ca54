import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as settleAll } from 'node:timers/promises'
import fc from 'fast-check'
import { repetitions } from '../../../test/repetitions.ts'
import { createRateLimits } from '../../accounts/rate-limits.ts'
import type { Granted, GrantStore } from '../../store/accounts-store.ts'
import { LEASE_MS, type Lease, WINDOW_MS } from './rate-windows.ts'
import { createSharedWindows, type SharedWindows } from './shared-windows.ts'

const STEP_MS = 50
const TIDY_STEPS = 5

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }))
afterEach(() => mock.timers.reset())

type Row = { accountId: string; slot: number; node: number; count: number }

/** Several nodes over one database with a simulated clock. `delays`: of the database's answers. */
function makeNodes(count: number, delays: readonly number[] = [0]) {
  const clock = { now: 1000 }
  const database = { isDown: false, isSilent: false, takes: 0, sweeps: 0 }
  const rows: Row[] = []
  const late: { at: number; answer(): void }[] = []
  const errors: unknown[] = []
  let calls = 0

  function answer<Result>(result: Result): Promise<Result> {
    calls += 1
    if (database.isDown) return Promise.reject(new Error('down'))
    const delayMs = delays[calls % delays.length] as number
    if (delayMs === 0 && !database.isSilent) return Promise.resolve(result)
    return new Promise((resolve) => {
      late.push({ at: clock.now + delayMs, answer: () => resolve(result) })
    })
  }

  function makeStore(node: number): GrantStore {
    // The database has a different clock.
    const slotNow = () => Math.floor((clock.now + 123_456_789) / 100)
    const find = (accountId: string, slot: number) =>
      rows.find((one) => one.accountId === accountId && one.slot === slot && one.node === node)
    const giveBack = (accountId: string, unused: { slot: number; count: number }[]) => {
      for (const { slot, count } of unused) {
        const row = find(accountId, slot)
        if (row !== undefined) row.count = Math.max(0, row.count - count)
      }
    }
    return {
      take({ accountId, limit, want, countsMs, unused }) {
        database.takes += 1
        if (database.isDown) return answer({} as Granted)
        giveBack(accountId, unused)
        const slot = slotNow()
        const slots = Math.ceil(countsMs / 100) + 1
        const counting = rows.filter(
          (row) => row.accountId === accountId && row.slot > slot - slots,
        )
        const free = Math.max(0, limit - counting.reduce((sum, row) => sum + row.count, 0))
        const granted = Math.min(free, Math.max(want, Math.ceil(free / 16)))
        const row = find(accountId, slot)
        if (row !== undefined) row.count += granted
        else if (granted > 0) rows.push({ accountId, slot, node, count: granted })
        const used = counting.filter((row) => row.count > 0).map((row) => row.slot)
        const retryMs = (Math.min(slot, ...used) + slots) * 100 - ((clock.now + 123_456_789) | 0)
        const newest = Math.max(slot - slots, ...counting.map((row) => row.slot))
        return answer({ count: granted, slot, retryMs, quietMs: (slot - newest) * 100 })
      },
      giveBack(unused) {
        if (!database.isDown) {
          for (const one of unused) giveBack(one.accountId, [one])
        }
        return answer(undefined)
      },
      sweep() {
        database.sweeps += 1
        return answer(undefined)
      },
      close: async () => undefined,
    }
  }

  const nodes = Array.from({ length: count }, (_, node) =>
    createSharedWindows({
      store: makeStore(node),
      steadyMs: () => clock.now,
      onAlone: (error) => errors.push(error),
    }),
  )
  let steps = 0

  /** Advances fifty milliseconds and runs everything due in them. */
  async function step(): Promise<void> {
    clock.now += STEP_MS
    steps += 1
    mock.timers.tick(STEP_MS)
    for (const one of late.splice(0)) {
      if (one.at <= clock.now && !database.isSilent) one.answer()
      else late.push(one)
    }
    await settleAll()
    if (steps % TIDY_STEPS !== 0) return
    for (const node of nodes) void node.tidy()
    await settleAll()
  }

  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) await step()
  }

  return { clock, database, rows, errors, nodes, step, pass }
}

/** Takes leases until one is refused, and uses all requests of each. */
async function useUp(node: SharedWindows | undefined, limit: number): Promise<number> {
  assert.ok(node)
  let used = 0
  for (;;) {
    const lease = await node.lease('acc_1', limit, 1)
    if (lease.count === 0) return used
    used += lease.count
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

test('no sixty seconds exceed the limit over all nodes, with any requests and delays', async () => {
  const plan = fc.record({
    nodes: fc.integer({ min: 1, max: 4 }),
    limit: fc.integer({ min: 1, max: 400 }),
    delays: fc.array(fc.constantFrom(0, 0, 0, 100, 350), { minLength: 1, maxLength: 6 }),
    asks: fc.array(
      fc.record({
        node: fc.nat(3),
        want: fc.integer({ min: 1, max: 12 }),
        used: fc.double({ min: 0, max: 1, noNaN: true }),
        usedAfter: fc.constantFrom(0, STEP_MS, LEASE_MS, 550),
        returned: fc.boolean(),
        waits: fc.integer({ min: 0, max: 12 }),
      }),
      { minLength: 5, maxLength: 60 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ nodes: count, limit, delays, asks }) => {
      const { clock, errors, nodes, step } = makeNodes(count, delays)
      const admitted: number[] = []
      const later: { at: number; run(): void }[] = []
      const started = clock.now
      for (let turn = 0; clock.now < started + 2.5 * WINDOW_MS; turn += 1) {
        const ask = asks[turn % asks.length] as (typeof asks)[number]
        const node = nodes[ask.node % count] as SharedWindows
        const use = (lease: Lease) => {
          // Waiting requests run at once; a worker uses the rest within the time of the lease.
          const now = Math.min(ask.want, lease.count)
          for (let one = 0; one < now; one += 1) admitted.push(clock.now)
          const more = Math.floor((lease.count - now) * ask.used)
          const unused = lease.count - now - more
          later.push({
            at: clock.now + ask.usedAfter,
            run: () => {
              for (let one = 0; one < more; one += 1) admitted.push(clock.now)
              if (ask.returned) node.giveBack('acc_1', lease.slot, unused)
            },
          })
        }
        const lease = node.lease('acc_1', limit, ask.want)
        if (lease instanceof Promise) void lease.then(use)
        else use(lease)
        for (let wait = 0; wait < ask.waits; wait += 1) {
          await step()
          for (const one of later.splice(0)) {
            if (one.at <= clock.now) one.run()
            else later.push(one)
          }
        }
        if (ask.waits === 0) await settleAll()
        if (turn > 4000) break
      }
      assert.deepEqual(errors, [], 'the database was never away')
      assert.ok(admitted.length >= Math.min(limit, 5))
      assert.ok(mostInWindow(admitted) <= limit, `${mostInWindow(admitted)} of ${limit}`)
    }),
    { numRuns: repetitions(5) },
  )
})

test('what other nodes hold and do not use, one node can use two seconds later', async () => {
  const { nodes, pass } = makeNodes(4)
  const held = []
  for (const node of nodes.slice(1)) held.push(await node.lease('acc_1', 1000, 1))
  const used = held.map(({ count }) => count)
  for (const [at, { slot, count }] of held.entries()) {
    nodes[at + 1]?.giveBack('acc_1', slot, count - 1)
  }
  const first = await useUp(nodes[0], 1000)
  assert.ok(used.length === 3 && first < 997, `${first} while others hold some`)
  assert.ok(first >= 1000 - 3 * Math.ceil(1000 / 16), 'each holds a sixteenth at most')
  await pass(2000)
  assert.equal(first + (await useUp(nodes[0], 1000)), 997)
})

test('a lease is valid for a second, and old rows are deleted meanwhile', async () => {
  const { nodes, database, step } = makeNodes(1)
  for (let turn = 0; turn < 200; turn += 1) {
    const lease = await nodes[0]?.lease('acc_1', 6000, 1)
    assert.equal(lease?.forMs, 1000)
    nodes[0]?.giveBack('acc_1', lease?.slot ?? 0, (lease?.count ?? 1) - 1)
    await step()
  }
  assert.equal(database.sweeps, 1)
  for (let turn = 0; turn < 800; turn += 1) {
    await nodes[0]?.lease('acc_1', 6000, 1)
    await step()
  }
  assert.equal(database.sweeps, 2)
})

test('with nothing left the database is asked four times a second at most', async () => {
  const { nodes, database, step } = makeNodes(1)
  assert.equal(await useUp(nodes[0], 50), 50)
  const before = database.takes
  for (let turn = 0; turn < 200; turn += 1) {
    const { count, askMs, retryMs } = (await (nodes[0] as SharedWindows).lease(
      'acc_1',
      50,
      1,
    )) as Lease
    assert.equal(count, 0)
    assert.ok(askMs > 0 && retryMs >= askMs)
    await step()
  }
  // Two seconds after the last lease no node has anything to return.
  assert.ok(database.takes - before <= 8, `${database.takes - before} in ten seconds`)
})

test('demand over two nodes gets 97 % of what the limit allows', async () => {
  const { nodes, step } = makeNodes(2)
  let admitted = 0
  let asked = 0
  let due = 0
  for (let turn = 0; turn < (5 * WINDOW_MS) / STEP_MS; turn += 1) {
    // One and a half times the limit, most of it on one node.
    for (due += (600 * 1.5 * STEP_MS) / WINDOW_MS; due >= 1; due -= 1) {
      asked += 1
      const node = nodes[asked % 4 === 0 ? 1 : 0] as SharedWindows
      const { slot, count } = await node.lease('acc_1', 600, 1)
      if (count === 0) continue
      admitted += 1
      node.giveBack('acc_1', slot, count - 1)
    }
    await step()
  }
  const allowed = 5 * 600
  assert.ok(admitted >= 0.97 * allowed && admitted <= allowed, `${admitted} of ${allowed}`)
})

test('the workers of two nodes get 97 % of the limit, and use leases for a second', async () => {
  const { clock, database, nodes, step } = makeNodes(2)
  const workers = [0, 0, 1, 1].map((at) => {
    const node = nodes[at] as SharedWindows
    const lease = async (...asked: Parameters<SharedWindows['lease']>) => node.lease(...asked)
    const leases = { lease, giveBack: node.giveBack }
    return createRateLimits({ leases, workers: 2, steadyMs: () => clock.now })
  })
  const admitted: number[] = []
  for (let [turn, due, asked] = [0, 0, 0]; turn < (3 * WINDOW_MS) / STEP_MS; turn += 1) {
    const asks = []
    for (due += (6000 * 1.5 * STEP_MS) / WINDOW_MS; due >= 1; due -= 1) {
      asked += 1
      asks.push(asked % 3 === 0 ? workers[asked % 4] : workers[0])
    }
    const answers = asks.map(async (worker) => worker?.admit('acc_1', 6000))
    for (const { status } of await Promise.allSettled(answers)) {
      if (status === 'fulfilled') admitted.push(clock.now)
    }
    await step()
  }
  assert.ok(mostInWindow(admitted) <= 6000, `${mostInWindow(admitted)} in a minute`)
  assert.ok(admitted.length >= 0.97 * 3 * 6000, `${admitted.length} of ${3 * 6000}`)
  // Each of the two nodes asks for what left the window meanwhile.
  assert.ok(database.takes <= 2 * 180 * 15, `${database.takes} questions in 180 s`)
})

test('of requests at once exactly the limit passes', async () => {
  const { nodes } = makeNodes(2)
  const asked = Array.from({ length: 600 }, (_, at) => nodes[at % 2]?.lease('acc_1', 137, 1))
  const leases = await Promise.all(asked)
  const passed = leases.reduce((sum, lease) => sum + (lease?.count ?? 0), 0)
  assert.equal(passed, 137)
})

test('without the database a node counts alone at once, and reports it once a minute', async () => {
  const { nodes, database, errors, pass } = makeNodes(2)
  assert.ok(((await (nodes[0] as SharedWindows).lease('acc_1', 100, 1)) as Lease).slot < 0)
  database.isDown = true
  await pass(1500)
  assert.equal(await useUp(nodes[0], 100), 100)
  assert.equal(await useUp(nodes[1], 100), 100)
  assert.ok(!(nodes[0]?.lease('acc_2', 100, 1) instanceof Promise))
  await pass(30_000)
  assert.equal(errors.length, 2, 'one of each node')
  database.isDown = false
  await pass(1500)
  assert.ok(((await (nodes[0] as SharedWindows).lease('acc_2', 100, 1)) as Lease).slot < 0)
})

test('a hanging database delays requests once; its late grants are returned', async () => {
  const { nodes, database, errors, rows, pass } = makeNodes(1)
  database.isSilent = true
  const asked = [nodes[0]?.lease('acc_1', 100, 1), nodes[0]?.lease('acc_1', 100, 1)]
  await pass(500)
  for (const lease of await Promise.all(asked)) assert.ok((lease?.count ?? 0) > 0)
  assert.ok(!(nodes[0]?.lease('acc_1', 100, 1) instanceof Promise))
  assert.equal(errors.length, 1)
  database.isSilent = false
  await pass(5000)
  assert.equal(
    rows.reduce((sum, { count }) => sum + count, 0),
    0,
  )
  assert.ok(((await (nodes[0] as SharedWindows).lease('acc_1', 100, 1)) as Lease).slot < 0)
})

test('a changed limit counts at once', async () => {
  const { nodes } = makeNodes(1)
  assert.equal(await useUp(nodes[0], 5), 5)
  assert.equal(await useUp(nodes[0], 8), 3)
})

test('closing gives back what workers have returned', async () => {
  const { nodes, rows } = makeNodes(1)
  const lease = (await nodes[0]?.lease('acc_1', 100, 1)) as Lease
  nodes[0]?.giveBack('acc_1', lease.slot, lease.count - 1)
  await nodes[0]?.close()
  assert.equal(rows[0]?.count, 1)
})
