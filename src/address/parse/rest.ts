/** Units after a street, and words too many: what they are, and the line without them. */
import { foldCity } from '../../base/fold.ts'
import { isPlace, isPlaceAnywhere } from '../../regions/places.ts'
import { findState, readState } from '../../regions/states.ts'
import { BUILDINGS, listOf, ROUTE_QUALIFIERS } from '../tables.ts'
import { AFTER_SUFFIX, designatorOf, isIdentifier, unitId } from './designators.ts'
import { directionalOf } from './directionals.ts'
import { cutWords, type Line } from './line.ts'
import { isWholeStreet } from './predirectional.ts'
import { isPlainSuffix, suffixOf } from './suffixes.ts'
import { readUnitTail, type UnitPart } from './units.ts'
import { hasDigit, type Words } from './words.ts'

const STREETS = new Set(listOf('streets'))

/** Reads the units after a street's name, which begins at a word, and cuts them off. */
export function readUnits(line: Line, at: number): UnitPart[] {
  const isWhole = (end: number) => isWholeStreet(line, at, end)
  const { end } = line
  const tail = readUnitTail(line, at + 1, end, isWhole)
  line.end = tail.end
  // Shorter lines have no unit before the words that are left.
  const rest = tail.end - at < REST_MIN ? undefined : endBeforeRest(line, at, end)
  if (rest === undefined) return tail.parts
  const inner = readUnitTail(line, at + 1, rest, isWhole)
  line.end = inner.end
  const left = line.texts.slice(rest, end)
  // `BLDG 4, 12`, `UNIT 5 G2`: the second one is a unit too.
  const id = left.join(' ')
  const isId = /^\d{1,4}[A-Z]?$/.test(id) && inner.parts.every(({ kind }) => kind !== '*')
  if (isId || /^[A-Z]{1,2}\d{1,4}$/.test(id))
    return [...inner.parts, { kind: '*', type: null, id: unitId(id) }]
  return [...inner.parts, ...tail.parts.filter(({ type }) => type !== null)]
}

/** Moves a direction from behind the unit, if any: `ELM ST #4 NE`. One letter is the unit's. */
export function moveDirection({ texts, breaks, end }: Line, from: number): boolean {
  const direction = texts[end - 1] as string
  if (directionalOf(direction)?.length !== 2) return false
  let at = from + 2
  while (at < end - 2 && unitLength(texts, at) === 0) at++
  let next = at
  while (next < end - 1 && unitLength(texts, next) > 0) next += unitLength(texts, next)
  if (next !== end - 1 || next === at || breaks[next] || !isPlainSuffix(texts[at - 1] as string))
    return false
  texts.copyWithin(at + 1, at, end - 1)
  breaks.copyWithin(at + 1, at, end - 1)
  texts[at] = direction
  breaks[at] = false
  return true
}

/** A name, a suffix, a designator, its identifier and one word more. */
const REST_MIN = 5

/**
 * Returns the end of the units after which a line goes on with words that are no city: `HARLOW AVE
 * STE 300 S BLDG`. `undefined`: there are none. `from`: the first word of the street's name.
 */
function endBeforeRest(line: Line, from: number, end: number): number | undefined {
  const { texts, breaks } = line
  for (let at = from + 2; at + 2 < end; at++) {
    if (unitLength(texts, at) === 0 || !(breaks[at] || isWholeStreet(line, from, at))) continue
    let next = at
    while (next < end && unitLength(texts, next) > 0) next += unitLength(texts, next)
    const rest = texts.slice(next, end)
    if (rest.length === 0) return undefined
    const isStreet = !breaks[next] && isPlainSuffix(rest.at(-1) as string)
    return isStreet || mayBePlace(rest) ? undefined : next
  }
  return undefined
}

/** Counts the words of a designator with its identifier, `STE 300` or `BLDG # 2`; 0 for none. */
export function unitLength(texts: readonly string[], at: number): number {
  const designator = designatorOf(texts[at])
  if (designator === undefined || AFTER_SUFFIX.has(designator.kind)) return 0
  if (AFTER_SUFFIX.has(designator.type)) return 0
  const length = texts[at + 1] === '#' && texts[at] !== '#' ? 3 : 2
  const id = texts[at + length - 1] ?? ''
  if (!isIdentifier(id)) return 0
  const isId = hasDigit(id) ? !/^\d{5}/.test(id) : /^[A-Z]$/.test(id) && !directionalOf(id)
  return isId ? length : 0
}

/** A line without some words, which are hardly a city (`isNoPlace`); the city and ZIP in them. */
export type WithoutRest = {
  words: Words
  rest: string
  isNoPlace: boolean
  city?: string
  zip?: string
}

/**
 * Returns a line without unknown words after its street: `100 HARLOW RD TRENT APARTMENTS`.
 *
 * The line begins with a number, and its last common suffix ends the street; a direction and units
 * may follow it. Words that make another street of it are not dropped: suffixes, directions, `OLD`,
 * `OF`. `undefined`: there is nothing to drop. `city`: see `listRepairs`.
 */
export function dropRest(
  { texts, breaks }: Words,
  city: string | undefined,
  state: string,
): WithoutRest | undefined {
  const isEnd = (text: string, at: number) => at > 1 && isPlainSuffix(text)
  const last = texts.findLastIndex(isEnd)
  // `OAK ST ST MARYS`: the second `ST` is the city's.
  const suffix = texts[last] === 'ST' && isEnd(texts[last - 1] ?? '', last - 1) ? last - 1 : last
  if (suffix < 2 || !hasDigit(texts[0] as string)) return undefined
  if (suffix === 2 && directionalOf(texts[1]) !== undefined) return undefined
  let from = suffix + 1
  if (directionalOf(texts[from]) !== undefined) from++
  while (unitLength(texts, from) > 0) from += unitLength(texts, from)
  let to = from
  if (breaks[to] && texts[to] === 'THE') to++
  // `15 ELM ST CHERRY HILL APTS`
  const isNamed = texts.length - to > 1 && BUILDINGS.has(texts.at(-1) as string)
  const isDropped = (word: string) =>
    isUnknown(word) || (isNamed && suffixOf(word) !== undefined && !isPlainSuffix(word))
  while (to < texts.length && isDropped(texts[to] as string) && unitLength(texts, to) === 0) to++
  if (to === from) return undefined
  for (let at = to; at < texts.length; at += unitLength(texts, at))
    if (unitLength(texts, at) === 0) return undefined
  const keep = (_: unknown, at: number) => at < from || at >= to
  const rest = texts.slice(from, to)
  // `CHULA VISTA` is not a building in Vista.
  if (city && beginsPlace(rest, city)) return undefined
  // `MACON BIBB` is in Macon, `MACON TOWERS` need not be.
  const isBuilding = BUILDINGS.has(rest.at(-1) as string)
  // `9 OAK AVE PDX`
  const isShort = rest.length === 1 && (rest[0] as string).length < 4
  const begun = rest.map((_, at) => placeOf(rest.slice(0, rest.length - at), state))
  const known = isBuilding ? '' : (begun.find(Boolean) ?? '')
  // `DAYTON TWP` is not the city of Dayton. New Jersey's `DAYTON BORO` is not its township.
  const kind = state === 'NJ' ? /^(?:BORO|BOROUGH|CITY|TOWN|TOWNSHIP|TWP)$/ : /^(?:TOWNSHIP|TWP)$/
  const named = known !== '' && kind.test(rest.at(-1) as string) ? foldCity(rest.join(' ')) : known
  return {
    words: { texts: texts.filter(keep), breaks: breaks.filter(keep) },
    rest: rest.join(' '),
    // `9 OAK AVE MPLS MN`: before a state stands a city.
    isNoPlace:
      named === '' &&
      (to < texts.length ||
        (!mayBePlace(rest) && (isBuilding || (city !== undefined && !isShort)))),
    city: named,
  }
}

/** Returns the folded name of a place of the state; `''` for none. */
function placeOf(words: readonly string[], state: string): string {
  const folded = foldCity(words.join(' '))
  return isPlace(folded, state) ? folded : ''
}

/** What is before a number: a city of the request's state, folded; and a state behind words. */
type Lead = { city: string; code: string | undefined }

/** Reads the words before a number: `MACON, GEORGIA, 14 ELM ST`. */
export function readLead({ texts, breaks }: Words, at: number, state: string): Lead {
  const cityBefore = (end: number, code: string) => {
    const of = texts.lastIndexOf('OF', end - 1)
    const named = OF_PLACES.has(texts[of - 1] ?? '') ? of + 1 : 0
    const from = Math.max(breaks.lastIndexOf(true, end - 1), named)
    return placeOf(texts.slice(from, end), code)
  }
  const end = COUNTRY.has(texts[at - 1] as string) ? at - 1 : at
  const city = cityBefore(end, state)
  for (const length of city === '' ? [1, 2, 3] : []) {
    const from = end - length
    const code = from < 0 ? undefined : readState(texts.slice(from, end).join(' '))?.code
    // `HOTEL VIRGINIA` is a building.
    if (code === undefined || (from > 0 && !breaks[from] && cityBefore(from, code) === '')) continue
    if (code !== state) return { city: '', code }
    // The state alone says nothing.
    return { city: cityBefore(from, state), code: from > 0 ? code : undefined }
  }
  return { city, code: end > 1 ? findState(texts[end - 1] as string)?.code : undefined }
}

export const TOWNSHIPS = new Set(['TOWNSHIP', 'TWP'])
/** `CITY OF LINCOLN` */
export const OF_PLACES = new Set(['CITY', 'TOWN', 'VILLAGE', 'BOROUGH', ...TOWNSHIPS])
export const COUNTRY = new Set(['USA', 'US'])

/** Reports whether a word has no meaning of its own in an address. */
export function isUnknown(word: string): boolean {
  if (BUILDINGS.has(word)) return true
  if (word.length < 2 || hasDigit(word) || STREETS.has(word)) return false
  if (suffixOf(word) !== undefined || directionalOf(word) !== undefined) return false
  const designator = designatorOf(word)
  if (designator !== undefined && !AFTER_SUFFIX.has(designator.type)) return false
  if (ROUTE_QUALIFIERS.has(word)) return false
  return word.length > 2 || findState(word) === undefined
}

/** Reports whether words may be, or end in, a city, a state or a ZIP. */
export function mayBePlace(rest: readonly string[]): boolean {
  const last = rest.at(-1) as string
  // `KENT, WASH.`, `MACON, GEORGIA, USA`
  if (ZIP.test(last) || /^USA?$/.test(last) || readState(last) !== undefined) return true
  if (BUILDINGS.has(last) || hasDigit(last)) return false
  if (PLACE_SHAPE.test(last)) return true
  return beginsPlace(rest)
}

/** Cuts off the words from `at` on, up to a city behind a comma or a ZIP, which must be right. */
export function cutUpToPlace(line: Line, at: number): void {
  const { texts, breaks, end } = line
  // Most lines have neither.
  const zipAt = ZIP.test(texts[end - 1] as string) ? end - 1 : end
  let next = at + 1
  while (next < zipAt && !(breaks[next] && mayBePlace(texts.slice(next, end)))) next++
  cutWords(line, at, next)
}

/** Reports whether the last words, with the city after them, are a place: `CHULA` `VISTA`. */
function beginsPlace(words: readonly string[], city = ''): boolean {
  const all = [...words, city]
  return words.some((_, at) => isPlaceAnywhere(foldCity(all.slice(at).join(' '))))
}

export const ZIP = /^\d{5}(?:-\d{4})?$/

/** Endings of the names of towns and neighborhoods that the Census does not list. */
const PLACE_SHAPE = new RegExp(
  '(?:VILLE|TON|TOWN|BURGH?|BURY|FORD|FIELD|DALE|PORT|WOOD|WICK|LAND|BORO|BOROUGH|CITY|TWP|SHIP' +
    '|COUNTY)$',
)
