/** Schemas of the OpenAPI document outside the operations: answers, refusals, usage and health. */
import { GATE } from '../../accounts/billing-gate.ts'
import { PROVENANCE_SCHEMA } from '../../operations/explain/provenance-schema.ts'
import { centerSchema, PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { TOTALS_SCHEMA } from '../../operations/questions/question.ts'
import { HELD_SCHEMA } from '../../operations/time/former-reader.ts'
import { type JsonSchema, json } from '../../record/json-schema.ts'
import { FLAT_SCHEMA, NESTED_SCHEMA } from '../../record/schema.ts'

export const HEALTH: JsonSchema = json.object(
  {
    status: {
      enum: ['ok', 'ready', 'stopping', 'unavailable'],
      description: '`stopping` and `unavailable`: send no requests now.',
    },
    unavailable: json.texts(
      'States whose database cannot be reached now; left out where there are none.',
    ),
  },
  undefined,
  ['unavailable'],
)

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const COUNT: JsonSchema = { type: 'integer', minimum: 0 }

const COUNT_OR_NONE: JsonSchema = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'null: no limit.',
}

const DAY: JsonSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A day in UTC.',
}

const USAGE: JsonSchema = objectOf({
  period: {
    ...objectOf({
      start: { ...DAY, description: 'The first day of the period, UTC.' },
      end: { ...DAY, description: 'The day after the last one, UTC.' },
    }),
    description: 'The current billing period.',
  },
  tokens: {
    ...objectOf({
      included: { ...COUNT_OR_NONE, description: 'Tokens of the plan; null: no limit.' },
      cap: { ...COUNT_OR_NONE, description: 'Tokens allowed beyond them; null: no limit.' },
      used: json.integer('Tokens charged, less what was credited.'),
      left: {
        ...COUNT_OR_NONE,
        description: 'Tokens left in the period, those of the cap included; null: no limit.',
      },
    }),
    description: 'Tokens of the period.',
  },
  days: json.list(
    objectOf({
      day: DAY,
      endpoint: json.text('Operation id, or `correction`.'),
      requests: { ...COUNT, description: 'Answered requests.' },
      tokens: json.integer('Negative for a credit.'),
    }),
    'Requests and tokens by day and operation; days without any are left out.',
  ),
})

const CANDIDATE: Record<string, JsonSchema> = {
  propertyId: json.text('Stable ID of the property.'),
  address: json.textOrNull('Street address line 1.'),
  city: json.textOrNull('Postal city of the parcel.'),
  county: json.textOrNull('Name of the county.'),
  zipCode: json.textOrNull('Five digits.'),
}

export const SCHEMAS: Record<string, JsonSchema> = {
  NestedProperty: NESTED_SCHEMA,
  FlatProperty: FLAT_SCHEMA,
  Property: {
    description: 'Nested for accounts with the nested shape on v3 reads, flat for all others.',
    oneOf: [ref('NestedProperty'), ref('FlatProperty')],
  },
  PropertyAnswer: objectOf({ property: ref('Property'), explain: ref('Explanation') }, [
    'property',
  ]),
  Explanation: {
    type: 'object',
    description: 'With `explain=true`: an explanation of the answer (docs/explain.md).',
    required: ['words'],
    properties: {
      words: json.texts('The explanation in sentences, for people.'),
      read: { description: 'How the parameters were read.' },
      tried: json.list(
        { type: 'object' },
        'The steps of the search in order, each with the number of parcels it found.',
      ),
      rounds: json.list(
        { type: 'object' },
        'Owner search only: the exact search, then the fuzzy one.',
      ),
      met: json.list(
        { type: 'object' },
        'Owner search: pairs of a word of the query and the recorded word that it matches. ' +
          'Portfolio: the parcels of the page, each with its reason.',
      ),
      leftOut: json.list(
        { type: ['object', 'string'] },
        'Parcels or values that were not returned, each with the reason.',
      ),
      provenance: ref('Provenance'),
    },
    additionalProperties: false,
  },
  Provenance: PROVENANCE_SCHEMA,
  ListAnswer: objectOf({ properties: PROPERTIES_SCHEMA, metadata: ref('Metadata') }),
  Metadata: objectOf(
    {
      limit: json.integer('Applied page size; not with countOnly.'),
      offset: json.integer('Applied number of records skipped; offset mode only.'),
      count: json.integer('Number of properties in this answer.'),
      nextCursor: json.textOrNull(
        'Opaque token for the next page, null on the last; cursor mode only.',
      ),
      deprecationNotice: json.text('With an offset above 0.'),
      searchCenter: centerSchema('Center of the circle; only in a search by circle.'),
      radiusMiles: json.number('Radius of the circle in miles.'),
      ...TOTALS_SCHEMA,
      held: HELD_SCHEMA,
      explain: ref('Explanation'),
    },
    // With `countOnly` there are only totals.
    [],
  ),
  UsageAnswer: USAGE,
  Error: objectOf({ error: json.text('Human-readable description.') }, ['error']),
  NotFound: objectOf(
    {
      error: json.text('Human-readable description.'),
      explain: ref('Explanation'),
    },
    ['error'],
  ),
  Gone: objectOf(
    {
      error: json.text('Human-readable description.'),
      oldestSequence: json.integer('The oldest change that is kept.'),
    },
    ['error'],
  ),
  Candidates: objectOf(
    {
      error: json.text('Human-readable description.'),
      candidates: {
        type: 'array',
        maxItems: 10,
        description: 'Up to ten parcels that match.',
        items: objectOf(CANDIDATE),
      },
      explain: ref('Explanation'),
    },
    ['error', 'candidates'],
  ),
  AccessDenied: objectOf({
    error: json.text('Human-readable text; programs use `code`.'),
    code: { enum: GATE.map(({ code }) => code), description: 'Why the account is blocked.' },
    action: json.text('Next step for the person who manages billing.'),
    billing_url: {
      type: 'string',
      format: 'uri-reference',
      description: 'The page on which the account holder can fix billing.',
    },
  }),
}

function objectOf(
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
