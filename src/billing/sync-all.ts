/** Reads the facts of many accounts, slowly enough for the provider. */
import { setTimeout as wait } from 'node:timers/promises'
import type { BillingLink } from '../store/billing-store.ts'
import { ProviderDown } from './provider.ts'

/** How many linked accounts were read, and why others were not. */
export type SyncedAll = { synced: number; failed: { account: string; problem: string }[] }

/** An account takes three requests, and Stripe allows a hundred a second. */
const ACCOUNT_MS = 30
const TOGETHER = 8
const TRIES = 5
/** Doubled with each try. */
const BACKOFF_MS = 500

/** Syncs each link; one that fails is tried again, and then told. `accountMs`: the least time from one to the next. */
export async function syncAll(
  links: readonly BillingLink[],
  sync: (link: BillingLink) => Promise<unknown>,
  accountMs: number = ACCOUNT_MS,
): Promise<SyncedAll> {
  const result: SyncedAll = { synced: 0, failed: [] }
  const waiting = links.values()
  let next = performance.now()

  async function work(): Promise<void> {
    for (const link of waiting) {
      const now = performance.now()
      next = Math.max(now, next + accountMs)
      if (next > now) await wait(next - now)
      try {
        await syncPatiently(link, sync)
        result.synced += 1
      } catch (error) {
        result.failed.push({ account: link.accountId, problem: (error as Error).message })
      }
    }
  }

  await Promise.all(Array.from({ length: TOGETHER }, work))
  return result
}

async function syncPatiently(
  link: BillingLink,
  sync: (link: BillingLink) => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await sync(link)
      return
    } catch (error) {
      if (!(error instanceof ProviderDown) || !error.isPassing || tries === TRIES) throw error
      await wait(BACKOFF_MS * 2 ** tries * (0.5 + Math.random()))
    }
  }
}
