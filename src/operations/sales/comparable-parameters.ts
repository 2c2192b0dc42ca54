/** Parameters, states and schema of comparable sales. */
import { type JsonSchema, json } from '../../record/json-schema.ts'
import type { Sale } from '../../sales/sale.ts'
import { PARTS } from '../../sales/similarity.ts'
import { SUBJECT } from '../find/subject.ts'
import type { Values } from '../parameters.ts'
import { LATITUDE, LONGITUDE, listSchema, PROPERTIES_SCHEMA } from '../places/place-parameters.ts'
import { FIELDS, OFFSET, param } from '../shared-parameters.ts'

/** States in which sale prices are not public. */
export const NON_DISCLOSURE: ReadonlySet<string> = new Set(
  'AK ID KS LA MS MO MT NM ND TX UT WY'.split(' '),
)

const BOUND = { type: 'number', minimum: 0 } as const

export const COMPARABLE_PARAMETERS = {
  fields: FIELDS,
  latitude: LATITUDE,
  longitude: LONGITUDE,
  ...SUBJECT,
  radius: param.miles(10),
  timeFrame: {
    ...param.upTo(60, 18),
    aliases: ['time_frame'],
  },
  maxResults: {
    ...param.upTo(50, 25),
    aliases: ['limit'],
  },
  offset: OFFSET,
  sqftMin: BOUND,
  sqftMax: BOUND,
  bedsMin: BOUND,
  bedsMax: BOUND,
  bathsMin: BOUND,
  bathsMax: BOUND,
  priceMin: BOUND,
  priceMax: BOUND,
  propertyType: {
    ...param.choice(['any', 'house', 'condo'], 'any'),
    aliases: ['property_type'],
  },
  basis: param.choice(['sale', 'assessment'], 'sale'),
  explain: param.flag,
  estimate: param.flag,
} as const

type Asked = Values<typeof COMPARABLE_PARAMETERS>

/** Reports whether a sale is within the requested bounds; unrecorded features are within none. */
export function isWanted(sale: Sale, values: Asked): boolean {
  const { areaSqFt, bedrooms, bathrooms, price, kind } = sale
  return (
    isWithin(areaSqFt, values.sqftMin, values.sqftMax) &&
    isWithin(bedrooms, values.bedsMin, values.bedsMax) &&
    isWithin(bathrooms, values.bathsMin, values.bathsMax) &&
    isWithin(price, values.priceMin, values.priceMax) &&
    (values.propertyType === 'any' || values.propertyType === kind)
  )
}

function isWithin(value: number | null, least = -Infinity, most = Infinity): boolean {
  if (value === null) return least === -Infinity && most === Infinity
  return value >= least && value <= most
}

const PART_NUMBERS: JsonSchema = json.object(
  Object.fromEntries(
    Object.entries(PARTS).map(([name, { unit }]) => [name, json.numberOrNull(unit)]),
  ),
  undefined,
  'all',
)

const list = listSchema('comparables', { parts: PART_NUMBERS })

/** The list answer with `comparables` and `properties`, which hold the same records. */
export const COMPARABLES_SCHEMA: JsonSchema = {
  ...list,
  properties: {
    comparables: { ...PROPERTIES_SCHEMA, description: 'The same records as `properties`.' },
    ...(list.properties as Record<string, JsonSchema>),
  },
  required: ['comparables', 'properties', 'metadata'],
}
