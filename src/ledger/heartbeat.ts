/** Records the newest rows of ledger, operator log and audit outside the database. */
import type { LedgerStore } from '../store/accounts/ledger-rows.ts'
import { isHttp, writeHeads } from '../store/heads.ts'

/** Longest delay until committed rows are recorded in a file. */
const FILE_MS = 250
/** The same for a remote address. */
const HTTP_MS = 5000

/**
 * Records heads in each place when they have changed: in a file every 250 ms, at an HTTP address
 * every 5 s. A failing place is tried again, and reported once until it works. Must not start on a
 * store that has lost rows.
 */
export function startHeartbeat(
  store: Pick<LedgerStore, 'newest'>,
  places: readonly string[],
  now: () => number,
  onError: (error: unknown, place: string) => void,
) {
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
        const ids = [newest.ledger.id, newest.operator.id, newest.audit.id]
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
    /** Records the newest rows once more, then stops. */
    async stop() {
      await Promise.all(beats.map((stop) => stop()))
    },
  }
}
