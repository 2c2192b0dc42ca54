/**
 * Notes the newest rows of ledger, operator log and audit outside the database while it is written.
 */
import type { LedgerStore } from '../store/accounts-store.ts'
import { isHttp, writeHeads } from '../store/heads.ts'

type Heartbeat = {
  /** Notes what is newest once more, then stops. */
  stop(): Promise<void>
}

/** What is committed is noted in a file at the latest this much later. */
const FILE_MS = 250
/** A remote address gets changes less often. */
const HTTP_MS = 5000

/**
 * Notes heads in each place whenever they have changed, a file each 250 ms, an http address each 5
 * s. A place that fails is told once, and again when it fails after it has worked; it is tried
 * again each time. Not to be started on a store that has lost rows.
 *
 * `now`: epoch milliseconds.
 */
export function startHeartbeat(
  store: Pick<LedgerStore, 'newest'>,
  places: readonly string[],
  now: () => number,
  onError: (error: unknown, place: string) => void,
): Heartbeat {
  const beats = places.map((place) => startBeat(place))

  function startBeat(place: string) {
    let noted = ''
    let failing = false
    let stopped = false
    let timer: NodeJS.Timeout | undefined
    let working: Promise<void> = Promise.resolve()

    async function beat(): Promise<void> {
      try {
        const newest = await store.newest()
        const ids = [newest.ledger.id, newest.operator.id, newest.audit?.id ?? 0]
        const name = ids.join(' ')
        if (name === noted || name === '0 0 0') return
        await writeHeads(place, { at: now(), ...newest })
        noted = name
        failing = false
      } catch (error) {
        if (!failing) onError(error, place)
        failing = true
      }
    }

    function schedule(): void {
      if (stopped) return
      timer = setTimeout(
        () => {
          working = beat().then(schedule)
        },
        isHttp(place) ? HTTP_MS : FILE_MS,
      ).unref()
    }
    schedule()
    return async () => {
      stopped = true
      clearTimeout(timer)
      await working
      await beat()
    }
  }

  return {
    async stop() {
      await Promise.all(beats.map((stop) => stop()))
    },
  }
}
