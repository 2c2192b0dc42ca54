/** Reads the facts of many accounts within the provider's rate limit. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BillingLink } from '../store/billing-store.ts'
import { ProviderDown } from './provider.ts'

/** Number of linked accounts that were read, and the failures. */
export type SyncedAll = { synced: number; failed: { account: string; problem: string }[] }

/** An account takes three requests, and Stripe allows a hundred per second. */
const ACCOUNT_MS = 30
/** Concurrency for that rate when three requests take 700 ms. */
const TOGETHER = 24
const TRIES = 5
/** Doubled with each attempt. */
const BACKOFF_MS = 500

/** A monotonic clock in milliseconds, and waiting by it. */
type Clock = { now(): number; wait(ms: number): Promise<unknown> }

const CLOCK: Clock = { now: () => performance.now(), wait: (ms) => pause(ms) }

type Pace = {
  /** Shortest time between two attempts, in milliseconds. */
  accountMs?: number
  /** A test passes simulated time. */
  clock?: Clock
}

/** Syncs each link; a failed one is retried and then reported. Retries count towards the rate. */
export async function syncAll(
  links: readonly BillingLink[],
  sync: (link: BillingLink) => Promise<unknown>,
  { accountMs = ACCOUNT_MS, clock = CLOCK }: Pace = {},
): Promise<SyncedAll> {
  const result: SyncedAll = { synced: 0, failed: [] }
  const waiting = links.values()
  let next = clock.now()

  async function keepPace(): Promise<void> {
    const now = clock.now()
    next = Math.max(now, next + accountMs)
    if (next > now) await clock.wait(next - now)
  }

  async function syncPatiently(link: BillingLink): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await keepPace()
        await sync(link)
        return
      } catch (error) {
        if (!(error instanceof ProviderDown) || !error.isPassing || tries === TRIES) throw error
        await clock.wait(BACKOFF_MS * 2 ** tries * (0.5 + Math.random()))
      }
    }
  }

  async function work(): Promise<void> {
    for (const link of waiting) {
      try {
        await syncPatiently(link)
        result.synced += 1
      } catch (error) {
        result.failed.push({ account: link.accountId, problem: (error as Error).message })
      }
    }
  }

  await Promise.all(Array.from({ length: TOGETHER }, work))
  return result
}
