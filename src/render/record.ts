/** A stored record in the memory, split into fields by start and end. docs/rendering.md. */
import { STORED_FIELDS } from '../record/parcel.ts'
import { FIELD } from '../record/stored.ts'
import type { OwnedParcels, StoredParcel } from '../store/store.ts'
import { bytes, copy, larger, type Piece, pieceOf, reserve, Spans } from './memory.ts'

const ROOM = 65_536
const FIELD_CODE = FIELD.charCodeAt(0)
/** A byte that no record contains. */
const NEVER = 0

/** One object is used for all records in turn; `read` loads the next one. */
export class StoredRecord {
  id = 0
  loadedAt = 0
  geometry: string | null = null
  owned: OwnedParcels | null = null
  /** The spans of the parts: the shape, then the present fields. */
  readonly parts = new Spans(STORED_FIELDS.length + 1)
  /** For each slot the index of its field among the parts; -1 for null. The template sets it. */
  positions: readonly number[] = []
  fieldCount = 0
  /** Bytes of the record and of the values derived from it. */
  length = 0
  readonly #fieldValues = new Room()
  readonly #made = new Room()

  read({ id, fieldValues, loadedAt, geometry, owned = null }: StoredParcel): void {
    this.#fieldValues.clear()
    this.#made.clear()
    const from = this.#fieldValues.take(mostBytes(fieldValues))
    this.length = bytes.write(fieldValues, from)
    this.parts.cut(from, from + this.length, FIELD_CODE, NEVER)
    this.fieldCount = this.parts.count - 1
    this.id = id
    this.loadedAt = loadedAt
    this.geometry = geometry
    this.owned = owned
  }

  /** Returns the fields that are present, as hex digits. */
  shape(): string {
    return bytes.toString('latin1', this.parts.from(0), this.parts.to(0))
  }

  from(slot: number): number {
    return this.parts.from(this.positions[slot] as number)
  }

  to(slot: number): number {
    return this.parts.to(this.positions[slot] as number)
  }

  /** Returns the JSON text of a present field. */
  text(slot: number): string {
    return bytes.toString('utf8', this.from(slot), this.to(slot))
  }

  /** Reserves memory for a derived value and returns its address. */
  take(length: number): number {
    this.length += length
    return this.#made.take(length)
  }

  /** Writes a derived text to the memory, between two others, and returns its start and end. */
  append(text: string, before = NOTHING, after = NOTHING): Piece {
    const around = before.to - before.from + after.to - after.from
    const from = this.take(mostBytes(text) + around)
    const start = copy(before.from, before.to, from)
    return { from, to: copy(after.from, after.to, start + bytes.write(text, start)) }
  }

  /** Writes a whole number from 0 on, digit by digit, and returns its start and end. */
  appendCount(count: number): Piece {
    const digit = DIGITS[count]
    if (digit !== undefined) {
      this.length += 1
      return digit
    }
    let to = this.take(DIGITS_MAX) + DIGITS_MAX
    const end = to
    let rest = count
    do {
      to -= 1
      const tens = Math.floor(rest / 10)
      bytes[to] = ZERO + (rest - 10 * tens)
      rest = tens
    } while (rest > 0)
    return { from: to, to: end }
  }
}

export const NOTHING: Piece = { from: 0, to: 0 }
/** Most counts are one of these. */
const DIGITS = Array.from('0123456789', pieceOf)
/** Digits of the largest safe integer. */
const DIGITS_MAX = 16
const ZERO = 0x30

/** An upper bound of UTF-8 bytes; exact for long texts, so that no multiple is reserved. */
function mostBytes(text: string): number {
  return text.length * 3 > ROOM ? Buffer.byteLength(text) : text.length * 3
}

/** An arena: allocated piece by piece, cleared as a whole. Pieces do not move when it grows. */
class Room {
  #start = reserve(ROOM)
  #length = ROOM
  #used = 0

  clear(): void {
    this.#used = 0
  }

  take(length: number): number {
    if (this.#used + length > this.#length) {
      const more = larger(this.#length, length)
      this.#start = reserve(more)
      this.#length = more
      this.#used = 0
    }
    const at = this.#start + this.#used
    this.#used += length
    return at
  }
}
