/** Exports, suppressions and sale tests when states have databases of their own. */
import type { StatePlaces } from '../../../base/model/state-databases.ts'
import type { ExportReader } from '../../export.ts'
import type { PlaceFiller } from '../../places.ts'
import type { RollRewriter } from '../../rewrite.ts'
import type { SaleTestWriter } from '../../sale-tests.ts'
import { openExportReader } from '../read/export.ts'
import { openPlaceFiller } from '../write/place-fill.ts'
import { openRollRewriter } from '../write/roll-rewrite.ts'
import { openSaleTests } from '../write/sale-tests.ts'
import { PerDatabase } from './per-database.ts'

/** Connects to a state's database on first use. */
export function openStateExport(places: StatePlaces): ExportReader {
  const readers = new PerDatabase(places, ({ url }) => openExportReader(url))
  return {
    async *places(scope) {
      yield* (await readers.of(scope.state)).places(scope)
    },
    records: async (state, ids) => (await readers.of(state)).records(state, ids),
    close: () => closeAll(readers.made()),
  }
}

/** Connects to all databases, because a suppression must reach every one of them. */
export async function openStateRewriter(places: StatePlaces): Promise<RollRewriter> {
  const rewriters = new PerDatabase(places, ({ url }) => openRollRewriter(url))
  const close = () => closeAll(rewriters.all())
  try {
    await Promise.all(rewriters.all())
  } catch (error) {
    await close()
    throw error
  }
  return {
    async scan(test) {
      const found = []
      for (const rewriter of rewriters.all()) found.push(...(await (await rewriter).scan(test)))
      return found
    },
    async scanRecords(test) {
      const found = []
      for (const rewriter of rewriters.all()) {
        found.push(...(await (await rewriter).scanRecords(test)))
      }
      return found
    },
    async rewrite(parcels, rewrite, now) {
      const counts = { changed: 0, removed: 0 }
      const byHome = Map.groupBy(parcels, ({ state }) => rewriters.of(state))
      for (const rewriter of rewriters.all()) {
        // A suppression may match earlier records even when it matches no stored parcel.
        const own = await (await rewriter).rewrite(byHome.get(rewriter) ?? [], rewrite, now)
        counts.changed += own.changed
        counts.removed += own.removed
      }
      return counts
    },
    close,
  }
}

/** Connects to a state's database on first use. */
export function openStateSaleTests(places: StatePlaces): SaleTestWriter {
  const writers = new PerDatabase(places, ({ url }) => openSaleTests(url))
  return {
    put: async (state, fips, result) => (await writers.of(state)).put(state, fips, result),
    close: () => closeAll(writers.made()),
  }
}

/** Fills one database after the other. */
export function openStatePlaceFiller(places: StatePlaces): PlaceFiller {
  const fillers = new PerDatabase(places, ({ url }) => openPlaceFiller(url))
  return {
    async isDone() {
      const done = await Promise.all(fillers.all().map(async (one) => (await one).isDone()))
      return done.every(Boolean)
    },
    async fillSlice(readPlace) {
      for (const filler of fillers.all()) {
        if (await (await filler).fillSlice(readPlace)) return true
      }
      return false
    },
    close: () => closeAll(fillers.made()),
  }
}

/** Databases that could not be opened need no closing. */
async function closeAll(opening: Promise<{ close(): Promise<void> }>[]): Promise<void> {
  const opened = await Promise.allSettled(opening)
  for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
}
