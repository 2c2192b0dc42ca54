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
    const hash = hashOf(text) & MASK
    const word = bits[hash >>> 5] as number
    const bit = 1 << (hash & 31)
    if ((word & bit) !== 0) return
    bits[hash >>> 5] = word | bit
    this.#ones += 1
  }
}

/**
 * FNV-1a over UTF-16 units with a final multiplication, so that texts that differ only in their
 * last letter get distant hashes.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 9
}
