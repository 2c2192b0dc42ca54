/** The history of loads, and undoing loads, when states have databases of their own. */
import type { StatePlaces } from '../../../base/model/state-databases.ts'
import type {
  HistoryReader,
  ImportEntry,
  RollEraser,
  RollScope,
  UndoCounts,
} from '../../history.ts'
import { openHistoryReader } from '../read/history.ts'
import { openIdSource } from '../write/id-source.ts'
import { openRollEraser } from '../write/roll-eraser.ts'
import { PerDatabase } from './per-database.ts'

/** All databases must answer, because a history without some loads would be wrong. */
export function openStateHistory(places: StatePlaces): HistoryReader {
  const readers = new PerDatabase(places, ({ url }) => openHistoryReader(url))
  return {
    async list() {
      const lists = await Promise.all(readers.all().map((reader) => reader.list()))
      const byId = Map.groupBy(lists.flat(), ({ id }) => id)
      return [...byId.values()].map(joinEntries).sort((a, b) => b.id - a.id)
    },
    async scopes() {
      const scopes = readers.homes.map(async (home) => {
        const loaded = await readers.in(home).scopes()
        return loaded.filter(({ state }) => readers.isHome(home, state))
      })
      const all = (await Promise.all(scopes)).flat()
      return all.sort((a, b) => a.fips - b.fips || (a.municipality < b.municipality ? -1 : 1))
    },
    async close() {
      await Promise.all(readers.all().map((reader) => reader.close()))
    },
  }
}

/** An import of several states has an entry in each of their databases, with the same id. */
function joinEntries(entries: ImportEntry[]): ImportEntry {
  const sum = (name: 'loaded' | 'updated' | 'unchanged' | 'removed') =>
    entries.reduce((total, entry) => total + entry[name], 0)
  return {
    ...(entries[0] as ImportEntry),
    ...{ loaded: sum('loaded'), updated: sum('updated') },
    ...{ unchanged: sum('unchanged'), removed: sum('removed') },
    scopes: entries.flatMap(({ scopes }) => scopes),
  }
}

/** Undoes each database's part in a separate transaction. */
export function openStateEraser(places: StatePlaces): RollEraser {
  const ids = openIdSource(places.main)
  const erasers = new PerDatabase(places, ({ url }) => openRollEraser(url, ids))
  const group = <Scope extends RollScope>(scopes: Scope[]) =>
    [...Map.groupBy(scopes, ({ state }) => erasers.of(state))] as const
  const undone = async (
    entry: ImportEntry,
    work: (eraser: RollEraser, own: ImportEntry) => Promise<UndoCounts>,
  ) => {
    const counts = { removed: 0, restored: 0, returned: 0 }
    for (const [eraser, scopes] of group(entry.scopes)) {
      const own = await work(await eraser, { ...entry, scopes })
      counts.removed += own.removed
      counts.restored += own.restored
      counts.returned += own.returned
    }
    return counts
  }
  const planUndo = (entry: ImportEntry) => undone(entry, (eraser, own) => eraser.planUndo(own))
  return {
    planUndo,
    async undo(entry, loadedAt) {
      // Finds any part that cannot be undone before a database is changed.
      await planUndo(entry)
      return undone(entry, (eraser, own) => eraser.undo(own, loadedAt))
    },
    async unload(scopes, loadedAt) {
      let removed = 0
      for (const [eraser, own] of group(scopes))
        removed += await (await eraser).unload(own, loadedAt)
      return removed
    },
    async close() {
      const opened = await Promise.allSettled(erasers.made())
      for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
      await ids.close()
    },
  }
}
