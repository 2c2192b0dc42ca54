/**
 * Finds rows that repeat an earlier row letter by letter. Overlapping exports bring many, and it
 * saves making parcels of them. Rows that it misses are found by `repeats.ts`.
 *
 * Memory stays at 16 MB: a new row takes the place of an older one with the same slot.
 */

const SLOTS = 1 << 20

export class DuplicateRowFilter {
  readonly #high = new Uint32Array(SLOTS)
  readonly #low = new Uint32Array(SLOTS)

  /**
   * Reports whether the row was seen before, with the same answer to `hasPoint`, and remembers it.
   * Rows are compared by 64 bits: among a hundred million rows two collide once in 3,000 rolls.
   */
  sees(row: readonly string[], hasPoint: boolean): boolean {
    let one = hasPoint ? 0x9e3779b9 : 0x7f4a7c15
    let two = 0x85ebca6b
    for (const text of row) {
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        one = Math.imul(one ^ code, 0x01000193)
        two = Math.imul(two ^ code, 0x5bd1e995)
        two ^= two >>> 13
      }
      one = Math.imul(one ^ 0x1f, 0x01000193)
      two = Math.imul(two ^ 0x1f, 0x5bd1e995)
      two ^= two >>> 15
    }
    one = (one ^ (one >>> 16)) >>> 0
    two = (two ^ (two >>> 14)) >>> 0
    const slot = one % SLOTS
    const seen = this.#high[slot] === one && this.#low[slot] === two
    this.#high[slot] = one
    this.#low[slot] = two
    return seen
  }
}
