/**
 * The rows of a parcel in each table, made by the command: reading the keys' JSON text on the
 * server cost it more than writing them (docs/postgres.md).
 */
import { COLUMNS } from '../../../columns.ts'
import type { EncodedKeys } from '../../../parcel-keys.ts'
import { boundsInUnits } from '../../../places.ts'
import type { StagedParcel } from '../../../store.ts'
import { packRecord } from '../../pack/records.ts'
import { dropEndlessKeys } from '../copy-in.ts'
import { PARCEL_COLUMNS } from '../roll-apply.ts'
import { BinaryRows } from './binary-rows.ts'

/**
 * Columns of the rows, by the table that they fill. `loose` has the rows of `loose_situs` with the
 * parcel's id: several parcels share one.
 */
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

/** The rows of some parcels, by table. */
export type ParcelRows = Record<RowTable, BinaryRows>

export function openParcelRows(): ParcelRows {
  return Object.fromEntries(ROW_TABLES.map((table) => [table, new BinaryRows()])) as ParcelRows
}

/** Bytes of the rows of all tables. */
export function sizeOfRows(rows: ParcelRows): number {
  let size = 0
  for (const table of ROW_TABLES) size += rows[table].size
  return size
}

/** Adds the rows of a parcel. `loadedAt`: epoch seconds. */
export function addParcel(
  rows: ParcelRows,
  parcel: StagedParcel,
  id: number,
  loadedAt: number,
): void {
  addColumns(rows.parcels, parcel, id)
  const keys = dropEndlessKeys(parcel.keys)
  addRecord(rows, parcel, id, loadedAt, keys)
  if (parcel.geometry !== null) addPolygon(rows, parcel.state, id, parcel.geometry)
  addKeys(rows, parcel, id, JSON.parse(keys) as EncodedKeys)
}

const NAMED = COLUMNS.filter(({ name }) => name !== 'state')

function addColumns(to: BinaryRows, parcel: StagedParcel, id: number): void {
  to.row(NAMED.length + 2)
  to.text(parcel.state)
  to.int8(id)
  for (const { property, type } of NAMED) {
    const value = parcel[property]
    if (type === 'text') to.text(value as string)
    else if (type === 'flag') to.flag(value as boolean | null)
    else if (type === 'long') to.int8(value as number)
    else to.int4(value as number | null)
  }
}

/** The stored form of the record and of its keys. `keys`: without endless ones. */
function addRecord(
  { records }: ParcelRows,
  { state, fieldValues, owner }: StagedParcel,
  id: number,
  loadedAt: number,
  keys: string,
): void {
  records.row(6)
  records.text(state)
  records.int8(id)
  records.int8(loadedAt)
  const packed = packRecord(fieldValues, keys)
  records.bytes(packed[0])
  records.bytes(packed[1])
  records.int8(owner)
}

function addPolygon({ geometries, shapes }: ParcelRows, state: string, id: number, text: string) {
  geometries.row(3)
  geometries.text(state)
  geometries.int8(id)
  geometries.text(text)
  const bounds = boundsInUnits(text)
  if (bounds === null) return
  shapes.row(3)
  shapes.text(state)
  shapes.int8(id)
  shapes.box(bounds.east, bounds.north, bounds.west, bounds.south)
}

/** A key that a parcel has twice is written once. */
function addKeys(rows: ParcelRows, parcel: StagedParcel, id: number, keys: EncodedKeys): void {
  const { state, fips } = parcel
  for (const key of keys.i.length > 1 ? new Set(keys.i) : keys.i) {
    rows.alternate_ids.row(4)
    rows.alternate_ids.text(state)
    rows.alternate_ids.int4(fips)
    rows.alternate_ids.text(key)
    rows.alternate_ids.int8(id)
  }
  addSitus(rows, state, id, keys)
  for (const [slot, kind, head, rest] of unique(keys.h, 3)) {
    rows.owner_heads.row(7)
    rows.owner_heads.text(state)
    rows.owner_heads.text(head)
    rows.owner_heads.int8(id)
    rows.owner_heads.int2(slot)
    rows.owner_heads.int2(kind)
    rows.owner_heads.int4(fips)
    rows.owner_heads.text(rest)
  }
  for (const [slot, word] of unique(keys.w, 2)) {
    rows.owner_words.row(5)
    rows.owner_words.text(state)
    rows.owner_words.text(word)
    rows.owner_words.int8(id)
    rows.owner_words.int2(slot)
    rows.owner_words.int4(fips)
  }
}

function addSitus({ situs, loose }: ParcelRows, state: string, id: number, keys: EncodedKeys) {
  const add = (key: string, unit: string, kind: number, own: string) => {
    situs.row(6)
    situs.text(state)
    situs.text(key)
    situs.int8(id)
    situs.text(unit)
    situs.int2(kind)
    situs.text(own)
  }
  for (const [key, looseKey] of keys.s) {
    if (looseKey === '') continue
    loose.row(4)
    loose.text(state)
    loose.text(looseKey)
    loose.text(key)
    loose.int8(id)
  }
  const own = keys.s.map(([key, , unit]) => [key, unit] as const)
  for (const [key, unit] of unique(own, 2)) add(key, unit, 0, '')
  for (const [key, kind, ownKey, unit] of unique(keys.a, 4)) add(key, unit, kind, ownKey)
}

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
