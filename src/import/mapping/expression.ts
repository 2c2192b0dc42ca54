/** Compiles the values of a mapping for the columns of one file. */
import { foldUseCode } from '../../base/fold.ts'
import { cleanText, readNumber } from './clean.ts'
import type { Scalar, Value, ValueRule } from './mapping.ts'
import { nullTest } from './null-words.ts'
import { BoundPattern } from './pattern-check.ts'
import { remember } from './remember.ts'

/** Reads a value from a row: clean text, or `null` when the row has none. */
export type Getter = (row: readonly string[]) => string | null

/** Longest column name, in characters, in a dBASE table and so in a shapefile. */
const DBF_WIDTH = 10

/**
 * The columns of a file, found by the names in a mapping. Case and blanks around a name are
 * ignored, and names cut by dBASE match their long form.
 */
export class Columns {
  readonly names: readonly string[]
  readonly used = new Set<number>()
  /** Names that some value uses and the file does not have. */
  readonly missing = new Set<string>()
  readonly #index = new Map<string, number>()
  readonly #readers = new Map<string, ColumnReader>()
  /** The long name for each cut name; `undefined` when this file has no cut names. */
  readonly #cut: Map<string, string> | undefined

  /** Columns named in full by the mapping. A cut name never means one of them. */
  readonly #whole: ReadonlySet<string>
  readonly file: string

  /** `mapping`: the document that uses the columns; all names in it are collected. */
  constructor(names: readonly string[], mapping: unknown = null, file = '') {
    this.names = names
    this.file = file
    names.forEach((name, index) => {
      const key = columnKey(name)
      if (key !== '' && !this.#index.has(key)) this.#index.set(key, index)
    })
    const isCut =
      names.every((name) => name.length <= DBF_WIDTH) &&
      names.some((name) => name.length === DBF_WIDTH)
    this.#cut = isCut ? new Map() : undefined
    this.#whole = new Set(isCut ? keysIn(mapping) : [])
  }

  /**
   * Returns the reader of a column. `nulls`: words that mean unknown. Callers that ask for the same
   * column and words share one reader.
   */
  reader(index: number, nulls: readonly string[], lines = false): Getter {
    const key = [index, lines, ...nulls].join('\n')
    const known = this.#readers.get(key)
    const reader = known ?? new ColumnReader(index, nullTest(nulls), lines)
    reader.isShared = known !== undefined
    this.#readers.set(key, reader)
    return reader.get
  }

  /**
   * Returns the index of the first name that the file has. If it has none, the first name is
   * recorded as missing.
   */
  find(names: string | string[]): number | undefined {
    for (const name of typeof names === 'string' ? [names] : names) {
      const key = columnKey(name)
      const index = this.#index.get(key) ?? this.#findCut(key)
      if (index === undefined) continue
      this.used.add(index)
      return index
    }
    this.missing.add(typeof names === 'string' ? names : names.join(' or '))
    return undefined
  }

  /**
   * Returns the column whose name is a cut form of a longer one. If several long names fit, the one
   * asked for first gets it.
   */
  #findCut(key: string): number | undefined {
    if (this.#cut === undefined || key.length <= DBF_WIDTH) return undefined
    const short = key.slice(0, DBF_WIDTH)
    if (this.#whole.has(short)) return undefined
    const index = this.#index.get(short)
    if (index === undefined) return undefined
    const owner = this.#cut.getOrInsertComputed(short, () => key)
    return owner === key ? index : undefined
  }
}

function keysIn(document: unknown): string[] {
  if (typeof document === 'string') return [columnKey(document)]
  return typeof document === 'object' ? Object.values(document ?? {}).flatMap(keysIn) : []
}

/** A value as a rule: a text alone is the name of a column. */
export function ruleOf(value: Value): ValueRule {
  return typeof value === 'string' ? { column: value } : value
}

/** Lists the columns of a value, each with its other names. `besides`: other parts that count. */
export function columnsOf(
  value: Value,
  besides: { unit?: boolean; when?: boolean } = {},
): string[][] {
  const { column, join = [], first = [], sum = [], unit, when } = ruleOf(value)
  const parts = [...join, ...first, ...sum]
  if (besides.when && when !== undefined) parts.push(when)
  if (besides.unit && typeof unit === 'object') parts.push(unit)
  const own = column === undefined ? [] : [[column].flat()]
  return [...own, ...parts.flatMap((one) => columnsOf(one, besides))]
}

/** Returns a column's name in comparable form, without case, outer blanks or byte-order mark. */
export function columnKey(name: string): string {
  return cleanText(name.replace(/^\ufeff/, '')).toUpperCase()
}

/**
 * Compiles a value for a file. Returns `undefined` when the file has none of its columns, so the
 * value is always unknown.
 *
 * `words`: the mapping's own words for unknown.
 */
export function compileValue(
  value: Value,
  columns: Columns,
  words: readonly string[],
): Getter | undefined {
  const rule = ruleOf(value)
  const origin = compileWhen(rule, compileOrigin(rule, columns, words), columns, words)
  if (origin === undefined) return undefined
  const steps = compileSteps(rule, words)
  if (steps.length === 0) return origin
  const take = remember((text: string) => takeSteps(text, steps))
  return (row) => {
    const text = origin(row)
    return text === null ? null : take(text)
  }
}

function takeSteps(start: string, steps: readonly Step[]): string | null {
  return steps.reduce<string | null>((text, step) => (text === null ? null : step(text)), start)
}

function compileOrigin(
  rule: ValueRule,
  columns: Columns,
  words: readonly string[],
): Getter | undefined {
  const compileAll = (values: Value[]) =>
    values
      .map((value) => compileValue(value, columns, words))
      .filter((getter) => getter !== undefined)
  if (rule.constant !== undefined) {
    const constant = String(rule.constant)
    return () => constant
  }
  if (rule.file === true) {
    const name = cleanText(columns.file)
    return () => (name === '' ? null : name)
  }
  if (rule.column !== undefined) {
    const index = columns.find(rule.column)
    return index === undefined
      ? undefined
      : columns.reader(index, [...words, ...(rule.nulls ?? [])], rule.lines)
  }
  const parts = compileAll(rule.join ?? rule.first ?? rule.sum ?? [])
  if (parts.length === 0) return undefined
  if (rule.all === true && parts.length < (rule.join ?? rule.sum ?? []).length) return undefined
  if (rule.first !== undefined) return (row) => firstOf(parts, row)
  const together = rule.sum === undefined ? joined(parts, rule.with ?? ' ') : summed(parts)
  if (rule.all !== true) return together
  return (row) => (parts.every((part) => part(row) !== null) ? together(row) : null)
}

/**
 * Compiles a value with a condition: it is unknown unless another value is known. Without the
 * condition's column it is always unknown.
 */
function compileWhen(
  { when }: ValueRule,
  origin: Getter | undefined,
  columns: Columns,
  words: readonly string[],
): Getter | undefined {
  if (when === undefined || origin === undefined) return origin
  const condition = compileValue(when, columns, words)
  if (condition === undefined) return undefined
  return (row) => (condition(row) === null ? null : origin(row))
}

/** Reads a column. Of one that several fields are cut from, the last text is remembered. */
class ColumnReader {
  /** Remembering costs more than it saves where one field alone reads the column. */
  isShared = false
  readonly get: Getter

  constructor(index: number, isNull: (text: string) => boolean, lines: boolean) {
    let lastRaw = ''
    let lastText: string | null = null
    this.get = (row) => {
      const raw = row[index]
      if (raw === undefined || raw === '') return null
      if (raw === lastRaw) return lastText
      const clean = cleanText(lines ? markLines(raw) : raw)
      const text = clean === '' || isNull(clean) ? null : clean
      if (this.isShared) {
        lastRaw = raw
        lastText = text
      }
      return text
    }
  }
}

/** Replaces line breaks within a value by bars, so that patterns can tell the lines apart. */
export function markLines(raw: string): string {
  return raw.trim().replace(/\s*[\r\n]+\s*/g, ' | ')
}

function firstOf(parts: Getter[], row: readonly string[]): string | null {
  for (const part of parts) {
    const text = part(row)
    if (text !== null) return text
  }
  return null
}

function joined(parts: Getter[], separator: string): Getter {
  return (row) => {
    let all: string | null = null
    for (const part of parts) {
      const text = part(row)
      if (text !== null) all = all === null ? text : `${all}${separator}${text}`
    }
    return all
  }
}

/** A part that is no number is the result, so that it is counted: the other parts are no sum. */
function summed(parts: Getter[]): Getter {
  return (row) => {
    let sum: number | undefined
    for (const part of parts) {
      const text = part(row)
      if (text === null) continue
      const number = readNumber(text)
      if (number === undefined) return text
      sum = (sum ?? 0) + number
    }
    return sum === undefined ? null : String(sum)
  }
}

type Step = (text: string) => string | null

function compileSteps(rule: ValueRule, words: readonly string[]): Step[] {
  const steps: Step[] = []
  if (rule.cut !== undefined) {
    const pattern = new BoundPattern(rule.cut, 'iu')
    steps.push((text) => {
      const found = pattern.exec(text)
      return found === null ? null : (found[1] ?? (found.length > 1 ? null : found[0]))
    })
  }
  for (const { pattern, with: text } of rule.replace ?? []) {
    const bound = new BoundPattern(pattern, 'giu')
    steps.push((value) => bound.replace(value, text))
  }
  if (steps.length > 0 || rule.join !== undefined) {
    const isNull = nullTest([...words, ...(rule.nulls ?? [])])
    steps.push((text) => {
      const clean = cleanText(text)
      return clean === '' || isNull(clean) ? null : clean
    })
  }
  if (rule.codes !== undefined || rule.cases !== undefined) steps.push(compileCodes(rule))
  if (rule.times !== undefined) {
    const times = rule.times
    steps.push((text) => {
      const number = readNumber(text)
      return number === undefined ? text : String(number * times)
    })
  }
  return steps
}

function compileCodes(rule: ValueRule): Step {
  const codes = new Map(
    Object.entries(rule.codes ?? {}).map(([code, meaning]) => [foldUseCode(code), show(meaning)]),
  )
  const cases = (rule.cases ?? []).map(({ pattern, gives }) => ({
    pattern: new BoundPattern(pattern, 'iu'),
    gives: show(gives),
  }))
  const otherwise = rule.otherwise === undefined ? undefined : show(rule.otherwise)
  return (text) => {
    const meaning = codes.size === 0 ? undefined : codes.get(foldUseCode(text))
    if (meaning !== undefined) return meaning
    const found = cases.find(({ pattern }) => pattern.test(text))
    if (found !== undefined) return found.gives
    return otherwise === undefined ? text : otherwise
  }
}

function show(value: Scalar): string | null {
  return value === null ? null : String(value)
}
