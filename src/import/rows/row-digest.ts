/**
 * Identifies rows by 96 bits of SHA-256, and finds those that are identical to an earlier row.
 * Overlapping exports have many; skipping them saves making parcels. Rows that are missed here are
 * found by `repeats.ts`.
 */
import { hash } from 'node:crypto'

/** Three words of 32 bits; the first is never 0. */
export type RowDigest = readonly [number, number, number]

/** Returns the digest of a row's texts and of its polygon as GeoJSON text. */
export function digestRow(row: readonly string[], polygon: string | null): RowDigest {
  return digestText(polygon === null ? JSON.stringify(row) : JSON.stringify([row, polygon]))
}

/** Combines a row's digest with that of the other inputs that determine its parcel. */
export function digestWith(row: RowDigest, more: RowDigest): RowDigest {
  const [one, two, three] = row
  return [(one ^ more[0]) >>> 0 || 1, (two ^ more[1]) >>> 0, (three ^ more[2]) >>> 0]
}

export function digestText(text: string): RowDigest {
  // A character a byte, which is read in two thirds of the time of hex digits.
  const bytes = hash('sha256', text, 'latin1')
  return [wordAt(bytes, 0) || 1, wordAt(bytes, 4), wordAt(bytes, 8)]
}

function wordAt(bytes: string, at: number): number {
  const byte = (place: number) => bytes.charCodeAt(at + place)
  return ((byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3)) >>> 0
}

const SLOTS_FIRST = 1 << 14
const SLOTS_MAX = 1 << 20
const GROWTH = 16
const FILL = 1 / 16

/** Takes 128 KB for a small roll and at most 8 MB. A new row replaces an older one in its slot. */
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
