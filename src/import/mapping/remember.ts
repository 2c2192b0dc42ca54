/** Caches the reading of texts that repeat in a roll: use codes, years, city names. */

/** Most texts in one cache. */
const KEPT = 2000
/** Longer texts rarely repeat, and looking them up costs as much as reading them. */
const LENGTH_MAX = 40
/** After this many calls, caching stops if more than half of the texts were new. */
const JUDGED = 1024

/** Wraps a function with a cache of its results. `read` must depend on its text alone. */
export function remember<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  let asked = 0
  let missed = 0
  let pays = true
  return (text) => {
    if (!pays || text.length > LENGTH_MAX) return read(text)
    if (asked === JUDGED) {
      pays = missed <= JUDGED / 2
      asked = 0
      missed = 0
      if (!pays) known.clear()
    }
    asked += 1
    const found = known.get(text)
    if (found !== undefined) return found
    missed += 1
    if (known.size >= KEPT) return read(text)
    const own = detach(text)
    const result = read(own)
    known.set(own, result)
    return result
  }
}

/** Number of results per generation. */
const GENERATION = 1000

/**
 * A cache of recent results in two generations. When the newer one is full, the older one is
 * dropped.
 */
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

/**
 * Copies a text. Values are slices of a whole batch's text, so one of them would keep the batch in
 * memory.
 */
function detach(text: string): string {
  return ` ${text}`.slice(1)
}
