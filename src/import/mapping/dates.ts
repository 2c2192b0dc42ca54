/** Decides what is a date or a year in a roll, and reads it. Source: docs/mappings.md. */
import { readNumber } from './clean.ts'

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
 * `auto` reads ISO dates and `YYYYMMDD` with or without a time, `M/D/YYYY`, `M/D/YY`,
 * `DD-MON-YYYY`, `MON D, YYYY`, `YYYY-MM`, .NET's dates and milliseconds since 1970. Milliseconds
 * have eleven digits or more, since ten may be seconds. Dates that the calendar does not have are
 * unreadable, also those of the month 00 or a year before 1500. All-zero dates, the year 9999 and
 * those of `NULL_DATES` are the null dates of spreadsheets and databases. A date later than
 * `latest` (`YYYY-MM-DD`) is passed to `onAhead`. With a year of two digits it is moved back by a
 * century; with one of four digits it is unreadable.
 */
export function readDate(
  text: string,
  form: DateForm,
  latest: string,
  onAhead?: (date: string) => void,
): string | null | undefined {
  if (/^[0/\- :.T]*$/.test(text)) return null
  if (SEVERAL.test(text)) return undefined
  const parts = splitDate(text, form)
  if (parts === undefined) return undefined
  let [year, month, day, isShort] = parts
  if ((year === 0 && !isShort) || year === 9999) return null
  if (day === 0) day = 1
  if (!isDay(year, month, day)) return undefined
  if (writeDate(year, month, day) > latest) {
    onAhead?.(writeDate(year, month, day))
    if (!isShort) return undefined
    year -= 100
    if (!isDay(year, month, day) || writeDate(year, month, day) > latest) return undefined
  }
  const date = writeDate(year, month, day)
  return NULL_DATES.has(date) ? null : date
}

/** A second date behind the first: `3/5/2024 - 3/9/2024`. */
const SEVERAL = /\d[/-]\d.*\D\d{1,4}[/-]\d{1,2}[/-]\d/

/** Day 0 of spreadsheets, of Clarion and of COBOL; the first day that SQL Server can store. */
const NULL_DATES: ReadonlySet<string> = new Set([
  ...['1899-12-30', '1899-12-31', '1900-01-01', '1800-01-01', '1800-12-28', '1801-01-01'],
  ...['1600-12-31', '1601-01-01', '1753-01-01', '1900-12-31'],
])

/**
 * Year, month, day, and whether the text has two digits of the year. They are first read as this
 * century; `readDate` moves a future date back.
 */
type DateParts = [year: number, month: number, day: number, isShort: boolean]

/** A form of dates, and the groups of its year, month and day; 0: the first one. */
type DateRule = [form: RegExp, year: number, month: number, day: number]

/** Rules by the format, except numbers of days and milliseconds; the first that fits is used. */
const RULES: Partial<Record<DateForm, DateRule[]>> = {
  YYYYMMDD: [[/^(\d{4})(\d\d)(\d\d)/, 1, 2, 3]],
  MMDDYYYY: [[/^(\d{1,2})(\d\d)(\d{4})$/, 3, 1, 2]],
  'DD/MM/YYYY': [[/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2,4})/, 3, 2, 1]],
  YYYYMM: [[/^(\d{4})-?(\d{1,2})$/, 1, 2, 0]],
  YYMM: [[/^(\d?\d)(\d\d)$/, 1, 2, 0]],
  MMYYYY: [[/^(\d{1,2})[/-]?(\d{4})$/, 2, 1, 0]],
  YYMMDD: [[/^(\d?\d)(\d\d)(\d\d)$/, 1, 2, 3]],
  MMDDYY: [[/^(\d?\d)(\d\d)(\d\d)$/, 3, 1, 2]],
  auto: [
    [ISO_DATE, 1, 2, 3],
    [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d\d)(?:\s.*)?$/, 3, 1, 2],
    [/^(\d{4})(\d\d)(\d\d)(?:\.0*|T?\d{6})?$/, 1, 2, 3],
    [/^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:\s.*)?$/, 1, 2, 3],
    [/^(\d{4})[-/](\d{1,2})$/, 1, 2, 0],
    [/^(\d{1,2})[/-](\d{4})$/, 2, 1, 0],
    [/^(\d{1,2})[- ]?([A-Z]{3})[A-Z]*[- ]?(\d{4}|\d\d)\b/i, 3, 2, 1],
    [/^([A-Z]{3})[A-Z]*[- ](\d{4})$/i, 2, 1, 0],
    [/^([A-Z]{3})[A-Z]*\.? (\d{1,2}),? (\d{4})\b/i, 3, 1, 2],
  ],
}

function splitDate(text: string, form: DateForm): DateParts | undefined {
  if (form === 'days') return fromDays(text)
  for (const [pattern, year, month, day] of RULES[form] ?? []) {
    const found = pattern.exec(text)
    if (found === null) continue
    const at = (index: number) => (index === 0 ? 1 : Number(found[index]))
    const named = MONTHS.indexOf(found[month]?.toUpperCase() ?? '')
    const number = named < 0 ? at(month) : named + 1
    const isShort = (found[year]?.length ?? 0) <= 2
    // `1/1/00` and `1/0/00` are a spreadsheet's day 1 and day 0, which stand for an empty cell.
    const isFirst = isShort && at(year) === 0 && number === 1 && at(day) < 2
    if (isFirst && /^\d+[/.-]\d/.test(text)) return [1900, 1, 1, false]
    return [at(year) + (isShort ? 2000 : 0), number, at(day), isShort]
  }
  if (form === 'epoch-ms') return fromEpoch(text)
  return form === 'auto' ? readWritten(text) : undefined
}

/** Reads milliseconds, a number in exponent form, and .NET's `/Date(1709596800000)/`. */
function readWritten(text: string): DateParts | undefined {
  if (/^-?\d{11,15}$/.test(text)) return fromEpoch(text)
  // Larger ones are written with an exponent again.
  if (/^\d\.\d+E\+?(?:\d|1\d)$/i.test(text)) return splitDate(String(Number(text)), 'auto')
  const [, epoch] = /^\/Date\((-?\d{1,15})\)\/$/.exec(text) ?? []
  return epoch === undefined ? undefined : fromEpoch(epoch)
}

/** Reads a spreadsheet's day number: day 1 is 1900-01-01, and 1900 has a 29 February. */
function fromDays(text: string): DateParts | undefined {
  const days = /^\d{1,5}(?:\.\d*)?$/.test(text) ? Math.floor(Number(text)) : 0
  return days < 61 ? undefined : fromEpoch(String(Date.UTC(1899, 11, 30) + days * 86_400_000))
}

function fromEpoch(text: string): DateParts | undefined {
  const at = new Date(Number(text))
  if (Number.isNaN(at.getTime())) return undefined
  return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), false]
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
 * Reads a calendar year from 1500 to the one after `latest`; 0 and 9999 mean no value. `1987.0` and
 * a whole date are read too.
 */
export function readYear(text: string, latest: string): number | null | undefined {
  const number = readNumber(text) ?? readNumber(/^(\d{4})-\d\d/.exec(text)?.[1] ?? '')
  if (number === 0 || number === 9999) return null
  if (number === undefined || !Number.isInteger(number)) return undefined
  return number >= 1500 && number <= Number(latest.slice(0, 4)) + 1 ? number : undefined
}
