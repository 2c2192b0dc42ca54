/** Reads the house number: plain, lettered, fraction, hyphen, range, grid, in words. */
import type { AddressContext } from '../../base/model/address.ts'
import { HYPHENATING_COUNTIES, HYPHENATING_STATES, listOf } from '../tables.ts'
import { directionalOf } from './directionals.ts'
import type { Line } from './line.ts'
import {
  FRACTION,
  JOINING,
  rangeOf,
  readNumberList,
  readRangeWord,
  type StreetAhead,
  type StreetNumber,
} from './number-lists.ts'
import { ordinalDigits, readCardinal, readOrdinal } from './number-words.ts'
import { isDigits, trimZeros } from './words.ts'

export const NO_NUMBER: StreetNumber = { text: '', low: '', high: '', others: [] }

const OTHERS_MAX = 51

/** Reads a number at a word. `next`: the first word after it; `at` when there is none. */
export function readNumber(
  line: Line,
  at: number,
  context: AddressContext,
  ahead: StreetAhead,
): { number: StreetNumber; next: number } {
  const { texts, end } = line
  const word = texts[at]
  const none = { number: NO_NUMBER, next: at }
  if (word === undefined || at >= end) return none
  const code = word.charCodeAt(0)
  if (code >= 65) return readLettered(line, at, context, ahead) ?? none
  // `5 TH ST` has no number; `100 TH 7` has.
  if (
    (texts[at + 1] === 'TH' && ahead.onlySuffixAt(at + 2)) ||
    ordinalDigits(word) !== undefined ||
    ahead.onlySuffixAt(at + 1)
  )
    return none
  const next = at + 1
  const mayList = (from: number) => line.breaks[from] === true || JOINING.has(texts[from] ?? '')
  const list = mayList(next) || mayList(next + 1) ? readNumberList(line, at, ahead) : undefined
  if (list !== undefined) return list
  if (isDigits(word)) return readPlain(line, at, context, ahead)
  const grid = word.replaceAll('-', '')
  if (GRID.test(grid)) return { number: single(grid), next }
  if (word.includes('-')) {
    const { number } = withFraction(readHyphenated(word, context), line, next, ahead)
    if (number.text.includes(' ') && OWN_HALF.test(word) && !isHyphenating(context))
      return { number: readOwnHalf(word, texts[next] ?? ''), next: next + 1 }
    // `45-135 A KANEOHE BAY DR`
    if (number.text === word && number.high === '') {
      const lettered = withLetter(word, line, next, ahead)
      if (lettered.next > next) return lettered
    }
    return { number, next: number.text.includes(' ') ? next + 1 : next }
  }
  if (word.includes('/')) {
    const [low = '', high = '', ...more] = word.split('/')
    const range = more.length > 0 ? readRangeWord(word.replaceAll('/', '-')) : undefined
    const pair = isDigits(low + high) ? rangeOf(low, high) : undefined
    return { number: range ?? pair ?? single(word), next }
  }
  if (/^\d+[A-Z]{1,2}$/.test(word)) {
    const plain = trimZeros(word)
    const { number, length } = withFraction(single(plain), line, next, ahead)
    return { number, next: next + length }
  }
  return none
}

/** `N6W23001`, `6N201`, `38W123A`. */
const GRID = /^(?:[NSEW]\d+[NSEW]\d+|\d+[NSEW]\d+)[A-Z]?$/

function readPlain(
  line: Line,
  at: number,
  context: AddressContext,
  ahead: StreetAhead,
): { number: StreetNumber; next: number } {
  const { texts, breaks, end } = line
  const typed = texts[at] as string
  const next = at + 1
  // Portland's `0434 SW IOWA ST` is another house than 434.
  const isPortland =
    context.state === 'OR' &&
    (directionalOf(texts[next]) === 'SW' || PARTED_SW.test(`${texts[next]} ${texts[next + 1]}`))
  const digits = isPortland && /^0[1-9]\d\d$/.test(typed) ? typed : trimZeros(typed)
  if (digits === '0') {
    // `0000 0123 MAIN ST`: the low end of the range is missing.
    const high = trimZeros(texts[next] ?? '')
    const isPair = typed.length > 1 && high !== '0' && isDigits(high)
    if (isPair && next + 1 < end && !ahead.onlySuffixAt(next + 1)) {
      return { number: single(high), next: next + 1 }
    }
    return { number: NO_NUMBER, next }
  }
  const word = texts[next]
  if (word === undefined || next >= end) return { number: single(digits), next }
  // Two numbers of one parcel: `123 & 125`, `123 TO 127`, `123, 125`.
  const joined = JOINING.has(word) ? next + 1 : breaks[next] ? next : -1
  if (joined > 0 && joined + 1 < end && isDigits(texts[joined] ?? '')) {
    const other = texts[joined] as string
    const range = other.length >= digits.length ? rangeOf(digits, other) : undefined
    if (range !== undefined && !ahead.onlySuffixAt(joined + 1))
      return { number: range, next: joined + 1 }
  }
  if (FRACTION.test(word) && next + 1 < end)
    return ahead.onlySuffixAt(next + 1)
      ? { number: NO_NUMBER, next: at }
      : { number: single(`${digits} ${word}`), next: next + 1 }
  const far = /^[NSEW]$/.test(word) ? (texts[next + 1] ?? '') : ''
  const after = far === '' ? next + 1 : next + 2
  // `12 N 400 E RD` is on 400 East Road.
  const isRoad =
    /(?:00|50)$/.test(far) && directionalOf(texts[after]) && ahead.onlySuffixAt(after + 1)
  const isGrid = digits.length < 3 && /^[NSEW]\d{3,5}[A-Z]?$/.test(word + far) && !isRoad
  if (GRID_STATES.has(context.state) && isGrid && after < end && ahead.nameAt(after))
    return { number: single(digits + word + far), next: after }
  return withLetter(digits, line, next, ahead)
}

/** Returns a number with the letter at a word, if that is one: `123 A MAIN ST`. */
function withLetter(number: string, line: Line, at: number, ahead: StreetAhead) {
  const isLettered = isDigits(number.slice(-1)) && isNumberLetter(line, at, ahead)
  if (!isLettered) return { number: single(number), next: at }
  return { number: single(number + line.texts[at]), next: at + 1 }
}

/** Reports whether a word is the letter of the number before it: `123 A MAIN ST`. */
function isNumberLetter({ texts, breaks }: Line, at: number, ahead: StreetAhead): boolean {
  const word = texts[at] ?? ''
  if (word.length !== 1 || !/[A-Z]/.test(word) || directionalOf(word) !== undefined) return false
  if (breaks[at] || ahead.routeAt(at) || !ahead.nameAt(at + 1)) return false
  // `5400 D 1/2 RD` is on D 1/2 Road.
  if (FRACTION.test(texts[at + 1] ?? '') && ahead.onlySuffixAt(at + 2)) return false
  return !INITIALS.test(texts.slice(at, at + 3).join(' '))
}

/** Initials of people whose names `names.ts` folds. */
const INITIALS = /^(?:M (?:L|LUTHER) KING|J F KENNEDY)$/
const PARTED_SW = /^(?:S W|SOUTH WEST)$/
/** `N16 W23001`, `N 16 W 23001` */
const PARTED_GRID = /^([NSEW]) ?\d+[A-Z]? ([NSEW])(?:\d+| \d{3,5})[A-Z]?(?= )/
/** States with numbers like `38W123` and `N6W23001`; `1234 N 400 EAST RD` has house 1234. */
const GRID_STATES = new Set(['IL', 'WI'])

/** Numbers that begin with a letter: grids, fire numbers, number words. */
function readLettered(
  line: Line,
  at: number,
  context: AddressContext,
  ahead: StreetAhead,
): { number: StreetNumber; next: number } | undefined {
  const { texts, end } = line
  const word = (texts[at] as string).replaceAll('-', '')
  const following = texts[at + 1] ?? ''
  if (GRID.test(word)) return { number: single(word), next: at + 1 }
  if (/^[NSEW](?:\d+[A-Z]?)?$/.test(word)) {
    const parted = PARTED_GRID.exec(texts.slice(at, end).join(' '))
    const [text = '', first = '', second = ''] = parted ?? []
    if (/[NS]/.test(first) !== /[NS]/.test(second))
      return { number: single(text.replaceAll(' ', '')), next: at + text.split(' ').length }
    if (word.length > 1)
      return ahead.onlySuffixAt(at + 1) ? undefined : withLetter(word, line, at + 1, ahead)
    if (!/^\d{1,5}$/.test(following)) return undefined
    const isRural = context.state === 'WI' && following.length >= 3 && ahead.nameAt(at + 2)
    return isRural ? { number: single(word + following), next: at + 2 } : undefined
  }
  // `A17 CALLE AMAPOLA`: block and house of a Puerto Rican urbanization.
  if (/^[A-Z]{1,2}\d{1,4}[A-Z]?$/.test(word) && SPANISH_STREETS.has(following) && at + 2 < end)
    return { number: single(word), next: at + 1 }
  const spoken = readCardinal(texts, at, end)
  if (spoken === undefined) return undefined
  const ordinal = readOrdinal(texts, at, end)
  if (ordinal !== undefined && ordinal.length >= spoken.length) return undefined
  const next = at + spoken.length
  if (next >= end || ahead.onlySuffixAt(next)) return undefined
  const { number, length } = withFraction(single(String(spoken.value)), line, next, ahead)
  return { number, next: next + length }
}

/** Publication 28, section 29: words before a street's name in Puerto Rico. */
export const SPANISH_STREETS = new Set(listOf('spanish streets'))

function withFraction(
  number: StreetNumber,
  { texts, end }: Line,
  at: number,
  ahead: StreetAhead,
): { number: StreetNumber; length: number } {
  const fraction = texts[at] ?? ''
  if (at + 1 >= end || !FRACTION.test(fraction) || ahead.onlySuffixAt(at + 1))
    return { number, length: 0 }
  const whole = single(`${number.text} ${fraction}`)
  // `3516-18 1/2 ELM ST` is both houses.
  const others = number.high === '' ? [] : [...number.others, `${number.high} ${fraction}`]
  return { number: { ...whole, others }, length: 1 }
}

/**
 * Reads `A-B` as a range or as one number with a hyphen. docs/matching.md, rule 1;
 * docs/decisions/address-matching.md.
 *
 * In a hyphenating county it is never a range. If the county is unknown and the state has such
 * counties, both readings are among `others`.
 */
function readHyphenated(word: string, context: AddressContext): StreetNumber {
  const parts = word.split('-')
  const [low = '', high = ''] = parts
  const kept = trimZeros(word)
  const joined = trimZeros(word.replaceAll('-', ''))
  const number: StreetNumber = { text: kept, low: kept, high: '', others: [] }
  const hyphenates = isHyphenating(context)
  if (parts.length !== 2 || (!hyphenates && !isDigits(low + high)))
    return readRangeWord(word) ?? number
  // Hawaii's `98-099` is `98-99` too.
  const house = context.state === 'HI' ? (/^(?:0([1-9]\d)|[1-9]\d)$/.exec(high) ?? []) : []
  const short = house[0] === undefined ? [] : [`${low}-${house[1] ?? `0${high}`}`]
  if (hyphenates) return { ...number, others: [joined, ...short, ...zeroForms(low, high)] }
  const unknown = context.fips === undefined
  const mayHyphenate = unknown && HYPHENATING_STATES.has(context.state)
  // `742-742`: a range of one, unless it may be a house of Queens.
  if (trimZeros(low) === trimZeros(high))
    return mayHyphenate && context.state === 'NY'
      ? { ...number, others: [low, joined] }
      : single(trimZeros(low))
  const range = isDigits(low) && isDigits(high) ? rangeOf(low, high) : undefined
  if (range === undefined)
    return mayHyphenate || (unknown && context.state === '')
      ? { ...number, others: [joined, ...zeroForms(low, high)] }
      : number
  if (!mayHyphenate) return range
  const [first = '', ...members] = range.others
  // `7-9 OAK ST` may be 7-09, but 709 only in a county that hyphenates.
  const zero = zeroForms(low, high).slice(0, 1)
  const others = [...new Set([first, kept, joined, ...zero, ...members])].filter(
    (text) => text !== range.text,
  )
  return { ...range, others: others.slice(0, OTHERS_MAX) }
}

const isHyphenating = ({ fips, state }: AddressContext) =>
  fips === undefined ? state === 'HI' : HYPHENATING_COUNTIES.has(fips)

/** `3516-3516 1/2`, `3516-16 1/2`: a house and its half, unless the county hyphenates. */
const OWN_HALF = /^(\d*?(\d+))-(?:\1|\2)$/

function readOwnHalf(word: string, fraction: string): StreetNumber {
  const low = trimZeros(word.replace(/-.*/, ''))
  const high = `${low} ${fraction}`
  return { text: `${low},${high}`, low, high, others: [low, high, `${word} ${fraction}`] }
}

/** `99-09` is also written `99-9` and `9909`; `999` is another house. Returns the other forms. */
function zeroForms(low: string, high: string): string[] {
  if (/^[1-9]$/.test(high)) return [`${low}-0${high}`, `${low}0${high}`]
  return /^0[1-9]$/.test(high) ? [`${low}-${high.slice(1)}`] : []
}

function single(text: string): StreetNumber {
  return { text, low: text, high: '', others: [] }
}
