/** The properties of a feature: the flat columns of an export, with their types and meaning. */
import { CommandError, refuse } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { type ColumnType, type ExportColumn, openRows } from '../../export/columns.ts'
import { EXPORT_MARK } from '../../record/exported.ts'
import type { JsonSchema } from '../../record/json-schema.ts'
import { listShown } from '../../record/layout.ts'
import type { StoredParcel } from '../../store/store.ts'

/** A property; `at`: its place among the values of `readValues`. */
export type OgcField = ExportColumn & { at: number; about: string }

export type Readable = { fields: readonly OgcField[]; hasGeometry: boolean }

const rows = openRows('flat')
const ABOUT = new Map(listShown('flat').map(({ path, field }) => [path[0] ?? '', field.about]))

const FIELDS: readonly OgcField[] = rows.columns.flatMap((column, at) =>
  column.name === EXPORT_MARK.column
    ? []
    : [{ ...column, at, about: ABOUT.get(column.name) ?? 'As in an export.' }],
)

/** For callers with a key. */
export const EVERYTHING: Readable = { fields: FIELDS, hasGeometry: true }

/** The name of the geometry among public fields and queryables. */
export const GEOMETRY = 'geometry'

/** What anybody may read: these fields and the property ID. Throws `CommandError` if unknown. */
export function readPublicFields(names: readonly string[]): Readable {
  for (const name of names) {
    if (name !== GEOMETRY && FIELDS.every((field) => field.name !== name)) {
      throw new CommandError(`PLATBOOK_PUBLIC_FIELDS: "${name}" is not a field of the flat layout`)
    }
  }
  const fields = FIELDS.filter(({ name }) => name === 'propertyId' || names.includes(name))
  return { fields, hasGeometry: names.includes(GEOMETRY) }
}

/** Returns a record's values by the place of their field. Dates are `YYYY-MM-DD`. */
export function readValues(parcel: StoredParcel): unknown[] {
  const values = rows.read(parcel)
  for (const { at, type } of DATES) {
    const value = values[at]
    if (type === 'date' && typeof value === 'string') {
      values[at] = value.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
    }
  }
  return values
}

const DATES = FIELDS.filter(({ type }) => type === 'date')

/** Throws *bad request* that names a near field, if there is one. */
export function findField({ fields }: Readable, name: string, parameter?: string): OgcField {
  const field = fields.find((one) => one.name === name)
  if (field !== undefined) return field
  const hint = didYouMean(
    name,
    fields.map((one) => one.name),
  )
  const where = parameter === undefined ? '' : `${parameter}: `
  throw refuse.badRequest(`${where}"${name}" is not a property that can be asked for here${hint}`)
}

/** Whether a filter may compare it: lists and objects are only shown. */
export function isQueryable({ type }: OgcField): boolean {
  return type !== 'texts' && type !== 'json'
}

const SCHEMAS: Record<ColumnType, JsonSchema> = {
  text: { type: 'string' },
  date: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  json: {},
}

export function schemaOf({ type, name, about }: OgcField): JsonSchema {
  return { title: name, description: about, ...SCHEMAS[type] }
}
