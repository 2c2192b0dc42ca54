/** Changes stored parcels outside an import, because an operator suppresses them. */
import { stripParcelId } from '../../base/fold.ts'
import { openFields } from '../../record/stored.ts'
import { COLUMNS, type ColumnValues } from '../columns.ts'
import type { RollScope } from '../history.ts'
import type { EncodedKeys } from '../parcel-keys.ts'
import { makeChain, readChain, type VersionForm, type VersionRow } from '../versions/versions.ts'
import type { RollSql, StagedState } from './roll-sql.ts'

/** A stored parcel with all its columns and keys. */
export type KeptParcel = ColumnValues & {
  id: number
  fieldValues: string
  keys: string
  /** GeoJSON. */
  geometry: string | null
}

/** What each database does in its own way to change stored parcels without a roll. */
export type KeptParts<Staging extends StagedState> = {
  sql: RollSql
  /** Stages records, each under its id. */
  stage(staging: Staging, kept: readonly KeptParcel[]): Promise<void>
  /** Called before the transaction that applies what is staged. */
  prepare?(staging: Staging): Promise<void>
  transact<Result>(work: () => Promise<Result>): Promise<Result>
  /** Writes what is staged. `id`: number of the import; `loadedAt`: epoch seconds. */
  apply(staged: Staging[], scopes: RollScope[], at: { id: number; loadedAt: number }): Promise<void>
  /** Called in the transaction for each changed state. */
  noteState?(state: string): Promise<void>
  close(): Promise<void>
}

/** The values that decide whether a parcel is concerned. */
export type KeptKeys = Pick<
  KeptParcel,
  'id' | 'state' | 'fips' | 'municipality' | 'strippedKey' | 'zip' | 'keys'
>

/** Returns the changed parcel, `removed`, or `undefined` to keep it. */
export type Rewrite = (kept: KeptParcel) => KeptParcel | 'removed' | undefined

/** Number of records that a suppression changed and removed. */
export type Rewritten = { changed: number; removed: number }

/** A row with its keys as a text. */
export function withKeys({ dialect }: RollSql, row: Record<string, unknown>) {
  return { ...row, keys: dialect.readKeys(String(row.keys), String(row.field_values)) }
}

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
    fieldValues: String(row.field_values),
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

/** Returns the words and addresses that a parcel loses, which lists may then drop. */
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

const readIdentity = openFields(['parcelId', 'zipCode'])

/** The scope of versions, by which a rewrite is chosen. */
type VersionScope = { state: string; fips: number; municipality: string }

/**
 * Rewrites the versions of one id as their parcels are rewritten, and returns its new rows;
 * `undefined` when none is concerned. `rows`: newest first. `present`: its record before.
 */
export function rewriteVersions(
  rewrite: Rewrite,
  scope: VersionScope,
  present: VersionForm | undefined,
  rows: readonly VersionRow[],
): RewrittenVersions | undefined {
  const lost: RewrittenVersions['lost'] = []
  const chain = readChain(present, rows).map(({ form, row }) => {
    if (form === undefined) return { form, row }
    const next = rewrite(asKept(form, scope))
    if (next === undefined) return { form, row }
    lost.push([form.keys, next === 'removed' ? undefined : next.keys])
    if (next === 'removed') return { form: undefined, row }
    const { fieldValues, keys, geometry } = next
    return { form: { fieldValues, keys, geometry }, row }
  })
  return lost.length > 0 ? { rows: makeChain(chain), lost } : undefined
}

/** `lost`: the keys of each version that was changed, before and after. */
type RewrittenVersions = {
  rows: ReturnType<typeof makeChain>
  lost: [before: string, after: string | undefined][]
}

/** Columns that no rewrite reads are unknown. */
function asKept(form: VersionForm, { state, fips, municipality }: VersionScope): KeptParcel {
  const { parcelId, zipCode } = readIdentity(form.fieldValues)
  return {
    ...{ ...form, id: 0, state, fips, municipality, strippedKey: stripParcelId(parcelId) },
    ...{ parcelKey: '', city: '', zip: zipCode ?? '', unit: '', useCode: '', localUse: '' },
    ...{ residential: null, transferDay: null, assigned: false, rollYear: null, filled: 0 },
    ...{ x: null, y: null, cell: null, owner: 0 },
  }
}
