/**
 * Reads parcels from one database per state. A question about one state goes to its database only.
 * A question about a place goes to the main database and to those whose states or parcels are in
 * that place. So an unreachable database only affects answers about its states.
 *
 * Every process polls each state database once a second for its availability and the bounds of its
 * parcels.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, refuse } from '../../../errors.ts'
import type { CoverageAsked, DegreeBox } from '../../../model/coverage.ts'
import { STATE_BOUNDS } from '../../../model/state-bounds.ts'
import type { StateHome, StatePlaces } from '../../../model/state-databases.ts'
import { boundsOfTiles, boxInDegrees } from '../../places.ts'
import type { CountyCoverage } from '../../store.ts'
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
type Database = {
  home: StateHome
  reader: ClosableReader
  isOut: boolean
  version: string | undefined
  bounds: DegreeBox[]
}

/** Opens the reader. `open` opens the reader of one database, which connects on first use. */
export function openStateReader(
  places: StatePlaces,
  open: (url: string) => ClosableReader,
): ClosableReader {
  const databases = new PerDatabase<Database>(places, (home) => ({
    ...{ home, reader: open(home.url), isOut: false, version: undefined },
    bounds: home.states.flatMap((state) => toBox(STATE_BOUNDS.get(state))),
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
    const states = home.states.flatMap((state) => toBox(STATE_BOUNDS.get(state)))
    const own = cells.filter(({ state }) => databases.isHome(home, state))
    database.bounds = [...states, ...own.map(boundsOfCell)]
  }

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

  const askOf = <Result>(state: string, question: (reader: ClosableReader) => Promise<Result>) =>
    ask(databases.of(state), question)

  /** Asks the databases that may hold parcels in a box; all of them must answer. */
  async function askWithin<Hit>(
    box: DegreeBox,
    question: (reader: ClosableReader) => Promise<Hit[]>,
  ): Promise<Hit[]> {
    const asked = databases.all().filter((one) => mayHold(one, [box]))
    const found = await Promise.all(asked.map((one) => ask(one, question)))
    return found.length === 1 ? (found[0] as Hit[]) : found.flat()
  }

  function isAsked(database: Database, { states, boxes }: CoverageAsked): boolean {
    if (states !== undefined) return states.some((state) => databases.of(state) === database)
    return boxes === undefined || mayHold(database, boxes)
  }

  async function coverage(asked: CoverageAsked = {}): Promise<CountyCoverage[]> {
    const found = await Promise.all(
      databases.all().map(async (one): Promise<CountyCoverage[]> => {
        if (!isAsked(one, asked)) return []
        try {
          const counties = await ask(one, (reader) => reader.coverage(asked))
          return counties.filter(({ state }) => databases.isHome(one.home, state))
        } catch (error) {
          if (one.isOut && asked.partial === true && !one.home.isMain) return []
          throw error
        }
      }),
    )
    return found.flat().sort((a, b) => a.fips - b.fips)
  }

  return {
    isRemote: true,
    byParcelId: (state, ...asked) => askOf(state, (one) => one.byParcelId(state, ...asked)),
    byAlternateId: (state, ...asked) => askOf(state, (one) => one.byAlternateId(state, ...asked)),
    bySitusKey: (state, ...asked) => askOf(state, (one) => one.bySitusKey(state, ...asked)),
    addressesWithPrefix: (state, ...asked) =>
      askOf(state, (one) => one.addressesWithPrefix(state, ...asked)),
    onlyAtSitusKey: (state, ...asked) => askOf(state, (one) => one.onlyAtSitusKey(state, ...asked)),
    byLooseKey: (state, ...asked) => askOf(state, (one) => one.byLooseKey(state, ...asked)),
    byIds: (state, ...asked) => askOf(state, (one) => one.byIds(state, ...asked)),
    page: (filter, ...asked) => askOf(filter.state, (one) => one.page(filter, ...asked)),
    byOwner: (search) => askOf(search.state, (one) => one.byOwner(search)),
    ownersOf: (state, ...asked) => askOf(state, (one) => one.ownersOf(state, ...asked)),
    countOwnerKeys: (state, ...asked) => askOf(state, (one) => one.countOwnerKeys(state, ...asked)),
    surnamesFrom: (state, ...asked) => askOf(state, (one) => one.surnamesFrom(state, ...asked)),
    changes: (asked) => askOf(asked.state, (one) => one.changes(asked)),
    saleTest: (state, ...asked) => askOf(state, (one) => one.saleTest(state, ...asked)),
    pointsIn: (filter, box, limit) =>
      filter.state === undefined
        ? askWithin(boxInDegrees(box), (one) => one.pointsIn(filter, box, limit))
        : askOf(filter.state, (one) => one.pointsIn(filter, box, limit)),
    salesIn: (since, box, limit) =>
      askWithin(boxInDegrees(box), (one) => one.salesIn(since, box, limit)),
    shapesIn: (box, limit) => askWithin(boxInDegrees(box), (one) => one.shapesIn(box, limit)),
    tileRows: (state, ids) => askOf(state, (one) => one.tileRows(state, ids)),
    countsIn: (cells) => askWithin(boundsOfTiles(cells), (one) => one.countsIn(cells)),
    coverage,
    placeCells: async () =>
      (await Promise.all(databases.all().map(({ reader }) => reader.placeCells()))).flat(),
    unreached: () =>
      own.flatMap(({ home, isOut }) =>
        isOut ? [{ states: home.states, where: describeServer(home.url) }] : [],
      ),
    async version() {
      const versions = databases.all().map(async (one) => {
        try {
          return await ask(one, (reader) => reader.version())
        } catch (error) {
          if (one.isOut && !one.home.isMain) return 'out'
          throw error
        }
      })
      return (await Promise.all(versions)).join('.')
    },
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

function mayHold({ home, bounds }: Database, boxes: readonly DegreeBox[]): boolean {
  return home.isMain || boxes.some((box) => bounds.some((own) => meet(own, box)))
}

function meet(a: DegreeBox, b: DegreeBox): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
}

function toBox(bounds: readonly number[] | undefined): DegreeBox[] {
  if (bounds === undefined) return []
  const [west = 0, south = 0, east = 0, north = 0] = bounds
  return [{ west, south, east, north }]
}
