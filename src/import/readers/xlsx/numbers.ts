/** Applies a workbook's number formats: dates, and leading zeros. Source: ECMA-376, 18.8.30. */
import { DAY_MS } from '../../../base/days.ts'
import { showWritten } from '../../../base/long-numbers.ts'

/** What a number format does: a date, a pattern of zeros with texts, or nothing. */
export type NumberForm = { isDate: boolean; zeros: string }

export const PLAIN: NumberForm = { isDate: false, zeros: '' }

/** Returns the effect of a format by its number and, if the workbook has one, its code. */
export function readForm(id: number, code: string | undefined): NumberForm {
  if (code === undefined) return { isDate: isBuiltInDate(id), zeros: '' }
  // Keeps only the part for positive numbers, without colours, quoted text and escaped characters.
  const first = (code.split(';')[0] ?? '').replace(/\[(?![hms]+\])[^\]]*\]|_./gi, '')
  const bare = first.replace(/"[^"]*"|\\./g, '')
  if (/^0[0 -]*0$/.test(bare)) {
    const shown = first.replace(/"([^"0 ]*)"|\\([^0"])/g, '$1$2')
    return { isDate: false, zeros: shown.replace(/"[^"]*"|\\./g, '') }
  }
  return { isDate: /[dmyhs]/i.test(bare.replace(/general|standard/i, '')), zeros: '' }
}

/** Built-in formats without a code: dates and times of all languages. 48 is a number, 49 text. */
function isBuiltInDate(id: number): boolean {
  const isTime = (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || isTime
}

/** Larger numbers are shown with the digits that the cell has. */
const EXACT_MAX = 2 ** 53

/** Day 0 of each calendar, in days since 1970-01-01. */
const EPOCHS = { 1900: -25_569, 1904: -24_107 } as const
/** Excel's 1900 calendar wrongly has a 29 February 1900, as its day 60. */
const LEAP_FAULT = 60
/** 31 December 9999. */
const DAYS_MAX = 2_958_465

/** Formats a number as text. `from1904`: the workbook counts days from 1904. */
export function showNumber(text: string, { isDate, zeros }: NumberForm, from1904: boolean): string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  if (isDate && number >= 1 && number <= DAYS_MAX) return showDate(number, from1904)
  const plain = Math.abs(number) < EXACT_MAX ? String(number) : showWritten(text.trim())
  return zeros !== '' && /^\d+$/.test(plain) ? fillZeros(plain, zeros) : plain
}

/** Puts the digits in the places of the zeros: 12340056 in `00-000-0000` is `01-234-0056`. */
function fillZeros(digits: string, zeros: string): string {
  const left = [...digits.padStart(zeros.replace(/[^0]/g, '').length, '0')]
  const text = [...zeros].reverse().map((one) => (one === '0' ? left.pop() : one))
  const first = text.findLastIndex((_, at) => [...zeros].at(-1 - at) === '0')
  text[first] = left.join('') + text[first]
  return text.reverse().join('')
}

function showDate(days: number, from1904: boolean): string {
  const epoch = from1904 ? EPOCHS[1904] : EPOCHS[1900]
  const fault = !from1904 && days < LEAP_FAULT ? 1 : 0
  // Rounds to the second, because fractions of a day are inexact.
  const ms = Math.round(((epoch + days + fault) * DAY_MS) / 1000) * 1000
  const text = new Date(ms).toISOString()
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 19)
}
