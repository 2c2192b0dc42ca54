/** Which row made which stored parcel, in flat arrays (docs/decisions/imports.md). */

/** 32-bit words per mark: three of the digest, two of the id, one of share bits. */
export const MARK_WORDS = 6
const FILL = 0.7

/**
 * Hash table of one earlier import's marks, keyed by the digest of a row.
 *
 * A mark is free until a row of this import claims it (`take`); its parcel is then unchanged, which
 * the store is told by `RowMarks.see`. If another row turns out to have the same parcel identity,
 * the store removes its own mark (`unsee`). The mark here is then free again (`withdraw`). Claimed
 * marks are written for the next import, together with `RowDigests` of the rows that were staged. A
 * staged row that does not determine its parcel alone is left out (`RowDigests.forget`).
 */
export class MarkTable {
  readonly #words: Uint32Array
  readonly #taken: Uint8Array
  readonly #slots: number

  /** `marks`: `MARK_WORDS` words per mark. */
  constructor(marks: Uint32Array) {
    this.#slots = Math.ceil(marks.length / MARK_WORDS / FILL) + 1
    this.#words = new Uint32Array(this.#slots * MARK_WORDS)
    this.#taken = new Uint8Array(this.#slots)
    for (let from = 0; from < marks.length; from += MARK_WORDS) {
      let slot = (marks[from] as number) % this.#slots
      while (this.#isFilled(slot)) slot = (slot + 1) % this.#slots
      this.#words.set(marks.subarray(from, from + MARK_WORDS), slot * MARK_WORDS)
    }
  }

  /** Returns the slot of a digest's mark; -1 when that import had no such row. */
  find(one: number, two: number, three: number): number {
    let slot = one % this.#slots
    while (this.#isFilled(slot)) {
      const from = slot * MARK_WORDS
      const words = this.#words
      if (words[from] === one && words[from + 1] === two && words[from + 2] === three) return slot
      slot = (slot + 1) % this.#slots
    }
    return -1
  }

  /** Claims a mark for a row of this import; false when another row has claimed it already. */
  take(slot: number): boolean {
    if (this.#taken[slot] === 1) return false
    this.#taken[slot] = 1
    return true
  }

  withdraw(slot: number): void {
    this.#taken[slot] = 0
  }

  idOf(slot: number): number {
    const from = slot * MARK_WORDS
    return (this.#words[from + 3] as number) + (this.#words[from + 4] as number) * 2 ** 32
  }

  bitsOf(slot: number): number {
    return this.#words[slot * MARK_WORDS + 5] as number
  }

  *taken(): Generator<Uint32Array> {
    for (let slot = 0; slot < this.#slots; slot += 1) {
      if (this.#taken[slot] !== 1) continue
      yield this.#words.subarray(slot * MARK_WORDS, (slot + 1) * MARK_WORDS)
    }
  }

  /** Ids start at 1, so an empty slot has id 0. */
  #isFilled(slot: number): boolean {
    const from = slot * MARK_WORDS
    return this.#words[from + 3] !== 0 || this.#words[from + 4] !== 0
  }
}

const CHUNK_ROWS = 4096
const ROW_WORDS = 4

/** Digests and share bits of rows by row number, kept until their parcels are known. */
export class RowDigests {
  readonly #chunks: (Uint32Array | undefined)[] = []

  set(row: number, one: number, two: number, three: number): void {
    const at = Math.floor(row / CHUNK_ROWS)
    const chunk = this.#chunks[at] ?? new Uint32Array(CHUNK_ROWS * ROW_WORDS)
    this.#chunks[at] = chunk
    chunk.set([one, two, three, 0], (row % CHUNK_ROWS) * ROW_WORDS)
  }

  setBits(row: number, bits: number): void {
    const chunk = this.#chunks[Math.floor(row / CHUNK_ROWS)]
    if (chunk !== undefined) chunk[(row % CHUNK_ROWS) * ROW_WORDS + 3] = bits
  }

  forget(row: number): void {
    const from = (row % CHUNK_ROWS) * ROW_WORDS
    this.#chunks[Math.floor(row / CHUNK_ROWS)]?.fill(0, from, from + ROW_WORDS)
  }

  /** The words of the digest and the bits; `undefined` when there is none or it was forgotten. */
  get(row: number): Uint32Array | undefined {
    const from = (row % CHUNK_ROWS) * ROW_WORDS
    const words = this.#chunks[Math.floor(row / CHUNK_ROWS)]?.subarray(from, from + ROW_WORDS)
    return words?.[0] === 0 && words[1] === 0 && words[2] === 0 ? undefined : words
  }
}
