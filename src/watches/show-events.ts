/**
 * Shows stored events. What changed is read from the versions of parcels whenever an event is
 * shown. So suppressions, `unload` and `history prune` reach events that are kept.
 */
import { openMatch } from '../operations/watches/match.ts'
import { type PairReader, readPairs } from '../operations/watches/pairs.ts'
import { bareEvent, makeEvent, type WatchEvent } from '../operations/watches/show-event.ts'
import type { StoredEvent, Watch } from '../store/accounts/watch-store.ts'
import type { WatchWorld } from './open-world.ts'

export async function showEvents(
  world: WatchWorld,
  watch: Watch,
  stored: readonly StoredEvent[],
): Promise<WatchEvent[]> {
  const readers = new Map<string, PairReader>()
  for (const [state, own] of Map.groupBy(stored, (event) => event.state)) {
    const ids = own.map(({ parcel }) => parcel)
    readers.set(state, await readPairs(world.parcels, state, ids))
  }
  const match = watch.kind === 'parcels' ? undefined : openMatch(watch)
  let suppressedAt: number | undefined
  const events: WatchEvent[] = []
  for (const event of stored) {
    const pair = readers.get(event.state)?.pairOf(event.parcel, event.import)
    if (pair !== undefined) {
      const shown = makeEvent(watch, event, pair, match)
      if (shown !== undefined) events.push(shown)
      continue
    }
    // What cannot be compared again may be of somebody who has been suppressed since.
    suppressedAt ??= await world.accounts.watches.suppressedAt()
    if (event.parcel < 0 || event.at > suppressedAt) events.push(bareEvent(watch, event))
  }
  return events
}
