/**
 * Converts rows of the reader's statements: arrays in the order of the columns. As objects, 26 of
 * them took a tenth of a page's time (docs/decisions/sqlite-reads.md).
 */
import type { AloneRow, SitusRow } from '../../rows.ts'
import type { IdentifiedParcel, StoredParcel } from '../../store.ts'
import { readOwned } from '../owned.ts'
import { verifyRecord } from '../record-checksum.ts'

/** The columns of `RECORD` in statements.ts; some statements have more after them. */
export type RecordColumns = [
  id: number,
  loadedAt: number,
  fieldValues: string,
  geometry: string | null,
  sum: number,
  /** See owned.ts. */
  owned: number,
  /** Counts for owners of more than one parcel. */
  parcels: number | null,
  parcelsResidential: number | null,
  parcelsOther: number | null,
]

/** A row of `situs`, with the place of its parcel. */
export type SitusColumns = [
  id: number,
  unitKey: string,
  kind: number,
  ownKey: string,
  fips: number,
  city: string,
  zip: string,
]

export type IdentifiedColumns = [...RecordColumns, parcelKey: string]

export type AloneColumns = [...RecordColumns, kind: number, unitKey: string]

/** Throws `DamagedData` when the record does not match its checksum. */
export function readRecord(row: RecordColumns): StoredParcel {
  const owned = readOwned(row[5], row[6], row[7], row[8])
  const parcel = { id: row[0], loadedAt: row[1], fieldValues: row[2], geometry: row[3], owned }
  return verifyRecord(parcel, row[4])
}

export function readIdentified(row: IdentifiedColumns): IdentifiedParcel {
  return { ...readRecord(row as unknown as RecordColumns), parcelKey: row[9] }
}

export function readSitusRow([id, unitKey, kind, ownKey, fips, city, zip]: SitusColumns): SitusRow {
  return { id, unitKey, kind, ownKey, fips, city, zip }
}

export function readAlone(row: AloneColumns): AloneRow {
  return { ...readRecord(row as unknown as RecordColumns), kind: row[9], unitKey: row[10] }
}
