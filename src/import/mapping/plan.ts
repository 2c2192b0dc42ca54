/** A mapping compiled for the columns of one file; `normalize.ts` applies it to every row. */
import { CommandError } from '../../base/errors.ts'
import { type ExportedReader, openExported, openShapes } from '../../record/exported.ts'
import type { Building, Parcel, Transfer } from '../../record/parcel.ts'
import { type Project, projection } from '../geo/projection.ts'
import { isData } from '../readers/delimited.ts'
import { Columns, columnKey, compileValue, type Getter } from './expression.ts'
import {
  MAPPED_BUILDING,
  MAPPED_PARCEL,
  MAPPED_TRANSFER,
  type MappedField,
  type SpecialField,
} from './fields.ts'
import { compileFiller, type Filler } from './filler.ts'
import type { MappingDocument, Value } from './mapping.ts'

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

/** Reports whether the mapping reads a layer of an archive or a service with these columns. */
export function fits(setup: PlanSetup, columns: readonly string[]): boolean {
  try {
    return compilePlan(setup, columns, '') !== undefined
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
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
): Plan {
  const words = mapping.nulls ?? []
  const get = (value: Value) => compileValue(value, columns, words)
  const all = (values: Value[] | undefined) =>
    (values ?? []).map(get).filter((getter) => getter !== undefined)
  const fill = <Owner>(fields: Record<string, Value>, table: Record<string, MappedField<Owner>>) =>
    Object.entries(fields)
      .map(([name, value]) => compileFiller(name, value, table, { get, today, onAhead }))
      .filter((filler) => filler !== undefined)

  const special: Plan['special'] = {}
  for (const [name, value] of Object.entries(mapping.fields)) {
    if (name in MAPPED_PARCEL) continue
    const getter = get(value)
    if (getter !== undefined) special[name as SpecialField] = getter
  }
  const x = mapping.point && get(mapping.point.x)
  const y = mapping.point && get(mapping.point.y)
  return {
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
