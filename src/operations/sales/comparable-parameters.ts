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

function bound(what: string, unit: string, example: number) {
  return {
    type: 'number',
    minimum: 0,
    about: `${what}, ${unit}; sales without this value are excluded.`,
    example,
  } as const
}

export const COMPARABLE_PARAMETERS = {
  fields: FIELDS,
  latitude: { ...LATITUDE, about: `${LATITUDE.about} Required without a property.` },
  longitude: { ...LONGITUDE, about: `${LONGITUDE.about} Required without a property.` },
  ...SUBJECT,
  radius: {
    ...param.miles(10, 'Miles around the point; larger values are capped at 10.'),
    above: true,
  },
  timeFrame: {
    ...param.upTo(60, 18, 'Maximum age of a sale in months; larger values are capped at 60.', 12),
    aliases: ['time_frame'],
  },
  maxResults: {
    ...param.upTo(50, 25, 'Page size; larger values are capped at 50.', 10),
    aliases: ['limit'],
  },
  offset: OFFSET,
  sqftMin: bound('Least building area', 'square feet', 1000),
  sqftMax: bound('Largest building area', 'square feet', 3000),
  bedsMin: bound('Least number of bedrooms', 'all buildings', 2),
  bedsMax: bound('Largest number of bedrooms', 'all buildings', 4),
  bathsMin: bound('Least number of bathrooms', 'half baths count 0.5', 1),
  bathsMax: bound('Largest number of bathrooms', 'half baths count 0.5', 3),
  priceMin: bound('Least price', 'US dollars', 100000),
  priceMax: bound('Largest price', 'US dollars', 500000),
  propertyType: {
    ...param.choice(
      ['any', 'house', 'condo'],
      'any',
      'Kind of the comparable properties; also replaces the kind of the subject.',
      'house',
    ),
    aliases: ['property_type'],
  },
  basis: param.choice(
    ['sale', 'assessment'],
    'sale',
    'assessment: parcels of the same use that are most like the property, with their assessed ' +
      'values, instead of sales.',
    'sale',
  ),
  explain: param.flag(
    'Also sales not at market price, with their flags, and their number by flag.',
  ),
  estimate: param.flag('Estimates the value of the subject from the sales.'),
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
