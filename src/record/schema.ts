/** JSON Schemas of both layouts for the OpenAPI document, derived from the table of fields. */
import { type Field, type FieldType, PARTS } from './fields.ts'
import type { JsonSchema } from './json-schema.ts'
import { type Layout, listItemKeys, listShown, listV2Keys, type ShownField } from './layout.ts'

function describeLayout(layout: Layout): JsonSchema {
  const shown = layout === 'flat' ? [...listShown('flat'), ...listV2Keys()] : listShown(layout)
  return describeBranch(shown, layout, 0)
}

/**
 * Reports whether records always show a field: a caller may ask for some of the others only.
 */
export function isAlwaysShown({ name, path }: Pick<ShownField, 'name' | 'path'>): boolean {
  return name === 'id' || (name === 'propertyId' && path.at(-1) === 'propertyId')
}

/** Describes the fields whose paths are the same up to a depth. */
function describeBranch(shown: readonly ShownField[], layout: Layout, depth: number): JsonSchema {
  const required: string[] = []
  const properties: Record<string, JsonSchema> = {}
  for (const [key, fields] of Map.groupBy(shown, ({ path }) => path[depth] as string)) {
    const own = fields.findLast(({ path }) => path.length === depth + 1)
    const part = own
      ? describeField(own.name, own.field, layout)
      : { ...describeBranch(fields, layout, depth + 1), description: aboutPart(key) }
    if (own ? isAlwaysShown(own) : 'required' in part) required.push(key)
    properties[key] = part
  }
  return describeObject(properties, required)
}

function aboutPart(name: string): string {
  const description = PARTS[name]
  if (description === undefined) throw new Error(`tables/record-fields.tsv lacks part ${name}`)
  return description
}

function describeField(name: string, field: Field, layout: Layout): JsonSchema {
  const { type, about: description, values, required } = field
  if (type === 'items') {
    const keys = listItemKeys(layout, name).map((shown): [string, JsonSchema] => [
      shown.path[0] as string,
      describeField(shown.name, shown.field, layout),
    ])
    return { type: 'array', items: describeItem(Object.fromEntries(keys)), description }
  }
  const own =
    layout === 'flat' && type in FLAT_FORMS
      ? FLAT_FORMS[type as keyof typeof FLAT_FORMS]
      : (OWN_FORMS[name] ?? FORMS[type])
  const enumerated = values !== undefined && { enum: [...values, null] }
  if (!NULLABLE.has(type)) return { ...own, description }
  return { ...own, type: required ? own.type : [own.type, 'null'], ...enumerated, description }
}

/** Types that are null when unknown. */
const NULLABLE: ReadonlySet<FieldType> = new Set([
  ...(['text', 'date', 'moment', 'integer', 'number', 'boolean', 'point', 'geometry'] as const),
])

const OWN_FORMS: Record<string, JsonSchema> = { id: { type: 'string', pattern: '^[0-9a-f]{24}$' } }

const POLYGON: JsonSchema = listOf(listOf(listOf({ type: 'number' })))
const RINGS = { Polygon: POLYGON, MultiPolygon: listOf(POLYGON) }

const FORMS: Record<Exclude<Field['type'], 'items'>, JsonSchema> = {
  text: { type: 'string' },
  date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  moment: { type: 'string', format: 'date-time' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  object: { type: 'object', additionalProperties: true },
  empty: { type: 'array', items: {}, maxItems: 0 },
  null: { type: 'null' },
  point: {
    type: 'object',
    required: ['type', 'coordinates'],
    properties: {
      type: { type: 'string', const: 'Point', description: 'As RFC 7946 names it.' },
      coordinates: {
        type: 'array',
        items: { type: 'number' },
        minItems: 2,
        maxItems: 2,
        description: 'Longitude and latitude, WGS 84 degrees.',
      },
    },
  },
  geometry: describeShape(['Polygon', 'MultiPolygon']),
}

/** Types that the flat layout shows in a form of its own. */
const FLAT_FORMS = {
  date: { type: 'string', pattern: '^\\d{8}$' },
  geometry: describeShape(['MultiPolygon']),
}

function describeShape(types: (keyof typeof RINGS)[]): JsonSchema {
  const shapes = types.map((type) => RINGS[type])
  return {
    type: 'object',
    required: ['type', 'coordinates'],
    properties: {
      type: { type: 'string', enum: types, description: 'As RFC 7946 names it.' },
      coordinates: {
        ...(types.length > 1 ? { anyOf: shapes } : shapes[0]),
        description: 'Rings of longitude and latitude, WGS 84 degrees.',
      },
    },
  }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

/** An account with `emptyFields=omit` gets no empty keys. */
function describeItem(properties: Record<string, JsonSchema>): JsonSchema {
  const filled = Object.keys(properties).filter((name) => isAlwaysThere(properties[name] ?? {}))
  return describeObject(properties, filled)
}

function describeObject(
  properties: Record<string, JsonSchema>,
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    // A later version may add fields, which must not break clients that validate.
    additionalProperties: true,
  }
}

function isAlwaysThere({ type }: JsonSchema): boolean {
  return type !== 'null' && !(Array.isArray(type) && type.includes('null'))
}

/** The nested record (v3). */
export const NESTED_SCHEMA = describeLayout('nested')

/** The flat record (v2-compatible). */
export const FLAT_SCHEMA = describeLayout('flat')
