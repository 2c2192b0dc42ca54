/**
 * Finds rows that repeat an earlier row letter by letter. Overlapping exports bring many, and it
 * saves making parcels of them. Rows that it misses are found by `repeats.ts`.
 *
 * Memory stays at 8 MB: a new row takes the place of an older one with the same slot.
 */
import type { RowDigest } from './row-digest.ts'

const SLOTS = 1 << 20

export class DuplicateRowFilter {
  readonly #high = new Uint32Array(SLOTS)
  readonly #low = new Uint32Array(SLOTS)

  /**
   * Reports whether the row was seen before, with the same answer to `hasPoint`, and remembers it.
   * Rows are compared by 64 bits: among a hundred million rows two collide once in 3,000 rolls.
   */
  sees([one, two]: RowDigest, hasPoint: boolean): boolean {
    const high = hasPoint ? one : ~one >>> 0
    const slot = one % SLOTS
    const seen = this.#high[slot] === high && this.#low[slot] === two
    this.#high[slot] = high
    this.#low[slot] = two
    return seen
  }
}
