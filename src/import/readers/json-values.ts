/** Turns JSON objects into rows of texts. */
import { CommandError } from '../../base/errors.ts'
import { parseJson } from '../../base/long-numbers.ts'
import { EXPORT_MARK } from '../../record/exported.ts'
import { type Batch, UNREAD } from '../batch.ts'
import { COLUMNS_MAX, DEPTH_MAX } from '../bounds.ts'
import { type Placing, placeShape } from '../geo/place-shapes.ts'
import { type CodedColumn, TEXT_PREFIX } from './coded.ts'
import type { BrokenRow } from './csv.ts'
import { isObject, placingOf, readShape } from './json-shapes.ts'

type Json = { [key: string]: unknown }

/** An exported row's lists stay JSON, as the import of exports reads them. */
function readValues(row: Json): Map<string, string> {
  const values = new Map<string, string>()
  const asText = (value: unknown) => (Array.isArray(value) ? showList(value) : value)
  const isExported = row[EXPORT_MARK.column] === EXPORT_MARK.value
  const texts = () => Object.entries(row).map(([name, value]) => [name, asText(value)])
  flatten(isExported ? Object.fromEntries(texts()) : row, '', values)
  return values
}

function flatten(object: Json, prefix: string, values: Map<string, string>, depth = 0): void {
  if (depth > DEPTH_MAX) throw new Error(`an object is nested more than ${DEPTH_MAX} deep`)
  for (const [name, value] of Object.entries(object)) {
    if (value === null || value === undefined) values.set(prefix + name, '')
    else if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
      if (value.length > ITEMS_MAX) values.set(prefix + name, showList(value))
      const years = OF_THINGS.test(name) ? undefined : yearsOf(value)
      const places = years ?? value.map((_, at) => at + 1)
      for (const [at, item] of value.slice(0, ITEMS_MAX).entries())
        flatten(item as Json, `${prefix}${name}.${places[at]}.`, values, depth + 1)
    } else if (Array.isArray(value)) values.set(prefix + name, showList(value))
    else if (typeof value === 'object')
      flatten(value as Json, `${prefix}${name}.`, values, depth + 1)
    else values.set(prefix + name, String(value))
  }
}

/** Objects of a list that get columns: `sales.1.price`. A longer list is kept as text, too. */
const ITEMS_MAX = 12

/** The years of a list that has an object for each: `values.2025.land`. */
function yearsOf(list: readonly Json[]): unknown[] | undefined {
  const years = list.map((item) => item[Object.keys(item).find((key) => YEAR.test(key)) ?? ''])
  const areYears = years.every((year) => /^(?:19|20)\d\d$/.test(String(year)))
  return areYears && new Set(years).size === list.length ? years : undefined
}
/** Lists whose years are those of sales and of buildings. */
const OF_THINGS = /sale|transfer|deed|build|bldg|improve|permit|owner/i
const YEAR = /^(?:tax|roll|assess\w*)?[_ ]?(?:year|yr)$/i

/** Joins texts and numbers by semicolons; writes a list of objects as JSON. */
export function showList(list: readonly unknown[]): string {
  const holdsObjects = list.some((item) => typeof item === 'object' && item !== null)
  return holdsObjects ? JSON.stringify(list) : list.map((item) => item ?? '').join('; ')
}

/** Collects rows that share their columns. */
export class Table {
  rows: string[][] = []
  lines: number[] = []
  points: (readonly [number, number] | null)[] = []
  polygons: (string | null)[] = []
  broken: BrokenRow[] = []
  /** Characters of the objects so far. */
  size = 0
  readonly #file: string
  readonly #columns: string[]
  readonly #index: Map<string, number>
  readonly #nested: Set<string>
  #full = false

  constructor(file: string, columns: string[] = [], nested = new Set<string>()) {
    this.#file = file
    this.#columns = columns
    this.#nested = nested
    this.#index = new Map(columns.map((name, at) => [name, at]))
  }

  /** Adds a row. Returns false when the row has a column that a batch with rows does not have. */
  add(json: string, line: number, placing: Placing, coded: readonly CodedColumn[]): boolean {
    let values = new Map<string, string>()
    let isFeature = false
    let own: Json = {}
    let placed: ReturnType<typeof placeShape>
    this.size += json.length
    try {
      const object = parseJson(json) as Json
      if (!isObject(object)) throw new Error('no JSON object')
      if (typeof object[UNREAD] === 'string') throw new Error(object[UNREAD])
      isFeature = object.type === 'Feature' || isObject(object.attributes)
      own = isFeature ? ((object.properties ?? object.attributes ?? {}) as Json) : object
      values = readValues(own)
      const isShaped = isFeature && 'geometry' in object
      const shape = isShaped ? readShape(object.geometry) : undefined
      placed = placeShape(shape, placingOf(object.geometry, placing), `row ${line}`)
    } catch (error) {
      if (error instanceof CommandError) throw error
      this.broken.push({
        line,
        reason: explainBroken(error),
        text: json.slice(0, 100_000),
      })
      return true
    }
    for (const { name, codes } of isFeature ? coded : []) {
      values.set(TEXT_PREFIX + name, codes.get(values.get(name) ?? '') ?? '')
    }
    for (const name of values.keys()) {
      if (this.#index.has(name)) continue
      if (this.#full) return false
      this.#index.set(name, this.#columns.push(name) - 1)
      if (!Object.hasOwn(own, name) && !name.startsWith(TEXT_PREFIX)) this.#nested.add(name)
      if (this.#columns.length > COLUMNS_MAX) {
        throw new CommandError(`${this.#file} has more than ${COLUMNS_MAX} columns`)
      }
    }
    this.#full = true
    const row = this.#columns.map((name) => values.get(name) ?? '')
    this.rows.push(row)
    this.lines.push(line)
    this.points.push(placed.point)
    this.polygons.push(placed.polygon)
    return true
  }

  batch(): Batch {
    const { rows, lines, points, polygons, broken } = this
    const columns = { columns: this.#columns, nested: this.#nested }
    return { file: this.#file, ...columns, rows, lines, points, polygons, broken }
  }

  /** Returns a new table with the same columns that accepts one more. */
  widened(): Table {
    return new Table(this.#file, [...this.#columns], this.#nested)
  }
}

function explainBroken(error: unknown): string {
  const { message } = error as Error
  if (error instanceof TypeError || error instanceof RangeError)
    return 'its shape or a value is damaged'
  return error instanceof SyntaxError ? `no JSON: ${message}` : message
}
