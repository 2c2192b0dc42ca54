/** Stored watches: what callers want to hear of, the events found, and their deliveries. */
import { slicesOf } from '../rolls/roll-sql.ts'
import { type AccountDatabase, openTable, run, type Steps } from './database.ts'
import { cellsOf, columnsOf, insertInto, type Row, readerOf } from './table-rows.ts'
import { openDeliveries } from './watch-deliveries.ts'

export const WATCH_KINDS = ['parcels', 'owner', 'shape', 'search'] as const
export type WatchKind = (typeof WATCH_KINDS)[number]

export type Watch = {
  id: string
  accountId: string
  name: string
  kind: WatchKind
  /** What is asked, as JSON; `null` for `parcels`, which are listed apart. */
  condition: string | null
  /** Bits of groups in the order of `model/changes.ts`. */
  groups: number
  /** `null`: its events are only asked for. */
  url: string | null
  /** Both secrets are sealed. The old one signs too until its end. */
  secret: string
  oldSecret: string | null
  oldSecretUntil: number | null
  status: 'active' | 'failing'
  createdAt: number
  /** The newest change of each state when it was made: it reports later ones. */
  starts: Readonly<Record<string, number>>
  parcels: number
}

/** An event: a change of a parcel by an import, as one watch hears of it. */
export type StoredEvent = {
  /** 1, 2, 3 … over all watches. */
  number: number
  id: string
  watchId: string
  state: string
  /** Id of the record; below 0 for a county that was loaded. */
  parcel: number
  import: number
  /** As in the feed of changes. */
  what: string
  propertyId: string | null
  fips: number
  /** Bits of groups that changed. */
  groups: number
  /** Epoch milliseconds of the import. */
  at: number
}

type NewEvent = Omit<StoredEvent, 'number'>

/** The heads of the feed of changes, by state. */
type Heads = Readonly<Record<string, number>>

/** A change of a watch; absent properties stay. */
export type WatchChange = Partial<
  Pick<
    Watch,
    'name' | 'condition' | 'groups' | 'url' | 'secret' | 'oldSecret' | 'oldSecretUntil' | 'status'
  >
> & { parcels?: readonly WatchedParcel[] }

/** A listed parcel. `key`: its property ID without punctuation, see `watchKeyOf`. */
export type WatchedParcel = { key: string; propertyId: string }

/** Most watches of an account, and most parcels that they list together. */
export type WatchLimits = { watches: number; parcels: number }

/** `watches`, `parcels`: that limit does not allow it. */
type Stored = 'stored' | 'watches' | 'parcels'

export function createWatchStore(database: AccountDatabase) {
  return {
    ...openDeliveries(database),
    ...openWatches(database),
    ...openWatchers(database),
    ...openEvents(database),
  }
}

export type WatchStore = ReturnType<typeof createWatchStore>

const VERSION = 'UPDATE watch_state SET version = version + 1'

function openWatches(database: AccountDatabase) {
  const { ask, dialect } = database
  const { all, one } = openTable(ask, 'watch', readWatch)
  return {
    /** Adds a watch; one with the same id stays as it is. */
    add: (watch: Watch, parcels: readonly WatchedParcel[], limits: WatchLimits) =>
      database.transact(() => addIn(watch, parcels, limits)),
    /** Those of an account, oldest first. */
    list: (accountId: string) => all('WHERE account_id = $1 ORDER BY created_at, id', [accountId]),
    /** All watches but those of listed parcels. */
    conditions: () => all('WHERE condition IS NOT NULL ORDER BY id'),
    all: () => all('ORDER BY id'),
    byId: (id: string) => one('WHERE id = $1', [id]),
    byIds: (ids: readonly string[]) => all(`WHERE id ${dialect.isIn('$1', 'text')}`, [ids]),
    propertyIds: async (id: string) => {
      const text = 'SELECT property_id FROM watch_parcel WHERE watch_id = $1 ORDER BY property_id'
      return (await ask(text, [id])).map((row) => String(row.property_id))
    },
    change: (watch: Watch, change: WatchChange, limits: WatchLimits) =>
      database.transact(() => changeIn(watch, change, limits)),
    /** Removes a watch with its events and deliveries. */
    remove: (id: string) =>
      database.transact(function* (): Steps<void> {
        yield* run(VERSION)
        for (const table of ['watch_parcel', 'watch_event', 'watch_delivery']) {
          yield* run(`DELETE FROM ${table} WHERE watch_id = $1`, [id])
        }
        yield* run('DELETE FROM watch WHERE id = $1', [id])
      }),
    /** Differs after each change of a watch; 0 while there is none. */
    version: async () => {
      const text = 'SELECT version FROM watch_state WHERE EXISTS (SELECT 1 FROM watch)'
      const [row] = await ask(text)
      return Number(row?.version ?? 0)
    },
  }
}

function* addIn(
  watch: Watch,
  parcels: readonly WatchedParcel[],
  limits: WatchLimits,
): Steps<Stored> {
  // The first statement of a change locks the others out.
  yield* run(VERSION)
  const known = yield* run('SELECT id FROM watch WHERE id = $1', [watch.id])
  if (known.length > 0) return 'stored'
  const [sums] = yield* run(
    `SELECT count(*) AS watches, coalesce(sum(parcels), 0) AS parcels FROM watch
    WHERE account_id = $1`,
    [watch.accountId],
  )
  if (Number(sums?.watches) >= limits.watches) return 'watches'
  if (Number(sums?.parcels) + parcels.length > limits.parcels) return 'parcels'
  const [another] = yield* run('SELECT id FROM watch LIMIT 1')
  if (another === undefined) yield* beginAt(watch.starts)
  yield* insertWatch({ ...watch, parcels: parcels.length })
  yield* insertParcels(watch.id, parcels)
  return 'stored'
}

/** Without a watch nothing was compared, so that the first one begins at the newest changes. */
function* beginAt(heads: Heads): Steps<void> {
  yield* run('DELETE FROM watch_position')
  for (const [state, sequence] of Object.entries(heads)) {
    yield* run('INSERT INTO watch_position (state, sequence) VALUES ($1, $2)', [state, sequence])
  }
}

function* insertWatch(watch: Watch): Steps<void> {
  const row = { ...watch, starts: JSON.stringify(watch.starts), newest: 0, delivered: 0 }
  yield* run(insertInto('watch'), cellsOf('watch', row))
}

/** Rows of one statement; both stores take more. */
const PART = 500

function* insertParcels(id: string, parcels: readonly WatchedParcel[]): Steps<void> {
  for (const part of slicesOf(parcels, PART)) {
    const rows = part.map((_, at) => `($1, $${2 * at + 2}, $${2 * at + 3})`).join(', ')
    yield* run(`INSERT INTO watch_parcel (watch_id, parcel_key, property_id) VALUES ${rows}`, [
      id,
      ...part.flatMap(({ key, propertyId }) => [key, propertyId]),
    ])
  }
}

const CHANGED = columnsOf('watch').filter(({ name }) =>
  /^(?:name|condition|groups|url|secret|old_secret|old_secret_until|status)$/.test(name),
)

function* changeIn(
  { id, accountId }: Watch,
  change: WatchChange,
  limits: WatchLimits,
): Steps<Stored> {
  yield* run(VERSION)
  const { parcels } = change
  if (parcels !== undefined) {
    const [sums] = yield* run(
      `SELECT coalesce(sum(parcels), 0) AS parcels FROM watch WHERE account_id = $1 AND id <> $2`,
      [accountId, id],
    )
    if (Number(sums?.parcels) + parcels.length > limits.parcels) return 'parcels'
    yield* run('DELETE FROM watch_parcel WHERE watch_id = $1', [id])
    yield* insertParcels(id, parcels)
    yield* run('UPDATE watch SET parcels = $2 WHERE id = $1', [id, parcels.length])
  }
  for (const { name: column, property } of CHANGED) {
    const value = (change as Row)[property]
    if (value !== undefined)
      yield* run(`UPDATE watch SET ${column} = $2 WHERE id = $1`, [id, value])
  }
  if (change.status === 'active') yield* resume(id)
  return 'stored'
}

/** The delivery that was given up begins anew, with its own id. */
function* resume(id: string): Steps<void> {
  yield* run(
    `UPDATE watch_delivery SET status = 'pending', attempts = 0, next_at = created_at,
      ended_at = NULL
    WHERE watch_id = $1 AND status = 'failed'
      AND last_event > (SELECT delivered FROM watch WHERE id = $1)`,
    [id],
  )
}

function openWatchers({ ask, dialect }: AccountDatabase) {
  return {
    watchersOf: async (keys: readonly string[]) => {
      const rows = await ask(
        `SELECT parcel_key, property_id, watch_id FROM watch_parcel
        WHERE parcel_key ${dialect.isIn('$1', 'text')}`,
        [keys],
      )
      return rows.map((row) => ({
        key: String(row.parcel_key),
        propertyId: String(row.property_id),
        watchId: String(row.watch_id),
      }))
    },
    /** Watches that list a parcel of a county. */
    watchersIn: async (fips: number) => {
      const prefix = String(fips).padStart(5, '0')
      const rows = await ask(
        `SELECT DISTINCT watch_id FROM watch_parcel
        WHERE parcel_key >= $1 AND parcel_key < $2`,
        // The character after a hyphen.
        [`${prefix}-`, `${prefix}.`],
      )
      return rows.map((row) => String(row.watch_id))
    },
  }
}

function openEvents(database: AccountDatabase) {
  const { ask, dialect } = database
  const { all } = openTable(ask, 'watch_event', readEvent)
  return {
    /** How far the feed of each state has been compared. */
    positions: async () => {
      const rows = await ask('SELECT state, sequence FROM watch_position')
      return new Map(rows.map((row) => [String(row.state), Number(row.sequence)]))
    },
    /** Adds events of a range of changes, each once; `false`: another process has done so. */
    addEvents: (range: ChangeRange, events: readonly NewEvent[]) =>
      database.transact(() => addEventsIn(range, events)),
    eventsOf: (watchId: string, after: number, limit: number) =>
      all('WHERE watch_id = $1 AND number > $2 ORDER BY number LIMIT $3', [watchId, after, limit]),
    /** Events that an import caused for these records. */
    eventsOfImport: (state: string, importId: number, parcels: readonly number[]) =>
      all(`WHERE state = $1 AND import = $2 AND parcel ${dialect.isIn('$3', 'bigint')}`, [
        ...[state, importId, parcels],
      ]),
    /** When the newest suppression was added, epoch milliseconds; 0 without one. */
    suppressedAt: async () => {
      const [row] = await ask('SELECT max(created_at) AS at FROM suppression')
      return Number(row?.at ?? 0)
    },
    /** Forgets older events and deliveries that ended earlier. */
    forget: async (before: number) => {
      await ask('DELETE FROM watch_event WHERE at < $1', [before])
      await ask('DELETE FROM watch_delivery WHERE ended_at < $1', [before])
    },
  }
}

type ChangeRange = { state: string; from: number; to: number }

function* addEventsIn(
  { state, from, to }: ChangeRange,
  events: readonly NewEvent[],
): Steps<boolean> {
  // Locks the counter, so that numbers are committed in their order.
  const [counter] = yield* run('UPDATE watch_state SET one = 1 RETURNING last_event')
  const moved = yield* run(
    from === 0
      ? `INSERT INTO watch_position (state, sequence) VALUES ($1, $2)
        ON CONFLICT (state) DO UPDATE SET sequence = excluded.sequence
        WHERE watch_position.sequence = $3 RETURNING sequence`
      : `UPDATE watch_position SET sequence = $2 WHERE state = $1 AND sequence = $3
        RETURNING sequence`,
    [state, to, from],
  )
  if (moved.length === 0) return false
  let last = Number(counter?.last_event ?? 0)
  const newest = new Map<string, number>()
  for (const event of events) {
    const added = yield* run(
      `INSERT INTO watch_event (number, id, watch_id, state, parcel, import, what, property_id,
        fips, groups, at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
      WHERE EXISTS (SELECT 1 FROM watch WHERE id = $3)
      ON CONFLICT DO NOTHING RETURNING number`,
      [
        ...[last + 1, event.id, event.watchId, state, event.parcel, event.import, event.what],
        ...[event.propertyId, event.fips, event.groups, event.at],
      ],
    )
    if (added.length === 0) continue
    last += 1
    newest.set(event.watchId, last)
  }
  for (const [id, number] of newest) {
    yield* run('UPDATE watch SET newest = $2 WHERE id = $1', [id, number])
  }
  yield* run('UPDATE watch_state SET last_event = $1', [last])
  return true
}

const readWatchRow = readerOf<Watch>('watch', 'newest', 'delivered')

function readWatch(row: Row): Watch {
  return { ...readWatchRow(row), starts: JSON.parse(String(row.starts)) }
}

const readEvent = readerOf<StoredEvent>('watch_event')
