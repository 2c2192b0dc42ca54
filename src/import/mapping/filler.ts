/** Compiles how one field of a mapping is read from a row, whatever the field's kind. */
import type { Reading } from '../../record/fields.ts'
import { isRounded, readArea, readAreaUnit, readCount, readFlag, readNumber } from './clean.ts'
import { type DateForm, readDate, readYear } from './dates.ts'
import type { Getter } from './expression.ts'
import type { MappedField } from './fields.ts'
import type { Value } from './mapping.ts'
import { numberPlaceholder, textPlaceholder } from './placeholders.ts'
import { remember } from './remember.ts'

/** Fills one property of a record from a row. Calls `unread` for a text without a usable value. */
export type Filler<Owner> = (owner: Owner, row: readonly string[], unread: Unread) => void

/** Counts a text that could not be read, or one that means unknown. */
export type Unread = (field: string, text: string, why?: 'unread' | 'placeholder') => void

/** `today`: `YYYY-MM-DD`. `onAhead` is called with each date after `today` and a year. */
type Clock = { today: string; onAhead?: ((date: string) => void) | undefined }

/** Readings that are as cheap as looking up a remembered result. */
const PLAIN_READINGS: ReadonlySet<Reading> = new Set(['text', 'upper', 'list', 'special'])

/** What a placeholder is read as. */
const PLACEHOLDER = Symbol('placeholder')

/** A value that was read. `null`: the text has no value. `undefined`: it could not be read. */
type ReadValue = string | number | boolean | string[] | null | undefined | typeof PLACEHOLDER

/** Returns the filler of a field; `undefined` for a field or a column that is not there. */
export function compileFiller<Owner>(
  name: string,
  value: Value,
  table: Record<string, MappedField<Owner>>,
  { get, ...clock }: Clock & { get: (value: Value) => Getter | undefined },
): Filler<Owner> | undefined {
  const field = table[name]
  if (field === undefined) return undefined
  const getter = get(value)
  if (getter === undefined) return undefined
  const rule = typeof value === 'string' ? {} : value
  const { property, reading } = field
  const read = refusePlaceholders(
    compileReader(reading, rule.date ?? 'auto', clock),
    String(property),
    reading,
  )
  const asked = rule.unit ?? (reading === 'acres' ? 'acres' : 'square feet')
  const unit = compileUnit(asked, get)
  const recall =
    typeof asked === 'string' && !PLAIN_READINGS.has(reading)
      ? remember((text) => read(text, asked))
      : undefined
  return (owner, row, unread) => {
    const text = getter(row)
    if (text === null) return
    const found = recall === undefined ? read(text, unit(row)) : recall(text)
    if (found === undefined) unread(name, text)
    else if (found === PLACEHOLDER) unread(name, text, 'placeholder')
    else if (found !== null) owner[property] = found as Owner[keyof Owner]
  }
}

type Reader = (text: string, unit: string) => ReadValue

function refusePlaceholders(read: Reader, property: string, reading: Reading): Reader {
  const isNumber = numberPlaceholder(property, reading)
  if (isNumber !== undefined) {
    return (text, unit) => {
      const found = read(text, unit)
      return typeof found === 'number' && isNumber(found, text) ? PLACEHOLDER : found
    }
  }
  if (reading === 'date') {
    return (text, unit) => {
      const found = read(text, unit)
      return found === null && /[1-9]/.test(text) ? PLACEHOLDER : found
    }
  }
  if (reading === 'year')
    return (text, unit) => (text.startsWith('-') ? PLACEHOLDER : read(text, unit))
  const isText = reading === 'text' || reading === 'upper' ? textPlaceholder(property) : undefined
  if (isText === undefined) return read
  // An account or document number in exponent form has lost its last digits.
  return (text, unit) =>
    isText(text) ? PLACEHOLDER : isRounded(text) ? undefined : read(text, unit)
}

function compileUnit(
  unit: string | Value,
  get: (value: Value) => Getter | undefined,
): (row: readonly string[]) => string {
  if (typeof unit === 'string') return () => unit
  const getter = get(unit)
  return (row) => readAreaUnit(getter?.(row) ?? '') ?? ''
}

function compileReader(reading: Reading, form: DateForm, { today, onAhead }: Clock): Reader {
  const latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  const rounded = (text: string, digits: number) => {
    const number = readNumber(text)
    return number === undefined ? undefined : round(number, digits)
  }
  const sized = (text: string, unit: string, by: number, digits: number) => {
    const area = readArea(text, unit)
    return area === undefined ? undefined : round(area / by, digits)
  }
  const readers: Record<Reading, Reader> = {
    text: (text) => text,
    special: (text) => text,
    upper: (text) => text.toUpperCase(),
    integer: readCount,
    money: (text) => rounded(text, 0),
    number: (text) => rounded(text, 3),
    cents: (text) => rounded(text, 2),
    area: (text, unit) => sized(text, unit, 1, 0),
    acres: (text, unit) => sized(text, unit, 43_560, 4),
    year: (text) => readYear(text, today),
    date: (text) => readDate(text, form, latest, onAhead),
    flag: readFlag,
    list: (text) => [...new Set(text.split(/\s*;\s*/).filter((one) => one !== ''))],
  }
  return readers[reading]
}

/** Rounds half away from zero to a number of decimals; never returns `-0`. */
export function round(number: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(number * factor) / factor + 0
}
