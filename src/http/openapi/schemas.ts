/** Schemas of the OpenAPI document outside the operations: answers, refusals, usage and health. */
import { GATE } from '../../accounts/billing-gate.ts'
import { PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { answerOf, close, type JsonSchema, membersOf } from '../../record/json-schema.ts'
import { FLAT_SCHEMA, NESTED_SCHEMA } from '../../record/schema.ts'

export const HEALTH: JsonSchema = answerOf('health')

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const VALUE: JsonSchema = {
  ...answerOf('origin'),
  required: ['rule'],
  description: 'Without a file, the value is not from the roll.',
}

const ERROR = membersOf('Error')
const EXPLAIN = { explain: ref('Explanation') }

export const SCHEMAS: Record<string, JsonSchema> = {
  NestedProperty: NESTED_SCHEMA,
  FlatProperty: FLAT_SCHEMA,
  Property: {
    description: 'Nested for accounts with the nested shape on v3 reads, flat for all others.',
    oneOf: [ref('NestedProperty'), ref('FlatProperty')],
  },
  PropertyAnswer: closed({ property: ref('Property'), ...EXPLAIN }, ['property']),
  Explanation: {
    type: 'object',
    description: 'With `explain=true`: an explanation of the answer (docs/explain.md).',
    required: ['words'],
    properties: membersOf('Explanation'),
    additionalProperties: false,
  },
  Provenance: {
    type: 'object',
    description:
      'Lookups only: file, row, columns and rule of each value of the answer (docs/provenance.md).',
    properties: membersOf('Provenance', {
      values: { type: 'object', additionalProperties: VALUE },
    }),
    additionalProperties: false,
  },
  ListAnswer: closed({ properties: PROPERTIES_SCHEMA, metadata: ref('Metadata') }),
  // With `countOnly` there are only totals.
  Metadata: close(answerOf('Metadata')),
  UsageAnswer: close(answerOf('UsageAnswer')),
  Error: closed(ERROR),
  NotFound: closed({ ...ERROR, ...EXPLAIN }, ['error']),
  Gone: close(answerOf('Gone')),
  Candidates: closed(
    {
      ...ERROR,
      candidates: {
        type: 'array',
        maxItems: 10,
        description: 'Up to ten parcels that match.',
        items: close(answerOf('candidate')),
      },
      ...EXPLAIN,
    },
    ['error', 'candidates'],
  ),
  AccessDenied: close(answerOf('AccessDenied', { code: { enum: GATE.map(({ code }) => code) } })),
}

function closed(properties: JsonSchema, required = Object.keys(properties)): JsonSchema {
  return close({ properties, required })
}
