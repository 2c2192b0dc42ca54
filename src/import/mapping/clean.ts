/**
 * Parses the texts, numbers, dates and flags of a roll. Source: docs/mappings.md.
 *
 * Every function returns `null` for a text without a value, and `undefined` for a text that cannot
 * be read, so that the import can count it. None throws.
 */
import { isUtf8 } from 'node:buffer'

const CONTROL = /[\p{Cc}\u00a0]+/gu
/** Characters without a width, which pasted tables carry along: they would make two IDs of one. */
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g

/** Trims a text, folds inner blanks, and replaces control characters by blanks. */
export function cleanText(text: string): string {
  if (isTidy(text)) return text
  return repair(text).replace(INVISIBLE, '').replace(CONTROL, ' ').replace(/ {2,}/g, ' ').trim()
}

/** UTF-8 that was decoded as Latin-1 and encoded again: `PeÃ±a`. Real text never looks so. */
const MISREAD = /[\u00c2-\u00f4][\u0080-\u00bf]/
const BEYOND_LATIN1 = /[\u0100-\uffff]/

/** Undoes one wrong decoding when the repaired text is valid UTF-8. */
function repair(text: string): string {
  if (!MISREAD.test(text) || BEYOND_LATIN1.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}

/**
 * Most texts of a roll are clean. This loop takes a tenth of a regular expression's time, and it
 * runs for every value.
 */
function isTidy(text: string): boolean {
  let afterBlank = true
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 32) {
      if (afterBlank) return false
      afterBlank = true
    } else {
      if (code > 8202 && (code < 8208 || code === 8288 || code === 65_279)) return false
      if (code < 32 || (code > 126 && (code < 161 || (code > 193 && code < 245)))) return false
      afterBlank = false
    }
  }
  return !afterBlank || text === ''
}

const PLAIN_NUMBER = /^-?\d+(?:\.\d*)?$|^-?\.\d+$/
const MONEY =
  /^\(?\s*-?\s*\$?\s*-?\s*\d{1,3}(?:,\d{3})*(?:\.\d*)?\s*\)?$|^\(?-?\$?\s*-?[\d.]+\s*\)?$/
/** `$ -`: how spreadsheets of accountants show 0. */
const NOTHING = /^\$\s*-$|^-\s*\$$/
const EXPONENT = /^-?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/

/**
 * Reads a number with or without `$`, thousands commas and parentheses for a minus: `$1,250.00`,
 * `(300)`, `1.2E+5`.
 */
export function readNumber(text: string): number | undefined {
  if (PLAIN_NUMBER.test(text) || EXPONENT.test(text)) return Number(text)
  if (!MONEY.test(text)) return NOTHING.test(text) ? 0 : undefined
  const digits = text.replace(/[$,()\s-]/g, '')
  if (!/^\d*\.?\d*$/.test(digits) || !/\d/.test(digits)) return undefined
  return /[(-]/.test(text) ? -Number(digits) : Number(digits)
}

/**
 * Reports whether a long number is in a spreadsheet's scientific form, `1.01687E+09`. It has lost
 * its last digits, so it cannot serve as an ID.
 */
export function isRounded(text: string): boolean {
  return /^\d(?:\.\d+)?E\+\d+$/i.test(text)
}

/** Units of area, each in square feet. Source: international foot, NIST SP 811. */
export const AREA_UNITS: Record<string, number> = {
  'square feet': 1,
  acres: 43_560,
  'square meters': 10.763910416709722,
  hectares: 107_639.10416709722,
}

const UNIT_WORDS: [RegExp, keyof typeof AREA_UNITS][] = [
  [/^(?:sq\.? ?(?:ft|feet)\.?|sqft|sf|s\.f\.|square feet)$/i, 'square feet'],
  [/^(?:a|ac|acs|acres?)\.?$/i, 'acres'],
  [/^(?:sq\.? ?m|sqm|m2|square met(?:er|re)s?)\.?$/i, 'square meters'],
  [/^(?:ha|hectares?)\.?$/i, 'hectares'],
]

/** Returns the unit that a short text names: `sq.ft`, `AC`, `S`; `undefined` for others. */
export function readAreaUnit(text: string): string | undefined {
  return UNIT_WORDS.find(([pattern]) => pattern.test(text))?.[1]
}

/**
 * Reads an area in square feet. A unit written after the number (`4200 sq.ft`, `12.5 a`) takes
 * precedence over the mapping's unit.
 */
export function readArea(text: string, unit: string): number | undefined {
  const plain = readNumber(text)
  if (plain !== undefined) return plain * (AREA_UNITS[unit] ?? 1)
  const [, digits = '', word = ''] = /^([\d.,]+)\s*([a-z].*)$/i.exec(text) ?? []
  const number = readNumber(digits)
  const own = AREA_UNITS[readAreaUnit(word) ?? '']
  return number === undefined || own === undefined ? undefined : number * own
}

const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/
const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** A date format for rolls whose dates `auto` misreads or cannot read. */
export type DateForm =
  | 'auto'
  | 'YYYYMMDD'
  | 'MMDDYYYY'
  | 'DD/MM/YYYY'
  | 'YYYYMM'
  | 'YYMM'
  | 'MMYYYY'
  | 'YYMMDD'
  | 'MMDDYY'
  | 'days'
  | 'epoch-ms'

/**
 * Reads a date as `YYYY-MM-DD`; a month alone becomes its first day.
 *
 * `auto` reads ISO dates with or without a time, `YYYYMMDD`, `M/D/YYYY`, `M/D/YY`, `DD-MON-YYYY`,
 * `MON D, YYYY`, `YYYY-MM` and milliseconds since 1970 of ten digits or more. Dates that the
 * calendar does not have are unreadable. All-zero dates, 1899-12-31, 1900-01-01 and the year 9999
 * are the null dates of spreadsheets and databases. A date later than `latest` (`YYYY-MM-DD`) is
 * moved back by a century and passed to `onAhead`.
 */
export function readDate(
  text: string,
  form: DateForm,
  latest: string,
  onAhead?: (date: string) => void,
): string | null | undefined {
  if (/^[0/\- :.T]*$/.test(text)) return null
  const parts = splitDate(text, form)
  if (parts === undefined) return undefined
  let [year, month, day] = parts
  if (year === 0 || year === 9999) return null
  if (month === 0) month = 1
  if (day === 0) day = 1
  if (!isDay(year, month, day)) return undefined
  if (writeDate(year, month, day) > latest) {
    onAhead?.(writeDate(year, month, day))
    year -= 100
    if (!isDay(year, month, day) || writeDate(year, month, day) > latest) return undefined
  }
  const date = writeDate(year, month, day)
  return NULL_DATES.has(date) ? null : date
}

const NULL_DATES: ReadonlySet<string> = new Set(['1899-12-30', '1899-12-31', '1900-01-01'])

function splitDate(text: string, form: DateForm): [number, number, number] | undefined {
  const take = (pattern: RegExp, year: number, month: number, day: number) => {
    const found = pattern.exec(text)
    if (found === null) return undefined
    const at = (index: number) => (index === 0 ? 1 : Number(found[index]))
    const isShort = found[year]?.length === 2
    // `1/1/00` and `1/0/00` are a spreadsheet's day 1 and day 0, which stand for an empty cell.
    const isFirst = isShort && at(year) === 0 && at(month) === 1 && at(day) < 2
    if (isFirst) return [1900, 1, 1] as [number, number, number]
    return [fullYear(at(year), isShort), at(month), at(day)] as [number, number, number]
  }
  switch (form) {
    case 'YYYYMMDD':
      return take(/^(\d{4})(\d\d)(\d\d)/, 1, 2, 3)
    case 'MMDDYYYY':
      return take(/^(\d{1,2})(\d\d)(\d{4})$/, 3, 1, 2)
    case 'DD/MM/YYYY':
      return take(/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2,4})/, 3, 2, 1)
    case 'YYYYMM':
      return take(/^(\d{4})-?(\d{1,2})$/, 1, 2, 0)
    case 'YYMM': {
      const digits = /^\d{3,4}$/.test(text) ? text.padStart(4, '0') : undefined
      return digits === undefined
        ? undefined
        : [2000 + Number(digits.slice(0, 2)), Number(digits.slice(2)), 1]
    }
    case 'MMYYYY':
      return take(/^(\d{1,2})[/-]?(\d{4})$/, 2, 1, 0)
    case 'YYMMDD':
      return /^\d{5,6}$/.test(text) ? twoDigitDate(text.padStart(6, '0'), 0, 2, 4) : undefined
    case 'MMDDYY':
      return /^\d{5,6}$/.test(text) ? twoDigitDate(text.padStart(6, '0'), 4, 0, 2) : undefined
    case 'days':
      return fromDays(text)
    case 'epoch-ms':
      return fromEpoch(text)
    case 'auto':
      return (
        take(ISO_DATE, 1, 2, 3) ??
        take(/^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d\d)(?:\s.*)?$/, 3, 1, 2) ??
        take(/^(\d{4})(\d\d)(\d\d)(?:\.0*)?$/, 1, 2, 3) ??
        take(/^(\d{4})\/(\d{1,2})\/(\d{1,2})(?:\s.*)?$/, 1, 2, 3) ??
        take(/^(\d{4})[-/](\d{1,2})$/, 1, 2, 0) ??
        take(/^(\d{1,2})\/(\d{4})$/, 2, 1, 0) ??
        namedMonth(text) ??
        (/^-?\d{10,13}$/.test(text) ? fromEpoch(text) : undefined)
      )
  }
}

function namedMonth(text: string): [number, number, number] | undefined {
  const upper = text.toUpperCase()
  const [, day, month = '', year] =
    /^(\d{1,2})[- ]([A-Z]{3})[A-Z]*[- ](\d{4}|\d\d)\b/.exec(upper) ?? []
  if (year !== undefined)
    return [fullYear(Number(year), year.length === 2), MONTHS.indexOf(month) + 1 || 13, Number(day)]
  const [, start = '', alone] = /^([A-Z]{3})[A-Z]*[- ](\d{4})$/.exec(upper) ?? []
  if (alone !== undefined) return [Number(alone), MONTHS.indexOf(start) + 1 || 13, 1]
  const [, name = '', date, late] = /^([A-Z]{3})[A-Z]*\.? (\d{1,2}),? (\d{4})\b/.exec(upper) ?? []
  return late === undefined
    ? undefined
    : [Number(late), MONTHS.indexOf(name) + 1 || 13, Number(date)]
}

/** Two digits are first read as this century; `readDate` moves a future date back. */
function fullYear(year: number, isShort: boolean): number {
  return year < 100 && (year > 0 || isShort) ? year + 2000 : year
}

/** Reads a date of two-digit parts at the given positions. */
function twoDigitDate(
  text: string,
  year: number,
  month: number,
  day: number,
): [number, number, number] {
  const at = (from: number) => Number(text.slice(from, from + 2))
  return [2000 + at(year), at(month), at(day)]
}

/** Reads a spreadsheet's day number: day 1 is 1900-01-01, and 1900 has a 29 February. */
function fromDays(text: string): [number, number, number] | undefined {
  const days = /^\d{1,5}(?:\.\d*)?$/.test(text) ? Math.floor(Number(text)) : 0
  return days < 61 ? undefined : fromEpoch(String(Date.UTC(1899, 11, 30) + days * 86_400_000))
}

function fromEpoch(text: string): [number, number, number] | undefined {
  const at = new Date(Number(text))
  if (Number.isNaN(at.getTime())) return undefined
  return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
}

function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1500 && year < 2300 && month >= 1 && month <= 12 && day >= 1)) return false
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function writeDate(year: number, month: number, day: number): string {
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`
}

/** Returns the number of days from 1970-01-01 to a `YYYY-MM-DD` date. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000
}

/**
 * Reads a calendar year from 1500 to five years after `latest`; 0 and 9999 mean no value. `1987.0`
 * and a whole date are read too.
 */
export function readYear(text: string, latest: string): number | null | undefined {
  const number = readNumber(text) ?? readNumber(/^(\d{4})-\d\d/.exec(text)?.[1] ?? '')
  if (number === 0 || number === 9999) return null
  if (number === undefined || !Number.isInteger(number)) return undefined
  return number >= 1500 && number <= Number(latest.slice(0, 4)) + 5 ? number : undefined
}

/** Reads a flag: `Y`, `YES`, `TRUE`, `T`, `1`, `X` and their opposites, in any case. */
export function readFlag(text: string): boolean | undefined {
  if (/^(?:y|yes|true|t|1|1\.0|x)$/i.test(text)) return true
  return /^(?:n|no|false|f|0|0\.0)$/i.test(text) ? false : undefined
}

/**
 * Reads a ZIP code as its five digits and, when the roll has it, the whole ZIP+4. Restores leading
 * zeros that a spreadsheet dropped.
 */
export function readZip(text: string): { zip: string; plusFour: string | null } | null | undefined {
  const [, head, tail] = /^(\d{5})(?:-? ?(\d{4}))?-?$/.exec(text.replace(/\.0+$/, '')) ?? []
  if (head !== undefined) {
    if (head === '00000') return null
    return { zip: head, plusFour: tail === undefined || tail === '0000' ? null : `${head}-${tail}` }
  }
  if (/^0+$/.test(text)) return null
  if (/^\d{3,4}$/.test(text)) return { zip: text.padStart(5, '0'), plusFour: null }
  const [, lost, rest] = /^(\d{3,4})-(\d{4})$/.exec(text) ?? []
  if (lost === undefined) return undefined
  const zip = lost.padStart(5, '0')
  return { zip, plusFour: rest === '0000' ? null : `${zip}-${rest}` }
}
