/** Parameters, states and schema of comparable sales. */
import { type JsonSchema, json } from '../../record/json-schema.ts'
import type { Sale } from '../../sales/sale.ts'
import { PARTS } from '../../sales/similarity.ts'
import { SUBJECT } from '../find/subject.ts'
import type { Values } from '../parameters.ts'
import {
  centerSchema,
  LATITUDE,
  LONGITUDE,
  listSchema,
  PROPERTIES_SCHEMA,
} from '../places/place-parameters.ts'
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

const SALE: JsonSchema = json.object(
  {
    date: json.text('Date of the sale, `YYYY-MM-DD`.'),
    price: json.number('US dollars.'),
    pricePerSqFt: json.numberOrNull('US dollars per square foot of building.'),
    distanceMiles: json.number('Great-circle distance from the search center.'),
    similarity: json.number('0 to 1: the weighted sum of the parts.'),
    parts: { ...PART_NUMBERS, description: 'Each part of the similarity, 0 to 1.' },
    differences: { ...PART_NUMBERS, description: 'Sold property minus the subject.' },
    qualified: json.boolean('Whether the sale is at market price.'),
    flags: json.texts('Reasons why the sale is not at market price.'),
  },
  undefined,
  'all',
)

const BACKTEST: JsonSchema = {
  type: ['object', 'null'],
  description:
    "Errors of such estimates on the county's past sales, each estimated from earlier ones; " +
    '`null` with a `reason` if fewer than 200 could be estimated.',
  properties: {
    county: json.text('Name of the county.'),
    sales: json.integer('Number of past sales that were estimated.'),
    medianError: json.number('Median of the absolute relative errors.'),
    within20Percent: json.number('Share within 20 % of the price, 0 to 1.'),
    coverage: json.number(
      'Share of the later prices inside the range set by the earlier ones, 0 to 1.',
    ),
  },
}

const list = listSchema(
  {
    limit: json.integer('Applied page size.'),
    offset: json.integer('Applied number of sales skipped.'),
    count: json.integer('Number of properties in this answer.'),
    total: json.integer('Sales that were found, over all pages.'),
    complete: json.boolean(
      'false: the radius has more sales than were examined, the nearest ones.',
    ),
    searchCenter: centerSchema('The requested point, or the point of the subject.'),
    radiusMiles: json.number('Applied radius in miles.'),
    timeFrame: json.integer('Applied maximum age of a sale in months.'),
    searchParams: {
      type: 'object',
      description: 'The parameters as applied, defaults and caps included.',
      additionalProperties: true,
    },
    sales: json.list(SALE, 'The sale of each property, in their order.'),
    basis: json.text('`assessment`, with `basis=assessment`.'),
    rule: json.text('How likeness is scored, with `basis=assessment`.'),
    subject: json.object(
      {
        assessedValue: json.number('US dollars.'),
        per: json.text('Area of values per square foot: building or land.'),
        valuePerSqFt: json.number('US dollars per square foot.'),
        medianPerSqFt: json.number('Median of the like parcels.'),
        percentile: json.number('Place among the like parcels, 0 to 100.'),
        valueAtMedian: json.number('Value that the median would give.'),
        n: json.integer('Number of like parcels, at most 25.'),
      },
      'With `basis=assessment`: the subject among the parcels most like it.',
      'all',
    ),
    assessments: json.list(
      json.object(
        {
          assessedValue: json.number('US dollars.'),
          valuePerSqFt: json.number('US dollars per square foot.'),
          similarity: json.number('0 to 1.'),
          differences: { type: 'object', description: 'Parcel minus the subject, by part.' },
        },
        undefined,
        'all',
      ),
      'With `basis=assessment`: of each property, in their order.',
    ),
    excluded: {
      type: 'object',
      description: 'With `explain`: number of sales not at market price, by flag.',
      additionalProperties: { type: 'integer' },
    },
    estimate: json.object(
      {
        value: json.numberOrNull('US dollars; null: no estimate, see `reason`.'),
        low: json.numberOrNull('Lower end of the range, US dollars.'),
        high: json.numberOrNull('Upper end of the range, US dollars.'),
        method: json.text('Estimation method.'),
        n: json.integer('Number of sales that the value was estimated from.'),
        backtest: BACKTEST,
        reason: json.text('Why there is no value.'),
      },
      'With `estimate`: `value` in US dollars from `n` sales, `null` with a `reason`.',
      'all',
    ),
  },
  [
    ...['limit', 'offset', 'count', 'total', 'complete', 'searchCenter', 'radiusMiles'],
    'searchParams',
  ],
)

/** The list answer with `comparables` and `properties`, which hold the same records. */
export const COMPARABLES_SCHEMA: JsonSchema = {
  ...list,
  properties: {
    comparables: { ...PROPERTIES_SCHEMA, description: 'The same records as `properties`.' },
    ...(list.properties as Record<string, JsonSchema>),
  },
  required: ['comparables', 'properties', 'metadata'],
}
