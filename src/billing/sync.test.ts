/**
 * Reads many accounts in simulated time: keeps the provider's rate limit, and finishes within an
 * hour.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import type { BillingLink } from '../store/billing-store.ts'
import { ProviderDown } from './provider.ts'
import { syncAll } from './sync.ts'

/** Time advances only while everything waits. */
function makeClock() {
  let now = 0
  const sleepers: { at: number; wake: () => void }[] = []
  let isPumping = false
  const pump = () => {
    sleepers.sort((a, b) => b.at - a.at)
    const next = sleepers.pop()
    isPumping = next !== undefined
    if (next === undefined) return
    now = Math.max(now, next.at)
    next.wake()
    // Woken tasks run until they wait again, before time advances.
    setImmediate(pump)
  }
  return {
    now: () => now,
    wait: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: now + ms, wake })
        if (isPumping) return
        isPumping = true
        setImmediate(pump)
      }),
  }
}

test('100,000 accounts are read in a simulated hour at 100 requests/s, despite 429s', async () => {
  const clock = makeClock()
  const links = Array.from({ length: 100_000 }, (_, at) => ({ accountId: `acc_${at}` }))
  const perSecond = new Map<number, number>()
  const synced = new Set<string>()
  const tried = new Set<string>()
  const sync = async ({ accountId }: BillingLink) => {
    const second = Math.floor(clock.now() / 1000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 3)
    // Three requests, one after the other.
    await clock.wait(600)
    if (Number(accountId.slice(4)) % 500 === 0 && !tried.has(accountId)) {
      tried.add(accountId)
      throw new ProviderDown('429', { isPassing: true })
    }
    synced.add(accountId)
  }
  const result = await syncAll(links as BillingLink[], sync, clock)
  assert.deepEqual([result.synced, result.failed, synced.size], [100_000, [], 100_000])
  assert.equal(tried.size, 200)
  assert.ok(clock.now() <= 3_600_000, `${clock.now() / 1000} s`)
  // 34 tries may begin in one second: one every 30 ms.
  assert.ok(Math.max(...perSecond.values()) <= 3 * 34)
})

test('a permanent refusal is reported at once, a temporary one after five tries', async () => {
  const clock = makeClock()
  const tries = new Map<string, number>()
  const sync = async ({ accountId }: BillingLink) => {
    tries.set(accountId, (tries.get(accountId) ?? 0) + 1)
    const isPassing = accountId === 'acc_busy'
    throw new ProviderDown(isPassing ? '429' : 'no such customer', { isPassing })
  }
  const links = [{ accountId: 'acc_busy' }, { accountId: 'acc_gone' }] as BillingLink[]
  const { synced, failed } = await syncAll(links, sync, clock)
  assert.equal(synced, 0)
  assert.deepEqual(
    failed.toSorted((a, b) => a.account.localeCompare(b.account)),
    [
      { account: 'acc_busy', problem: '429' },
      { account: 'acc_gone', problem: 'no such customer' },
    ],
  )
  assert.deepEqual([tries.get('acc_busy'), tries.get('acc_gone')], [5, 1])
})
