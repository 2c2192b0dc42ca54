/** Keeps watches: finds events, sends them, and forgets old ones. */
import { openFinder } from './find-events.ts'
import type { Meter } from './meter.ts'
import type { WatchWorld } from './open-world.ts'
import { sealAgain } from './secrets.ts'
import { openSender } from './send.ts'

const KEPT_MS = 90 * 86_400_000

export type Keeper = ReturnType<typeof openKeeper>

export function openKeeper(world: WatchWorld, meter: Meter) {
  const { watches } = world.accounts
  const finder = openFinder(world)
  const sender = openSender(world, meter)
  return {
    /** Finds events. Returns whether there may be more. */
    find: finder.find,
    send: sender.start,
    idle: sender.idle,
    /** Forgets events after 90 days, and seals secrets with the newest server secret. */
    async tidy() {
      await watches.forget(world.now() - KEPT_MS)
      for (const { id } of await watches.all()) {
        // Read again: its secret may have been renewed meanwhile.
        const watch = await watches.byId(id)
        if (watch === undefined) continue
        const secret = sealAgain(world, watch.secret)
        const oldSecret = watch.oldSecret && sealAgain(world, watch.oldSecret)
        if (secret === undefined && !oldSecret) continue
        const change = { ...(secret && { secret }), ...(oldSecret && { oldSecret }) }
        await watches.change(watch, change, { watches: 0, parcels: 0 })
      }
    },
  }
}
