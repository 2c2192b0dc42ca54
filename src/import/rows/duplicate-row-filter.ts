/**
 * Finds rows that are identical to an earlier row. Overlapping exports have many; skipping them
 * saves making parcels. Rows that it misses are found by `repeats.ts`.
 *
 * It takes 128 KB for a small roll and at most 8 MB. A new row replaces an older one in its slot.
 */
import type { RowDigest } from './row-digest.ts'

const SLOTS_FIRST = 1 << 14
const SLOTS_MAX = 1 << 20
const GROWTH = 16
const FILL = 1 / 16

export class DuplicateRowFilter {
  #high = new Uint32Array(SLOTS_FIRST)
  #low = new Uint32Array(SLOTS_FIRST)
  /** Rows until the table grows. */
  #left = SLOTS_FIRST * FILL

  /**
   * Reports whether the row was seen before with the same `hasPoint`, and remembers it. Rows are
   * compared by 64 bits: among a hundred million rows two collide once in 3,000 rolls.
   */
  sees([one, two]: RowDigest, hasPoint: boolean): boolean {
    if (this.#left === 0) this.#grow()
    this.#left -= 1
    const high = hasPoint ? one : ~one >>> 0
    const slot = high % this.#high.length
    const seen = this.#high[slot] === high && this.#low[slot] === two
    this.#high[slot] = high
    this.#low[slot] = two
    return seen
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low]
    const slots = Math.min(high.length * GROWTH, SLOTS_MAX)
    this.#left = slots === SLOTS_MAX ? Number.POSITIVE_INFINITY : slots * FILL
    this.#high = new Uint32Array(slots)
    this.#low = new Uint32Array(slots)
    for (const [at, word] of high.entries()) {
      if (word === 0) continue
      this.#high[word % slots] = word
      this.#low[word % slots] = low[at] as number
    }
  }
}
