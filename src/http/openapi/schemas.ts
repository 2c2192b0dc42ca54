/**
 * Schemas of the OpenAPI document that no operation declares: answers, refusals, usage and health.
 */
import { GATE } from '../../access/billing-gate.ts'
import { FLAT_SCHEMA, type JsonSchema, NESTED_SCHEMA } from '../../record/schema.ts'

export const HEALTH: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['ok', 'stopping'] },
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

const DAY: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }

const USAGE: JsonSchema = objectOf(
  {
    period: objectOf({ start: DAY, end: { ...DAY, description: 'The day after the last one.' } }, [
      'start',
      'end',
    ]),
    tokens: objectOf(
      {
        included: COUNT_OR_NONE,
        cap: COUNT_OR_NONE,
        used: { type: 'integer' },
        left: COUNT_OR_NONE,
      },
      ['included', 'cap', 'used', 'left'],
    ),
    days: {
      type: 'array',
      items: objectOf(
        {
          day: DAY,
          endpoint: { type: 'string', description: 'Operation id, or `correction`.' },
          requests: COUNT,
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
  city: TEXT_OR_NONE,
  county: TEXT_OR_NONE,
  zipCode: TEXT_OR_NONE,
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
    description: 'With `explain=true`: how the answer came about (docs/explain.md).',
    required: ['words'],
    properties: {
      words: {
        type: 'array',
        items: { type: 'string' },
        description: 'The explanation in sentences, for people.',
      },
      read: { description: 'How the question was read.' },
      tried: {
        type: 'array',
        items: { type: 'object' },
        description: 'What was looked for, in order, and how much each look found.',
      },
      rounds: {
        type: 'array',
        items: { type: 'object' },
        description: 'Of an owner search: by equal words, then with one letter different.',
      },
      met: {
        type: 'array',
        items: { type: 'object' },
        description: 'Which recorded words met which asked ones.',
      },
      leftOut: {
        type: 'array',
        items: { type: ['object', 'string'] },
        description: 'What is not the answer, and why.',
      },
    },
    additionalProperties: false,
  },
  ListAnswer: objectOf(
    { properties: { type: 'array', items: ref('Property') }, metadata: ref('Metadata') },
    ['properties', 'metadata'],
  ),
  Metadata: objectOf(
    {
      limit: { type: 'integer', description: 'Applied page size.' },
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
      searchCenter: {
        type: 'object',
        description: 'Center of the circle that was searched, in degrees; only beside a circle.',
        properties: { longitude: { type: 'number' }, latitude: { type: 'number' } },
        required: ['longitude', 'latitude'],
      },
      radiusMiles: { type: 'number', description: 'Its radius in miles.' },
      explain: ref('Explanation'),
    },
    ['limit', 'count'],
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
        items: objectOf(CANDIDATE, Object.keys(CANDIDATE)),
      },
      explain: ref('Explanation'),
    },
    ['error', 'candidates'],
  ),
  AccessDenied: objectOf(
    {
      error: { type: 'string', description: 'For people; integrations use `code`.' },
      code: { enum: GATE.map(({ code }) => code) },
      action: { type: 'string', description: 'Next step for the person who manages billing.' },
      billing_url: { type: 'string', format: 'uri-reference' },
    },
    ['error', 'code', 'action', 'billing_url'],
  ),
}

function objectOf(properties: Record<string, JsonSchema>, required: string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
