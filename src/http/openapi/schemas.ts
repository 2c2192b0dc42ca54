/** Schemas of the OpenAPI document outside the operations: answers, refusals, usage and health. */
import { GATE } from '../../accounts/billing-gate.ts'
import { PROVENANCE_SCHEMA } from '../../operations/explain/provenance-schema.ts'
import { centerSchema, PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { TOTALS_SCHEMA } from '../../operations/questions/question.ts'
import { HELD_SCHEMA } from '../../operations/time/former-reader.ts'
import { FLAT_SCHEMA, type JsonSchema, NESTED_SCHEMA } from '../../record/schema.ts'

export const HEALTH: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: {
      enum: ['ok', 'ready', 'stopping', 'unavailable'],
      description: '`stopping` and `unavailable`: send no requests now.',
    },
    unavailable: {
      type: 'array',
      items: { type: 'string' },
      description: 'States whose database cannot be reached now; left out where there are none.',
    },
  },
}

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

const USAGE: JsonSchema = objectOf(
  {
    period: {
      ...objectOf(
        {
          start: { ...DAY, description: 'The first day of the period, UTC.' },
          end: { ...DAY, description: 'The day after the last one, UTC.' },
        },
        ['start', 'end'],
      ),
      description: 'The current billing period.',
    },
    tokens: {
      ...objectOf(
        {
          included: { ...COUNT_OR_NONE, description: 'Tokens of the plan; null: no limit.' },
          cap: { ...COUNT_OR_NONE, description: 'Tokens allowed beyond them; null: no limit.' },
          used: { type: 'integer', description: 'Tokens charged, less what was credited.' },
          left: {
            ...COUNT_OR_NONE,
            description: 'Tokens left in the period, those of the cap included; null: no limit.',
          },
        },
        ['included', 'cap', 'used', 'left'],
      ),
      description: 'Tokens of the period.',
    },
    days: {
      type: 'array',
      description: 'Requests and tokens by day and operation; days without any are left out.',
      items: objectOf(
        {
          day: DAY,
          endpoint: { type: 'string', description: 'Operation id, or `correction`.' },
          requests: { ...COUNT, description: 'Answered requests.' },
          tokens: { type: 'integer', description: 'Negative for a credit.' },
        },
        ['day', 'endpoint', 'requests', 'tokens'],
      ),
    },
  },
  ['period', 'tokens', 'days'],
)

const TEXT_OR_NONE: JsonSchema = { type: ['string', 'null'] }

const CANDIDATE: Record<string, JsonSchema> = {
  propertyId: { type: 'string', description: 'Stable ID of the property.' },
  address: { ...TEXT_OR_NONE, description: 'Street address line 1.' },
  city: { ...TEXT_OR_NONE, description: 'Postal city of the parcel.' },
  county: { ...TEXT_OR_NONE, description: 'Name of the county.' },
  zipCode: { ...TEXT_OR_NONE, description: 'Five digits.' },
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
      words: {
        type: 'array',
        items: { type: 'string' },
        description: 'The explanation in sentences, for people.',
      },
      read: { description: 'How the parameters were read.' },
      tried: {
        type: 'array',
        items: { type: 'object' },
        description: 'The steps of the search in order, each with the number of parcels it found.',
      },
      rounds: {
        type: 'array',
        items: { type: 'object' },
        description: 'Owner search only: the exact search, then the fuzzy one.',
      },
      met: {
        type: 'array',
        items: { type: 'object' },
        description:
          'Owner search: pairs of a word of the query and the recorded word that it matches. ' +
          'Portfolio: the parcels of the page, each with its reason.',
      },
      leftOut: {
        type: 'array',
        items: { type: ['object', 'string'] },
        description: 'Parcels or values that were not returned, each with the reason.',
      },
      provenance: ref('Provenance'),
    },
    additionalProperties: false,
  },
  Provenance: PROVENANCE_SCHEMA,
  ListAnswer: objectOf({ properties: PROPERTIES_SCHEMA, metadata: ref('Metadata') }, [
    'properties',
    'metadata',
  ]),
  Metadata: objectOf(
    {
      limit: { type: 'integer', description: 'Applied page size; not with countOnly.' },
      offset: {
        type: 'integer',
        description: 'Applied number of records skipped; offset mode only.',
      },
      count: { type: 'integer', description: 'Number of properties in this answer.' },
      nextCursor: {
        type: ['string', 'null'],
        description: 'Opaque token for the next page, null on the last; cursor mode only.',
      },
      deprecationNotice: { type: 'string', description: 'With an offset above 0.' },
      searchCenter: centerSchema('Center of the circle; only in a search by circle.'),
      radiusMiles: { type: 'number', description: 'Radius of the circle in miles.' },
      ...TOTALS_SCHEMA,
      held: HELD_SCHEMA,
      explain: ref('Explanation'),
    },
    // With `countOnly` there are only totals.
    [],
  ),
  UsageAnswer: USAGE,
  Error: objectOf({ error: { type: 'string', description: 'Human-readable description.' } }, [
    'error',
  ]),
  NotFound: objectOf(
    {
      error: { type: 'string', description: 'Human-readable description.' },
      explain: ref('Explanation'),
    },
    ['error'],
  ),
  Gone: objectOf(
    {
      error: { type: 'string', description: 'Human-readable description.' },
      oldestSequence: { type: 'integer', description: 'The oldest change that is kept.' },
    },
    ['error'],
  ),
  Candidates: objectOf(
    {
      error: { type: 'string', description: 'Human-readable description.' },
      candidates: {
        type: 'array',
        maxItems: 10,
        description: 'Up to ten parcels that match.',
        items: objectOf(CANDIDATE, Object.keys(CANDIDATE)),
      },
      explain: ref('Explanation'),
    },
    ['error', 'candidates'],
  ),
  AccessDenied: objectOf(
    {
      error: { type: 'string', description: 'Human-readable text; programs use `code`.' },
      code: { enum: GATE.map(({ code }) => code), description: 'Why the account is blocked.' },
      action: { type: 'string', description: 'Next step for the person who manages billing.' },
      billing_url: {
        type: 'string',
        format: 'uri-reference',
        description: 'The page on which the account holder can fix billing.',
      },
    },
    ['error', 'code', 'action', 'billing_url'],
  ),
}

function objectOf(properties: Record<string, JsonSchema>, required: string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
