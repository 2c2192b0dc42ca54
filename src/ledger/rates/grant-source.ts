/**
 * The database as a source of grants: each request has a time limit, and after a failure the node
 * counts by itself until a probe finds the database again.
 */
import type { Granted, GrantStore, UnusedGrant } from '../../store/accounts-store.ts'
import { GRANT_MS } from './node-grants.ts'
import { LEASE_MS, WINDOW_MS } from './rate-windows.ts'

/** A request is sent at most a grant and a lease after it was counted. */
const COUNTS_MS = WINDOW_MS + GRANT_MS + LEASE_MS
/** A grant, and one under way before it, are received within the 1000 ms that a worker waits. */
const ANSWER_MS = 450
const PROBE_MS = 1000
const LOG_MS = 60_000

export type SharedWorld = {
  store: GrantStore
  /** Milliseconds of a steady clock. */
  steadyMs(): number
  /** Called at most once a minute while the node counts by itself. */
  onAlone(error: unknown): void
  answerMs?: number
}

type Wanted = { accountId: string; limit: number; want: number; unused: UnusedGrant[] }

/** Creates the source of one node. Its functions never reject. */
export function createGrantSource(world: SharedWorld) {
  const { store, steadyMs, onAlone, answerMs = ANSWER_MS } = world
  let isAlone = false
  let probedAt = Number.NEGATIVE_INFINITY
  let reportedAt = Number.NEGATIVE_INFINITY

  function goAlone(error: unknown): void {
    const now = steadyMs()
    if (!isAlone) probedAt = now
    isAlone = true
    if (now - reportedAt < LOG_MS) return
    reportedAt = now
    onAlone(error)
  }

  return {
    /** Whether the node counts by itself. */
    isAlone: () => isAlone,
    /**
     * Requests a grant. `undefined`: there was no answer in time, so the node now counts by itself.
     * `onLate` receives a grant that comes after that.
     */
    take(wanted: Wanted, onLate: (granted: Granted) => void) {
      return new Promise<Granted | undefined>((resolve) => {
        let isLate = false
        const timer = setTimeout(() => {
          isLate = true
          goAlone(new Error(`the database gave no answer within ${answerMs} ms`))
          resolve(undefined)
        }, answerMs)
        store.take({ ...wanted, countsMs: COUNTS_MS }).then(
          (granted) => {
            clearTimeout(timer)
            if (isLate) onLate(granted)
            else resolve(granted)
          },
          (error) => {
            // Whether `unused` was returned is unknown, so it stays counted.
            clearTimeout(timer)
            if (!isLate) goAlone(error)
            resolve(undefined)
          },
        )
      })
    },
    giveBack: (unused: (UnusedGrant & { accountId: string })[]) =>
      store.giveBack(unused).catch(goAlone),
    /** Asks at most once a second whether the database is back. */
    async probe() {
      const now = steadyMs()
      if (now - probedAt < PROBE_MS) return
      probedAt = now
      try {
        await store.giveBack([])
        isAlone = false
      } catch (error) {
        goAlone(error)
      }
    },
    /**
     * Deletes expired rows, which only take space. An unreachable database is noticed by the next
     * grant.
     */
    sweep: () => store.sweep(COUNTS_MS).catch(() => undefined),
  }
}
