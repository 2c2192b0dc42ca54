/** Caches that keep the entries used last. */

/** Adds an entry, or makes it the newest; beyond `most` entries the oldest go. */
export function keepRecent<Key, Kept>(
  kept: Map<Key, Kept>,
  key: Key,
  value: Kept,
  most: number,
): Kept {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  return value
}

/** A cache bounded by the bytes of its entries, of which the longest unused go first. */
export class RecentBytes<Kept extends { bytes: number }> {
  readonly #kept = new Map<string, Kept>()
  readonly #most: number
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get(name: string): Kept | undefined {
    const kept = this.#kept.get(name)
    if (kept === undefined) return undefined
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    return kept
  }

  set(name: string, kept: Kept): void {
    this.#bytes += kept.bytes - (this.#kept.get(name)?.bytes ?? 0)
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) return
      this.#kept.delete(oldest)
      this.#bytes -= bytes
    }
  }
}

/** Number of results per generation. */
const GENERATION = 1000

/** Recent results in two generations: when the newer one is full, the older one is dropped. */
export class Recent<Result> {
  #newer = new Map<string, Result>()
  #older = new Map<string, Result>()

  get(text: string): Result | undefined {
    const found = this.#newer.get(text)
    if (found !== undefined) return found
    const older = this.#older.get(text)
    if (older !== undefined) this.set(text, older)
    return older
  }

  set(text: string, result: Result): void {
    if (this.#newer.size === GENERATION) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(detach(text), result)
  }
}

/** Copies a text: values are slices of a batch's text, and one would keep all of it in memory. */
export function detach(text: string): string {
  return ` ${text}`.slice(1)
}
