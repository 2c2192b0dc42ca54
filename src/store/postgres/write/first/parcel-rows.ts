/** The rows of a parcel in each table, made cheaper than by the server (docs/postgres.md). */
import { COLUMNS } from '../../../columns.ts'
import type { EncodedKeys } from '../../../parcel-keys.ts'
import type { StagedParcel } from '../../../store.ts'
import { packRecord } from '../../pack/pack.ts'
import { type CopyLines, type CopyValue, dropEndlessKeys } from '../copy-in.ts'
import { PARCEL_COLUMNS } from '../roll-apply.ts'
import { boundsText } from '../roll-staging.ts'

/** Columns of the rows by table; `loose` has rows of `loose_situs` with the parcel's id. */
export const ROW_COLUMNS = {
  parcels: ['state', 'id', ...PARCEL_COLUMNS],
  records: ['state', 'id', 'loaded_at', 'field_values', 'keys', 'owner'],
  geometries: ['state', 'id', 'geojson'],
  shapes: ['state', 'id', 'bounds'],
  alternate_ids: ['state', 'fips', 'key', 'id'],
  situs: ['state', 'key', 'id', 'unit', 'kind', 'own_key'],
  loose: ['state', 'loose_key', 'key', 'id'],
  owner_heads: ['state', 'head', 'id', 'slot', 'kind', 'fips', 'rest'],
  owner_words: ['state', 'word', 'id', 'slot', 'fips'],
} satisfies Record<string, readonly string[]>

export type RowTable = keyof typeof ROW_COLUMNS
export const ROW_TABLES = Object.keys(ROW_COLUMNS) as RowTable[]

export type ParcelRows = Record<RowTable, CopyLines>

/** Adds the rows of a parcel. `loadedAt`: epoch seconds. */
export function addParcel(
  rows: ParcelRows,
  parcel: StagedParcel,
  id: number,
  loadedAt: number,
): void {
  const { state, fips, fieldValues, owner, geometry } = parcel
  const add = (table: RowTable, ...values: CopyValue[]) => rows[table].add([state, ...values])
  const keys = dropEndlessKeys(parcel.keys)
  const { i, s, a, h, w } = JSON.parse(keys) as EncodedKeys
  add('parcels', id, ...NAMED.map(({ property }) => parcel[property] as CopyValue))
  add('records', id, loadedAt, ...packRecord(fieldValues, keys), owner)
  if (geometry) add('geometries', id, geometry)
  const bounds = boundsText(geometry)
  if (bounds !== null) add('shapes', id, bounds)
  for (const key of new Set(i)) add('alternate_ids', fips, key, id)
  for (const [key, looseKey] of s) if (looseKey !== '') add('loose', looseKey, key, id)
  const own = s.map(([key, , unit]) => [key, unit] as const)
  for (const [key, unit] of unique(own, 2)) add('situs', key, id, unit, 0, '')
  for (const [key, kind, ownKey, unit] of unique(a, 4)) add('situs', key, id, unit, kind, ownKey)
  for (const [slot, kind, head, rest] of unique(h, 3)) {
    add('owner_heads', head, id, slot, kind, fips, rest)
  }
  for (const [slot, word] of unique(w, 2)) add('owner_words', word, id, slot, fips)
}

const NAMED = COLUMNS.filter(({ name }) => name !== 'state')

/** Drops later elements that begin with the same values as an earlier one. */
function unique<One extends readonly (string | number)[]>(list: readonly One[], values: number) {
  if (list.length < 2) return list
  const isSame = (one: One, other: One) => {
    for (let at = 0; at < values; at += 1) if (one[at] !== other[at]) return false
    return true
  }
  return list.filter((one, at) => {
    for (let earlier = 0; earlier < at; earlier += 1) {
      if (isSame(list[earlier] as One, one)) return false
    }
    return true
  })
}
