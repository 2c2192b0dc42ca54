/**
 * The checksum stored with each record of the embedded store (`records.sum`).
 *
 * It covers the parcel's id, the time of its last change, its record and its polygon. So damage is
 * detected when a row is read: one wrong bit always, random bytes except once in 4 billion, and two
 * wrong bits except once in some 30,000. It protects against damage, not forgery.
 * docs/decisions/damage-and-loss.md has the figures.
 */
import type { DatabaseSync } from 'node:sqlite'
import { DamagedData } from '../../base/errors.ts'
import { tileTextOf } from '../../record/tile-text.ts'
import type { StoredParcel } from '../store.ts'

/** Odd 32-bit factors that mix an id, a time and the words of a text into all bits. */
const ID_FACTOR = 0x85ebca6b
const TIME_FACTOR = 0xc2b2ae35
const WORD_FACTOR = 0x9e3779b1
const POLYGON = 0x27d4eb2f

/** Returns the checksum of a record: a signed integer of 32 bits. */
export function checksumRecord({ id, loadedAt, fieldValues, geometry }: StoredParcel): number {
  const high = Math.floor(id / 2 ** 32)
  const seed = Math.imul(id, ID_FACTOR) ^ Math.imul(loadedAt, TIME_FACTOR) ^ high
  const ofRecord = sumText(fieldValues, seed)
  return geometry === null ? ofRecord : sumText(geometry, ofRecord ^ POLYGON)
}

/** Characters that are summed at once. */
const PIECE = 16_384
const bytes = Buffer.from(new ArrayBuffer(3 * PIECE + 8))
const words = new Int32Array(bytes.buffer)

/** Sums every other word by itself, so that a processor need not wait for one multiplication. */
function sumText(text: string, seed: number): number {
  if (text.length > PIECE) return sumText(text.slice(PIECE), sumText(text.slice(0, PIECE), seed))
  const length = bytes.write(text)
  bytes.writeDoubleLE(0, length)
  let [even, odd] = [seed, length]
  for (let at = 0; at <= length >> 2; at += 2) {
    even = addWord(even, words[at] as number)
    odd = addWord(odd, words[at + 1] as number)
  }
  return addWord(even, odd)
}

/** Two words never give the same sum. */
function addWord(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, WORD_FACTOR)
  return (mixed << 13) | (mixed >>> 19)
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
