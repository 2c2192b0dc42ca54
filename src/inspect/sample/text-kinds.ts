/** Tests whether a value is a person, an address, an identifier, a date or a place. */
import { canonicalAddress } from '../../address/canonical.ts'
import { directionalOf } from '../../address/parse/directionals.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { readTable } from '../../base/tables.ts'
import { readDate } from '../../import/mapping/dates.ts'
import { cutCityStateZip, cutOneLine } from '../../import/rows/lines.ts'
import { GIVEN_MEN, GIVEN_WOMEN, SURNAMES } from '../../owner/dictionaries/names.ts'
import { findState, findStateEnd } from '../../regions/states.ts'

const GIVEN: ReadonlySet<string> = new Set([...GIVEN_MEN, ...GIVEN_WOMEN])
const SURNAME: ReadonlySet<string> = new Set(SURNAMES)
const ID_SHAPE = /^[A-Z0-9][A-Z0-9._/*:-]*(?: +[A-Z0-9._/*:-]+)*$/i

/** Reports whether a text looks like an identifier: digits with few letters and signs, no words. */
export function isIdShaped(text: string): boolean {
  if (!ID_SHAPE.test(text) || /[A-Z]{5}/i.test(text)) return false
  const digits = text.replace(/\D/g, '').length
  return digits >= 3 && text.replace(/[^A-Z]/gi, '').length <= digits + 2
}

/**
 * Reports whether a text has a known given name or surname, another word or initial, and no number.
 */
export function isPerson(text: string): boolean {
  if (/\d/.test(text)) return false
  const words = text.split(/[^A-Z'-]+/).filter((word) => word !== '')
  if (words.length < 2 || words.length > 14) return false
  if (suffixOf(words.at(-1) ?? '') !== undefined && words.length < 4 && !text.includes(',')) {
    return words.length > 1 && GIVEN.has(words[1] ?? '') && SURNAME.has(words[0] ?? '')
  }
  return (
    words.some((word) => GIVEN.has(word)) ||
    (/^[A-Z' -]+, [A-Z]+/.test(text) && words.some((word) => SURNAME.has(word)))
  )
}

/**
 * Reports whether a line is a street address: a number with street and suffix, a highway, or a box.
 */
export function isAddress(text: string): boolean {
  if (/^(?:P\.? ?O\.?|POST OFFICE|BOX|PO ?BOX|RR|RURAL R|HC) ?.*\d/.test(text)) return true
  if (!/[A-Z]{1}/.test(text) || !/\d/.test(text)) return false
  const line = cutOneLine(text, '').line ?? text
  const { assigned, parsed } = canonicalAddress(line, { state: '' })
  if (!assigned) return false
  return (
    parsed.suffix !== null ||
    // Utah's grid: `509 W 150 N`.
    /^\d+ (?:[NSEW]|NORTH|SOUTH|EAST|WEST) \d+ (?:[NSEW]|NORTH|SOUTH|EAST|WEST)(?: \S+)*$/.test(
      line,
    ) ||
    /^(?:\d+[A-Z]?(?:-\d+)?) (?:[NSEW]\w? )?[A-Z][A-Z' ]+(?: \S+)?$/.test(line)
  )
}

/**
 * Reports whether a line is a street followed by its number; a highway's own number does not count.
 */
export function isNumberLast(text: string): boolean {
  const [, street, word = ''] =
    /^((?:\d+(?:ST|[NR]D|TH)|[A-Z][A-Z0-9 .'-]*?) )?([A-Z]+)\.? \d{1,6}[A-Z]?$/i.exec(text) ?? []
  return street !== undefined && suffixOf(word.toUpperCase()) !== undefined && !ROUTE.test(text)
}

const ROUTE = /\b(?:HWY|HIGHWAY|RT|RTE|ROUTE|SR|CR|US|FM|CO(?:UNTY)? (?:RD|ROAD|HWY))[ -]?\d+$/i

/** Reports whether a line is a street address followed by its city, state or ZIP. */
export function isOneLine(text: string): boolean {
  const { line, city, state, zip } = cutOneLine(text, stateAtEnd(text))
  if (line === null || !isAddress(line)) return false
  return (city !== null && /^[A-Z .'-]+$/.test(city)) || (zip !== null && state !== null)
}

/** Reports whether a line is a city with its state, with or without ZIP, and no street address. */
export function isCityStateZip(text: string): boolean {
  if (isAddress(text)) return false
  const { city, state } = cutCityStateZip(text)
  return city !== null && state !== null && /^[A-Z .'-]+$/.test(city)
}

/** Reports whether a text may be the name of a city or town: letters, four words at most. */
export function isPlaceWord(text: string): boolean {
  return (
    /^[A-Z][A-Z.' -]{2,}$/.test(text) &&
    text.split(' ').length <= 4 &&
    !ORGANIZED.test(text.replace(/^(?:CITY|TOWN|VILLAGE) OF /, ''))
  )
}

/**
 * Reports whether a text is a date with parts, not a bare year or a count of seconds. `latest`: the
 * last possible day, `YYYY-MM-DD`.
 */
export function looksDated(text: string, latest: string): boolean {
  if (text.length < 6 || /^\d{5,6}$/.test(text)) return false
  if (/^\d{7}$/.test(text)) return /^\d(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d$/.test(text)
  if (/^\d{8}$/.test(text) && /^(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d$/.test(text))
    return true
  if (/^-?\d{10,13}$/.test(text)) {
    const at = Number(text)
    return (
      !text.startsWith('0') && at % 3_600_000 === 0 && Math.abs(at) < 2.2e12 && Math.abs(at) > 1e10
    )
  }
  if (/^\d+\.\d+$/.test(text)) return false
  const plain = readDate(text, 'auto', latest)
  const isDayFirst = plain === undefined && DAY_FIRST.test(text)
  const date = isDayFirst ? readDate(text, 'DD/MM/YYYY', latest) : plain
  return date === null ? /^(?:1899|1900|9999)/.test(text) : date !== undefined
}

/** `14.05.2019`, not the parcel ID `14-05-01-100`. */
const DAY_FIRST = /^\d{1,2}[/.-]\d{1,2}[/.-](?:1[89]|20)\d\d$/

/** `12 QUARRY ST HILLTOWN OR`: returns two final letters that can only be a state, else `''`. */
function stateAtEnd(text: string): string {
  const state = findStateEnd(text)
  const isStreetWord = (code: string) =>
    suffixOf(code) !== undefined || directionalOf(code) !== undefined
  return state === undefined || state.spelled || isStreetWord(state.code) ? '' : state.code
}

/** `HILLTOWN OR 97630`: returns the state behind a city. */
export function stateOfPlace(text: string): string | undefined {
  const code = /[ ,]([A-Z]{2})\.?,?(?: +\d{5}(?:-?\d{4})?)?$/.exec(text.toUpperCase())?.[1]
  return code === undefined ? undefined : findState(code)?.code
}

const PATTERNS = readTable('content-words.txt').map((line) => line.split('\t'))
const wordsOf = (kind: string) => new RegExp(PATTERNS.find(([name]) => name === kind)?.[1] ?? '$^')

/** A street's name: letters, or a number with or without its ending. */
export const STREET_NAME =
  /^(?:[A-Z][A-Z'. -]*|\d{1,3}(?:ST|ND|RD|TH)?(?: .+)?|[A-Z0-9 .'-]*[A-Z]{3}[A-Z0-9 .'-]*)$/

/** Words for dwellings in descriptions of use, matched whole: `RES` does not match `RESTAURANT`. */
export const DWELLING = wordsOf('DWELLING')

/** Two letters with or without dots, or a name. */
export const STATE_FORM = /^(?:[A-Z]\.? ?[A-Z]\.?|[A-Z][A-Z ]{3,19})$/i

export const NO_DWELLING = wordsOf('NO_DWELLING')

/** Words of organizations, and of trusts and couples in legal form. */
export const ORGANIZED = wordsOf('ORGANIZED')

/** Words of legal descriptions, next to a number. */
export const LEGAL = wordsOf('LEGAL')

/** `ResImp` as `Res Imp`. */
export function partWords(text: string): string {
  return text.replace(/([a-z])(?=[A-Z])/g, '$1 ')
}
