/** Splits one-line addresses into their parts. Pure; `expression.ts` has cleaned the texts. */
import { directionalOf } from '../../address/parse/directionals.ts'
import { namesNoPlace } from '../../address/parse/noise.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { cityBehindStreet } from '../../address/parse/tails.ts'
import { numberLength, splitWords } from '../../address/parse/words.ts'
import { foldCity } from '../../base/fold.ts'
import { readFolded } from '../../base/tables.ts'
import { isPlace } from '../../regions/places.ts'
import { findStateEnd, type StateEnd, stateOfZip } from '../../regions/states.ts'
import { readZip } from '../mapping/clean.ts'
import { remember } from '../mapping/remember.ts'

/**
 * Reports whether a folded name is a city of the roll or a place of the state; `''`: unknown state.
 */
export type CityTest = (folded: string, state: string) => boolean

type Place = {
  city: string | null
  state: string | null
  zip: string | null
  zipPlusFour: string | null
  /** The country abroad that the text names. */
  country?: string | undefined
}

const NO_PLACE: Place = { city: null, state: null, zip: null, zipPlusFour: null }

/** Characters of a text that is split. No address is longer, and the time grows with the square. */
const TEXT_MAX = 1000

const ZIP_END = /[,.\s]+(\d{5}(?:-? ?\d{4})?)-?$/
const SHORT_ZIP_END = /[,.\s]+(\d{3,4}(?:-\d{4})?)$/
const COUNTRY_END = /[,\s]+(?:USA|U\.S\.A\.|US|UNITED STATES)$/
const UNIT_START =
  /^(?:#|(?:APT|APARTMENT|UNIT|STE|SUITE|LOT|BLDG|BUILDING|RM|ROOM|SPC|TRLR|FL|FLOOR|NO)\b)|^\d/

/**
 * Splits `21200 SW 72ND ST, CRETE, NE 68368` into line 1 and place.
 *
 * `ownState`: the roll's state; `''` when unknown. The city is the text after the last comma,
 * unless that is a unit. Without a comma, and only before a ZIP or a state, the city is `ownCity`
 * (from another column). Else it is the text after the street's suffix or unit, or a city that
 * `isCity` knows. Without ZIP and state it is the text after the suffix if `isCity` knows it. `by`
 * says which of these made the split. A text that says that there is no address returns empty
 * parts. A text of more than 1,000 characters is not split.
 */
export function cutOneLine(
  text: string,
  ownState: string,
  ownCity: string | null = null,
  isCity: CityTest = noCity,
): { line: string | null; by: CutBy | null } & Place {
  if (text.length > TEXT_MAX) return { line: text, by: null, ...NO_PLACE }
  const { rest: beforeZip, ...zip } = cutZip(cutCountry(partsOf(text.toUpperCase())))
  const known = { ownCity, isCity, ownState }
  const [from, city = '', code = ''] = MILITARY.exec(beforeZip) ?? []
  if (from !== undefined)
    return {
      line: lineOf(beforeZip.slice(0, -from.length)),
      by: 'comma',
      ...zip,
      city,
      state: code,
    }
  const state = readStateEnd(beforeZip, zip.zip, known)
  const isMail = ownState === '' && state === undefined && zip.zip === null
  const abroad = isMail ? cutAbroad(beforeZip, known) : undefined
  if (abroad !== undefined) return { ...NO_PLACE, ...abroad }
  const own = state === undefined ? beforeZip : beforeZip.slice(0, state.start)
  // `12 OAK ST, HILLTOWN, LAKE COUNTY`: the county after the city is removed.
  const rest = /,.*,/.test(own) ? own.replace(/,[A-Z .'-]+ (?:COUNTY|PARISH)[, ]*$/, '') : own
  const place: Place = { city: null, state: state?.code ?? null, ...zip }
  const comma = rest.lastIndexOf(',')
  const last = rest.slice(comma + 1).trim()
  if (comma >= 0 && !UNIT_START.test(last)) {
    place.city = readCity(last)
    return { line: lineOf(rest.slice(0, comma)), by: 'comma', ...place }
  }
  // `NE 68046` has neither.
  if (rest.trim() !== '' && rest.trim() === ownState) return { line: null, by: null, ...place }
  const isTold = place.state !== null || place.zip !== null
  // `HILLTOWN, NE 68503` has no line 1.
  const isPlace = state !== undefined && (beforeZip[state.start] === ',' || place.zip !== null)
  if (isPlace && !/\d/.test(rest) && isCity(foldCity(rest), place.state ?? ownState)) {
    return { line: null, by: 'comma', ...place, city: readCity(rest) }
  }
  const split = splitCity(rest, { ...known, ownState: place.state ?? ownState })
  // `103 COUNTY ROAD 214 HILLTOWN`: after a road's number nothing else is the street's.
  const isAfterRoad = split?.by === 'list' && / \d+$/.test(split.line)
  const isSure = isAfterRoad || (split?.by === 'street' && split.isKnown)
  if (split === undefined || !(isTold || isSure)) {
    return { line: lineOf(rest), by: null, ...place }
  }
  return { line: lineOf(split.line), by: split.by, ...place, city: readCity(split.city) }
}

/** Split lines by the test of cities and by what follows the number; `null`: the number matters. */
const memories = new WeakMap<CityTest, Map<string, CutLine | null>>()
const KEPT_MAX = 20_000

/**
 * Splits a line of a roll as `cutOneLine` does. Lines that differ in a plain house number alone are
 * split once.
 */
export function cutRollLine(
  text: string,
  ownState: string,
  ownCity: string | null = null,
  isCity: CityTest = noCity,
): CutLine {
  const length = numberLength(text)
  if (length === 0) return cutOneLine(text, ownState, ownCity, isCity)
  const memory = memories.get(isCity) ?? new Map<string, CutLine | null>()
  const [number, rest] = [text.slice(0, length), text.slice(length)]
  const key = `${ownState}|${ownCity}|${rest}`
  const known = memory.get(key) ?? null
  if (known !== null) return { ...known, line: number + known.line }
  const cut = cutOneLine(`${number}${rest}`, ownState, ownCity, isCity)
  if (memory.size === KEPT_MAX) memory.clear()
  const isAlike = cut.line?.startsWith(`${number} `) === true
  memory.set(key, isAlike ? { ...cut, line: cut.line?.slice(length) ?? null } : null)
  memories.set(isCity, memory)
  return cut
}

const noCity: CityTest = () => false

type CutLine = ReturnType<typeof cutOneLine>

/**
 * What marks the start of a city: a comma, another column, the street's suffix or unit, a list of
 * cities.
 */
type CutBy = 'comma' | 'column' | 'street' | 'list'

type Known = { ownCity: string | null; isCity: CityTest; ownState: string }

/** Replaces semicolons, bars, line breaks and dashes between words by commas. */
function partsOf(text: string): string {
  if (!PARTED.test(text)) return text
  return text
    .replace(/\s*[;|\r\n]+\s*/g, ', ')
    .replace(/(?<=[A-Z.)]|\b\d[A-Z0-9]*) +- +(?=[A-Z][A-Z .]+(?:,|$))/g, ', ')
}
const PARTED = /[;|\r\n]| - /

function cutCountry(text: string): string {
  // Most lines end in a digit, which no country does.
  return isDigitAt(text, text.length - 1) ? text : text.replace(COUNTRY_END, '')
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function cutZip(text: string): { rest: string; zip: string | null; zipPlusFour: string | null } {
  const found = ZIP_END.exec(text) ?? findShortZip(text) ?? findGluedZip(text)
  const before = text.slice(0, found?.index)
  const rest = before.endsWith(')') ? before.replace(BRACKETED_STATE, ' $1') : before
  if (found === null) return { rest, zip: null, zipPlusFour: null }
  const read = readZip(found[1] ?? '')
  return { rest, zip: read?.zip ?? null, zipPlusFour: read?.plusFour ?? null }
}

/** `PITTSBURGH PA15213`: no blank before the ZIP, and the state before it has such ZIPs. */
function findGluedZip(text: string): RegExpExecArray | null {
  const found = GLUED_ZIP_END.exec(text)
  const state = found && findStateEnd(text.slice(0, found.index))
  return state && stateOfZip(found[1] ?? '') === state.code ? found : null
}
const BRACKETED_STATE = /[\s,]*\(([A-Z]{2})\)$/
const GLUED_ZIP_END = /(?<=[A-Z.])(\d{5}(?:-?\d{4})?)$/

/** `BOSTON, MA 2108`: the ZIP lost its leading zero, and this state has such ZIPs. */
function findShortZip(text: string): RegExpExecArray | null {
  const found = SHORT_ZIP_END.exec(text)
  const state = found && findStateEnd(text.slice(0, found.index))
  const zip = readZip(found?.[1] ?? '')?.zip
  return state && zip && stateOfZip(zip) === state.code ? found : null
}

/**
 * Finds the state at the end of a line. It counts after a comma, when the ZIP confirms it, or when
 * it is the roll's own state after a city.
 *
 * `94 SKY CT` and `12 N OREGON` are streets: without a comma a word that may belong to the street
 * counts only after a city.
 */
function readStateEnd(text: string, zip: string | null, known: Known): StateEnd | undefined {
  const { ownState } = known
  const state = findStateEnd(text)
  if (state === undefined || (state.start === 0 && text[0] !== ',')) return undefined
  const hasComma =
    text.slice(state.start).includes(',') && !/\.\s*$/.test(text.slice(0, state.start))
  const rest = text.slice(0, state.start)
  // `12 OAK ST, NEVADA` in Iowa: a city that has the name of a state.
  const isOwnCity =
    state.spelled &&
    zip === null &&
    ownState !== '' &&
    state.code !== ownState &&
    /\d/.test(rest) &&
    !rest.includes(',') &&
    known.isCity(foldCity(text.slice(state.start)), ownState)
  if (isOwnCity) return undefined
  if (hasComma) return state
  const isConfirmed =
    zip === null ? state.code === ownState || rest.includes(',') : stateOfZip(zip) === state.code
  if (!isConfirmed && !(zip !== null && state.code === ownState)) return undefined
  const last = rest.slice(rest.lastIndexOf(',') + 1).trim()
  const behindCity = rest.includes(',')
    ? last !== '' && !UNIT_START.test(last)
    : (splitCity(rest, { ...known, ownState: state.code }) ??
      known.isCity(foldCity(rest), state.code))
  if (behindCity) return state
  if (zip === null) return undefined
  const isStreetWord =
    state.spelled || suffixOf(state.code) !== undefined || directionalOf(state.code) !== undefined
  return isStreetWord ? undefined : state
}

/**
 * Splits `123 MAIN ST APT 4 LINCOLN` into line and city; `undefined` when it is unclear which words
 * are the city.
 */
function splitCity(
  text: string,
  { ownCity, isCity, ownState }: Known,
): { line: string; city: string; by: CutBy; isKnown: boolean } | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const plain = words.map((word) => word.replaceAll('.', ''))
  const isAt = (at: number) => isCity(foldCity(plain.slice(at).join(' ')), ownState)
  const cut = (at: number, by: CutBy, isKnown: boolean) => {
    return { line: words.slice(0, at).join(' '), city: words.slice(at).join(' '), by, isKnown }
  }
  const own = foldCity(ownCity ?? '')
  const length = own.split(' ').length
  const endsInOwn =
    own !== '' && plain.length > length + 1 && foldCity(plain.slice(-length).join(' ')) === own
  if (endsInOwn) return cut(plain.length - length, 'column', true)
  const box = boxLength(words)
  if (box > 0 && box < words.length) return cut(box, 'street', isAt(box))
  // `NO SITUS HILLTOWN`: a known city after a text that states that there is no address.
  const none = plain.findIndex((_, at) => at > 0 && isAt(at))
  if (none > 0 && isNoAddress(plain.slice(0, none).join(' '))) return cut(none, 'list', true)
  if (!/^[NSEW]?\d/.test(plain[0] ?? '')) {
    // `MAPLE CT HILLTOWN`: without a number only a known city right after a whole street counts.
    const at = findListed(plain, isAt)
    return at > 0 && endsStreet(plain[at - 1] ?? '') ? cut(at, 'list', true) : undefined
  }
  const behind = cityBehindStreet(plain, plain.length)
  if (behind > 0 && isAt(behind)) return cut(behind, 'street', true)
  const listed = findListed(plain, isAt)
  // `12 QUARRY ST REAR HILLTOWN`: a known city ends the text after the suffix.
  // `ST PAUL`, `LA VISTA`: a suffix that begins the city.
  const isSaint = listed > 0 && listed === behind - 1 && /^(?:ST|LA)$/.test(plain[listed] ?? '')
  if (isSaint) return cut(listed, 'list', true)
  if (
    listed > behind &&
    (directionalOf(plain[listed - 1]) === undefined || isGrid(plain, listed))
  ) {
    return cut(listed, 'list', true)
  }
  return behind > 0 ? cut(behind, 'street', false) : undefined
}

/** A suffix, the number of a highway, or `REAR`. */
const endsStreet = (word: string) =>
  suffixOf(word) !== undefined || /^\d+[A-Z]?$/.test(word) || word === 'REAR'

/**
 * `1234 S 800 E HILLTOWN`, `12 BOULEVARD EAST HILLTOWN`: the direction can only be the street's.
 */
function isGrid(plain: readonly string[], city: number): boolean {
  const before = plain[city - 2] ?? ''
  return /\d/.test(before) ? city > 3 : city === 3 && suffixOf(before) !== undefined
}

/**
 * Counts the words of `PO BOX 12` or `RR 2 BOX 14` before a city; 0 without a box or when digits
 * follow.
 */
function boxLength(words: readonly string[]): number {
  const found = BOX_START.exec(words.join(' '))
  if (found === null) return 0
  const length = found[0].split(' ').length
  return words.slice(length).some((word) => /\d/.test(word)) ? 0 : length
}
const BOX_START = new RegExp(
  String.raw`^(?:P\.? ?O\.? ?(?:BOX|DRAWER)|POB|BOX|(?:R\.?R\.?|HC|HCR|RD` +
    String.raw`|RURAL ROUTE) ?#? ?\d+ BOX) ?#? ?[A-Z]?\d+[A-Z]?(?=$| )`,
)

const CITY_WORDS_MAX = 5

/**
 * Returns the index of the longest known city at the end that leaves a number and a street; 0 for
 * none.
 */
function findListed(plain: string[], isAt: (at: number) => boolean): number {
  for (let at = Math.max(2, plain.length - CITY_WORDS_MAX); at < plain.length; at += 1) {
    const hasStreet = plain.slice(1, at).some((word) => directionalOf(word) === undefined)
    if (hasStreet && isAt(at)) return at
  }
  return 0
}

const NO_CITY = new RegExp(
  String.raw`^(?:UNKNOWN|UNKN?|UNASSIGNED|UNINCORPORATED|NONE|NULL|N\/?A|NO CITY|NOT AVAILABLE` +
    '|VACANT|TBD|XX+|ZZ+|[^A-Z]*)$',
)

/** Reports whether a text in a place column names no place: `UNKNOWN`, `N/A`, punctuation only. */
export const namesNoCity = (text: string | null) => text !== null && isNoCity(text)
const isNoCity = remember((text) => NO_CITY.test(text.toUpperCase()))

function readCity(text: string): string | null {
  const city = text.replace(/^[-(\s]+|[,.)\s]+$/g, '')
  return city === '' || NO_CITY.test(city) ? null : city
}

/**
 * Returns line 1 without punctuation at its end; `null` when it is empty or says that there is no
 * address.
 */
function lineOf(text: string): string | null {
  const line = text.replace(/[,\s]+$/, '')
  return !/[A-Z0-9]/.test(line) || isNoAddress(line) ? null : line
}

/** Zeros, marks instead of letters, and more places than one. */
const NOTHING = new RegExp(
  '^(?:0+|[XZ]{3,}(?: NO SITUS)?|(?:MULTIPLE|VARIOUS|SEVERAL|(?:[XZ]{3,} )?UNDETERMINED)' +
    '(?: (?:ADDRESS(?:ES)?|LOCATIONS?|SITES?|SITUS))?)$',
  'i',
)

/** Reports whether a text says that there is no address: `No Address Found`, `UNASSIGNED`. */
export function isNoAddress(text: string): boolean {
  // Nearly all lines begin with a house number and skip this test.
  return !/^[1-9]/.test(text) && (NOTHING.test(text) || namesNoPlace(splitWords(text).texts))
}

/** Splits `LINCOLN, NE 68508-1234`, `JERSEY CITY, N. J.` and `PHILADELPHIA PA` into their parts. */
export function cutCityStateZip(text: string): Place {
  if (text.length > TEXT_MAX) return NO_PLACE
  const { rest, ...zip } = cutZip(` ${cutCountry(text.toUpperCase())}`)
  const military = MILITARY.exec(rest)
  if (military !== null) return { city: military[1] ?? null, state: military[2] ?? null, ...zip }
  const abroad = zip.zip === null ? CANADA_END.exec(rest) : null
  if (abroad !== null)
    return { city: readCity(abroad[1] ?? ''), state: abroad[2] ?? abroad[3] ?? null, ...zip }
  const state = findStateEnd(rest)
  const { rest: own, country } = state === undefined ? cutNation(rest) : { rest }
  if (country !== undefined || (state === undefined && zip.zip === null)) {
    const city = cutPostcode(own, country).replace(/[,\s]+$/, '')
    return { city: readCity(city), state: null, ...NO_ZIP, ...(country && { country }) }
  }
  const city = (state === undefined ? rest : rest.slice(0, state.start)).replace(/[,\s]+$/, '')
  const isFar = state === undefined && isFarCity(city.trim(), zip.zip ?? '')
  return { city: readCity(city), state: state?.code ?? null, ...(isFar ? NO_ZIP : zip) }
}

const NO_ZIP = { zip: null, zipPlusFour: null }
/** Large cities abroad: `SEOUL 04524` has no ZIP, `MUNICH 81331` has none of Munich, ND. */
const PLACES_ABROAD = readFolded('places-abroad.txt')
const FAR_CITIES: ReadonlySet<string> = new Set(PLACES_ABROAD[0]?.split(', '))

const isFarCity = (city: string, zip: string) =>
  FAR_CITIES.has(city) && !isPlace(foldCity(city), stateOfZip(zip) ?? '')

/** Cuts a country abroad off the end: `MUNICH, GERMANY`. */
function cutNation(text: string): { rest: string; country?: string } {
  const found = isDigitAt(text, text.length - 1) ? null : NATION_END.exec(text)
  return found === null
    ? { rest: text }
    : { rest: text.slice(0, found.index), country: found[1] ?? '' }
}

/** Names that no town of the US has, or that follow a post code or a second comma. */
const NATION_END = new RegExp(
  '(?<=\\w)(?<!\\b(?:NEW|NORTH|SOUTH|EAST|WEST|OLD|LA))[,. ]+' +
    `(${PLACES_ABROAD[1]?.replaceAll(', ', '|').replace('.', '\\.?')})[. ]*$`,
)

/**
 * Splits a mailing text without a state of the US: `12 BAHNHOFSTR, 8001 ZURICH`, `3200 YONGE ST,
 * TORONTO, ON M4N 2K9`. `undefined` when nothing shows another country.
 */
function cutAbroad(text: string, known: Known) {
  const { rest, country } = cutNation(text)
  const found = (line: string, city: string, state: string | null, by: CutBy) => {
    return { line: lineOf(line), by, city: readCity(city), state, country }
  }
  const comma = rest.lastIndexOf(',')
  for (const at of [rest.lastIndexOf(',', comma - 1), comma]) {
    const canada = at > 0 ? CANADA_END.exec(` ${rest.slice(at + 1).trim()}`) : null
    if (canada !== null)
      return found(rest.slice(0, at), canada[1] ?? '', canada[2] ?? canada[3] ?? null, 'comma')
  }
  const canada = comma < 0 ? CANADA_CODE.exec(rest) : null
  const split = canada === null ? undefined : splitCity(rest.slice(0, canada.index), known)
  if (canada !== null && split !== undefined)
    return found(split.line, split.city, canada[1] ?? null, split.by)
  const [line, last] = [rest.slice(0, comma), rest.slice(comma + 1).trim()]
  if (comma < 0) return undefined
  const isTold = country !== undefined || /\d[A-Z]{2}$/.test(last)
  const isCoded = POSTCODE.test(last) && (isTold || !endsInSuffix(line, last))
  if (isCoded) return found(line, cutPostcode(last, country), null, 'comma')
  const isNamed = country !== undefined && line !== '' && !UNIT_START.test(last)
  return isNamed ? found(line, cutPostcode(last, country), null, 'comma') : undefined
}

/** `100 OAK ST, 1204 BROADWAY` and `12 BROADWAY, 1200 ELM ST` name two streets. */
const endsInSuffix = (...lines: string[]) =>
  lines.some((line) => suffixOf(line.slice(line.lastIndexOf(' ') + 1)) !== undefined)

const MILITARY = /(?:^|[, ]+)([AFD]PO)[, ]+(AE|AP|AA)[., ]*$/

/** Codes of other countries' posts: `LONDON NW1 5RT`, `8001 ZURICH`. */
const POSTCODE =
  /[, ]+[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|^ *(?:[A-Z]{1,2}-)?\d{4,5} (?=[\p{Lu} .'-]+$)/u

/** Before a country any number is its post's: `TOKYO 100-0001, JAPAN`. */
function cutPostcode(text: string, country: string | undefined): string {
  const rest = text.replace(POSTCODE, ' ')
  return country === undefined ? rest : rest.replace(/[, ]+\d[\d-]{2,8} *$/, '')
}

const PROVINCE = '(AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT)'

const CANADA_CODE = new RegExp(`[, ]+${PROVINCE}[, ]+[A-Z]\\d[A-Z] ?\\d[A-Z]\\d$`)

/** `TORONTO, ON`, `TORONTO ON M5V 2T6`: a province after a comma, or before what is Canada's. */
const CANADA_END = new RegExp(
  String.raw`^ *([\p{Lu} .'-]*\p{Lu})(?:(?:, *| +(?=AB|BC|MB|N[BS]|ON|PE|QC|SK|YT))${PROVINCE}$|` +
    `[, ]+${PROVINCE}[, ]+` +
    String.raw`(?:CANADA|[A-Z]\d[A-Z] ?\d[A-Z]\d(?:[, ]+CANADA)?)$)`,
  'u',
)

const CARE_OF = /^(?:%|C\s?[/\\]\s?O\b|CARE OF\b|ATTN\b|ATTENTION\b)[:.\s]*/i
const LINE_START =
  /(?<=\s)(?:\d+[A-Z]?(?:-\d+)?\s+\S|P\.?\s?O\.?\s+BOX|PO\s?BOX|RR\s+\d|HC\s+\d|R\s?R\s?#)/i

/**
 * Returns the name after `%`, `C/O` or `ATTN` when a whole text is a care-of; else `undefined`.
 * Source: docs/matching.md, rule 9.
 */
export function readCareOf(text: string): string | undefined {
  const found = CARE_OF.exec(text)
  return found === null ? undefined : text.slice(found[0].length).trim().toUpperCase()
}

/** Splits a care-of from the front of a mailing line: `ATTN: JANE ROE 12 MAIN ST`. */
export function cutCareOf(line: string): { careOf: string | null; line: string | null } {
  const rest = readCareOf(line)
  if (rest === undefined) return { careOf: null, line }
  const start = LINE_START.exec(` ${rest}`)
  if (start === null) return { careOf: rest === '' ? null : rest, line: null }
  // One less than the match's index, because a blank was put before the text.
  const at = start.index - 1
  const careOf = rest.slice(0, at).replace(/[-,\s]+$/, '')
  return {
    careOf: careOf === '' ? null : careOf,
    line: rest.slice(at).trim(),
  }
}
