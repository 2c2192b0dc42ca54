/**
 * Parcels from read replicas: in turn, without those that are out of reach or too far behind, and
 * from the primary when no replica answers.
 *
 * Every process looks after its replicas itself, twice a second. How far one is behind is told by
 * the log: it must have replayed what the primary had written `lagMs` ago. So a replica of a
 * primary that writes nothing is never behind.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../errors.ts'
import type { ParcelReader } from '../../store.ts'
import { SQLSTATE, sqlState } from '../pool/errors.ts'
import type { Ask } from '../pool/lookup-queue.ts'
import { type ClosableReader, openLookupQueue, openParcelReader } from './parcels.ts'

/** How far a replica may be behind before it is left out, milliseconds. */
const LAG_MS = 5000
const WATCH_MS = 500
/**
 * For how long all questions go to the same replica. A request asks two or three of them, and two
 * replicas may be at different moments: so most requests have all their answers from one.
 */
const TURN_MS = 200

/** Not what is written out of it: a commit that does not wait for the disk is seen before that. */
const WRITTEN = "SELECT pg_current_wal_insert_lsn() - '0/0' AS at"
/** One that is no standby (promoted, or never one) has nothing to be compared by. */
const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery()
  THEN pg_last_wal_replay_lsn() - '0/0' ELSE -1 END AS at`

type Replica = { reader: ClosableReader; ask: Ask; isGood: boolean }
type Mark = { time: number; at: number }

/**
 * Opens a reader over a primary and its replicas; none is connected to before the first question.
 */
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
  // Processes that start together are not all at the same replica.
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

  /**
   * Notes where the primary's log is; while it is out of reach, replicas are held to what it had.
   */
  async function markPrimary(): Promise<void> {
    try {
      const [row] = await quick.ask<{ at: string }>(WRITTEN, [])
      marks.push({ time: performance.now(), at: Number(row?.at) })
    } catch {
      return
    }
    // The newest mark that is old enough is the one to be held to; those before it are of no use.
    const old = marks.findLastIndex(({ time }) => time <= performance.now() - lagMs)
    if (old > 0) marks.splice(0, old)
  }

  async function lookAt(replica: Replica): Promise<void> {
    try {
      const [row] = await replica.ask<{ at: string }>(REPLAYED, [])
      // A process that has just started knows only where the primary is now, and waits for that.
      const wanted = marks[0]?.at ?? Number.POSITIVE_INFINITY
      replica.isGood = Number(row?.at) >= wanted
    } catch {
      replica.isGood = false
    }
  }

  /** Asks the replica whose turn it is, then the others, then the primary. */
  async function answer<Result>(question: (reader: ParcelReader) => Promise<Result>) {
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
    isRemote: true,
    byParcelId: (...asked) => answer((reader) => reader.byParcelId(...asked)),
    byAlternateId: (...asked) => answer((reader) => reader.byAlternateId(...asked)),
    bySitusKey: (...asked) => answer((reader) => reader.bySitusKey(...asked)),
    addressesWithPrefix: (...asked) => answer((reader) => reader.addressesWithPrefix(...asked)),
    onlyAtSitusKey: (...asked) => answer((reader) => reader.onlyAtSitusKey(...asked)),
    byLooseKey: (...asked) => answer((reader) => reader.byLooseKey(...asked)),
    byIds: (...asked) => answer((reader) => reader.byIds(...asked)),
    page: (...asked) => answer((reader) => reader.page(...asked)),
    ownersOf: (...asked) => answer((reader) => reader.ownersOf(...asked)),
    countOwnerKeys: (...asked) => answer((reader) => reader.countOwnerKeys(...asked)),
    byOwner: (...asked) => answer((reader) => reader.byOwner(...asked)),
    pointsIn: (...asked) => answer((reader) => reader.pointsIn(...asked)),
    salesIn: (...asked) => answer((reader) => reader.salesIn(...asked)),
    shapesIn: (...asked) => answer((reader) => reader.shapesIn(...asked)),
    tileRows: (...asked) => answer((reader) => reader.tileRows(...asked)),
    surnamesFrom: (...asked) => answer((reader) => reader.surnamesFrom(...asked)),
    countsIn: (...asked) => answer((reader) => reader.countsIn(...asked)),
    changes: (...asked) => answer((reader) => reader.changes(...asked)),
    saleTest: (...asked) => answer((reader) => reader.saleTest(...asked)),
    coverage: () => answer((reader) => reader.coverage()),
    unreached: () => [],
    version: () => answer((reader) => reader.version()),
    async close() {
      closed = true
      await Promise.all(
        [primary, ...replicas.map(({ reader }) => reader)].map((one) => one.close()),
      )
    },
  }
}

/**
 * Whether another server may answer what this one did not. A statement that ran out of time would
 * only do so again; any other error may be the replica's own, that of an upgrade which has not
 * reached it among them.
 */
function mayPass(error: unknown): boolean {
  return sqlState(causeOf(error)) !== SQLSTATE.QUERY_CANCELED
}

/** Not: too many questions at once, or a conflict with what it replays. */
function isOutOfReach(error: unknown): boolean {
  const cause = causeOf(error)
  return cause !== undefined && sqlState(cause) !== '40001'
}

function causeOf(error: unknown): unknown {
  return error instanceof Refusal ? error.cause : error
}
