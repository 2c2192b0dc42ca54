/**
 * Describes the values of a column by the shares (0 to 1) of non-empty values that match a pattern.
 */
import { canonicalAddress } from '../../address/canonical.ts'
import { suffixOf } from '../../address/parse/suffixes.ts'
import { cleanText, type DateForm, readDate, readNumber } from '../../import/mapping/clean.ts'
import { cutCityStateZip, cutOneLine, readCareOf } from '../../import/rows/lines.ts'
import { GIVEN_MEN, GIVEN_WOMEN } from '../../owner/dictionaries/given-names.ts'
import { SURNAMES } from '../../owner/dictionaries/surnames.ts'
import { readState } from '../../place/states.ts'
import { readCompactDates } from './compact-dates.ts'
import { DWELLING, LEGAL, ORGANIZED, partWords, STATE_FORM, STREET_NAME } from './content-words.ts'
import { nullKind } from './nulls.ts'
import type { Column, Sample } from './sample.ts'
import { stateAtEnd } from './state-at-end.ts'

/** Description of a column's sampled values; shares are from 0 to 1. */
export type Contents = {
  /** Share of rows with a value, zeros included. */
  fill: number
  /** Clean kept values, with zeros; and without. */
  values: string[]
  texts: string[]
  /** Distinct values per filled row: of the whole file if counted, else of the kept rows. */
  uniqueness: number
  /** Its values repeat in the file, but not within a municipality. */
  repeatsAcross?: boolean
  /** Number of distinct kept values. */
  distinct: number
  numeric: number
  integer: number
  /** Among the numbers: the share with a decimal part, and of zeros. */
  decimal: number
  zero: number
  /** Among the numbers other than 0. */
  low: number
  median: number
  high: number
  /** Whole numbers that end in 00, as rounded prices and appraisals do. */
  round: number
  date: number
  /** Dates written in digits only, if the name suggests dates; and their commonest form. */
  compactDate: number
  compactForm: DateForm | undefined
  year: number
  state: number
  zip: number
  /** ZIP codes without the leading zeros that a spreadsheet dropped. */
  shortZip: number
  /** A line that ends in a ZIP code. */
  endsInZip: number
  address: number
  /** An address followed by its city, state or ZIP. */
  oneLine: number
  /** A street followed by its number: `MAPLE ST 123`. */
  numberLast: number
  cityStateZip: number
  person: number
  organization: number
  /** Letters without digits, few words, repeated: typical of places. */
  place: number
  /** Share that looks like an identifier: digits with few letters and signs, no words. */
  idShape: number
  /** Share of values that have a line break within. */
  lined: number
  /**
   * Among the numbers: the share with leading zeros or a number of digits that codes have and
   * amounts do not.
   */
  coded: number
  houseNumber: number
  direction: number
  streetType: number
  streetName: number
  legal: number
  careOf: number
  poBox: number
  flag: number
  /** Words for dwellings, as in a description of use. */
  dwelling: number
  words: number
  length: number
  /** Words for unknown that import does not know, with their counts in kept rows. */
  nullWords: [string, number][]
}

/** Values passed to the address and owner engines, which cost more than a pattern. */
const ENGINE_VALUES = 200
const PATTERN_VALUES = 800

/** Examines the kept values of a column. `today`: `YYYY-MM-DD`. */
export function readContents(
  sample: Sample,
  column: Column,
  index: number,
  today: string,
): Contents {
  const values: string[] = []
  const texts: string[] = []
  const nullWords = new Map<string, number>()
  for (const row of sample.kept) {
    const text = cleanText(row[index] ?? '')
    const kind = nullKind(text)
    if (kind === 'the word NA' || kind === 'another word for unknown') {
      const word = text.toUpperCase()
      nullWords.set(word, (nullWords.get(word) ?? 0) + 1)
    }
    if (kind !== undefined && kind !== 'zero') continue
    values.push(text)
    if (kind === undefined) texts.push(text)
  }
  if (texts.length < column.firsts.length) {
    const more = column.firsts.map(cleanText)
    texts.splice(0, texts.length, ...more)
    values.splice(0, values.length, ...more)
  }
  const numbers = values.map(readNumber).filter((number) => number !== undefined)
  const sizes = numbers.filter((number) => number !== 0).sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))]
  const distinct = new Set(texts).size
  const many = spread(texts, PATTERN_VALUES)
  const share = (test: (text: string) => boolean) =>
    many.length === 0 ? 0 : many.filter(test).length / many.length
  const some = spread(texts, ENGINE_VALUES)
  const read = (test: (text: string) => boolean) =>
    some.length === 0 ? 0 : some.filter(test).length / some.length
  const latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  const upper = some.map((text) => text.toUpperCase())
  const readUpper = (test: (text: string) => boolean) =>
    upper.length === 0 ? 0 : upper.filter(test).length / upper.length
  const nonZero = column.filled - (column.nulls.zero ?? 0)
  return {
    fill: sample.rows === 0 ? 0 : column.filled / sample.rows,
    values,
    texts,
    distinct,
    uniqueness:
      column.distinct === undefined
        ? distinct / Math.max(texts.length, 1)
        : Math.min(1, column.distinct / Math.max(nonZero, 1)),
    numeric: values.length === 0 ? 0 : numbers.length / values.length,
    integer: ratio(numbers.filter(Number.isInteger).length, values.length),
    decimal: ratio(numbers.filter((number) => !Number.isInteger(number)).length, numbers.length),
    zero: ratio(numbers.length - sizes.length, numbers.length),
    low: at(0.05) ?? 0,
    median: at(0.5) ?? 0,
    high: at(0.95) ?? 0,
    round: ratio(
      sizes.filter((number) => number >= 100 && number % 100 === 0).length,
      sizes.length,
    ),
    date: share((text) => looksDated(text, latest)),
    ...readCompactDates(many),
    year: share(
      (text) =>
        /^(?:1[6-9]|20)\d\d(?:\.0)?$/.test(text) && Number(text) <= Number(latest.slice(0, 4)) + 1,
    ),
    state: share((text) => STATE_FORM.test(text) && readState(text) !== undefined),
    zip: share((text) => /^\d{5}(?:-?\d{4}|\.0+)?-?$/.test(text)),
    shortZip: share((text) => /^\d{3,4}(?:-\d{4})?$/.test(text)),
    endsInZip: share((text) => /[A-Za-z].*\s\d{5}(?:-?\d{4})?$/.test(text)),
    address: readUpper(isAddress),
    oneLine: readUpper(isOneLine),
    numberLast: readUpper(isNumberLast),
    cityStateZip: readUpper(isCityStateZip),
    person: readUpper(isPerson),
    organization: readUpper((text) => ORGANIZED.test(text)),
    place: readUpper(isPlaceWord),
    idShape: share(isIdShaped),
    lined: linedShare(sample.kept, index),
    coded: share((text) => /^0\d{4}|^\d{6,}/.test(text)),
    houseNumber: share((text) => /^\d{1,6}(?:\.0)?[A-Za-z]?(?:[- ]\d{1,5})?$/.test(text)),
    direction: share((text) => /^(?:[NSEW]|N[EW]|S[EW]|NORTH|SOUTH|EAST|WEST)\.?$/i.test(text)),
    streetType: readUpper(
      (text) => /^[A-Z]{2,9}\.?$/.test(text) && suffixOf(text.replace('.', '')) !== undefined,
    ),
    streetName: readUpper((text) => STREET_NAME.test(text)),
    legal: readUpper((text) => LEGAL.test(text)),
    poBox: readUpper((text) => /^(?:P\.? ?O\.? ?|POST OFFICE )BOX\b/.test(text)),
    careOf: read((text) => readCareOf(text) !== undefined),
    flag: ratio(
      values.filter((text) => /^(?:y|n|yes|no|t|f|true|false|0|1|x)$/i.test(text)).length,
      values.length,
    ),
    dwelling: read((text) => DWELLING.test(partWords(text).toUpperCase())),
    words: mean(some.map((text) => text.split(' ').length)),
    length: mean(some.map((text) => text.length)),
    nullWords: [...nullWords],
  }
}

const GIVEN: ReadonlySet<string> = new Set([...GIVEN_MEN, ...GIVEN_WOMEN])
const SURNAME: ReadonlySet<string> = new Set(SURNAMES)
const ID_SHAPE = /^[A-Z0-9][A-Z0-9._/*:-]*(?: +[A-Z0-9._/*:-]+)*$/i

/** Share of the filled kept values of a column that have a line break within. */
function linedShare(rows: readonly string[][], index: number): number {
  const filled = rows.map((row) => row[index]?.trim() ?? '').filter((text) => text !== '')
  return ratio(filled.filter((text) => text.includes('\n')).length, filled.length)
}

function isIdShaped(text: string): boolean {
  if (!ID_SHAPE.test(text) || /[A-Z]{5}/i.test(text)) return false
  const digits = text.replace(/\D/g, '').length
  return digits >= 3 && text.replace(/[^A-Z]/gi, '').length <= digits + 2
}

/**
 * Reports whether a text has a known given name or surname, another word or initial, and no number.
 */
function isPerson(text: string): boolean {
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
function isAddress(text: string): boolean {
  if (/^(?:P\.? ?O\.?|POST OFFICE|BOX|PO ?BOX|RR|RURAL R|HC) ?.*\d/.test(text)) return true
  if (!/[A-Z]{1}/.test(text) || !/\d/.test(text)) return false
  const line = cutOneLine(text, '').line ?? text
  const { assigned, parsed } = canonicalAddress(line, { state: '' })
  if (!assigned) return false
  return (
    parsed.suffix !== null ||
    /^(?:\d+[A-Z]?(?:-\d+)?) (?:[NSEW]\w? )?[A-Z][A-Z' ]+(?: \S+)?$/.test(line)
  )
}

/**
 * Reports whether a line is a street followed by its number; a highway's own number does not count.
 */
export function isNumberLast(text: string): boolean {
  const [, street, word = ''] =
    /^([A-Z][A-Z0-9 .'-]*? )?([A-Z]+)\.? \d{1,6}[A-Z]?$/i.exec(text) ?? []
  return street !== undefined && suffixOf(word.toUpperCase()) !== undefined && !ROUTE.test(text)
}

const ROUTE = /\b(?:HWY|HIGHWAY|RT|RTE|ROUTE|SR|CR|US|FM|CO(?:UNTY)? (?:RD|ROAD|HWY))[ -]?\d+$/i

function isOneLine(text: string): boolean {
  const { line, city, state, zip } = cutOneLine(text, stateAtEnd(text))
  if (line === null || !isAddress(line)) return false
  return (city !== null && /^[A-Z .'-]+$/.test(city)) || (zip !== null && state !== null)
}

function isCityStateZip(text: string): boolean {
  if (isAddress(text)) return false
  const { city, state } = cutCityStateZip(text)
  return city !== null && state !== null && /^[A-Z .'-]+$/.test(city)
}

function isPlaceWord(text: string): boolean {
  return (
    /^[A-Z][A-Z.' -]{2,}$/.test(text) &&
    text.split(' ').length <= 4 &&
    !ORGANIZED.test(text.replace(/^(?:CITY|TOWN|VILLAGE) OF /, ''))
  )
}

/** Reports whether a text is a date with parts, not a bare year or a count of seconds. */
function looksDated(text: string, latest: string): boolean {
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
  const date = readDate(text, 'auto', latest)
  return date === null ? /^(?:1899|1900|9999)/.test(text) : date !== undefined
}

/** Returns `count` items spread over a list. */
function spread<Item>(items: Item[], count: number): Item[] {
  if (items.length <= count) return items
  const step = items.length / count
  return Array.from({ length: count }, (_, at) => items[Math.floor(at * step)] as Item)
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const mean = (numbers: number[]) =>
  ratio(
    numbers.reduce((sum, one) => sum + one, 0),
    numbers.length,
  )
