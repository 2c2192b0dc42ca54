/** Deliveries of events: what is sent in one POST, and how its attempts went. */
import { type AccountDatabase, run, type Steps } from './database.ts'
import { type Row, readerOf } from './table-rows.ts'

export type Delivery = {
  /** The same for every attempt. */
  id: string
  watchId: string
  accountId: string
  /** Host and port of the receiver. */
  host: string
  /** It holds the events of the watch that are not delivered, up to this number. */
  lastEvent: number
  /** How many these are. */
  events: number
  attempts: number
  /** Epoch milliseconds of the next attempt; `null` when it has ended. */
  nextAt: number | null
  status: 'pending' | 'delivered' | 'failed'
  /** Of the last attempt: the receiver's status, or why there is none. */
  answer: string | null
  createdAt: number
  endedAt: number | null
}

/**
 * What an attempt came to. `events`: how many arrived; with none the delivery is forgotten.
 * `retryAt`: of the next one; `null`: it was the last.
 */
export type AttemptResult =
  | { isDelivered: true; events: number; answer: string; at: number }
  | { isDelivered: false; answer: string; at: number; retryAt: number | null }

/** Those with as many attempts under way as they may have. */
type Busy = { hosts: readonly string[]; accounts: readonly string[] }

/** Most events of a delivery. */
export const DELIVERY_MAX = 100

const DELIVERIES = `SELECT d.*, w.account_id FROM watch_delivery d
  JOIN watch w ON w.id = d.watch_id`

export function openDeliveries(database: AccountDatabase) {
  const { ask } = database
  return {
    /** Begins a delivery for each watch that has new events and none under way. */
    beginDeliveries: (now: number, make: MakeDelivery) => database.transact(() => begin(now, make)),
    /** Deliveries whose time has come, except to busy hosts and of busy accounts; oldest first. */
    due: async (now: number, limit: number, { hosts, accounts }: Busy) => {
      const { isIn } = database.dialect
      const text = `${DELIVERIES} WHERE d.status = 'pending' AND d.next_at <= $1
        AND NOT d.host ${isIn('$3', 'text')} AND NOT w.account_id ${isIn('$4', 'text')}
        ORDER BY d.next_at, d.id LIMIT $2`
      return (await ask(text, [now, limit, hosts, accounts])).map(readDelivery)
    },
    /** Takes a delivery for an attempt until a time. `false`: another process has it. */
    claim: async ({ id, nextAt }: Delivery, until: number) => {
      const rows = await ask(
        `UPDATE watch_delivery SET next_at = $3
        WHERE id = $1 AND status = 'pending' AND next_at = $2 RETURNING id`,
        [id, nextAt, until],
      )
      return rows.length > 0
    },
    /** Number of the newest event that the watch's receiver has. */
    deliveredTo: async (watchId: string) => {
      const [row] = await ask('SELECT delivered FROM watch WHERE id = $1', [watchId])
      return Number(row?.delivered ?? 0)
    },
    settleDelivery: (delivery: Delivery, result: AttemptResult) =>
      database.transact(() => settle(delivery, result)),
    /** The newest deliveries of a watch, newest first. */
    deliveriesOf: async (watchId: string, limit: number) => {
      const text = `${DELIVERIES} WHERE d.watch_id = $1
        ORDER BY d.created_at DESC, d.last_event DESC LIMIT $2`
      return (await ask(text, [watchId, limit])).map(readDelivery)
    },
  }
}

type MakeDelivery = (url: string) => { id: string; host: string }

function* begin(now: number, make: MakeDelivery): Steps<number> {
  const waiting = yield* run(
    `SELECT w.id, w.url, w.delivered FROM watch w
    WHERE w.newest > w.delivered AND w.status = 'active' AND w.url IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM watch_delivery d
        WHERE d.watch_id = w.id AND d.status = 'pending')
    ORDER BY w.id LIMIT 1000`,
  )
  // Two processes that begin at once would send the same events twice.
  if (waiting.length > 0) yield* run('UPDATE watch_state SET one = 1')
  let begun = 0
  for (const row of waiting) {
    const events = yield* run(
      'SELECT number FROM watch_event WHERE watch_id = $1 AND number > $2 ORDER BY number LIMIT $3',
      [String(row.id), Number(row.delivered), DELIVERY_MAX],
    )
    const last = Number(events.at(-1)?.number ?? 0)
    if (last === 0) {
      // All of them were forgotten.
      yield* run('UPDATE watch SET delivered = newest WHERE id = $1', [String(row.id)])
      continue
    }
    const { id, host } = make(String(row.url))
    const added = yield* run(
      `INSERT INTO watch_delivery (id, watch_id, host, last_event, events, attempts, next_at,
        status, created_at)
      SELECT $1, $2, $3, $4, $5, 0, $6, 'pending', $6
      WHERE NOT EXISTS (SELECT 1 FROM watch_delivery
        WHERE watch_id = $2 AND (status = 'pending' OR last_event >= $4)) RETURNING id`,
      [id, String(row.id), host, last, events.length, now],
    )
    begun += added.length
  }
  return begun
}

function* settle(delivery: Delivery, result: AttemptResult): Steps<void> {
  const { id, watchId, lastEvent } = delivery
  const isOver = result.isDelivered || result.retryAt === null
  const status = result.isDelivered ? 'delivered' : isOver ? 'failed' : 'pending'
  const nextAt = result.isDelivered ? null : result.retryAt
  const events = result.isDelivered ? result.events : delivery.events
  yield* run(
    `UPDATE watch_delivery SET status = $2, answer = $3, attempts = attempts + 1, next_at = $4,
      ended_at = $5, events = $6 WHERE id = $1`,
    [id, status, result.answer, nextAt, isOver ? result.at : null, events],
  )
  if (events === 0) yield* run('DELETE FROM watch_delivery WHERE id = $1', [id])
  if (result.isDelivered) {
    yield* run('UPDATE watch SET delivered = $2 WHERE id = $1 AND delivered < $2', [
      watchId,
      lastEvent,
    ])
  } else if (isOver) {
    yield* run("UPDATE watch SET status = 'failing' WHERE id = $1", [watchId])
  }
}

const readOwn = readerOf<Omit<Delivery, 'accountId'>>('watch_delivery')

function readDelivery(row: Row): Delivery {
  return { ...readOwn(row), accountId: String(row.account_id) }
}
