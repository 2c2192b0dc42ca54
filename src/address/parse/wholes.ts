/** Finds names that are one word: numbered roads, and streets like `AVENUE C`. */
import { areAcross, directionalOf } from './directionals.ts'
import { isOrdinal, isOverAt, type Line, replaceWords } from './line.ts'
import { INSIDE, type Route, readRoute } from './routes.ts'
import { primaryOf, suffixOf } from './suffixes.ts'

/** The name as compared and as shown. `bare`: a highway of unknown kind. */
export type Whole = { key: string; shown: string; bare: boolean }

/** Finds a numbered road or a street like `AVENUE C` and makes one word of it. */
export function findWhole(line: Line, from: number, state: string): Whole | undefined {
  const { texts } = line
  let at = from
  for (let skipped = 0; skipped <= 2 && at < line.end; skipped++, at++) {
    const route = readRoute(texts, at, line.end, state)
    if (route !== undefined) {
      replaceWords(line, at, route.next, wordsOf(route))
      return route
    }
    // `NORTH AVE E` has a direction; where avenues have letters it is Avenue E north.
    const isEnd =
      at > from && !LETTERED_STATES.has(state) && areAcross(texts[at - 1], texts[at + 1])
    const avenue = isEnd ? undefined : readLeadingSuffix(line, at, state)
    if (avenue !== undefined) {
      replaceWords(line, at, avenue.next, [avenue.name])
      return { key: avenue.name, shown: avenue.name, bare: false }
    }
    if (directionalOf(texts[at]) === undefined) break
  }
  for (at++; at + 1 < line.end; at++) {
    if (!INSIDE.has(texts[at] as string)) continue
    const route = readRoute(texts, at, line.end, state)
    if (route === undefined || !/\d/.test(route.key) || route.next - at < 2) continue
    replaceWords(line, at, route.next, wordsOf(route))
    return route
  }
  return undefined
}

const wordsOf = ({ shown, direction }: Route) =>
  direction === undefined ? [shown] : [shown, direction]

const LETTERED_STATES = new Set(['AZ', 'CA', 'NM', 'OK', 'TX'])

/** Words before the identifier of a street: `AVENUE C`, `ROAD 10`, `CALLE 5`. */
const LEADING = new Set(
  'AVE ST RD LN DR CT CIR LOOP BLVD PL WAY TER ALY CALLE AVENIDA CARR CAMINO VEREDA'.split(' '),
)

const LEADING_ID = /^(?:[A-Z]|[A-Z]{2}|\d{1,4}[A-Z]{0,2})$/

/**
 * Reads `AVENUE C`, `AVE P 1/2`, `ROAD 10`: a suffix word, an identifier, then the street's end.
 */
export function readLeadingSuffix(
  line: Line,
  at: number,
  state: string,
): { name: string; next: number } | undefined {
  const { texts } = line
  const word = texts[at] as string
  const standard = suffixOf(word) ?? word
  const id = texts[at + 1]
  if (!LEADING.has(standard) || id === undefined || at + 1 >= line.end || line.breaks[at + 1])
    return undefined
  // `AVENUE K-8` is a road of its own in the Antelope Valley; so is `AVENUE K 8`.
  const isValley = state === 'CA' && standard === 'AVE'
  const second = isValley && !line.breaks[at + 2] && at + 2 < line.end ? texts[at + 2] : ''
  const isParted = isValley && /^[J-T]$/.test(id) && /^[1-9]\d?$/.test(second ?? '')
  if (!(isValley && /^[A-Z]\d{1,2}$/.test(id)) && (!LEADING_ID.test(id) || isOrdinal(id)))
    return undefined
  // Two letters only when doubled (`AVENUE AA`). `ST` before a letter is a saint or the suffix of a
  // lettered street.
  if (/^[A-Z]{2}$/.test(id) && id[0] !== id[1]) return undefined
  if (word === 'ST') return undefined
  if (directionalOf(id) !== undefined && standard !== 'AVE' && standard !== 'RD') return undefined
  let next = isParted ? at + 3 : at + 2
  if (/^\d\/\d$/.test(texts[next] ?? '') && next < line.end) next++
  if (!isOverAt(line, next) && suffixOf(texts[next] ?? '') === undefined) return undefined
  const primary = suffixOf(word) === undefined ? word : primaryOf(standard)
  const rest = isParted ? [id + second] : texts.slice(at + 1, next)
  return { name: [primary, ...rest].join(' '), next }
}
