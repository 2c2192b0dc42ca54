/** A stored record taken apart, as UTF-8 bytes: where each leaf begins and ends. Decision 011. */
import { LEAF, LEAVES } from './leaves.ts'
import { type Parted, SLACK, type Source, viewOf } from './output.ts'

/** A parcel as the store gives it. */
export type Stored = {
  id: number
  leaves: string
  /** Epoch seconds. */
  loadedAt: number
  /** GeoJSON text. */
  geometry: string | null
}

const START = 16_384
const LEAF_CODE = LEAF.charCodeAt(0)
const BLANK = 0x20
const NOTHING = Buffer.alloc(0)

/** One is used for all records in turn: `read` makes it the next one. */
export class StoredRecord implements Parted {
  bytes = Buffer.alloc(START)
  view = viewOf(this.bytes)
  id = 0
  loadedAt = 0
  geometry: string | null = null
  shape = ''
  /** Where each leaf of `LEAVES` stands among the parts; -1: null. Whoever folds the shape sets it. */
  positions: readonly number[] = []
  /** Counts the records read: who remembers something of one can tell it from the next. */
  turn = 0
  /** Where each part ends: the shape, then the leaves that are there. */
  readonly ends = new Int32Array(LEAVES.length + 1)
  /** How many leaves there are. */
  leafCount = 0
  /** Where the record, and what was put behind it, ends. */
  length = 0

  read(stored: Stored): void {
    const { leaves } = stored
    const most = leaves.length * 3 + SLACK
    if (most > this.bytes.length) this.#resize(most)
    this.length = this.bytes.write(leaves)
    if (this.length === leaves.length) this.#findEnds(leaves)
    else this.#findEndsOfBytes()
    this.shape = leaves.slice(0, this.ends[0])
    this.id = stored.id
    this.loadedAt = stored.loadedAt
    this.geometry = stored.geometry
    this.turn += 1
  }

  /** Where a part begins and ends; parts count from 1. */
  startOf(part: number): number {
    return (this.ends[part - 1] as number) + 1
  }

  endOf(part: number): number {
    return this.ends[part] as number
  }

  /** Where a leaf begins, and where it ends; both 0: null. */
  start(leaf: number): number {
    const part = this.positions[leaf] as number
    return part === -1 ? 0 : this.startOf(part)
  }

  end(leaf: number): number {
    const part = this.positions[leaf] as number
    return part === -1 ? 0 : this.endOf(part)
  }

  /** A leaf's JSON text; `''`: null. */
  text(leaf: number): string {
    return this.bytes.toString('utf8', this.start(leaf), this.end(leaf))
  }

  /** Puts a text behind the record, to be copied like a part of it; tells where it begins. */
  append(text: string): number {
    const start = this.length
    const most = start + text.length * 3 + SLACK
    if (most > this.bytes.length) this.#resize(most)
    this.length += this.bytes.write(text, start)
    return start
  }

  /** ASCII, as nearly all is: characters stand where bytes do, and searching a string is the quickest. */
  #findEnds(leaves: string): void {
    let part = 0
    for (let at = leaves.indexOf(LEAF); at !== -1; at = leaves.indexOf(LEAF, at + 1)) {
      this.ends[part] = at
      part += 1
    }
    this.ends[part] = leaves.length
    this.leafCount = part
  }

  #findEndsOfBytes(): void {
    let part = 0
    for (let at = 0; at < this.length; at += 1) {
      if (this.bytes[at] !== LEAF_CODE) continue
      this.ends[part] = at
      part += 1
    }
    this.ends[part] = this.length
    this.leafCount = part
  }

  #resize(capacity: number): void {
    const bytes = Buffer.alloc(Math.max(capacity, START))
    this.bytes.copy(bytes, 0, 0, this.length)
    this.bytes = bytes
    this.view = viewOf(bytes)
  }
}

/** More values than 31 no item has; what a damaged one has beyond them does not count. */
function bitOf(part: number): number {
  return part < 31 ? 1 << part : 0
}

/** A list leaf's items, or an item's values: where each ends, cut at a separator. Parts count from 1, as a record's do. */
export class Cut implements Parted {
  bytes: Buffer = NOTHING
  view = viewOf(NOTHING)
  readonly ends: Int32Array
  length = 0
  /** How many there are. */
  count = 0
  /** Which of the first 31 hold anything, a bit each. */
  present = 0

  constructor(most: number) {
    this.ends = new Int32Array(most + 1)
  }

  /** Cuts what stands between two places; `until` also ends it. Tells where it ended. */
  read(
    { bytes, view }: Source,
    from: number,
    to: number,
    separator: number,
    until: number,
  ): number {
    const { ends } = this
    this.bytes = bytes
    this.view = view
    this.length = to - from
    this.present = 0
    let part = 0
    let start = from
    ends[0] = from - 1
    let at = from
    for (; at < to; at += 1) {
      const code = bytes[at] as number
      // All separators are control characters, and nothing else in JSON text is.
      if (code >= BLANK) continue
      if (code === until) break
      if (code !== separator) continue
      if (at > start) this.present |= bitOf(part)
      start = at + 1
      part += 1
      ends[part] = at
    }
    if (to > from) {
      if (at > start) this.present |= bitOf(part)
      part += 1
      ends[part] = at
    }
    this.count = part
    return at
  }

  start(index: number): number {
    return index < this.count ? (this.ends[index] as number) + 1 : 0
  }

  end(index: number): number {
    return index < this.count ? (this.ends[index + 1] as number) : 0
  }
}
