/**
 * The checksum stored with each record of the embedded store (`records.sum`), by which damage is
 * detected when a row is read. It covers id, time of the last change, record and polygon; it is no
 * protection against forgery. docs/decisions/damage-and-loss.md.
 */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { DamagedData } from '../../base/errors.ts'
import { tileTextOf } from '../../record/tile-text.ts'
import type { StoredParcel } from '../store.ts'

/** Odd 32-bit factors that mix an id and a time into all bits. */
const ID_FACTOR = 0x85ebca6b
const TIME_FACTOR = 0xc2b2ae35
const POLYGON = 0x27d4eb2f

/** Returns the checksum of a record: a CRC-32 as a signed integer of 32 bits. */
export function checksumRecord({ id, loadedAt, fieldValues, geometry }: StoredParcel): number {
  const high = Math.floor(id / 2 ** 32)
  const seed = Math.imul(id, ID_FACTOR) ^ Math.imul(loadedAt, TIME_FACTOR) ^ high
  const ofRecord = crc32(fieldValues, seed >>> 0)
  return (geometry === null ? ofRecord : crc32(geometry, (ofRecord ^ POLYGON) >>> 0)) | 0
}

/** Returns the parcel of a row. Throws `DamagedData` when it does not match its checksum. */
export function verifyRecord(parcel: StoredParcel, kept: number): StoredParcel {
  if (checksumRecord(parcel) === kept) return parcel
  throw new DamagedData(`the record of parcel ${parcel.id} is damaged`)
}

/**
 * Defines the SQL functions `record_sum(id, loaded_at, field_values, geojson)` and
 * `tile_text_of(field_values, geojson)`.
 */
export function defineRecordSum(db: DatabaseSync): void {
  db.function('tile_text_of', { deterministic: true }, (fieldValues, geometry) =>
    geometry === null ? null : tileTextOf(String(fieldValues)),
  )
  db.function('record_sum', { deterministic: true }, (id, loadedAt, fieldValues, geometry) =>
    checksumRecord({
      id: Number(id),
      loadedAt: Number(loadedAt),
      fieldValues: String(fieldValues),
      geometry: geometry === null ? null : String(geometry),
    }),
  )
}
