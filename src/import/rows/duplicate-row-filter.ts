/**
 * Finds rows that are identical to an earlier row. Overlapping exports have many; skipping them
 * saves making parcels. Rows that it misses are found by `repeats.ts`.
 *
 * Memory is fixed at 8 MB: a new row replaces an older one in the same slot.
 */
import type { RowDigest } from './row-digest.ts'

const SLOTS = 1 << 20

export class DuplicateRowFilter {
  readonly #high = new Uint32Array(SLOTS)
  readonly #low = new Uint32Array(SLOTS)

  /**
   * Reports whether the row was seen before with the same `hasPoint`, and remembers it. Rows are
   * compared by 64 bits: among a hundred million rows two collide once in 3,000 rolls.
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
