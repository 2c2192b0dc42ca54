/** Reads city, state and ZIP after a street line (docs/matching.md, rule 8). */
import { foldCity } from '../../base/fold.ts'
import type { AddressContext } from '../../base/model/address.ts'
import { findCounty } from '../../regions/counties.ts'
import { isPlace } from '../../regions/places.ts'
import { findState, OLDER_FORMS, readState, STATES, stateOfZip } from '../../regions/states.ts'
import { BUILDINGS, ROAD_WORDS } from '../tables.ts'
import { designatorOf } from './designators.ts'
import { directionalOf } from './directionals.ts'
import { SPANISH_STREETS } from './numbers.ts'
import { COUNTRY, mayBePlace, OF_PLACES, readLead, TOWNSHIPS, unitLength, ZIP } from './rest.ts'
import { mayBeginRoute } from './route-phrases.ts'
import { isPlainSuffix, suffixOf } from './suffixes.ts'
import { hasDigit, isDigits, splitWords, type Words } from './words.ts'

/**
 * A line without its last words, and their meaning. City folded, ZIP of five digits; `''` when
 * absent. `isSure`: the words can hardly belong to the street, even if no record has such a city.
 * `isDirected`: a direction before the city may belong to it, as in `SOUTH PORTLAND`.
 */
type Tail = { words: Words; city: string; zip: string; isSure: boolean; isDirected: boolean }

const CITY_WORDS_MAX = 5
const TAILS_MAX = 8

/** Cuts off a tail that the record has too, or an unmistakable one when the record has no city. */
export function cutKnownTail(words: Words, context: AddressContext): Words {
  const { texts, breaks } = words
  const recorded = context.city
  if (recorded === undefined) return words
  const last = readLastLine(words, context.state)
  const { end, zip, state } = last
  const city = recorded === null || recorded === '' ? '' : foldRecorded(recorded)
  if (city !== '') {
    const length = endingCity(texts, end, city)
    const at = end - length
    // Without a comma, state or ZIP the city must follow a whole street: `100 N LINCOLN` in Lincoln
    // keeps its name.
    const beyondDoubt =
      breaks[at] ||
      zip !== '' ||
      state ||
      suffixOf(texts[at - 1] ?? '') !== undefined ||
      texts[at - 2] === 'BOX'
    if (length > 0 && at >= 2 && beyondDoubt) return head(words, at)
  }
  const at = commaBefore(words, end)
  const county = COUNTIES.has(texts[end - 1] ?? '') ? at : 0
  if (county > 2 && findCounty(context.state, texts.slice(county, end).join(' ')) !== undefined)
    return cutKnownTail(without(words, county, end), context)
  // `9 OAK ST, LINCOLN`
  if (city === '' && end === texts.length && isStreetOver(texts, at))
    if (at === knownCity(texts, end, context.state)) return head(words, at)
  if (texts[end] === 'USA' && zip === '' && !state && isStreetOver(texts, end))
    return head(words, end)
  // `…, ANY CITY, ST 12345`: a comma before the city, and a state or ZIP after it.
  if (zip !== '' || state) {
    const plain = texts.slice(at, end).every((word) => !hasDigit(word) && word !== '#')
    const before = texts[at - 1] ?? ''
    const isStreet = suffixOf(before) !== undefined || directionalOf(before) !== undefined
    if (at >= 2 && end - at <= CITY_WORDS_MAX && plain && designatorOf(texts[at]) === undefined)
      if (end > at && (breaks[end] || zip !== '' || isStreet || hasDigit(before)))
        return head(words, at)
    const behind = cityBehind(words, last, context)
    if (behind > 0) return head(words, behind)
    const zipKnown = zip !== '' && (zip === context.zip || breaks[end] === true || state)
    if (zipKnown && end >= 2) return head(words, end)
  }
  return words
}

/**
 * Returns where a city without a comma begins: `9 BROADWAY NEW YORK NY 10012`; 0 for none. A record
 * may have another city than its line. State and ZIP show that the words before them are a city;
 * one of the two does so behind a whole street.
 */
function cityBehind({ texts, breaks }: Words, last: LastLine, context: AddressContext): number {
  const { end, stateEnd, zip, state } = last
  const typed = readState(texts.slice(end, stateEnd).join(' '))?.code
  const code = context.state || typed || (stateOfZip(zip) ?? '')
  const isBoth = state && zip !== ''
  const isHere = state || stateOfZip(zip) === code
  const at = isHere && (isBoth || !context.city) ? knownCity(texts, end, code) : 0
  const isParted = state && (breaks[at] || breaks[end])
  const behind = isBoth ? cityBehindStreet(texts, end) : 0
  // `12 ELM ST TAX OFFICE DALLAS TX 75201`, but `12 ELM SQUARE ST DALLAS TX 75201`
  if (behind > 2 && behind < at - 1 && isName(texts.slice(1, behind - 1))) return behind
  if (at > 0 && (isBoth || isParted || isStreetOver(texts, at))) return at
  if (isBoth) return behind
  // `12 ELM ST, MA`, but `12 ELM ST, NE` and `12 ELM ST CT`
  const letters = texts[end] ?? ''
  const isOther = !breaks[end] && (suffixOf(letters) ?? designatorOf(letters)) !== undefined
  const isCode = directionalOf(letters) === undefined && !isOther
  if (state && isCode && isPlainOver(texts, end)) return end
  if (state && !isOther && !context.city) return cityBehindStreet(texts, end)
  // `COUNTY ROAD 44310` has no ZIP.
  const [kind = '', road = ''] = texts.slice(end - 2, end)
  const isRoad =
    ROAD_WORDS.has(kind) || (ROAD_WORDS.has(road) && (mayBeginRoute(kind) || ROADS.has(kind)))
  return isHere && !state && !isRoad && isPlainOver(texts, end) ? end : 0
}

/** Words before `ROAD` in the middle of a kind: `FOREST SERVICE ROAD 44310`. */
const ROADS = new Set(['SERVICE', 'SYSTEM', 'DEVELOPMENT', 'MARKET', 'MKT'])

/** Returns where a place of a state begins before `end`; 0 for none. */
function knownCity(texts: readonly string[], end: number, state: string): number {
  const isKnown = (at: number) => isPlace(foldCity(texts.slice(at, end).join(' ')), state)
  for (let at = Math.max(1, end - CITY_WORDS_MAX); at < end; at++) {
    if (!isKnown(at)) continue
    // `HIGHWAY 1 N PALM BEACH`: the letter is the road's, if that may have a direction more.
    const isOpen = directionalOf(texts[1]) === undefined || hasDigit(texts[at - 1] as string)
    const isRoads = texts[at]?.length === 1 && isOpen
    if (isRoads && at + 1 < end && isKnown(at + 1)) continue
    // `APT 4 NORTH ANDOVER`
    const isCitys = directionalOf(texts[at - 1]) && unitLength(texts, at - 3) > 0
    if (OPEN_ENDS.has(texts[at - 1] as string) || !isName(texts.slice(1, at))) return 0
    return isCitys ? at - 1 : at
  }
  return 0
}

/** Reports whether words are a street's name: not only `N`, `CALLE DE` or `VIA LA`. */
const isName = (words: readonly string[]) =>
  !words.every((word) => directionalOf(word) ?? (SPANISH_STREETS.has(word) || word === 'LA'))

/** Words that go on: `CALLE DE SAN CLEMENTE`, `ANNANDALE ON HUDSON`. */
const OPEN_ENDS = new Set(['DE', 'DEL', 'LAS', 'LOS', 'OF', 'ON', 'THE'])

/** Reports whether a street or its unit ends before a word: `OAK TRL`, `ROAD K`, `APT B`. */
function isStreetOver(texts: readonly string[], at: number): boolean {
  const suffix = texts[at - 1]?.length === 1 ? at - 2 : at - 1
  return isPlainOver(texts, at) || (at > 2 && suffixOf(texts[suffix] ?? '') !== undefined)
}

function isPlainOver(texts: readonly string[], at: number): boolean {
  const isDirected = at > 3 && directionalOf(texts[at - 1]) !== undefined
  const word = texts[at - (isDirected ? 2 : 1)] ?? ''
  return isPlainSuffix(word) || (at > 2 && hasDigit(word)) || unitLength(texts, at - 2) > 0
}

/** Reports whether words may be a city's name: no building's, and known or shown by a mark. */
function isNamed({ texts, breaks }: Words, at: number, end: number): boolean {
  if (BUILDINGS.has(texts[end - 1] as string)) return false
  return breaks[at] === true || end < texts.length || mayBePlace(texts.slice(at, end))
}

/** Keeps the last folded city, because a roll repeats a few cities. */
let lastRecorded = { text: '', folded: '' }
function foldRecorded(text: string): string {
  if (lastRecorded.text !== text) lastRecorded = { text, folded: foldCity(text) }
  return lastRecorded.folded
}

/** Returns every reading of the last words as city, state and ZIP, longest first. */
export function findTails(words: Words, state: string): Tail[] {
  const { texts } = words
  const found = readLastLine(words, state)
  const tails: Tail[] = []
  const { end, stateEnd, zip } = found
  for (let length = Math.min(CITY_WORDS_MAX, end - 2); length >= 1; length--) {
    const at = end - length
    const city = texts.slice(at, end)
    if (city.some((word) => hasDigit(word) || word === '#')) continue
    // `MARLIN TOWERS, PORTLAND` is a building and a city.
    if (words.breaks.slice(at + 1, end).includes(true)) continue
    const isSure = isCityBeyondDoubt(words, at, end) && isNamed(words, at, end)
    const named = city[1] === 'OF' && OF_PLACES.has(city[0] as string) ? city.slice(2) : city
    // `TOWNSHIP OF DAYTON` is not the city of Dayton.
    const isBorough = state === 'NJ' && city[0] === 'BOROUGH'
    const isKind = isBorough || TOWNSHIPS.has(city[0] as string)
    if (named !== city && isKind && isPlace(foldCity(named.join(' ')), state))
      named.push(isBorough ? 'BOROUGH' : 'TOWNSHIP')
    const isDirected = !words.breaks[at] && DIRECTED.test(texts[at - 1] as string)
    const folded = foldCity(named.join(' '))
    // `12 OAK ST IN MACON`
    const isIn = texts[at - 1] === 'IN' && at > 3
    tails.push({ words: head(words, isIn ? at - 1 : at), city: folded, zip, isSure, isDirected })
    // `14 ELM AVE 31201 MACON`
    const code = texts[at - 1] as string
    if (zip === '' && at > 3 && ZIP.test(code) && !ROAD_WORDS.has(texts[at - 2] as string))
      tails.push({ ...(tails.at(-1) as Tail), words: head(words, at - 1), zip: code.slice(0, 5) })
  }
  if (end < texts.length && end >= 2 && !mayBelongToStreet(words, found)) {
    // Nebraska's `MAIN ST NE` is not `MAIN ST NW`.
    const isDirected = zip === '' && !words.breaks[end] && directionalOf(texts[end]) !== undefined
    tails.push({ words: head(words, end), city: '', zip, isSure: true, isDirected })
  }
  // `MAIN ST NE 68503`: the state's letters may be a direction.
  if (zip !== '' && stateEnd > end)
    tails.push({ words: head(words, stateEnd), city: '', zip, isSure: true, isDirected: false })
  const commas = tails.filter((tail) => words.breaks[tail.words.texts.length])
  const others = tails.filter((tail) => !words.breaks[tail.words.texts.length])
  const kept = new Set([...commas, ...others].slice(0, TAILS_MAX))
  return tails.filter((tail) => kept.has(tail))
}

/** Puts a city in parentheses at the end behind a comma: `14 ELM AVE (MACON)`. */
export function spellCity(line: string, state: string): string {
  const [, street = '', inside = '', end = ''] = CITY_ASIDE.exec(line) ?? []
  const words = splitWords(inside.replace(/ (?:twp|township)$/i, ''))
  if (inside === '' || readLead(words, words.texts.length, state).city === '') return line
  // `14 ELM AVE, MACON (OAKWOOD)` has its city.
  const hasCity = findTails(splitWords(street), state).some(({ city }) => isPlace(city, state))
  return hasCity ? line : `${street}, ${inside}${end}`
}

const CITY_ASIDE = /^([^(]+)\(([a-z .,'-]{3,40})\)((?:,? [a-z]{2})?(?:,? \d{5}(?:-\d{4})?)?)$/i

/**
 * Reports whether words can only be a city: `MCKEAN AVE` is not `MCKEAN` in a city named Ave. They
 * must follow a comma or a common suffix, or precede a state or ZIP, and must not begin with a
 * suffix or direction.
 */
function isCityBeyondDoubt({ texts, breaks }: Words, at: number, end: number): boolean {
  const [before = '', first = ''] = [texts[at - 1], texts[at]]
  const endsStreet =
    isPlainSuffix(before) ||
    (directionalOf(before) !== undefined && isPlainSuffix(texts[at - 2] ?? ''))
  const isAlone = at + 1 === end
  if (isAlone && (suffixOf(first) !== undefined || directionalOf(first) !== undefined)) return false
  if (isPlainSuffix(first) && !endsStreet) return false
  return endsStreet || breaks[at] === true || end < texts.length || hasDigit(before)
}

/**
 * Reports whether the state's letters may be the street's suffix, or a direction when no ZIP
 * follows. `9 RIDGE CT` in Connecticut must not become `9 RIDGE`, which would find `9 RIDGE AVE`.
 * After a comma or a common suffix they are the state.
 */
function mayBelongToStreet({ texts, breaks }: Words, { end, stateEnd, zip }: LastLine): boolean {
  if (stateEnd - end !== 1 || breaks[end] || isPlainSuffix(texts[end - 1] ?? '')) return false
  const code = texts[end] ?? ''
  return suffixOf(code) !== undefined || (zip === '' && directionalOf(code) !== undefined)
}

type LastLine = {
  /** Index after the last word before state and ZIP. */
  end: number
  /** Index after the state's words: where a tail with only a ZIP begins. */
  stateEnd: number
  zip: string
  /** Whether the state of the request or record was there. */
  state: boolean
}

/** Reads `ST`, `ST 12345`, `12345-6789`, `STATE NAME`, `USA` at the end. */
function readLastLine({ texts, breaks }: Words, state: string): LastLine {
  let end = texts.length
  if (texts[end - 1] === 'AMERICA' && texts[end - 2] === 'OF' && texts[end - 3] === 'STATES')
    end -= 2
  if (COUNTRY.has(texts[end - 1] ?? '')) end--
  else if (texts[end - 1] === 'STATES' && texts[end - 2] === 'UNITED') end -= 2
  let zip = ''
  const last = texts[end - 1] ?? ''
  if (ZIP.test(last) || /^\d{9}$/.test(last)) {
    zip = last.slice(0, 5)
    end--
  } else if (isDigits(last) && last.length === 4 && /^\d{5}$/.test(texts[end - 2] ?? '')) {
    zip = texts[end - 2] as string
    end -= 2
  }
  // `CHICAGO IL60622`
  const glued = last.length === 7 && last.startsWith(state) && ZIP.test(last.slice(2))
  if (state !== '' && glued) return { end: end - 1, stateEnd: end, zip: last.slice(2), state: true }
  if (zip !== '' && /^(?:ZIP|USA?)$/.test(texts[end - 1] ?? '')) end--
  const stateEnd = end
  const name = STATE_WORDS.get(state)
  if (name === undefined) {
    // `CAMBRIDGE MASS 02139`
    const isOlder = zip !== '' && OLDER_FORMS.has(texts[end - 1] ?? '')
    const length = isOlder ? 1 : stateLength(texts, end)
    return { end: end - length, stateEnd, zip, state: length > 0 }
  }
  const word = texts[end - 1] ?? ''
  const isOlder = word.length > 2 && OLDER_FORMS.get(word) === state
  if (
    word === state ||
    (isOlder && (zip !== '' || breaks[end - 1] || isBehindPlace(texts, end, state)))
  )
    return { end: end - 1, stateEnd, zip, state: true }
  const from = end - name.length
  if (from >= 2 && name.every((word, index) => texts[from + index] === word))
    return { end: from, stateEnd, zip, state: true }
  return { end, stateEnd, zip, state: false }
}

/** Reports whether a street or a city ends before a state: `9 DRY WASH` is a street's name. */
function isBehindPlace(texts: string[], end: number, state: string): boolean {
  const before = texts.slice(2, end - 1)
  const isCity = (_: string, at: number) => isPlace(foldCity(before.slice(at).join(' ')), state)
  return isPlainSuffix(before.at(-1) ?? '') || before.some(isCity)
}

/** Counts the words before `end` that are a state's letters or name; 0 for none. */
function stateLength(texts: string[], end: number): number {
  const code = texts[end - 1] ?? ''
  if (code.length === 2 && findState(code) !== undefined) return 1
  for (const length of [3, 2, 1]) {
    const isName = end - length >= 2 && STATE_NAMES.has(texts.slice(end - length, end).join(' '))
    if (isName) return length
  }
  return 0
}

const DIRECTED = /^(?:[NSEW]|[NS]O|NORTH|SOUTH|EAST|WEST)$/
const STATE_NAMES = new Set(STATES.map(({ name }) => name.toUpperCase()))
const STATE_WORDS = new Map(STATES.map(({ code, name }) => [code, name.toUpperCase().split(' ')]))

/** Counts the words before `end` that are the city; 0 for another one or none. */
function endingCity(texts: string[], end: number, city: string): number {
  const words = city.split(' ')
  const from = end - words.length
  if (from < 2) return 0
  for (let at = end - 1; at >= from; at--) {
    const [text = '', word = ''] = [texts[at], words[at - from]]
    if (text === word) continue
    // A short form begins with the same letter.
    if (text[0] !== word[0] || foldCity(text) !== word) return 0
  }
  return words.length
}

/** Returns where the city begins after the last common suffix or unit; 0 when unclear. */
export function cityBehindStreet(texts: readonly string[], end: number): number {
  for (let at = end - 1; at >= 3 && end - at <= CITY_WORDS_MAX; at--) {
    const word = texts[at] as string
    const before = texts[at - 1] as string
    const isLong = word.length > 1 || (word === 'O' && at + 1 < end)
    const isName = isLong && !hasDigit(word) && designatorOf(word) === undefined
    const direction = directionalOf(word)
    // `PO BOX 4 MACON`, `HIGHWAY 16 S MACON`
    const road = at - (directionalOf(before) === undefined ? 2 : 3)
    const kind = hasDigit(texts[road + 1] ?? '') ? (texts[road] ?? '') : ''
    const isRoad = kind === 'BOX' || (kind.length > 1 && mayBeginRoute(kind))
    if (road > 0 && isRoad && isName && direction === undefined) return at
    if (isPlainSuffix(before) && texts[at - 2] !== 'DE') {
      if (direction !== undefined) return word.length <= 2 && at + 1 < end ? at + 1 : 0
      if (!isName) return 0
      // `MAIN ST ST PAUL`, `MAIN DR LA JOLLA`: the city's first word; `N COURT ST` is a street.
      const isNamed = isPlainSuffix(texts[at - 2] as string) && !directionalOf(texts[at - 3])
      return /^(?:ST|LA)$/.test(before) && isNamed && at > 3 ? at - 1 : at
    }
    if (!isName || NOT_IN_CITIES.has(word)) return 0
    if (unitLength(texts, at - 2) > 0) return at
  }
  return 0
}

const NOT_IN_CITIES = new Set(['#', 'AND', 'OF', 'THE'])

/** Index of the last word before `end` that follows a comma; 0 for none. */
function commaBefore(words: Words, end: number): number {
  for (let at = end - 1; at >= 1; at--) {
    if (words.breaks[at]) return at
    if (directionalOf(words.texts[at]) === undefined && end - at > CITY_WORDS_MAX) return 0
  }
  return 0
}

const COUNTIES = new Set(['COUNTY', 'PARISH'])

function without({ texts, breaks }: Words, from: number, to: number): Words {
  const count = to - from
  return { texts: texts.toSpliced(from, count), breaks: breaks.toSpliced(from, count) }
}

function head(words: Words, end: number): Words {
  return { texts: words.texts.slice(0, end), breaks: words.breaks.slice(0, end) }
}

/** Parts two addresses of one parcel: `125 MAIN ST AND 126 OAK AVE`. `undefined`: there is one. */
export function partStreets(words: Words): [Words, Words] | undefined {
  const { texts, breaks } = words
  if (!hasDigit(texts[0] as string) || !isPlainSuffix(texts.at(-1) as string)) return undefined
  for (let at = 3; at + 2 < texts.length; at++) {
    if (!isDigits(texts[at] as string)) continue
    const end = texts[at - 1] === 'AND' ? at - 1 : at
    const isName = !hasDigit(texts[at + 1] as string) && !isPlainSuffix(texts[at + 1] as string)
    if ((end === at && !breaks[at]) || !isPlainSuffix(texts[end - 1] as string) || !isName) continue
    return [head(words, end), { texts: texts.slice(at), breaks: breaks.slice(at) }]
  }
  return undefined
}
