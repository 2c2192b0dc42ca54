/**
 * Applies a provider's facts to the accounts. A webhook, a poll and a command all read the customer
 * again: an event only says that something changed, not what.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AccountFacts } from '../base/model/account.ts'
import type {
  BillingEvent,
  BillingLink,
  BillingStore,
  FactTexts,
  Settlement,
} from '../store/billing-store.ts'
import { hasEnded } from './overage.ts'
import { type CustomerView, type Provider, ProviderDown, type ProviderEvent } from './provider.ts'

type SyncWorld = {
  store: BillingStore
  provider: Provider
  /** Epoch milliseconds. */
  now(): number
  live: boolean
  /** Reads the plans; returns the function that gives an account's facts from the provider's. */
  prepareFacts(): Promise<(facts: AccountFacts, said: FactTexts, before: FactTexts) => AccountFacts>
  /** Adds overage to open drafts. */
  report(link: BillingLink, view: CustomerView): Promise<void>
  alarm(text: string): void
}

/** `conflict`: the id is known with another body. `foreign`: of the other mode. */
type Applied = 'applied' | 'repeated' | 'conflict' | 'foreign'

/** Brings an account's billing facts up to date with its provider. */
export type BillingSync = ReturnType<typeof createBillingSync>

/** Most repeats when other facts were settled meanwhile. */
const TRIES = 20

/** Makes the synchronization. Facts that another process settled meanwhile are read again. */
export function createBillingSync(world: SyncWorld) {
  const { store, provider, now } = world
  /** By customer: this process reads a customer's facts one request at a time. */
  const turns = new Map<string, Promise<unknown>>()

  async function look(linked: BillingLink, event: BillingEvent | undefined): Promise<CustomerView> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const link = (await store.linkOfAccount(linked.accountId)) ?? linked
      const view = await provider.facts(link.customer)
      // A misconfigured customer keeps its other facts.
      const facts = view.wrong === null ? view.facts : { ...link.facts, ...view.facts }
      const change = await world.prepareFacts()
      const settlement: Settlement = {
        accountId: link.accountId,
        revision: link.revision,
        facts,
        problem: view.wrong,
        change: (own) => change(own, facts, link.facts),
        // The overage to report first is still missing, so the event is not marked as applied.
        event: isDue(view) ? undefined : event,
        at: now(),
      }
      if (!(await store.settle(settlement))) continue
      if (isDue(view)) {
        await world.report(link, view)
        if (event !== undefined) await store.noteEvent(event)
      }
      return view
    }
    throw new Error(`the facts of ${linked.accountId} change faster than they are read`)
  }

  /** Like `look`, and notes with the account why it failed. */
  async function lookOrNote(...asked: Parameters<typeof look>): Promise<CustomerView> {
    try {
      return await look(...asked)
    } catch (error) {
      await store.noteProblem(asked[0].accountId, (error as Error).message)
      throw error
    }
  }

  /** Runs work on one customer in order of arrival. */
  function inTurn<Result>(customer: string, work: () => Promise<Result>): Promise<Result> {
    const before = turns.get(customer) ?? Promise.resolve()
    const next = before.catch(() => undefined).then(work)
    turns.set(customer, next)
    const forget = () => {
      if (turns.get(customer) === next) turns.delete(customer)
    }
    next.then(forget, forget)
    return next
  }

  return {
    /** Applies an event once. Throws without store or provider; it must then be sent again. */
    async apply(event: ProviderEvent) {
      const known = await store.event(event.id)
      if (known !== undefined) return compare(known, event)
      const noted = toBillingEvent(event, now())
      if (event.live !== world.live) {
        // The event's object cannot be fetched with this key, so nothing changes.
        world.alarm(`event ${event.id} is of ${event.live ? 'live' : 'test'} mode`)
        await store.noteEvent(noted)
        return 'foreign'
      }
      const { customer } = event
      const link = customer === null ? undefined : await store.linkOfCustomer(customer)
      if (link === undefined) {
        await store.noteEvent(noted)
        return 'applied'
      }
      return inTurn(link.customer, async () => {
        const since = await store.event(event.id)
        if (since !== undefined) return compare(since, event)
        await lookOrNote(link, noted)
        return 'applied'
      })
    },
    /** Reads one account's facts from the provider. Throws when that fails. */
    sync: (link: BillingLink) => inTurn(link.customer, () => lookOrNote(link, undefined)),
  }

  /** Bodies are only compared when the same API version wrote both. */
  function compare(known: BillingEvent, event: ProviderEvent): Applied {
    if (known.version !== event.version || known.hash === event.hash) return 'repeated'
    world.alarm(`event ${event.id} came with another body than before`)
    return 'conflict'
  }
}

/** Whether overage is to be reported: to a draft, or to the operator when no draft follows. */
function isDue(view: CustomerView): boolean {
  return view.drafts.length > 0 || hasEnded(view)
}

function toBillingEvent(event: ProviderEvent, appliedAt: number): BillingEvent {
  const { id, type, customer, version, hash, created } = event
  return { id, type, customer, version, hash, created, appliedAt }
}

type SyncedAll = { synced: number; failed: { account: string; problem: string }[] }

/** Between two attempts: an account takes three requests, and Stripe allows 100 per second. */
const ACCOUNT_MS = 30
/** Concurrency for that rate when three requests take 700 ms. */
const TOGETHER = 24
const SYNC_TRIES = 5
/** Doubled with each attempt. */
const BACKOFF_MS = 500

/** A monotonic clock in milliseconds, and waiting by it. */
type Clock = { now(): number; wait(ms: number): Promise<unknown> }

const CLOCK: Clock = { now: () => performance.now(), wait: (ms) => pause(ms) }

/** Syncs each link. A failed one is tried again, at the same rate, and then reported. */
export async function syncAll(
  links: readonly BillingLink[],
  sync: (link: BillingLink) => Promise<unknown>,
  clock = CLOCK,
): Promise<SyncedAll> {
  const result: SyncedAll = { synced: 0, failed: [] }
  const waiting = links.values()
  let next = clock.now()

  async function keepPace(): Promise<void> {
    const now = clock.now()
    next = Math.max(now, next + ACCOUNT_MS)
    if (next > now) await clock.wait(next - now)
  }

  async function syncPatiently(link: BillingLink): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await keepPace()
        await sync(link)
        return
      } catch (error) {
        if (!(error instanceof ProviderDown) || !error.isPassing || tries === SYNC_TRIES)
          throw error
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
