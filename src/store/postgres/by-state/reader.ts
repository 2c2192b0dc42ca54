/**
 * Reads parcels from one database per state. A question about one state goes to its database only.
 * A question about a place goes to the main database and to those whose states or parcels are in
 * that place. So an unreachable database only affects answers about its states.
 */
import type { CoverageAsked, DegreeBox } from '../../../base/model/coverage.ts'
import type { StatePlaces } from '../../../base/model/state-databases.ts'
import { boundsOfTiles, boxInDegrees } from '../../places.ts'
import type { CountyCoverage } from '../../store.ts'
import { describeServer } from '../pool/connection.ts'
import type { ClosableReader } from '../read/parcels.ts'
import { routeByState } from '../read/state-questions.ts'
import { type Database, watchDatabases } from './watched.ts'

/** Opens the reader. `open` opens the reader of one database, which connects on first use. */
export function openStateReader(
  places: StatePlaces,
  open: (url: string) => ClosableReader,
): ClosableReader {
  const { databases, own, ask, close } = watchDatabases(places, open)

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
    ...routeByState(askOf),
    pointsIn: (filter, box, limit) =>
      filter.state === undefined
        ? askWithin(boxInDegrees(box), (one) => one.pointsIn(filter, box, limit))
        : askOf(filter.state, (one) => one.pointsIn(filter, box, limit)),
    salesIn: (since, box, limit) =>
      askWithin(boxInDegrees(box), (one) => one.salesIn(since, box, limit)),
    shapesIn: (box, limit) => askWithin(boxInDegrees(box), (one) => one.shapesIn(box, limit)),
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
    close,
  }
}

function mayHold({ home, bounds }: Database, boxes: readonly DegreeBox[]): boolean {
  return home.isMain || boxes.some((box) => bounds.some((own) => meet(own, box)))
}

function meet(a: DegreeBox, b: DegreeBox): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
}
