/**
 * The databases of the states with their readers. Every process polls each state database once a
 * second for its availability and the bounds of its parcels.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, refuse } from '../../../base/errors.ts'
import type { DegreeBox } from '../../../base/model/coverage.ts'
import { STATE_BOUNDS } from '../../../base/model/state-bounds.ts'
import type { StateHome, StatePlaces } from '../../../base/model/state-databases.ts'
import { describeServer } from '../pool/connection.ts'
import { ConnectionLost, SQLSTATE, sqlState } from '../pool/errors.ts'
import type { ClosableReader } from '../read/parcels.ts'
import { boundsOfCell, type PlaceCell } from '../read/places.ts'
import { PerDatabase } from './per-database.ts'

const WATCH_MS = 1000

/**
 * A server of some states. `isOut`: unreachable at the last attempt. `bounds`: the bounds of its
 * states, and of the cells of one degree that hold its parcels.
 */
export type Database = {
  home: StateHome
  reader: ClosableReader
  isOut: boolean
  version: string | undefined
  bounds: DegreeBox[]
}

/**
 * Opens the databases. Polling begins with the first question. `open` opens the reader of one
 * database, which connects on first use.
 */
export function watchDatabases(places: StatePlaces, open: (url: string) => ClosableReader) {
  const databases = new PerDatabase<Database>(places, (home) => ({
    ...{ home, reader: open(home.url), isOut: false, version: undefined },
    bounds: boundsOfStates(home),
  }))
  const own = databases.all().filter(({ home }) => !home.isMain)
  let watching = false
  let closed = false

  async function watch(): Promise<void> {
    while (!closed) {
      await Promise.all(own.map(lookAt))
      await sleep(WATCH_MS, undefined, { ref: false })
    }
  }

  async function lookAt(database: Database): Promise<void> {
    try {
      const version = await ask(database, (reader) => reader.version())
      if (version === database.version) return
      note(database, await ask(database, (reader) => reader.placeCells()))
      database.version = version
    } catch {
      // `ask` has recorded that the database is unreachable.
    }
  }

  /**
   * Records where a database's parcels are, beyond its states' bounds: some have points or polygons
   * elsewhere.
   */
  function note(database: Database, cells: PlaceCell[]): void {
    const { home } = database
    const held = cells.filter(({ state }) => databases.isHome(home, state))
    database.bounds = [...boundsOfStates(home), ...held.map(boundsOfCell)]
  }

  /** Asks one database, and records whether it was reachable. */
  async function ask<Result>(
    database: Database,
    question: (reader: ClosableReader) => Promise<Result>,
  ): Promise<Result> {
    if (!watching) {
      watching = true
      void watch()
    }
    try {
      const result = await question(database.reader)
      database.isOut = false
      return result
    } catch (caught) {
      const error = nameDatabase(database, caught)
      if (error instanceof Refusal && error.kind === 'unavailable') {
        // A statement timeout does not mean that the database is unreachable.
        database.isOut = sqlState(error.cause) !== SQLSTATE.QUERY_CANCELED
      }
      throw error
    }
  }

  return {
    databases,
    /** The databases beside the main one. */
    own,
    ask,
    async close() {
      closed = true
      await Promise.all(databases.all().map(({ reader }) => reader.close()))
    },
  }
}

/**
 * Adds the database's name to the cause, for logs and commands. A database without this version's
 * tables was unreachable at the start of the service and is migrated when it is back.
 */
function nameDatabase({ home }: Database, error: unknown): unknown {
  if (home.isMain) return error
  const isOut = error instanceof Refusal && error.kind === 'unavailable'
  const code = sqlState(isOut ? error.cause : error)
  if (code === SQLSTATE.NO_TABLE || code === SQLSTATE.NO_COLUMN) {
    return refuse.unavailable('Service temporarily unavailable', error)
  }
  if (!isOut || !(error.cause instanceof ConnectionLost)) return error
  const cause = `${describeServer(home.url)}: ${error.cause.message}`
  return refuse.unavailable(error.message, new ConnectionLost(cause, { cause: error.cause }))
}

/** Returns the bounds of the states that a database holds. */
function boundsOfStates({ states }: StateHome): DegreeBox[] {
  return states.flatMap((state) => {
    const bounds = STATE_BOUNDS.get(state)
    if (bounds === undefined) return []
    const [west = 0, south = 0, east = 0, north = 0] = bounds
    return [{ west, south, east, north }]
  })
}
