/** Reverts a load: the last import of a scope, or whole scopes. */
import { atEnd, closing } from '../base/at-end.ts'
import { CommandError } from '../base/errors.ts'
import { lockImport, rollsPlace } from '../store/data-folder.ts'
import {
  findUndoable,
  type ImportEntry,
  isWithin,
  type LoadedScope,
  type RollScope,
  type ScopeFilter,
  type UndoCounts,
} from '../store/history.ts'
import { openEraser } from '../store/open-rolls.ts'
import type { RollEraser } from '../store/rolls/erase-rolls.ts'
import { measureSales, warnIfFails } from './after/after-commit.ts'

type EraseJob = {
  dataDir: string
  databaseUrl: string | null
  /** False: count the changes and make none. */
  confirmed: boolean
  /** Epoch seconds. */
  loadedAt: number
}

/**
 * Undoes the newest import that changed the given scopes, in these scopes.
 *
 * `expected`: the id of the only import that may be undone, where it is still the newest. Throws
 * `CommandError` when it is so nowhere, cannot be undone, or another import is running.
 */
export async function undoImport(
  job: EraseJob,
  history: ImportEntry[],
  filter: ScopeFilter,
  expected?: number,
): Promise<{ entry: ImportEntry; counts: UndoCounts }> {
  const entry = findUndoable(history, filter, expected)
  if (expected !== undefined && entry.id !== expected) {
    throw new CommandError(
      `import ${expected} is no longer the newest here, import ${entry.id} is; nothing was changed`,
    )
  }
  const counts = await withEraser(job, (eraser) =>
    job.confirmed ? eraser.undo(entry, job.loadedAt) : eraser.planUndo(entry),
  )
  if (job.confirmed) await measureAgain(job, entry.scopes)
  return { entry, counts }
}

/** Removes parcels; returns their scopes as they were. Throws `CommandError` if none is loaded. */
export async function unload(
  job: EraseJob,
  loaded: LoadedScope[],
  filter: ScopeFilter,
): Promise<LoadedScope[]> {
  const scopes = loaded.filter((scope) => isWithin(scope, filter))
  if (scopes.length === 0) throw new CommandError('nothing is loaded there; see platbook coverage')
  if (!job.confirmed) return scopes
  await withEraser(job, (eraser) => eraser.unload(scopes, job.loadedAt))
  await measureAgain(job, scopes)
  return scopes
}

/** Estimates are measured against the sales that are left; if it fails, the next import does it. */
async function measureAgain(job: EraseJob, scopes: readonly RollScope[]) {
  const counties = [...new Set(scopes.map(({ fips }) => fips))]
  const measure = ({ putSaleTest: put }: RollEraser) =>
    measureSales(rollsPlace(job), counties, job.loadedAt * 1000, { put })
  await warnIfFails([], 'estimates', () => withEraser(job, measure))
}

/** Forgets the earlier versions of scopes before a day since 1970-01-01; returns their number. */
export async function pruneHistory(
  job: Pick<EraseJob, 'dataDir' | 'databaseUrl'>,
  scopes: RollScope[],
  day: number,
): Promise<number> {
  return withEraser(job, (eraser) => eraser.prune(scopes, day))
}

async function withEraser<Result>(
  job: Pick<EraseJob, 'dataDir' | 'databaseUrl'>,
  work: (eraser: RollEraser) => Promise<Result>,
): Promise<Result> {
  // PostgreSQL itself locks the states that are changed.
  const unlock = job.databaseUrl === null ? lockImport(job.dataDir) : () => undefined
  using _end = atEnd(unlock)
  await using eraser = closing(await openEraser(rollsPlace(job)))
  return await work(eraser)
}
