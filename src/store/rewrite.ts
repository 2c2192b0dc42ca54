/** Kept parcels that are changed without a roll, because an operator suppresses them. */
import { COLUMNS, type ColumnValues } from './columns.ts'
import type { EncodedKeys } from './parcel-keys.ts'

/** A parcel with all that is kept of it. */
export type KeptParcel = ColumnValues & {
  id: number
  leaves: string
  keys: string
  /** GeoJSON. */
  geometry: string | null
}

/** What tells whether a parcel is meant. */
export type KeptKeys = Pick<
  KeptParcel,
  'id' | 'state' | 'fips' | 'municipality' | 'strippedKey' | 'zip' | 'keys'
>

/** What a parcel becomes; `undefined`: it stays. */
export type Rewrite = (kept: KeptParcel) => KeptParcel | 'removed' | undefined

/** How many records a suppression changed, and how many it removed. */
export type Rewritten = { changed: number; removed: number }

export type RollRewriter = {
  /**
   * Passes over all parcels; returns those for which `test` is true. Blocks neither readers nor
   * imports.
   */
  scan(test: (kept: KeptKeys) => boolean): Promise<{ state: string; id: number }[]>
  /**
   * Passes over all records in the same way; `test` is given what `StoredParcel` calls leaves.
   */
  scanRecords(
    test: (record: { state: string; fips: number; leaves: string }) => boolean,
  ): Promise<{ state: string; id: number }[]>
  /**
   * Rewrites parcels and the earlier records that an undo would bring back, all of which `rewrite`
   * is asked about. One transaction a state; each waits for imports that are being written. `now`:
   * epoch seconds.
   */
  rewrite(
    parcels: { state: string; id: number }[],
    rewrite: Rewrite,
    now: number,
  ): Promise<Rewritten>
  close(): Promise<void>
}

/** The columns of a row as the values of a parcel. */
function readColumns(row: Record<string, unknown>): ColumnValues {
  const entries = COLUMNS.map(({ name, property, type }) => {
    const value = row[name]
    if (value === null) return [property, null]
    if (type === 'flag') return [property, value === 1 || value === true]
    return [property, type === 'text' ? String(value) : Number(value)]
  })
  return Object.fromEntries(entries) as ColumnValues
}

export function readKept(row: Record<string, unknown>): KeptParcel {
  return {
    ...readColumns(row),
    id: Number(row.id),
    leaves: String(row.leaves),
    keys: String(row.keys),
    geometry: row.geometry === null ? null : String(row.geometry),
  }
}

export function readKeptKeys(row: Record<string, unknown>): KeptKeys {
  return {
    id: Number(row.id),
    state: String(row.state),
    fips: Number(row.fips),
    municipality: String(row.municipality),
    strippedKey: String(row.stripped_key),
    zip: String(row.zip),
    keys: String(row.keys),
  }
}

/**
 * Words and addresses that a parcel loses: kept lists of them must not show what nobody has any
 * more.
 */
export function lostKeys(before: string, after: string | undefined) {
  const read = (keys: string | undefined) => {
    const {
      h = [],
      w = [],
      s = [],
    } = (keys === undefined ? {} : JSON.parse(keys)) as Partial<EncodedKeys>
    return {
      words: new Set([...h.map((head) => head[2]), ...w.map(([, word]) => word)]),
      situs: new Map(s.map(([key, loose]) => [key, loose])),
    }
  }
  const [old, now] = [read(before), read(after)]
  return {
    words: [...old.words].filter((word) => !now.words.has(word)),
    situs: [...old.situs].filter(([key]) => !now.situs.has(key)),
  }
}
