/** JSON Schemas of both layouts, from the same trees that render them. For the OpenAPI document. */
import { ASSESSMENT_LEAVES, BUILDING_LEAVES, LEAVES, TRANSFER_LEAVES } from '../record/leaves.ts'
import type { Tree } from './template.ts'
import { FLAT } from './v2-flat.ts'
import { NESTED } from './v3-nested.ts'

export type JsonSchema = Record<string, unknown>

const text = { type: ['string', 'null'] }
const integer = { type: ['integer', 'null'] }
const decimal = { type: ['number', 'null'] }
const truth = { type: ['boolean', 'null'] }
const date = { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
const flatDate = { type: ['string', 'null'], pattern: '^\\d{8}$' }
const moment = { type: ['string', 'null'], format: 'date-time' }

/** Leaves whose numbers are not whole. */
const DECIMALS = new Set([
  'latitude',
  'longitude',
  'acres',
  'landArea',
  'frontage',
  'depth',
  'taxAmount',
  'bathrooms',
  'stories',
])

const EMPTY_LIST = { type: 'array', maxItems: 0 }

const POINT = {
  type: ['object', 'null'],
  required: ['type', 'coordinates'],
  properties: {
    type: { const: 'Point' },
    coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  },
}

const GEOMETRY = {
  type: ['object', 'null'],
  required: ['type', 'coordinates'],
  properties: { type: { enum: ['Polygon', 'MultiPolygon'] }, coordinates: { type: 'array' } },
}

const ASSESSMENT = itemSchema(ASSESSMENT_LEAVES, { taxAmount: decimal }, integer)

const TRANSFER = itemSchema(
  TRANSFER_LEAVES,
  { transferDate: date, recordingDate: date, transferPrice: integer },
  text,
)

const BUILDING_TYPES: Record<string, JsonSchema> = {
  buildingArea: integer,
  actualYearBuilt: integer,
  effectiveYearBuilt: integer,
  stories: decimal,
  bedrooms: integer,
  bathrooms: decimal,
  garageCount: integer,
  fireplaceCount: integer,
  pool: truth,
}

const BUILDING = itemSchema(BUILDING_LEAVES, BUILDING_TYPES, text)

const FLAT_TRANSFER_TYPES: Record<string, JsonSchema> = {
  transferDate: flatDate,
  transferDateObject: moment,
  transferPrice: integer,
  recordingDate: flatDate,
  transferDocType: text,
  transferDocNum: text,
  bookNum: text,
  pageNum: text,
  grantor: text,
  grantee: text,
  saleQualificationCode: text,
}

/** Fields that no leaf holds, by key; both layouts. */
const DERIVED: Record<string, JsonSchema> = {
  id: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  _id: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  location: POINT,
  geometry: GEOMETRY,
  loadedAt: { type: 'string', format: 'date-time' },
  updatedAt: { type: 'string', format: 'date-time' },
  ownershipStartDate: flatDate,
  ...FLAT_TRANSFER_TYPES,
  buildingArea: integer,
  yearBuilt: integer,
  effectiveYearBuilt: integer,
  stories: decimal,
  totalBedrooms: integer,
  totalBathrooms: decimal,
  garage: truth,
  garageCount: integer,
  fireplace: truth,
  fireplaceCount: integer,
  pool: truth,
  buildings: { type: 'array', items: BUILDING },
  assessments: { type: 'array', items: ASSESSMENT },
}

const LEAF_SCHEMAS = new Map(
  LEAVES.map(([name, kind]): [string, JsonSchema] => {
    if (name === 'ownershipStartDate') return [name, date]
    if (kind === 'number') return [name, DECIMALS.has(name) ? decimal : integer]
    if (kind === 'boolean') return [name, name === 'addressAssigned' ? { type: 'boolean' } : truth]
    if (kind === 'strings') return [name, { type: 'array', items: { type: 'string' } }]
    if (kind === 'object') return [name, { type: 'object', additionalProperties: true }]
    return [name, text]
  }),
)

/** The nested record (v3). */
export const NESTED_SCHEMA = treeSchema(NESTED, {
  transfers: { type: 'array', items: TRANSFER },
})

/** The flat record (v2-compatible). */
export const FLAT_SCHEMA = treeSchema(FLAT, {
  transfers: {
    type: 'array',
    items: objectSchema(FLAT_TRANSFER_TYPES),
  },
})

function treeSchema(tree: Tree, own: Record<string, JsonSchema>): JsonSchema {
  return objectSchema(
    Object.fromEntries(
      Object.entries(tree).map(([key, end]) => {
        if ('group' in end) return [key, treeSchema(end.group, own)]
        if ('fixed' in end) return [key, end.fixed === '[]' ? EMPTY_LIST : { type: 'null' }]
        if ('leaf' in end) return [key, LEAF_SCHEMAS.get(end.leaf) ?? text]
        return [key, own[key] ?? DERIVED[key] ?? text]
      }),
    ),
  )
}

function itemSchema(
  names: readonly string[],
  types: Record<string, JsonSchema>,
  otherwise: JsonSchema,
): JsonSchema {
  return objectSchema(Object.fromEntries(names.map((name) => [name, types[name] ?? otherwise])))
}

function objectSchema(properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}
