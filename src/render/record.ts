/**
 * A stored record in the memory, taken apart: where each field begins and ends. See
 * docs/rendering.md.
 */
import { STORED_FIELDS } from '../record/parcel.ts'
import { FIELD } from '../record/stored.ts'
import type { OwnedParcels } from '../store/store.ts'
import { bytes, larger, reserve, Spans } from './memory.ts'

/** A parcel as the store gives it. */
export type Stored = {
  id: number
  leaves: string
  /** Epoch seconds. */
  loadedAt: number
  /** GeoJSON text. */
  geometry: string | null
  owned?: OwnedParcels | null
}

const ROOM = 65_536
const FIELD_CODE = FIELD.charCodeAt(0)
/** No byte of a record is this one. */
const NEVER = 0

/** One object serves all records, one after the other: `read` takes the next one in. */
export class StoredRecord {
  id = 0
  loadedAt = 0
  geometry: string | null = null
  owned: OwnedParcels | null = null
  shape = ''
  /** Where each part stands: the shape, then the fields that are there. */
  readonly parts = new Spans(STORED_FIELDS.length + 1)
  /** For each slot the place of its field among the parts; -1: null. The template sets it. */
  positions: readonly number[] = []
  /** How many fields there are. */
  fieldCount = 0
  /** How many bytes it has, with what was derived from it. */
  length = 0
  readonly #leaves = new Room()
  readonly #made = new Room()

  read({ id, leaves, loadedAt, geometry, owned = null }: Stored): void {
    this.#leaves.clear()
    this.#made.clear()
    const from = this.#leaves.take(mostBytes(leaves))
    this.length = bytes.write(leaves, from)
    this.parts.cut(from, from + this.length, FIELD_CODE, NEVER)
    this.fieldCount = this.parts.count - 1
    this.shape = leaves.slice(0, this.parts.to(0) - from)
    this.id = id
    this.loadedAt = loadedAt
    this.geometry = geometry
    this.owned = owned
  }

  /** Where a field that is there begins. */
  from(slot: number): number {
    return this.parts.from(this.positions[slot] as number)
  }

  /** Where a field that is there ends. */
  to(slot: number): number {
    return this.parts.to(this.positions[slot] as number)
  }

  /** The JSON text of a field that is there. */
  text(slot: number): string {
    return bytes.toString('utf8', this.from(slot), this.to(slot))
  }

  /** Reserves room for what is derived from the record; returns where it begins. */
  take(length: number): number {
    this.length += length
    return this.#made.take(length)
  }

  /** Writes a derived text into the memory; returns where it begins and ends. */
  append(text: string): { from: number; to: number } {
    const from = this.take(mostBytes(text))
    return { from, to: from + bytes.write(text, from) }
  }
}

/**
 * Upper bound of a text's UTF-8 bytes; exact for long texts, so that no multiple of them is
 * reserved.
 */
function mostBytes(text: string): number {
  return text.length * 3 > ROOM ? Buffer.byteLength(text) : text.length * 3
}

/** An arena: handed out piece by piece, cleared as a whole. Pieces do not move while it grows. */
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
