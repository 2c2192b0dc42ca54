/** The history of loads: what each import did, and undoing the last one of a roll scope. */
import { CommandError } from '../base/errors.ts'

/** The effect of a load on the parcels of its scopes; `removed` is 0 when absent parcels stay. */
export type RollChange = { loaded: number; updated: number; unchanged: number; removed: number }

/** A roll that is loaded as a whole: of a county, or of a municipality with its own parcel IDs. */
export type RollScope = {
  state: string
  fips: number
  /** Folded; `''` when the scope is the county. */
  municipality: string
}

/** Returns the scopes of some parcels, each once. */
export function listScopes(parcels: readonly RollScope[]): RollScope[] {
  return [...new Map(parcels.map((one) => [keyOf(one), one])).values()]
}

function keyOf({ state, fips, municipality }: RollScope): string {
  return `${state}/${fips}/${municipality}`
}

/** What an import keeps. `vintage`: the day of its roll, if it is not January 1 of its year. */
export type KeepVersions = {
  /** Number of imports of a scope whose effect is kept; 0 for none, `null` for all. */
  keep: number | null
  vintage: number | null
}

export const KEEP_ALL: KeepVersions = { keep: null, vintage: null }

/** What is known of an import before it is applied. Counts are of rows. */
export type ImportNote = {
  mapping: string
  files: string[]
  rows: number
  rejected: number
  skipped: number
  duplicates: number
  /** Rows that had a shape and got no place. */
  unplaced: number
  rejectsFile: string | null
  /** What is kept of the parcels before; all without it. */
  versions?: KeepVersions
}

/** For a load without details, an undo or an unload. */
export const NO_NOTE: ImportNote = {
  mapping: '',
  files: [],
  rows: 0,
  rejected: 0,
  skipped: 0,
  duplicates: 0,
  unplaced: 0,
  rejectsFile: null,
}

/** An entry of the history. `loadedAt`: epoch seconds. */
export type ImportEntry = ImportNote &
  RollChange & {
    /** Ascending and never reused. */
    id: number
    /** `past`: an import of an earlier roll, which changed the history alone. */
    kind: 'import' | 'past' | 'undo' | 'unload'
    loadedAt: number
    /** The import that an undo reverts. */
    undoes: number | null
    scopes: TouchedScope[]
  }

/** Added parcels have the ids `firstId` to `lastId`. `images`: number of earlier records kept. */
export type TouchedScope = RollScope & { firstId: number; lastId: number; images: number }

/**
 * Returns when each file or address was last loaded, epoch milliseconds. A load that was undone, or
 * whose scopes were all unloaded since, does not count. `history`: newest first.
 */
export function findLoads(history: readonly ImportEntry[]): Map<string, number> {
  const undone = new Set(history.map(({ undoes }) => undoes))
  const unloaded = new Set<string>()
  const loads = new Map<string, number>()
  for (const { id, files, kind, loadedAt, scopes } of history) {
    const keys = scopes.map(keyOf)
    if (kind === 'unload') for (const key of keys) unloaded.add(key)
    const isGone = keys.length > 0 && keys.every((key) => unloaded.has(key))
    if (kind !== 'import' || isGone || undone.has(id)) continue
    for (const file of files) if (!loads.has(file)) loads.set(file, loadedAt * 1000)
  }
  return loads
}

/** The effect of an undo: parcels removed, restored to their earlier record, and added back. */
export type UndoCounts = { removed: number; restored: number; returned: number }

/** An undo that changes no parcel. */
export const NO_COUNTS: UndoCounts = { removed: 0, restored: 0, returned: 0 }

export type LoadedScope = RollScope & { parcels: number }

/** Selects scopes; absent properties are not compared. */
export type ScopeFilter = { state?: string; fips?: number; municipality?: string }

export function isWithin(scope: RollScope, { state, fips, municipality }: ScopeFilter): boolean {
  return (
    (state === undefined || scope.state === state) &&
    (fips === undefined || scope.fips === fips) &&
    (municipality === undefined || scope.municipality === municipality)
  )
}

/** Reports whether an entry of the history changed any parcel. */
export function isChange({ loaded, updated, removed }: RollChange): boolean {
  return loaded + updated + removed > 0
}

/**
 * Returns the entries that changed parcels or their history and are not undone, each with the
 * scopes in which it still counts. An earlier roll that was taken out again leaves no trace.
 */
function listStanding(history: ImportEntry[]): ImportEntry[] {
  const past = new Set(history.flatMap(({ id, kind }) => (kind === 'past' ? id : [])))
  const undone = history.filter(({ undoes }) => undoes !== null && past.has(undoes))
  return history.flatMap((entry) => {
    if (entry.kind !== 'past') return isChange(entry) && !undone.includes(entry) ? entry : []
    const own = undone.filter(({ undoes }) => undoes === entry.id)
    const scopes = entry.scopes.filter((scope) => !own.some((one) => touches(one.scopes, scope)))
    return scopes.length === 0 ? [] : { ...entry, scopes }
  })
}

/**
 * Returns the newest load that changed the selected scopes or their history, or the load `id`,
 * reduced to scopes that have not changed since. Throws `CommandError` when there is none, or when
 * it was an undo or an unload.
 */
export function findUndoable(
  history: ImportEntry[],
  filter: ScopeFilter,
  id?: number,
): ImportEntry {
  const standing = listStanding(history)
  const asked = standing.find((entry) => entry.id === id)
  const open = asked === undefined ? [] : listUndoable(asked, standing)
  const own = open.filter((scope) => isWithin(scope, filter))
  if (asked !== undefined && own.length > 0) return { ...asked, scopes: own }
  const newest = standing.find((entry) => entry.scopes.some((scope) => isWithin(scope, filter)))
  if (newest === undefined)
    throw new CommandError('there is no import to undo here; see platbook import list')
  if (newest.kind !== 'import' && newest.kind !== 'past') {
    throw new CommandError(
      `the last change here was an ${newest.kind}, number ${newest.id}, which cannot be ` +
        'undone; import the roll again',
    )
  }
  return { ...newest, scopes: newest.scopes.filter((scope) => isWithin(scope, filter)) }
}

/** Reports whether any scope of an import can still be undone, because it has not changed since. */
export function isUndoable(entry: ImportEntry, history: ImportEntry[]): boolean {
  const standing = listStanding(history)
  const own = standing.find(({ id }) => id === entry.id)
  return own !== undefined && listUndoable(own, standing).length > 0
}

function listUndoable({ id, kind, scopes }: ImportEntry, standing: ImportEntry[]): TouchedScope[] {
  if (kind !== 'import' && kind !== 'past') return []
  const later = standing.filter((other) => other.id > id)
  return scopes.filter((scope) => !later.some((other) => touches(other.scopes, scope)))
}

function touches(scopes: RollScope[], { state, fips, municipality }: RollScope): boolean {
  return scopes.some((scope) => isWithin(scope, { state, fips, municipality }))
}

/** Throws when records needed to undo a load are missing. */
export function checkImages(entry: ImportEntry, kept: number): void {
  const needed = entry.scopes.reduce((sum, { images }) => sum + images, 0)
  if (kept === needed) return
  throw new CommandError(
    `import ${entry.id} cannot be undone: the earlier records are no longer kept; ` +
      'import the earlier roll again',
  )
}
