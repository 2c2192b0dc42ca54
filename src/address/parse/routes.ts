/**
 * Reads numbered roads in a line: `US-101`, `ST RT 7`, `COUNTY HWY A`, `FARM TO MARKET RD 1960`.
 */
import { LINES } from '../../base/tables.ts'
import { OLDER_FORMS } from '../../regions/states.ts'
import { listOf, ROAD_WORDS, ROUTE_QUALIFIERS } from '../tables.ts'
import { designatorOf, NUMBER_MARKS } from './designators.ts'
import { directionalOf, pointOf } from './directionals.ts'
import { readCardinal } from './number-words.ts'
import {
  isNumberOf,
  isRouteNumber,
  mayBeginRoute,
  type Node,
  type Phrase,
  pickPhrase,
  ROOT,
  readState,
  SHARED,
} from './route-phrases.ts'
import { suffixOf } from './suffixes.ts'
import { hasDigit, isDigits, trimZeros } from './words.ts'

export type Route = {
  /** Index of the first word after it. */
  next: number
  /** `STATE 7`, `OLD US 8 BUSINESS`: the same for all spellings of one road. */
  key: string
  /** `STATE ROUTE 7`: as Publication 28 writes it. */
  shown: string
  /** Whether the line has only `HWY` or `ROUTE`, so the road may be of any kind. */
  bare: boolean
  /** A direction joined to the number: `31W`. */
  direction: string | undefined
}

type Match = { phrase: Phrase; next: number; id: string; stateNamed: string; qualifier: string }

/**
 * Reads the longest numbered road that begins at a word; `undefined` for none.
 *
 * `state`: two letters, or `''` when unknown. The state's own name or letters before a number mean
 * its state route; another state's are kept in the key.
 */
export function readRoute(
  texts: string[],
  at: number,
  end: number,
  state: string,
): Route | undefined {
  let start = at
  const before: string[] = []
  while (start < end && start < at + 2) {
    const word = texts[start] as string
    const qualifier = word === 'OLD' ? 'OLD' : ROUTE_QUALIFIERS.get(word)
    if (qualifier === undefined || /^\d/.test(texts[start + 1] ?? '')) break
    before.push(qualifier)
    start++
  }
  if (start >= end) return undefined
  const first = texts[start] as string
  const id = texts[start + 1] ?? ''
  const own = ROUTE_QUALIFIERS.get(first) ?? ''
  const isKind = start + 1 < end && (own === 'BUSINESS' || own === 'ALTERNATE') && isRouteNumber(id)
  // `1200 N 31W`, `1200 N 31 W`
  const forks = first.charCodeAt(0) < 58 ? FORKS.get(state) : undefined
  const fork = forks === undefined ? '' : first + (directionalOf(id) ?? id)
  const count = forks?.includes(first) ? 1 : forks?.includes(fork) ? 2 : 0
  if (isKind || (count > 0 && mayFollowRoute(texts, start + count, end))) {
    const next = start + (isKind ? 2 : count)
    const road = isKind ? id : count > 1 ? fork : first
    const match = { phrase: BARE, next, id: road, stateNamed: '', qualifier: own }
    return finishRoute(match, before, { texts, start, end, state })
  }
  if (!mayBeginRoute(first)) return undefined
  const search = { texts, start, end, state }
  const match = matchPhrase(ROOT, search, start, '')
  return match && finishRoute(match, before, search)
}

/** `BUSINESS 83`, `ALT 41`: a highway of unknown kind, as in `HWY 83 BUSINESS`. */
const BARE: Phrase = { kind: 'HIGHWAY', shown: 'HIGHWAY', digitsOnly: true, states: undefined }

/** Words that may begin a route after other words: `LEE COUNTY RD 12`. */
export const INSIDE = new Set(['COUNTY', 'CO', 'CNTY', 'STATE', 'US', 'TOWNSHIP', 'FARM', 'FM'])

function finishRoute(match: Match, before: string[], search: Search): Route {
  const { texts, end, state } = search
  const qualifiers = before.filter((word) => word !== 'OLD')
  if (match.qualifier !== '') qualifiers.push(match.qualifier)
  let next = match.next
  for (let word = texts[next]; next < end; word = texts[++next]) {
    // `CR 12 BR` is a branch.
    const isBranch = word === 'BR' && !SHARED.has(match.phrase.kind)
    const qualifier = isBranch ? undefined : ROUTE_QUALIFIERS.get(word ?? '')
    if (qualifier !== undefined && !hasDigit(texts[next + 1] ?? '')) qualifiers.push(qualifier)
    else if (!isEchoed(word ?? '', match.phrase.kind, qualifiers)) break
  }
  let id = match.id
  let direction: string | undefined
  const lettered = /^\d+[NSEW]$/.test(id)
  const forks = FORKS.get(state)
  const word = texts[next] ?? ''
  const fork = lettered || next >= end ? id : `${id}${directionalOf(word) ?? word}`
  if (forks?.includes(fork)) {
    if (fork !== id) next++
    id = fork
  } else if (lettered && (next >= end || directionalOf(texts[next]) === undefined)) {
    direction = id.slice(-1)
    id = id.slice(0, -1)
  } else if (isDigits(id) && next + 1 < end && isFork(texts[next], texts[next + 1])) {
    id += texts[next++]
  }
  // `HWY 62 EAST SPUR` is another road than `HWY 62 EAST`.
  const behind = ROUTE_QUALIFIERS.get(texts[next + 1] ?? '')
  const point = behind === undefined ? undefined : directionalOf(texts[next])
  const isOwn = next + 1 < end && suffixOf(texts[next + 2] ?? '') === undefined
  if (behind !== undefined && point !== undefined && direction === undefined && isOwn) {
    qualifiers.push(behind)
    direction = point
    next += 2
  }
  const kind =
    match.stateNamed !== '' && state !== match.stateNamed && match.phrase.kind === 'STATE'
      ? `${match.stateNamed} STATE`
      : match.phrase.kind
  const old = before.includes('OLD') ? 'OLD ' : ''
  const tail = [...new Set(qualifiers)]
    .sort()
    .map((word) => ` ${word}`)
    .join('')
  const { number, end: after } = readShared(id, kind, search, next)
  return {
    next: after,
    key: `${old}${kind} ${number}${tail}`,
    shown:
      `${old}${kind === match.phrase.kind ? '' : `${match.stateNamed} `}${match.phrase.shown} ` +
      `${number}${tail}`,
    bare: match.phrase.kind === 'HIGHWAY',
    direction,
  }
}

/** Roads of a state that differ from others by a letter behind the number. */
const FORKS: ReadonlyMap<string, readonly string[]> = new Map(
  listOf('forks', LINES).map((line) => [line.slice(0, 2), line.split(' ')] as const),
)

/**
 * Reads further numbers of the same road, `HWY 6 & HWY 34` or Florida's `US HWY 17 92`, and joins
 * all. `US 1-9` is two roads, West Virginia's `CR 5/3` one.
 */
function readShared(own: string, kind: string, { texts, end, state }: Search, at: number) {
  if (at >= end && isDigits(own)) return { number: trimZeros(own), end: at }
  let next = at
  const ids = kind === 'COUNTY' ? [own] : own.split(/[-/]/)
  const id = texts[at] === 'AND' && end - at < 5 ? (texts[end - 1] ?? '') : ''
  const isRoad = (word: string) => word === 'US' || ROAD_WORDS.has(word)
  if (isDigits(id) && isRouteNumber(id) && texts.slice(at + 1, end - 1).every(isRoad)) {
    ids.push(id)
    next = end
  }
  const isTogether = (id: string) => TOGETHER.has([state, ...[ids.at(-1), id].sort()].join(' '))
  while (next < end && isDigits(texts[next] as string) && isTogether(texts[next] as string))
    ids.push(texts[next++] as string)
  const numbers = ids.map(trimZeros)
  return { number: numbers.sort((a, b) => Number(a) - Number(b)).join(' AND '), end: next }
}

/** Two roads of a state that run together, written without a mark: `17 92`. */
const TOGETHER = new Set(listOf('roads together', LINES))

const FREEWAYS = new Set(['FWY', 'EXPY'])

/** Reports whether a road word adds nothing: `RT 973 HWY`, `I-45 FWY`, `I-94 BUSINESS LOOP`. */
function isEchoed(word: string, kind: string, qualifiers: readonly string[]): boolean {
  const roadWord = ROAD_WORDS.get(word)
  const isRound = () => roadWord === 't' || suffixOf(word) === 'LOOP'
  if (qualifiers.includes('BUSINESS') && isRound()) return true
  if (roadWord === 'h' || (kind === 'INTERSTATE' && FREEWAYS.has(suffixOf(word) ?? ''))) return true
  return roadWord === 'r' && (kind === 'FM' || kind === 'RANCH')
}

/** `I-35 W S` is `I-35W` south; `N W` is one point. */
function isFork(first: string | undefined, second: string | undefined): boolean {
  return (
    first?.length === 1 &&
    directionalOf(first) !== undefined &&
    directionalOf(second) !== undefined &&
    pointOf(first, second) === undefined
  )
}

/** The words in which a road is searched: `[start, end)`, in a state (`''`: unknown). */
type Search = { texts: string[]; start: number; end: number; state: string }

/** Matches a phrase from a node on. `stateNamed`: the state that the words so far name. */
function matchPhrase(
  node: Node,
  search: Search,
  at: number,
  stateNamed: string,
): Match | undefined {
  const { texts, start, end, state } = search
  if (at >= end || at - start > 6) return undefined
  const word = texts[at] as string
  // Longer phrases first: the road words of `STATE HIGHWAY 7` must not be read as an identifier.
  for (const key of [word, ROAD_WORDS.get(word)]) {
    const child = key === undefined ? undefined : node.next.get(key)
    const match = child && matchPhrase(child, search, at + 1, stateNamed)
    if (match) return match
  }
  const stateChild = node.next.get('@')
  if (stateChild !== undefined) {
    const named = readState(texts, at, end, state)
    if (named && (state === '' || named.code === state || named.spelled)) {
      const after = at + named.length
      const next = texts[after] ?? ''
      // `PENN RD 12` and `PENN # 12` have units.
      const isStreet =
        OLDER_FORMS.has(word) && (ROAD_WORDS.get(next) === 'r' || NUMBER_MARKS.has(next))
      const match = isStreet ? undefined : matchPhrase(stateChild, search, after, named.code)
      if (match) return match
    }
  }
  if (/^[A-Z]{1,5}\d/.test(word)) {
    const digits = word.search(/\d/)
    const letters = word.slice(0, digits)
    const named = letters === state && letters !== 'NE' ? '@' : undefined
    for (const key of [letters, ROAD_WORDS.get(letters), named]) {
      const child = key === undefined ? undefined : node.next.get(key)
      const phrase = child && pickPhrase(child, state)
      if (phrase && isNumberOf(phrase.kind, word.slice(digits))) {
        const said = key === '@' ? state : stateNamed
        return { phrase, next: at + 1, id: word.slice(digits), stateNamed: said, qualifier: '' }
      }
    }
  }
  const phrase = at > start ? pickPhrase(node, state) : undefined
  return phrase && matchIdentifier(phrase, search, at, stateNamed)
}

function matchIdentifier(
  phrase: Phrase,
  { texts, end, state }: Search,
  from: number,
  stateNamed: string,
): Match | undefined {
  let at = from
  const qualifier = ROUTE_QUALIFIERS.get(texts[at] ?? '') ?? ''
  if (qualifier !== '') at++
  // `STATE RD #41` is a unit on State Road; the other roads always have a number.
  if (NUMBER_MARKS.has(texts[at] ?? '') && !/^(?:STATE|FIRE|FARM|PARK) ROAD$/.test(phrase.shown))
    at++
  if (at >= end) return undefined
  const id = texts[at] as string
  const spoken = id.length < 3 || hasDigit(id) ? undefined : readCardinal(texts, at, end)
  if (spoken !== undefined && mayFollowRoute(texts, at + spoken.length, end))
    return { phrase, next: at + spoken.length, id: `${spoken.value}`, stateNamed, qualifier }
  const after = texts[at + 1]
  const isNumber =
    (isNumberOf(phrase.kind, id) || hasLetterFirst(id, phrase)) &&
    !(at + 1 < end && after !== undefined && isStreetWord(after, phrase))
  const isLetter =
    !phrase.digitsOnly &&
    LETTERED.has(phrase.kind) &&
    /^[A-Z]{1,2}$/.test(id) &&
    (id.length === 1 ? isLetterRoad(id, phrase, state) : isPair(id)) &&
    !(at + 1 < end && after !== undefined && suffixOf(after) !== undefined)
  return isNumber || isLetter ? { phrase, next: at + 1, id, stateNamed, qualifier } : undefined
}

/** Whether a road may end before a word: `HIGHWAY ONE N`, but `STATE RD TWO RIVERS`. */
function mayFollowRoute(texts: readonly string[], at: number, end: number): boolean {
  const word = at < end ? texts[at] : undefined
  if (word === undefined || ROUTE_QUALIFIERS.has(word)) return true
  return directionalOf(word) !== undefined || designatorOf(word) !== undefined
}

/**
 * Kinds whose roads may have letters: Wisconsin's county trunks, Missouri's supplemental routes.
 */
const LETTERED = new Set(['COUNTY', 'STATE', 'HIGHWAY'])

/** Accepts a direction's letter as a road only in states that have such roads. */
function isLetterRoad(id: string, phrase: Phrase, state: string): boolean {
  if (directionalOf(id) === undefined) return true
  // Ramsey County's roads have the letters A to J.
  if (state === 'MN') return phrase.kind === 'COUNTY' && id === 'E'
  return phrase.shown === 'COUNTY HIGHWAY' || state === 'WI' || state === 'MO'
}

/** Reports whether two letters name a road and nothing else. */
function isPair(id: string): boolean {
  return !(directionalOf(id) || suffixOf(id) || designatorOf(id) || ROAD_WORDS.has(id))
}

/** `A1A`, `J18`: a letter before the number. */
function hasLetterFirst(id: string, phrase: Phrase): boolean {
  // `5/3` is West Virginia's third road off county route 5.
  if (phrase.kind === 'COUNTY') return /^(?:[A-Z]\d{1,3}|\d{1,3}\/\d{1,2})$/.test(id)
  return LETTERED.has(phrase.kind) && /^[A-Z]\d[A-Z]$/.test(id)
}

/** `LOOP 5 ST` is a street named by its number. */
function isStreetWord(word: string, phrase: Phrase): boolean {
  return /^(?:ST|STREET|AVE|AVENUE)$/.test(word) && phrase.kind !== 'US'
}
