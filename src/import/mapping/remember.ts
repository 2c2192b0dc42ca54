/** Caches the reading of texts that repeat in a roll: use codes, years, city names. */
import { detach } from '../../store/keep-recent.ts'

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
