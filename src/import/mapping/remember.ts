/** What repeats in a roll's columns is read once: use codes, years, names of cities. */

/** Texts that one memory holds. */
const KEPT = 2000
/** Longer texts hardly repeat, and are not cheaper to find than to read. */
const LENGTH_MAX = 40
/**
 * After so many questions it is seen whether remembering pays: it does not where more than half
 * were new.
 */
const JUDGED = 1024

/** The same function, which remembers what it said; `read` must depend on nothing but its text. */
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

/** Answers that a generation holds. */
const GENERATION = 1000

/**
 * The newest answers, for what is asked again soon or not at all: two generations, of which the
 * older one goes when the newer is full.
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
 * A copy: values are cut out of the text of a whole batch, which one of them would hold in memory.
 */
function detach(text: string): string {
  return ` ${text}`.slice(1)
}
