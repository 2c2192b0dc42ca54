/**
 * Describes the values of a column by the shares (0 to 1) of non-empty values that match a pattern.
 */
import { suffixOf } from '../../address/parse/suffixes.ts'
import { cleanText, readNumber } from '../../import/mapping/clean.ts'
import type { DateForm } from '../../import/mapping/dates.ts'
import { readCareOf } from '../../import/rows/lines.ts'
import { readState, stateOfZip } from '../../regions/states.ts'
import { nullKind } from './nulls.ts'
import type { Column, Sample } from './sample.ts'
import {
  DWELLING,
  isAddress,
  isCityStateZip,
  isIdShaped,
  isNumberLast,
  isOneLine,
  isPerson,
  isPlaceWord,
  LEGAL,
  looksDated,
  ORGANIZED,
  partWords,
  STATE_FORM,
  STREET_NAME,
} from './text-kinds.ts'

/** Description of a column's sampled values; shares are from 0 to 1. */
export type Contents = ReturnType<typeof readContents> & {
  /** Its values repeat in the file, but not within a municipality. */
  repeatsAcross?: boolean
}

/** Values passed to the address and owner engines, which cost more than a pattern. */
const ENGINE_VALUES = 200
const PATTERN_VALUES = 800

/** Examines the kept values of a column. `today`: `YYYY-MM-DD`. */
export function readContents(sample: Sample, column: Column, index: number, today: string) {
  const { values, texts, nullWords } = readValues(sample, column, index)
  const distinct = new Set(texts).size
  const nonZero = column.filled - (column.nulls.zero ?? 0)
  return {
    /** Share of rows with a value, zeros included. */
    fill: ratio(column.filled, sample.rows),
    /** Clean kept values, with zeros; and without. */
    ...{ values, texts },
    /** Words for unknown that import does not know, with their counts in kept rows. */
    nullWords,
    /** Number of distinct kept values. */
    distinct,
    /** Distinct values per filled row: of the whole file if counted, else of the kept rows. */
    uniqueness:
      column.distinct === undefined
        ? distinct / Math.max(texts.length, 1)
        : Math.min(1, column.distinct / Math.max(nonZero, 1)),
    /** Share of values that have a line break within. */
    lined: linedShare(sample.kept, index),
    flag: shareOf(values, (text) => FLAG.test(text)),
    ...describeNumbers(values),
    ...describeShapes(spread(texts, PATTERN_VALUES), today),
    /** Among the ZIP codes: the share of the state with most of them. */
    zipHome: homeShare(spread(texts, PATTERN_VALUES)),
    ...describeWords(spread(texts, ENGINE_VALUES)),
  }
}

/** Returns the kept values, or the column's first ones when fewer of them were kept. */
function readValues(sample: Sample, column: Column, index: number) {
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
    return { values: more, texts: [...more], nullWords: [...nullWords] }
  }
  return { values, texts, nullWords: [...nullWords] }
}

function describeNumbers(values: string[]) {
  const read = values.map(readNumber).filter((number) => number !== undefined)
  const sentinels = findSentinels(read)
  const numbers = read.filter((number) => !sentinels.includes(number))
  const sizes = numbers.filter((number) => number !== 0).sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))]
  return {
    /** Numbers that mean unknown: below zero, or nines far above the others. */
    sentinels: sentinels.map(String),
    numeric: ratio(read.length, values.length),
    integer: ratio(read.filter(Number.isInteger).length, values.length),
    /** Among the numbers: the share with a decimal part, and of zeros. */
    decimal: shareOf(numbers, (number) => !Number.isInteger(number)),
    zero: ratio(numbers.length - sizes.length, numbers.length),
    /** Among the numbers other than 0. */
    low: at(0.05) ?? 0,
    median: at(0.5) ?? 0,
    high: at(0.95) ?? 0,
    /** Whole numbers that end in 00, as rounded prices and appraisals do. */
    round: shareOf(sizes, (number) => number >= 100 && number % 100 === 0),
  }
}

/**
 * Returns numbers that mean unknown: few of them, each in two rows at least, below zero or
 * nines of more than twice the largest other.
 */
export function findSentinels(numbers: readonly number[]): number[] {
  const counts = Map.groupBy(numbers, (number) => number)
  const odd = [...counts.keys()].filter((one) => one < 0 || /^99+$/.test(String(one)))
  if (odd.length === 0) return []
  const below = odd.filter((one) => one < 0)
  const others = numbers.filter((one) => one > 0 && !odd.includes(one))
  const most = others.reduce((top, one) => Math.max(top, one), 0)
  const isFew = below.length <= 2 && others.length > 0
  return odd.filter(
    (one) => (counts.get(one)?.length ?? 0) > 1 && (one < 0 ? isFew : most > 0 && one > 2 * most),
  )
}

const FLAG = /^(?:y|n|yes|no|t|f|true|false|0|1|x)$/i

function describeShapes(texts: string[], today: string) {
  const share = (test: (text: string) => boolean) => shareOf(texts, test)
  const nextYear = Number(today.slice(0, 4)) + 1
  const latest = `${nextYear}${today.slice(4)}`
  return {
    date: share((text) => looksDated(text, latest)),
    /** Dates written in digits only, if the name suggests dates; and their commonest form. */
    ...readCompactDates(texts),
    year: share((text) => /^(?:1[6-9]|20)\d\d(?:\.0)?$/.test(text) && Number(text) <= nextYear + 1),
    state: share((text) => STATE_FORM.test(text) && readState(text) !== undefined),
    zip: share((text) => /^\d{5}(?:-?\d{4}|\.0+)?-?$/.test(text)),
    /** ZIP codes without the leading zeros that a spreadsheet dropped. */
    shortZip: share((text) => /^\d{3,4}(?:-\d{4})?$/.test(text)),
    endsInZip: share((text) => /[A-Za-z].*\s\d{5}(?:-?\d{4})?$/.test(text)),
    /** Digits with few letters and signs, no words. */
    idShape: share(isIdShaped),
    /** Leading zeros, or a number of digits that codes have and amounts do not. */
    coded: share((text) => /^0\d{4}|^\d{6,}/.test(text)),
    houseNumber: share((text) => /^\d{1,6}(?:\.0)?[A-Za-z]?(?:[- ]\d{1,5})?$/.test(text)),
    direction: share((text) => /^(?:[NSEW]|N[EW]|S[EW]|NORTH|SOUTH|EAST|WEST)\.?$/i.test(text)),
  }
}

function homeShare(texts: string[]): number {
  const states = texts.map(stateOfZip).filter((state) => state !== undefined)
  const counts = Map.groupBy(states, (state) => state)
  return ratio(Math.max(0, ...[...counts.values()].map(({ length }) => length)), states.length)
}

/** Describes what the address and owner engines, and lists of words, show of a text. */
function describeWords(texts: string[]) {
  const repeats = [...Map.groupBy(texts, (text) => text.toUpperCase())]
  // The engines cost much, and most columns repeat their values.
  const share = (test: (text: string) => boolean) => {
    const found = repeats.filter(([text]) => test(text))
    return ratio(
      found.reduce((sum, [, { length }]) => sum + length, 0),
      texts.length,
    )
  }
  return {
    address: share(isAddress),
    /** An address followed by its city, state or ZIP. */
    oneLine: share(isOneLine),
    /** A street followed by its number: `MAPLE ST 123`. */
    numberLast: share(isNumberLast),
    cityStateZip: share(isCityStateZip),
    person: share(isPerson),
    organization: share((text) => ORGANIZED.test(text)),
    /** Letters without digits, few words, repeated: typical of places. */
    place: share(isPlaceWord),
    streetType: share(
      (text) => /^[A-Z]{2,9}\.?$/.test(text) && suffixOf(text.replace('.', '')) !== undefined,
    ),
    streetName: share((text) => STREET_NAME.test(text)),
    legal: share((text) => LEGAL.test(text)),
    poBox: share((text) => /^(?:P\.? ?O\.? ?|POST OFFICE )BOX\b/.test(text)),
    careOf: shareOf(texts, (text) => readCareOf(text) !== undefined),
    /** Words for dwellings, as in a description of use. */
    dwelling: shareOf(texts, (text) => DWELLING.test(partWords(text).toUpperCase())),
    words: mean(texts.map((text) => text.split(' ').length)),
    length: mean(texts.map((text) => text.length)),
  }
}

function linedShare(rows: readonly string[][], index: number): number {
  const filled = rows.map((row) => row[index]?.trim() ?? '').filter((text) => text !== '')
  return shareOf(filled, (text) => text.includes('\n'))
}

/** Returns `count` items spread over a list. */
function spread<Item>(items: Item[], count: number): Item[] {
  if (items.length <= count) return items
  const step = items.length / count
  return Array.from({ length: count }, (_, at) => items[Math.floor(at * step)] as Item)
}

export const shareOf = <Item>(items: readonly Item[], test: (item: Item) => boolean) =>
  ratio(items.filter(test).length, items.length)
const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const mean = (numbers: number[]) =>
  ratio(
    numbers.reduce((sum, one) => sum + one, 0),
    numbers.length,
  )

/** Date formats of digits only, each with a pattern for its digits. */
const COMPACT: [DateForm, RegExp][] = [
  ['YYYYMM', /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/],
  ['MMYYYY', /^(?:0?[1-9]|1[0-2])(?:19|20)\d\d$/],
  ['YYMMDD', /^\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/],
  // Years would match this pattern too, but a column of years is recognized before.
  ['YYMM', /^\d?\d(?:0[1-9]|1[0-2])$/],
  ['MMDDYY', /^(?:0?[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d\d$/],
  ['days', /^(?:1\d|2\d|3\d|4[0-8])\d{3}(?:\.0+)?$/],
]

/** Restores leading zeros that short dates lose when stored as numbers: `30411` is `030411`. */
function readCompactDates(texts: string[]) {
  const found = COMPACT.map(([form, pattern]) => {
    const isYears =
      form === 'YYMM' && texts.filter((text) => /^(?:19|20)/.test(text)).length > texts.length * 0.6
    if (isYears) return { form, share: 0 }
    const fits = (text: string) =>
      pattern.test(form === 'YYMMDD' && text.length === 5 ? `0${text}` : text)
    return { form, share: texts.filter(fits).length / Math.max(1, texts.length) }
  }).sort((a, b) => b.share - a.share)
  const [best] = found
  return { compactDate: best?.share ?? 0, compactForm: best?.form }
}
