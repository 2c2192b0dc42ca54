/** Mends a line that finds nothing: drops a part that is too many, or corrects a typing error. */
import { withinOneEdit } from '../base/word-edits.ts'
import { findCounty } from '../regions/counties.ts'
import { isPlace } from '../regions/places.ts'
import { readState } from '../regions/states.ts'
import { designatorOf } from './parse/designators.ts'
import { directionalOf } from './parse/directionals.ts'
import { isOrdinal } from './parse/line.ts'
import { COMPLEXES, isNameWord } from './parse/noise.ts'
import { readCardinal, SCALES } from './parse/number-words.ts'
import { SPANISH_STREETS } from './parse/numbers.ts'
import {
  dropRest,
  isUnknown,
  mayBePlace,
  readLead,
  unitLength,
  type WithoutRest,
  ZIP,
} from './parse/rest.ts'
import { readRoute } from './parse/routes.ts'
import { isPlainSuffix, suffixOf } from './parse/suffixes.ts'
import { STREET_ENDS } from './parse/units.ts'
import { hasDigit, isDigits, type Words } from './parse/words.ts'
import { BUILDINGS, HYPHENATING_STATES, listOf, ROAD_WORDS } from './tables.ts'

/**
 * Returns a line's mended forms, each with one change. `city`: the one after it, `''` for none,
 * `undefined` when a state or ZIP followed the line at once.
 */
export function listRepairs(words: Words, state: string, city: string | undefined): WithoutRest[] {
  const repairs = [
    (line: Words) => dropRest(line, city, state),
    (line: Words) => dropLead(line, state),
    ...[dropCrossing, respell, dropEmpty, moveNumber, moveUnit, splitSpoken],
    ...[moveLetter, spellPark],
  ]
  if (!city || isPlace(city, state)) repairs.push(changeFirst)
  if (state === 'PR') repairs.push(dropComplex)
  if (state === 'UT') repairs.push(dropGridStreet)
  repairs.push((line) => joinNumber(line, state))
  return repairs.flatMap((repair) => repair(words) ?? [])
}

/**
 * Parts what was written together: `12 Elm DrMadison, WI53703`, `12Elm Dr`, `12+Elm+Dr`. Cuts off a
 * telephone number and a mile marker.
 */
export function partWords(line: string): string {
  const spaced = line.includes(' ') ? line : line.replace(/\+|%20/g, ' ')
  const parted = spaced
    .replace(AFTER_STREET, '')
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=^\d+)(?=[A-Z][a-z]{2})/g, ' ')
    .replace(/(?<=[A-Za-z])(?=\d{5}(?:-\d{4})?\s*$)/, ' ')
  // `12 MAINST`
  return parted === line ? line.replace(GLUED_SUFFIX, ' ') : parted
}

const GLUED_SUFFIX = /(?<=^\d+ [A-Z ]*[A-Z]{3})(?=(?:ST|AVE|RD|DR|LN|CT|BLVD)\.?(?:,|$))/i

const AFTER_STREET =
  /[ ,]+(?:(?:tel[.:]* *)?\(?\d{3}(?:\) ?|[-. ])\d{3}[-. ]\d{4}|(?:MM|mile marker) ?[\d.]+)$/i

/** Drops an empty column's word, `12 NAN ELM ST`, and a repeated number: `640 640 ELM ST`. */
function dropEmpty(words: Words): WithoutRest | undefined {
  const [number = '', word = '', name = ''] = words.texts
  // `4 4 CORNERS RD`, `100 100 MILE RD`, `400 400 SOUTH ST`
  const isName = /^(?!MILE$|ACRES?$)[A-Z]{2}/.test(name) && directionalOf(name) === undefined
  const isTwice = word === number && number.length > 2 && isName
  return hasDigit(number) && (isTwice || EMPTY.has(word)) && words.texts.length > 3
    ? without(words, 1, 2)
    : undefined
}

const EMPTY = new Set(['NAN', 'NULL', 'NONE', 'UNDEFINED'])

/** Moves a number from behind its street: `ELM ST 12`. Roads are numbered behind their suffix. */
function moveNumber({ texts, breaks }: Words): WithoutRest | undefined {
  const number = texts.at(-1) ?? ''
  const street = texts.slice(0, -1)
  const isStreet = STREET_ENDS.has(suffixOf(street.at(-1) ?? '') ?? '')
  if (!isStreet || !/^\d{1,5}$/.test(number) || street.some(hasDigit)) return undefined
  if (!street.slice(0, -1).some((word) => word === 'MAIN' || isUnknown(word))) return undefined
  const marks = [false, ...breaks.slice(0, -1)]
  return mended([number, ...street], marks, 'the number behind the street')
}

/** Moves a letter between number and unit: `12B ELM ST`, `12 ELM ST APT B`; `12R` is the rear. */
function moveLetter({ texts, breaks }: Words): WithoutRest | undefined {
  const [, number = '', own = ''] = /^(\d+)-?([A-Z]?)$/.exec(texts[0] ?? '') ?? []
  const letter = own || (texts.at(-1) ?? '')
  if (number === '' || !/^[A-Z]$/.test(letter) || directionalOf(letter) !== undefined)
    return undefined
  if (own !== '') {
    const unit = ['UNIT', letter === 'R' ? 'REAR' : letter]
    return mended([number, ...texts.slice(1), ...unit], [...breaks, false, false], LETTER)
  }
  const end = designatorOf(texts.at(-2)) === undefined ? -1 : -2
  if (!isPlainSuffix(texts.at(end - 1) ?? '')) return undefined
  return mended([number + letter, ...texts.slice(1, end)], breaks.slice(0, end), LETTER)
}

const LETTER = 'the letter of the number'

/** `CENTRAL PK W`, `PIKES PK AVE`; asked `OLD MILL PIKE` may be recorded so. */
function spellPark({ texts, breaks }: Words): WithoutRest[] {
  const at = texts.findIndex((word, at) => at > 1 && /^(?:PK|PIKE)$/.test(word))
  const meant = at < 0 ? [] : texts[at] === 'PIKE' ? ['PK'] : ['PARK', 'PIKE', 'PEAK']
  return meant.map((word) => mended(texts.with(at, word), breaks, 'PK'))
}

/** An article or a person's title on one side only: `44 OAKS DR`, `12 DR ANNA HARLOW ST`. */
function changeFirst(words: Words): WithoutRest | undefined {
  const { texts, breaks } = words
  const [number = '', word = ''] = texts
  if (!hasDigit(number) || texts.length < 2 || hasDigit(word)) return undefined
  const end = texts.findIndex((word, at) => at > 1 && isPlainSuffix(word))
  const name = texts.slice(TITLES.has(word) ? 2 : 1, end)
  const isPerson = end > 0 && name.length === 2 && name.every(isUnknown)
  if (word === 'THE' || (isPerson && TITLES.has(word))) return without(words, 1, 2)
  // `88 BOWERY`, `44 OAKS DR`
  const isPlural = end === 2 && /^[A-Z]{3,}S$/.test(word)
  const isPlain = end < 0 && !isPlainSuffix(word) && directionalOf(word) === undefined
  if (!isPerson && (texts.length > 3 || !(isPlural || isPlain))) return undefined
  const first = isPerson ? 'DR' : 'THE'
  return mended(texts.toSpliced(1, 0, first), breaks.toSpliced(1, 0, false), 'a first word')
}

const TITLES = new Set(['DR', 'DOCTOR', 'REV', 'REVEREND'])

/** Moves a unit behind the street: `SUITE 200, THE TOWER, 15 ELM ST`, `OAK PARK #4, 15 ELM ST`. */
function moveUnit({ texts, breaks }: Words): WithoutRest | undefined {
  const at = texts.findLastIndex((word, at) => at > 0 && breaks[at] && isDigits(word))
  const unit = texts.findIndex((_, index) => unitLength(texts, index) > 0)
  const end = unit + unitLength(texts, unit)
  if (at < 0 || unit < 0 || end > at || !texts.slice(at + 2).some(isPlainSuffix)) return undefined
  const dropped = [...texts.slice(0, unit), ...texts.slice(end, at)]
  const isPlain = (word: string) => BUILDINGS.has(word) || (isName(word) && !hasDigit(word))
  if (dropped.length === 0 || !dropped.every(isPlain)) return undefined
  if (isPlainSuffix(texts[unit - 1] ?? '')) return undefined
  const moved = [...texts.slice(at), ...texts.slice(unit, end)]
  const marks = moved.map((_, index) => breaks[at + index] === true)
  return mended(moved, marks, dropped.join(' '))
}

/** Ends a number in words earlier: `ONE TWELVE OAKS CT` may be 1 Twelve Oaks. */
function splitSpoken({ texts, breaks }: Words): WithoutRest | undefined {
  const whole = readCardinal(texts, 0, texts.length)
  if (whole === undefined || whole.value < 100) return undefined
  const numbers = [2, 1].map((end) => readCardinal(texts, 0, end))
  const own = numbers.find((one) => one !== undefined && one.value < 100)
  if (own === undefined || SCALES.has(texts[own.length] as string)) return undefined
  const rest = texts.slice(own.length)
  if (rest.length < 3) return undefined
  return mended([`${own.value}`, ...rest], breaks.slice(own.length - 1), 'a part of the number')
}

/** Drops the suffix of a street of Utah's grid: `842 E 1700 SOUTH ST`. */
function dropGridStreet(words: Words): WithoutRest | undefined {
  const { texts } = words
  const isAfterGrid = (at: number) =>
    directionalOf(texts[at - 1]) !== undefined && hasDigit(texts[at - 2] ?? '')
  const at = texts.findIndex((word, at) => at > 3 && suffixOf(word) === 'ST' && isAfterGrid(at))
  return at > 0 ? without(words, at, at + 1) : undefined
}

/** Joins a house number: `39 12 BELL BLVD` in Queens, `6N 201 ELM ST`. */
function joinNumber({ texts, breaks }: Words, state: string): WithoutRest | undefined {
  const [first = '', second = '', name = ''] = texts
  const isHyphened = HYPHENATING_STATES.has(state) && isDigits(first)
  if (!isHyphened && !/^(?:[NSEW]\d{1,3}|\d{1,2})[NSEW]$/.test(first)) return undefined
  if (!/^\d{2,5}$/.test(second) || texts.length < 4 || isPlainSuffix(name)) return undefined
  const number = isHyphened ? `${first}-${second}` : first + second
  const joined = [number, ...texts.slice(2)]
  return mended(joined, [false, ...breaks.slice(2)], 'the blank in the number')
}

/** Drops words or a ZIP before the number of a whole street: `JANE ROE 15 ELM ST`. */
function dropLead(words: Words, state: string): WithoutRest | undefined {
  const { texts } = words
  const end = texts.findIndex(hasDigit)
  const isZip = ZIP.test(texts[end] ?? '') && isDigits(texts[end + 1] ?? '')
  const at = isZip ? end + 1 : end
  const [last = '', name = ''] = [texts[at - 1], texts[at + 1]]
  if (at < 1 || !/^\d{1,6}[A-Z]?$/.test(texts[at] as string) || isPlainSuffix(last))
    return undefined
  if (at === 1 && NUMBERED_LAND.has(last)) return undefined
  if (hasDigit(name) && !isOrdinal(name)) return undefined
  const isStreet = SPANISH_STREETS.has(name) || texts.slice(at + 2).some(isPlainSuffix)
  // `MACON, GA 15 ELM ST`, `CITY OF MACON 15 ELM ST`
  const { city, code } = readLead(words, end, state)
  if (!isStreet || (code ?? state) !== state) return undefined
  if (city === '' && !texts.slice(0, end).every(isName)) return undefined
  const zip = isZip ? (texts[end] as string).slice(0, 5) : ''
  return { ...without(words, 0, at), isNoPlace: city === '' && code === undefined, city, zip }
}

/** Reports whether a word has no meaning before a number. */
function isName(word: string): boolean {
  if (designatorOf(word) !== undefined || ROAD_WORDS.has(word) || BESIDE.has(word)) return false
  return directionalOf(word) === undefined && readCardinal([word], 0, 1) === undefined
}

/** `NEXT TO 15 ELM ST` is another parcel, `PO BOX 15 ELM ST` a box. */
const BESIDE = new Set(listOf('beside'))
const NUMBERED_LAND = new Set(listOf('numbered land'))

/** Drops the second street of a corner: `15 ELM ST & OAK AVE`. */
function dropCrossing(words: Words): WithoutRest | undefined {
  const { texts } = words
  const at = texts.indexOf('AND', 3)
  const isCorner = at > 0 && hasDigit(texts[0] as string) && isPlainSuffix(texts[at - 1] as string)
  const isStreet = at + 2 < texts.length && isPlainSuffix(texts.at(-1) as string)
  return isCorner && isStreet ? without(words, at, texts.length) : undefined
}

const SUFFIXES = listOf('mistyped suffixes')
const DIRECTIONS = ['NORTH', 'SOUTH', 'EAST', 'WEST']
/** Words within one edit that are names. */
const NAMES = new Set(['PACE', 'DIVE', 'CURT', 'CORT', 'SQUIRE', 'CIRCE', 'LANG', 'LANA'])

/** Corrects a typing error in a common suffix or a direction: `15 ELM STREEET`. */
function respell(words: Words): WithoutRest | undefined {
  const { texts, breaks } = words
  if (!hasDigit(texts[0] ?? '')) return undefined
  for (let at = texts.length - 1; at > 0; at--) {
    const word = texts[at] as string
    if (!/^[A-Z]{4,10}$/.test(word) || NAMES.has(word) || !isUnknown(word)) continue
    const known = at > 1 ? SUFFIXES : DIRECTIONS
    if (at > 1 ? !isEndAt(words, at + 1) : texts.length < 3) continue
    const meant = known.find((one) => isMisspelled(word, one))
    if (meant === undefined) continue
    const respelled = mended(texts.with(at, meant), breaks, `the typing error ${word}`)
    return { ...respelled, isNoPlace: !mayBePlace([word]) }
  }
  return undefined
}

/**
 * Reports whether a word is another with one typing error. In a short word only neighbours may be
 * swapped, or a letter left out or doubled: `TRAIN` is no trail.
 */
function isMisspelled(word: string, meant: string): boolean {
  if (word === meant || !withinOneEdit(word, meant, 1)) return false
  const isSwapped = [...word].sort().join() === [...meant].sort().join()
  const isDoubled = word.replace(/(.)\1/, '$1') === meant
  return (
    meant.length > 5 || meant === 'BLVD' || isSwapped || isDoubled || word.length < meant.length
  )
}

/** Reports whether a street may end before a word: nothing, a direction or a unit follows. */
function isEndAt({ texts, breaks }: Words, at: number): boolean {
  if (at >= texts.length || breaks[at]) return true
  return directionalOf(texts[at]) !== undefined || unitLength(texts, at) > 0
}

/** Drops a complex, a quarter or an urbanization that the record does not have. */
function dropComplex(words: Words): WithoutRest | undefined {
  const { texts, breaks } = words
  const at = texts.findIndex((word) => COMPLEXES.has(word))
  if (at < 0) return undefined
  let next = at + 1
  while (next < texts.length && !breaks[next] && isNameWord(texts[next] as string)) next++
  return next > at + 1 && texts.length - (next - at) > 1 ? without(words, at, next) : undefined
}

function without({ texts, breaks }: Words, from: number, to: number): WithoutRest {
  const count = to - from
  const rest = texts.slice(from, to).join(' ')
  return mended(texts.toSpliced(from, count), breaks.toSpliced(from, count), rest)
}

function mended(texts: string[], breaks: boolean[], rest: string): WithoutRest {
  return { words: { texts, breaks }, rest, isNoPlace: true }
}

type WithoutCounty = WithoutRest & { fips: number }

const UNINCORPORATED = new Set(['UNINCORPORATED', 'UNINC'])
const COUNTY_WORDS = new Set(['COUNTY', 'PARISH', 'BOROUGH', 'CO'])

/** Cuts a county off: `15 ELM ST, LINCOLN, LANCASTER COUNTY, NE`, `15 WELD COUNTY ROAD 13`. */
export function cutCounty(line: Words, state: string): WithoutCounty | undefined {
  const words = spellCountyRoad(line, state)
  const { texts, breaks } = words
  const word = texts.findLastIndex((text) => COUNTY_WORDS.has(text))
  const rest = texts
    .slice(word + 1)
    .filter((text) => !/^\d/.test(text))
    .join(' ')
    .replace(/ ?(?:USA|UNITED STATES)$/, '')
  // `COUNTY ROAD 13`
  const isRoad = (text: string, at: number) =>
    COUNTY_WORDS.has(text) && ROAD_WORDS.has(texts[at + 1] ?? '') && /^\d/.test(texts[at + 2] ?? '')
  const road = texts.findIndex(isRoad)
  const ofRoad = countyBefore(texts, road, state)
  if (ofRoad !== undefined) return { ...without(words, ofRoad.at, road), fips: ofRoad.fips }
  if (word < 4 || (rest !== '' && readState(rest)?.code !== state)) return undefined
  const { at = 0, fips } = countyBefore(texts, word, state) ?? {}
  if (fips === undefined || at < 3 || (texts[word] === 'CO' && !breaks[at])) return undefined
  const from = UNINCORPORATED.has(texts[at - 1] as string) ? at - 1 : at
  return { ...without(words, from, word + 1), fips }
}

/** `WCR 13` → `WELD COUNTY ROAD 13` */
function spellCountyRoad({ texts, breaks }: Words, state: string): Words {
  const at = texts.findIndex((word) => /^(?:[A-Z]+CR|AN|RS|VZ)$/.test(word))
  const route = at < 1 ? undefined : readRoute(texts, at, texts.length, state)
  if (route === undefined) return { texts, breaks }
  const spelled = route.shown.split(' ')
  return {
    texts: texts.toSpliced(at, route.next - at, ...spelled),
    breaks: breaks.toSpliced(at, route.next - at, ...spelled.map(() => false)),
  }
}

function countyBefore(texts: readonly string[], end: number, state: string) {
  for (const length of [3, 2, 1]) {
    const at = end - length
    const county = at < 1 ? undefined : findCounty(state, texts.slice(at, end).join(' '))
    if (county !== undefined) return { at, fips: county.fips }
  }
  return undefined
}
