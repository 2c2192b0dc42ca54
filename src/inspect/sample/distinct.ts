/**
 * Estimates the number of distinct texts in a column with half a megabyte. Linear counting: Whang,
 * Vander-Zanden, Taylor, 1990.
 */

const BITS = 22
const MASK = 2 ** BITS - 1
/** Number of texts counted exactly before the bitmap is created. */
const EXACT = 256

/** Counts distinct values: exactly up to 256, then within half a per cent in half a megabyte. */
export class Distinct {
  #exact: Set<string> | undefined = new Set()
  #bits: Uint32Array | undefined
  #ones = 0

  add(text: string): void {
    if (this.#exact !== undefined) {
      if (!this.#exact.has(text)) this.#exact.add(Buffer.from(text).toString())
      if (this.#exact.size <= EXACT) return
      this.#bits = new Uint32Array(2 ** (BITS - 5))
      for (const one of this.#exact) this.#mark(one)
      this.#exact = undefined
    } else this.#mark(text)
  }

  /** Exact up to 256, then within half a percent up to ten million. */
  count(): number {
    if (this.#exact !== undefined) return this.#exact.size
    const size = MASK + 1
    return Math.round(-size * Math.log(Math.max(size - this.#ones, 1) / size))
  }

  #mark(text: string): void {
    const bits = this.#bits as Uint32Array
    const hash = spread(hashOf(text)) & MASK
    const word = bits[hash >>> 5] as number
    const bit = 1 << (hash & 31)
    if ((word & bit) !== 0) return
    bits[hash >>> 5] = word | bit
    this.#ones += 1
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash
}

/** A multiplication, so that texts that differ only in their last letter get distant hashes. */
const spread = (hash: number) => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 9

const KEPT = 2048

/**
 * A sample of hashes that estimates the overlap of two columns in bounded memory. It keeps the
 * smallest, so that two columns keep the same texts of those they share. Bottom-k: Bar-Yossef et
 * al., Counting distinct elements in a data stream, 2002.
 */
export class Sketch {
  /** Number of texts added, including repeats. */
  rows = 0
  #hashes = new Set<number>()
  #limit = 2 ** 32

  add(text: string): void {
    this.rows += 1
    const hash = mix(hashOf(text))
    if (hash >= this.#limit) return
    this.#hashes.add(hash)
    if (this.#hashes.size >= 2 * KEPT) this.#prune()
  }

  /** Number of distinct texts: exact below 4,096, else an estimate. */
  distinct(): number {
    if (this.#limit === 2 ** 32) return this.#hashes.size
    return Math.round((this.#hashes.size * 2 ** 32) / this.#limit)
  }

  /**
   * Returns the share of this sketch's distinct texts that the other has too, and the number of
   * texts it is based on.
   */
  sharedWith(other: Sketch): { share: number; of: number } {
    const limit = Math.min(this.#limit, other.#limit)
    const own = [...this.#hashes].filter((hash) => hash < limit)
    const shared = own.filter((hash) => other.#hashes.has(hash)).length
    return { share: own.length === 0 ? 0 : shared / own.length, of: own.length }
  }

  #prune(): void {
    const sorted = [...this.#hashes].sort((a, b) => a - b)
    this.#limit = sorted[KEPT] as number
    this.#hashes = new Set(sorted.slice(0, KEPT))
  }
}

/** MurmurHash3's final mixing, so that every bit depends on every letter. 0 to 2³² − 1. */
function mix(fnv: number): number {
  let hash = Math.imul(fnv ^ (fnv >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
