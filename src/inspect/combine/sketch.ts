/**
 * A sample of a column's distinct texts, used to compare two columns in bounded memory.
 *
 * Keeps the smallest hashes, so two columns keep the same texts of those they share. Source:
 * Bar-Yossef et al., Counting distinct elements in a data stream, 2002 (bottom-k).
 */

const KEPT = 2048

/** A sample of hashes that estimates the overlap of two columns in bounded memory. */
export class Sketch {
  /** Number of texts added, including repeats. */
  rows = 0
  #hashes = new Set<number>()
  #limit = 2 ** 32

  add(text: string): void {
    this.rows += 1
    const hash = hashOf(text)
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

/**
 * FNV-1a with MurmurHash3's final mixing, so that every bit depends on every letter. 0 to 2³² − 1.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
