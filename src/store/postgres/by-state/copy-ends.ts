/** Both ends of a copy when states have databases of their own. */
import type { StatePlaces } from '../../../base/model/state-databases.ts'
import type { CopyProgress, CopySource, CopyTarget } from '../../copy/ends.ts'
import { ACCOUNT_TABLES, type CopyTable } from '../../copy/tables.ts'
import { openCopySource, openCopyTarget } from '../copy-ends.ts'
import { PerDatabase } from './per-database.ts'

/**
 * Opens a snapshot of each database. The snapshots may be moments apart, but no state is in two of
 * them.
 */
export async function openStateCopySource(places: StatePlaces): Promise<CopySource> {
  const { homes, ends, close } = await openAll(places, openCopySource)
  return {
    async states() {
      const states = homes.map(async (home) => {
        const own = await ends.in(home).states()
        return own.filter((state) => ends.isHome(home, state))
      })
      return (await Promise.all(states)).flat().sort()
    },
    rows: (table, state) => endOf(ends, table, state).rows(table, state),
    count: (table) => countAll(ends, table),
    newestId: async () => Math.max(...(await Promise.all(ends.all().map((end) => end.newestId())))),
    close,
  }
}

/** Opens the target of a copy, with this version's tables in each database. */
export async function openStateCopyTarget(places: StatePlaces): Promise<CopyTarget> {
  const { ends, close } = await openAll(places, openCopyTarget)
  const [main] = ends.all() as [CopyTarget]
  const begun = new Set<CopyTarget>()
  return {
    async look() {
      const looks = []
      for (const end of ends.all()) {
        const look = await end.look()
        if (look.progress !== undefined) begun.add(end)
        looks.push(look)
      }
      const noted = looks.flatMap(({ progress }) => (progress === undefined ? [] : [progress]))
      const progress: CopyProgress | undefined =
        begun.size < ends.homes.length ? undefined : new Map(noted.flatMap((one) => [...one]))
      return {
        // A database with an unfinished copy holds only a part of that copy, which does not block a
        // new one.
        parcels: looks.some((look) => look.parcels && look.progress === undefined),
        accounts: looks[0]?.accounts === true,
        progress,
      }
    },
    async begin() {
      for (const end of ends.all()) if (!begun.has(end)) await end.begin()
    },
    /**
     * Everything that one copy transaction writes is in one database; the others commit nothing.
     */
    transaction: (work) =>
      ends
        .all()
        .reduceRight<() => ReturnType<typeof work>>(
          (inner, end) => () => end.transaction(inner),
          work,
        )(),
    adapt: (table, rows) => main.adapt(table, rows),
    write: (table, rows) => endOf(ends, table, String(rows[0]?.[0])).write(table, rows),
    clear: (state) => ends.of(state).clear(state),
    note: (state, sums) => ends.of(state).note(state, sums),
    rows: (table, state) => endOf(ends, table, state).rows(table, state),
    count: (table) => countAll(ends, table),
    openLedger: () => main.openLedger(),
    closeLedger: () => main.closeLedger(),
    async finish(newestId) {
      // Finishes the main database last; until then the copy can be continued.
      for (const end of ends.all().reverse()) await end.finish(newestId)
    },
    close,
  }
}

async function openAll<End extends { close(): Promise<void> }>(
  places: StatePlaces,
  open: (url: string) => Promise<End>,
) {
  const opening = new PerDatabase(places, ({ url }) => open(url))
  const close = async () => {
    const opened = await Promise.allSettled(opening.made())
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
  }
  try {
    const opened = new Map<string, End>()
    for (const home of opening.homes) opened.set(home.url, await opening.in(home))
    const ends = new PerDatabase(places, ({ url }) => opened.get(url) as End)
    return { homes: ends.homes, ends, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Account tables are in the main database. */
function endOf<End>(ends: PerDatabase<End>, table: CopyTable, state: string | undefined): End {
  const isOfState = state !== undefined && !ACCOUNT_TABLES.includes(table)
  return isOfState ? ends.of(state) : (ends.all()[0] as End)
}

async function countAll(
  ends: PerDatabase<Pick<CopySource, 'count'>>,
  table: CopyTable,
): Promise<number> {
  const asked = ACCOUNT_TABLES.includes(table) ? ends.all().slice(0, 1) : ends.all()
  const counts = await Promise.all(asked.map((end) => end.count(table)))
  return counts.reduce((sum, count) => sum + count, 0)
}
