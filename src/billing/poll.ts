/** Polls a provider's events every minute: finds those that webhooks missed, and an outage. */
import type { BillingLink, BillingStore } from '../store/billing-store.ts'
import { type Provider, ProviderDown } from './provider.ts'
import type { BillingSync } from './sync.ts'

export type PollWorld = {
  store: BillingStore
  provider: Pick<Provider, 'events'>
  apply: BillingSync['apply']
  syncAll(links: readonly BillingLink[]): Promise<unknown>
  /** Epoch milliseconds. */
  now(): number
  /** How long facts stay valid without the provider. */
  staleMs: number
  alarm(text: string): void
}

/** Events may become visible later than their time. */
const OVERLAP_MS = 600_000
/** Stripe keeps events for 30 days. */
const KEPT_MS = 29 * 86_400_000

/**
 * Applies all events since the last poll. If events may be missing, or facts became unavailable, it
 * reads all accounts instead. Throws when the provider or the store is unreachable.
 */
export async function poll(world: PollWorld): Promise<void> {
  const { store, provider, now, staleMs } = world
  const startedAt = now()
  const { polledAt, polledTo } = await store.state()
  const isLate = polledTo === null || startedAt - polledTo > KEPT_MS
  const wasStale = polledAt !== null && startedAt - polledAt > staleMs
  const events = await provider.events(isLate ? startedAt : polledTo - OVERLAP_MS)
  if (isLate || wasStale) await world.syncAll(await store.links())
  for (const event of events) await applyOrSkip(world, event)
  const due = await store.linksDue(startedAt)
  if (due.length > 0) await world.syncAll(due)
  const newest = events.reduce((latest, { created }) => Math.max(latest, created), polledTo ?? 0)
  await store.setState({ polledAt: now(), polledTo: isLate ? startedAt : newest })
}

/** One account's failure stops no other. A refused event is skipped: its webhook may come again. */
async function applyOrSkip(
  { apply, store, alarm, now }: PollWorld,
  event: Parameters<BillingSync['apply']>[0],
): Promise<void> {
  try {
    await apply(event)
  } catch (error) {
    const isDown = error instanceof ProviderDown
    if (!(error instanceof Error) || (isDown && !error.isOfOne)) throw error
    alarm(`event ${event.id} cannot be applied: ${error.message}`)
    if (isDown) return
    const { id, type, customer, version, hash, created } = event
    await store.noteEvent({ id, type, customer, version, hash, created, appliedAt: now() })
  }
}

/** Makes billing unavailable for linked accounts when the provider was away for too long. */
export async function markStale({ store, now, staleMs, alarm }: PollWorld): Promise<void> {
  const { polledAt } = await store.state()
  if (polledAt === null || now() - polledAt <= staleMs) return
  let marked = 0
  for (const link of await store.links()) {
    const { accountId, revision, facts, problem, syncedAt } = link
    if (facts.billing !== 'ok') continue
    const settled = await store.settle({
      accountId,
      revision,
      facts: { ...facts, billing: 'unavailable' },
      problem,
      change: (own) => ({ ...own, billing: 'unavailable' }),
      event: undefined,
      at: syncedAt ?? now(),
    })
    if (settled) marked += 1
  }
  if (marked > 0) alarm(`billing is unavailable for ${marked} accounts: the provider is away`)
}
