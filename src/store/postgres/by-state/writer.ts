/**
 * Writes a roll to the databases of its states, one transaction per database. A roll of several
 * states becomes visible database by database.
 */
import { CommandError } from '../../../base/errors.ts'
import type { StatePlaces } from '../../../base/model/state-databases.ts'
import type { ImportNote } from '../../history.ts'
import type {
  AppliedRoll,
  RollChange,
  RollComparison,
  RollWriter,
  StagedParcel,
  StagedRow,
} from '../../store.ts'
import { describeServer } from '../pool/connection.ts'
import type { IdSource } from '../write/id-source.ts'
import { PerDatabase } from './per-database.ts'

/** Opens the writer of one database that has this version's tables. */
type OpenWriter = (url: string, ids: IdSource) => Promise<RollWriter>

/**
 * Connects to a database when the roll contains one of its states. `ids` is closed with the writer.
 */
export function openStateWriter(
  places: StatePlaces,
  ids: IdSource & { close(): Promise<void> },
  open: OpenWriter,
): RollWriter {
  const writers = new PerDatabase(places, ({ url }) => open(url, ids))
  const opened = () => Promise.all(writers.made())
  const compared = async (ask: (writer: RollWriter) => RollChange | Promise<RollChange>) => {
    const sum = { loaded: 0, updated: 0, unchanged: 0, removed: 0 }
    for (const writer of await opened()) add(sum, await ask(writer))
    return sum
  }
  return {
    async stage(parcels: StagedParcel[]) {
      for (const [promise, own] of Map.groupBy(parcels, ({ state }) => writers.of(state))) {
        await (await promise).stage(own)
      }
    },
    async *repeats(): AsyncGenerator<StagedRow[]> {
      for (const writer of await opened()) yield* writer.repeats()
    },
    async drop(rows) {
      for (const writer of await opened()) await writer.drop(rows)
    },
    async compare(): Promise<RollComparison> {
      const scopes: RollComparison['scopes'] = []
      const sum = await compared(async (writer) => {
        const comparison = await writer.compare()
        scopes.push(...comparison.scopes)
        return comparison
      })
      return { ...sum, scopes }
    },
    async apply(
      removeAbsent: boolean,
      loadedAt: number,
      onProgress: (share: number) => void = () => undefined,
      note?: ImportNote,
    ) {
      const count = writers.made().length
      const done: string[] = []
      const sum: AppliedRoll = { loaded: 0, updated: 0, unchanged: 0, removed: 0 }
      for (const home of writers.homes) {
        const writer = await writers.known(home)
        if (writer === undefined) continue
        const step = (share: number) => onProgress((done.length + share) / count)
        try {
          const applied = await writer.apply(removeAbsent, loadedAt, step, note)
          add(sum, applied)
          if ('fault' in applied) sum.fault ??= applied.fault
        } catch (error) {
          throw done.length === 0 ? error : explainPart(error, done)
        }
        done.push(describeServer(home.url))
      }
      return sum
    },
    async discard() {
      for (const promise of writers.made()) {
        await promise.then(
          (writer) => writer.discard(),
          () => undefined,
        )
      }
      await ids.close()
    },
  }
}

function add(sum: RollChange, more: RollChange): void {
  sum.loaded += more.loaded
  sum.updated += more.updated
  sum.unchanged += more.unchanged
  sum.removed += more.removed
}

/** Explains that one database has committed its part and a later one has failed. */
function explainPart(error: unknown, done: string[]): unknown {
  if (!(error instanceof CommandError)) return error
  return new CommandError(
    `${error.message}. The states of ${done.join(' and ')} are loaded; import the roll ` +
      'again to load the rest',
    1,
    error,
  )
}
