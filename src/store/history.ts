/** The history of loads: what each import did, and taking back the last one of a roll scope. */
import { CommandError } from '../errors.ts'

/** What a load did to the parcels of its scopes; `removed` counts none when absent parcels stay. */
export type RollChange = { loaded: number; updated: number; unchanged: number; removed: number }

/** A roll that is loaded as a whole: a county, or a municipality that numbers its own parcels. */
export type RollScope = {
  state: string
  fips: number
  /** Folded; the empty string where the scope is the county. */
  municipality: string
}

/** What an import knows of itself before it is applied. Counts are of rows. */
export type ImportNote = {
  mapping: string
  files: string[]
  rows: number
  rejected: number
  skipped: number
  duplicates: number
  rejectsFile: string | null
}

/** Of a load that says nothing of itself, and of an undo or an unload. */
export const NO_NOTE: ImportNote = {
  mapping: '',
  files: [],
  rows: 0,
  rejected: 0,
  skipped: 0,
  duplicates: 0,
  rejectsFile: null,
}

/** One line of the history. `loadedAt`: epoch seconds. */
export type ImportEntry = ImportNote &
  RollChange & {
    /** Grows with time, and is never used again. */
    id: number
    kind: 'import' | 'undo' | 'unload'
    loadedAt: number
    /** The import that an undo takes back. */
    undoes: number | null
    scopes: TouchedScope[]
  }

/**
 * Parcels that were added have the ids `firstId` to `lastId`; `images`: how many earlier records
 * are kept.
 */
export type TouchedScope = RollScope & { firstId: number; lastId: number; images: number }

/** What undoing does: parcels that go, that get their earlier record, and that come back. */
export type UndoCounts = { removed: number; restored: number; returned: number }

/** A scope that is loaded, with its parcels. */
export type LoadedScope = RollScope & { parcels: number }

/** Reads the history. */
export type HistoryReader = {
  /** Newest first. */
  list(): Promise<ImportEntry[]>
  scopes(): Promise<LoadedScope[]>
  close(): Promise<void>
}

/**
 * Changes what is loaded without a file. Each call is one transaction: readers see all before it or
 * all after it. `loadedAt`: epoch seconds. Ids are never changed and never given twice: a parcel
 * that comes back has its own.
 */
export type RollEraser = {
  /**
   * Counts what `undo` would do; throws `CommandError` where the earlier records are no longer
   * there.
   */
  planUndo(entry: ImportEntry): Promise<UndoCounts>
  undo(entry: ImportEntry, loadedAt: number): Promise<UndoCounts>
  /** Removes every parcel of the scopes; gives how many there were. */
  unload(scopes: RollScope[], loadedAt: number): Promise<number>
  close(): Promise<void>
}

/** Which scopes are meant; what is left out is not compared. */
export type ScopeFilter = { state?: string; fips?: number; municipality?: string }

export function isWithin(scope: RollScope, { state, fips, municipality }: ScopeFilter): boolean {
  return (
    (state === undefined || scope.state === state) &&
    (fips === undefined || scope.fips === fips) &&
    (municipality === undefined || scope.municipality === municipality)
  )
}

/** Whether a line of the history changed any parcel. */
export function isChange({ loaded, updated, removed }: RollChange): boolean {
  return loaded + updated + removed > 0
}

/**
 * The newest load that changed the asked scopes, narrowed to those scopes that nothing changed
 * since.
 *
 * Throws `CommandError` when there is none, or when it was an undo or an unload.
 */
export function findUndoable(history: ImportEntry[], filter: ScopeFilter): ImportEntry {
  const newest = history.find(
    (entry) => isChange(entry) && entry.scopes.some((scope) => isWithin(scope, filter)),
  )
  if (newest === undefined) throw new CommandError('there is no import to undo here')
  if (newest.kind !== 'import') {
    throw new CommandError(
      `the last change here was an ${newest.kind}, number ${newest.id}, which cannot be ` +
        'undone; import the roll again',
    )
  }
  return { ...newest, scopes: newest.scopes.filter((scope) => isWithin(scope, filter)) }
}

/** Whether any scope of an import can still be taken back: nothing has changed it since. */
export function isUndoable(entry: ImportEntry, history: ImportEntry[]): boolean {
  if (entry.kind !== 'import' || !isChange(entry)) return false
  const later = history.filter((other) => other.id > entry.id && isChange(other))
  return entry.scopes.some((scope) => !later.some(({ scopes }) => touches(scopes, scope)))
}

function touches(scopes: RollScope[], { state, fips, municipality }: RollScope): boolean {
  return scopes.some((scope) => isWithin(scope, { state, fips, municipality }))
}

/** Throws when records that undo a load are gone. */
export function checkImages(entry: ImportEntry, kept: number): void {
  const needed = entry.scopes.reduce((sum, { images }) => sum + images, 0)
  if (kept === needed) return
  throw new CommandError(
    `import ${entry.id} cannot be undone: the earlier records are no longer kept; ` +
      'import the earlier roll again',
  )
}
