/** Records the newest rows of ledger, operator log and audit outside the database. */
import { setTimeout as sleep } from 'node:timers/promises'
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
  const stopping = new AbortController()
  const beats = places.map((place) => keepBeating(place, openBeat(place)))

  /** Returns the function that records the newest rows in a place, if they are new. */
  function openBeat(place: string) {
    let noted = ''
    let failing = false
    return async () => {
      try {
        const newest = await store.newest()
        const name = [newest.ledger.id, newest.operator.id, newest.audit.id].join(' ')
        if (name === noted || name === '0 0 0') return
        await writeHeads(place, { at: now(), ...newest })
        noted = name
        failing = false
      } catch (error) {
        if (!failing) onError(error, place)
        failing = true
      }
    }
  }

  async function keepBeating(place: string, beat: () => Promise<void>): Promise<void> {
    const { signal } = stopping
    const pause = isHttp(place) ? HTTP_MS : FILE_MS
    for (let isLast = false; !isLast; ) {
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined)
      isLast = signal.aborted
      await beat()
    }
  }

  return {
    /** Records the newest rows once more, then stops. */
    async stop() {
      stopping.abort()
      await Promise.all(beats)
    },
  }
}
