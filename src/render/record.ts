/** A stored record in the memory, taken apart: where each leaf begins and ends. Decision 011. */
import { LEAF, LEAVES } from '../record/leaves.ts'
import { bytes, larger, reserve, Spans } from './memory.ts'

/** A parcel as the store gives it. */
export type Stored = {
  id: number
  leaves: string
  /** Epoch seconds. */
  loadedAt: number
  /** GeoJSON text. */
  geometry: string | null
}

const ROOM = 65_536
const LEAF_CODE = LEAF.charCodeAt(0)
/** No byte of a record is this one. */
const NEVER = 0

/** One is used for all records in turn: `read` makes it the next one. */
export class StoredRecord {
  id = 0
  loadedAt = 0
  geometry: string | null = null
  shape = ''
  /** Where each part stands: the shape, then the leaves that are there. */
  readonly parts = new Spans(LEAVES.length + 1)
  /** Where each leaf of `LEAVES` stands among the parts; -1: null. Whoever folds the shape sets it. */
  positions: readonly number[] = []
  /** How many leaves there are. */
  leafCount = 0
  /** How many bytes it has, with what was made of it. */
  length = 0
  readonly #leaves = new Room()
  readonly #made = new Room()

  read({ id, leaves, loadedAt, geometry }: Stored): void {
    this.#leaves.clear()
    this.#made.clear()
    const from = this.#leaves.take(mostBytes(leaves))
    this.length = bytes.write(leaves, from)
    this.parts.cut(from, from + this.length, LEAF_CODE, NEVER)
    this.leafCount = this.parts.count - 1
    this.shape = leaves.slice(0, this.parts.to(0) - from)
    this.id = id
    this.loadedAt = loadedAt
    this.geometry = geometry
  }

  /** Where a leaf that is there begins, and where it ends. */
  from(leaf: number): number {
    return this.parts.from(this.positions[leaf] as number)
  }

  to(leaf: number): number {
    return this.parts.to(this.positions[leaf] as number)
  }

  /** The JSON text of a leaf that is there. */
  text(leaf: number): string {
    return bytes.toString('utf8', this.from(leaf), this.to(leaf))
  }

  /** Room for what is made of the record, to be shown with it; tells where it begins. */
  take(length: number): number {
    this.length += length
    return this.#made.take(length)
  }

  /** Puts a text there; tells where it begins and ends. */
  append(text: string): { from: number; to: number } {
    const from = this.take(mostBytes(text))
    return { from, to: from + bytes.write(text, from) }
  }
}

/** Bytes that a text has at most; exactly, where that makes a difference. */
function mostBytes(text: string): number {
  return text.length * 3 > ROOM ? Buffer.byteLength(text) : text.length * 3
}

/** Room that is given out piece by piece, and taken back all at once. What was given out stays where it is. */
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
