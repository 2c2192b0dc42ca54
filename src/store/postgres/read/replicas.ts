/**
 * Reads parcels from read replicas in turn, skips those that are unreachable or too far behind, and
 * uses the primary when no replica answers.
 *
 * Every process polls its replicas twice a second. A replica is current if it has replayed what the
 * primary had written `lagMs` ago. So a replica of an idle primary is never behind.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../base/errors.ts'
import { askThrough } from '../../questions.ts'
import { SQLSTATE, sqlState } from '../pool/errors.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import { type ClosableReader, openLookupQueue, openParcelReader } from './parcels.ts'

const LAG_MS = 5000
const WATCH_MS = 500
/** How long all questions go to one replica, so that most requests see one state. */
const TURN_MS = 200

/** Not the flushed position: a commit that does not wait for the disk is visible earlier. */
const WRITTEN = "SELECT pg_current_wal_insert_lsn() - '0/0' AS at"
/** A server that is not a standby (promoted, or never one) has no replay position. */
const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery()
  THEN pg_last_wal_replay_lsn() - '0/0' ELSE -1 END AS at`

type Replica = { reader: ClosableReader; ask: Ask; isGood: boolean }
type Mark = { time: number; at: number }

/** Opens a reader over a primary and its replicas, which connects on first use. */
export function openReplicatedReader(
  primaryUrl: string,
  replicaUrls: string[],
  lagMs = LAG_MS,
): ClosableReader {
  const quick = openLookupQueue(primaryUrl)
  const primary = openParcelReader(primaryUrl, quick)
  const replicas = replicaUrls.map((url): Replica => {
    const own = openLookupQueue(url)
    return { reader: openParcelReader(url, own), ask: own.ask, isGood: false }
  })
  // Processes that start together begin with different replicas.
  const first = process.pid % Math.max(1, replicas.length)
  const marks: Mark[] = []
  let closed = false
  let watching = false

  async function watch(): Promise<void> {
    while (!closed) {
      await markPrimary()
      await Promise.all(replicas.map(lookAt))
      await sleep(WATCH_MS, undefined, { ref: false })
    }
  }

  /** Records the primary's log position; while it is unreachable, the last one counts. */
  async function markPrimary(): Promise<void> {
    try {
      const [row] = await quick.ask<{ at: string }>(WRITTEN, [])
      marks.push({ time: performance.now(), at: Number(row?.at) })
    } catch {
      return
    }
    // Uses the newest position that is old enough and drops those before it.
    const old = marks.findLastIndex(({ time }) => time <= performance.now() - lagMs)
    if (old > 0) marks.splice(0, old)
  }

  async function lookAt(replica: Replica): Promise<void> {
    try {
      const [row] = await replica.ask<{ at: string }>(REPLAYED, [])
      // A process that has just started knows only the present position and waits for it.
      const wanted = marks[0]?.at ?? Number.POSITIVE_INFINITY
      replica.isGood = Number(row?.at) >= wanted
    } catch {
      replica.isGood = false
    }
  }

  /** Asks the current replica, then the others, then the primary. */
  async function answer<Result>(question: (reader: ClosableReader) => Promise<Result>) {
    if (!watching) void watch()
    watching = true
    const turn = first + Math.floor(performance.now() / TURN_MS)
    for (let step = 0; step < replicas.length; step += 1) {
      const replica = replicas[(turn + step) % replicas.length] as Replica
      if (!replica.isGood) continue
      try {
        return await question(replica.reader)
      } catch (error) {
        if (!mayPass(error)) throw error
        if (isOutOfReach(error)) replica.isGood = false
      }
    }
    return question(primary)
  }

  return {
    ...askThrough(primary, ({ put }) => answer(put)),
    // Standbys do not watch the nodes of a cluster.
    unreached: () => [],
    async close() {
      closed = true
      await Promise.all(
        [primary, ...replicas.map(({ reader }) => reader)].map((one) => one.close()),
      )
    },
  }
}

/** Reports whether another server may answer: a timeout would only repeat. */
function mayPass(error: unknown): boolean {
  return sqlState(causeOf(error)) !== SQLSTATE.QUERY_CANCELED
}

/** Too many questions at once, or a conflict with replay, does not mean unreachable. */
function isOutOfReach(error: unknown): boolean {
  const cause = causeOf(error)
  return cause !== undefined && sqlState(cause) !== '40001'
}

function causeOf(error: unknown): unknown {
  return error instanceof Refusal ? error.cause : error
}
