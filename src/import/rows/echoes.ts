/**
 * Finds rows that are, letter by letter, a row seen before: overlapping exports bring many, and they need not be made into parcels again to
 * be found equal. Rows that escape it are found by `repeats.ts`; it only saves their cost.
 *
 * Memory stays at 16 MB: a new row takes the place of an older one with the same slot.
 */

const SLOTS = 1 << 20

export class Echoes {
  readonly #high = new Uint32Array(SLOTS)
  readonly #low = new Uint32Array(SLOTS)

  /** Says whether the row was seen before, also with or without a point, and remembers it. 64 bits tell rows apart: two of a hundred million meet once in 3,000 rolls. */
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
