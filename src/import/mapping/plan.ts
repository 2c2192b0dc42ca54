/** A mapping compiled for the columns of one file; `normalize.ts` applies it to every row. */
import { CommandError } from '../../base/errors.ts'
import { type ExportedReader, openExported, openShapes } from '../../record/exported.ts'
import type { Reading } from '../../record/fields.ts'
import type { Building, Parcel, Transfer } from '../../record/parcel.ts'
import { type Project, projection } from '../geo/projection.ts'
import { isData } from '../readers/delimited.ts'
import {
  AREA_UNITS,
  type DateForm,
  readArea,
  readAreaUnit,
  readDate,
  readFlag,
  readNumber,
  readYear,
} from './clean.ts'
import { Columns, columnKey, compileValue, type Getter } from './expression.ts'
import {
  MAPPED_BUILDING,
  MAPPED_PARCEL,
  MAPPED_TRANSFER,
  type MappedField,
  type SpecialField,
} from './fields.ts'
import type { MappingDocument, Value } from './mapping.ts'
import { remember } from './remember.ts'

/** Fills one property of a record from a row. Calls `unread` for an unreadable text. */
export type Filler<Owner> = (
  owner: Owner,
  row: readonly string[],
  unread: (field: string, text: string) => void,
) => void

/** A mapping compiled for the columns of one file. */
export type Plan = {
  special: Partial<Record<SpecialField, Getter>>
  parcel: Filler<Parcel>[]
  buildings: Filler<Building>[][]
  transfers: Filler<Transfer>[][]
  alternateParcelIds: Getter[]
  furtherAddresses: Getter[]
  point: { x: Getter; y: Getter; project: Project } | undefined
  /** Reports whether the mapping's `prefer` rule selects a row; absent without a rule. */
  prefers: ((row: readonly string[]) => boolean) | undefined
  skip: { get: Getter; is: ReadonlySet<string> }[]
  extra: { name: string; get: Getter }[]
  /** Reads exported rows, and polygons in a column; absent when the file has none. */
  exported: ExportedReader | undefined
  shape: ((row: readonly string[]) => string | null) | undefined
}

/** Command-line settings that go with the mapping. */
export type PlanSetup = {
  mapping: MappingDocument
  state: string | undefined
  county: string | undefined
  /** `YYYY-MM-DD`. */
  today: string
  /** Called with each date that was in the future and moved back by a century. */
  onAhead?: ((date: string) => void) | undefined
}

/**
 * Compiles a mapping for a file's columns.
 *
 * Dates more than a year after `today` are moved back by a century. Throws `CommandError` naming
 * the required columns that the file lacks.
 */
export function compilePlan(setup: PlanSetup, names: readonly string[], file: string): Plan {
  const columns = new Columns(names, setup.mapping, file)
  const plan = compileColumns(setup, columns)
  refuseMissing(setup, columns, plan, file)
  return plan
}

/**
 * Returns the columns that a mapping names and a file lacks. Alternative names of one value are
 * joined by "or".
 */
export function findMissingColumns(mapping: MappingDocument, names: readonly string[]): string[] {
  const columns = new Columns(names, mapping)
  compileColumns({ mapping, today: '2000-01-01' }, columns)
  return [...columns.missing]
}

function compileColumns(
  { mapping, today, onAhead }: Pick<PlanSetup, 'mapping' | 'today' | 'onAhead'>,
  columns: Columns,
) {
  const words = mapping.nulls ?? []
  const get = (value: Value) => compileValue(value, columns, words)
  const all = (values: Value[] | undefined) =>
    (values ?? []).map(get).filter((getter) => getter !== undefined)
  const fill = <Owner>(fields: Record<string, Value>, table: Record<string, MappedField<Owner>>) =>
    Object.entries(fields)
      .map(([name, value]) => compileFiller(name, value, table, get, { today, onAhead }))
      .filter((filler) => filler !== undefined)

  const special: Plan['special'] = {}
  for (const [name, value] of Object.entries(mapping.fields)) {
    if (name in MAPPED_PARCEL) continue
    const getter = get(value)
    if (getter !== undefined) special[name as SpecialField] = getter
  }
  const x = mapping.point && get(mapping.point.x)
  const y = mapping.point && get(mapping.point.y)
  const plan: Plan = {
    special,
    parcel: fill(mapping.fields, MAPPED_PARCEL),
    buildings: (mapping.buildings ?? []).map((set) => fill(set, MAPPED_BUILDING)),
    transfers: (mapping.transfers ?? []).map((set) => fill(set, MAPPED_TRANSFER)),
    alternateParcelIds: all(mapping.alternateParcelIds),
    furtherAddresses: all(mapping.furtherAddresses),
    point: x && y && mapping.point && { x, y, project: projection(mapping.point.epsg) },
    skip: (mapping.skip ?? []).flatMap(({ value, is }) => {
      const getter = get(value)
      return getter === undefined
        ? []
        : [{ get: getter, is: new Set(is.map((word) => word.toUpperCase())) }]
    }),
    prefers: compilePreference(mapping, get),
    extra: compileExtra(mapping, columns, get),
    exported: mapping.exported === true ? openExported(columns.names) : undefined,
    shape: mapping.exported === true ? openShapes(columns.names) : undefined,
  }
  return plan
}

function compilePreference(
  { repeats }: MappingDocument,
  get: (value: Value) => Getter | undefined,
): Plan['prefers'] {
  if (repeats?.prefer === undefined) return undefined
  const { column, value } = repeats.prefer
  const getter = get({ column })
  const wanted = new Set([value].flat().map((one) => String(one).trim().toUpperCase()))
  return (row) => wanted.has((getter?.(row) ?? '').trim().toUpperCase())
}

function refuseMissing(setup: PlanSetup, columns: Columns, plan: Plan, file: string): void {
  const { mapping } = setup
  const all = mapping.optional === '*'
  const optional = new Set(all ? [] : ((mapping.optional as string[] | undefined) ?? []))
  const missing = [...columns.missing].filter(
    (name) => !all && !name.split(' or ').some((one) => optional.has(one)),
  )
  if (plan.special.parcelId === undefined) missing.push(...namesIn(mapping.fields.parcelId))
  const { state = mapping.state, county = mapping.county } = setup
  if (state === undefined && plan.special.state === undefined) missing.push('state')
  if (county === undefined && plan.special.county === undefined) missing.push('county')
  if (missing.length === 0) return
  const untold = ['state', 'county'].filter(
    (name) => missing.includes(name) && mapping.fields[name] === undefined,
  )
  if (untold.length === missing.length) {
    const options = untold.map((name) => `--${name} ${name === 'state' ? 'ST' : 'NAME'}`)
    const names = untold.map((name) => `"${name}"`)
    throw new CommandError(
      `the mapping ${mapping.name} has no ${untold.join(' and no ')} for ${file}: ` +
        `give ${options.join(' and ')}, or write ${names.join(' and ')} into the mapping`,
    )
  }
  const list = [...new Set(missing)].join(', ')
  const found = columns.names.filter((name) => name.trim() !== '')
  const hint = isData(found, [])
    ? '; if its first line is a row, "columns" in the mapping names them'
    : ''
  const shown = found.slice(0, 40).join(', ') || 'none'
  const more = found.length > 40 ? ` and ${found.length - 40} more` : ''
  throw new CommandError(
    `${file} is not what the mapping ${mapping.name} reads: it has no column ${list}; ` +
      `its columns are ${shown}${more}${hint}`,
  )
}

function namesIn(value: Value | undefined): string[] {
  if (value === undefined || typeof value === 'string') return [value ?? 'parcelId']
  return [value.column ?? 'parcelId'].flat()
}

function compileExtra(
  mapping: MappingDocument,
  columns: Columns,
  get: (value: Value) => Getter | undefined,
): Plan['extra'] {
  const ignored = new Set(['', ...(mapping.ignore ?? []).map(columnKey)])
  const kept =
    mapping.extra === 'unmapped'
      ? columns.names.filter((name, at) => !columns.used.has(at) && !ignored.has(columnKey(name)))
      : (mapping.extra ?? [])
  return kept.flatMap((name) => {
    const getter = get(name)
    return getter === undefined ? [] : [{ name, get: getter }]
  })
}

/** Readings that are as cheap as looking up a remembered result. */
const PLAIN_READINGS: ReadonlySet<Reading> = new Set(['text', 'upper', 'list', 'special'])

/** A value that was read. `null`: the text has no value. `undefined`: it could not be read. */
type ReadValue = string | number | boolean | string[] | null | undefined

function compileFiller<Owner>(
  name: string,
  value: Value,
  table: Record<string, MappedField<Owner>>,
  get: (value: Value) => Getter | undefined,
  clock: Pick<PlanSetup, 'today' | 'onAhead'>,
): Filler<Owner> | undefined {
  const field = table[name]
  if (field === undefined) return undefined
  const getter = get(value)
  if (getter === undefined) return undefined
  const rule = typeof value === 'string' ? {} : value
  const { property, reading } = field
  const read = compileReader(reading, rule.date ?? 'auto', clock)
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
    else if (found !== null) owner[property] = found as Owner[keyof Owner]
  }
}

/** Returns the function that reads the unit of a row's area. */
function compileUnit(
  unit: string | Value,
  get: (value: Value) => Getter | undefined,
): (row: readonly string[]) => string {
  if (typeof unit === 'string') return () => unit
  const getter = get(unit)
  return (row) => {
    const text = getter?.(row) ?? ''
    return text in AREA_UNITS ? text : (readAreaUnit(text) ?? 'square feet')
  }
}

function compileReader(
  reading: Reading,
  form: DateForm,
  { today, onAhead }: Pick<PlanSetup, 'today' | 'onAhead'>,
): (text: string, unit: string) => ReadValue {
  const latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  const rounded = (text: string, digits: number) => {
    const number = readNumber(text)
    return number === undefined ? undefined : round(number, digits)
  }
  const sized = (text: string, unit: string, by: number, digits: number) => {
    const area = readArea(text, unit)
    return area === undefined ? undefined : round(area / by, digits)
  }
  switch (reading) {
    case 'text':
    case 'special':
      return (text) => text
    case 'upper':
      return (text) => text.toUpperCase()
    case 'integer':
    case 'money':
      return (text) => rounded(text, 0)
    case 'number':
      return (text) => rounded(text, 3)
    case 'cents':
      return (text) => rounded(text, 2)
    case 'area':
      return (text, unit) => sized(text, unit, 1, 0)
    case 'acres':
      return (text, unit) => sized(text, unit, 43_560, 4)
    case 'year':
      return (text) => readYear(text, today)
    case 'date':
      return (text) => readDate(text, form, latest, onAhead)
    case 'flag':
      return readFlag
    case 'list':
      return splitList
  }
}

/** Splits a text at semicolons and drops repeated parts. */
function splitList(text: string): string[] {
  return [...new Set(text.split(/\s*;\s*/).filter((one) => one !== ''))]
}

/** Rounds half away from zero to a number of decimals; never returns `-0`. */
export function round(number: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(number * factor) / factor + 0
}
