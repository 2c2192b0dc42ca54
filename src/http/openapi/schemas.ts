/** Schemas of the OpenAPI document outside the operations: answers, refusals, usage and health. */
import { GATE } from '../../accounts/billing-gate.ts'
import { PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { answerOf, close, fillIn, type JsonSchema, membersOf } from '../../record/json-schema.ts'
import { FLAT_SCHEMA, NESTED_SCHEMA } from '../../record/schema.ts'

export const HEALTH: JsonSchema = answerOf('health')

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const VALUE: JsonSchema = {
  ...answerOf('origin'),
  required: ['rule'],
  description: 'Without a file, the value is not from the roll.',
}

/** `frame`: the schemas, with places for what tables have. */
export function listSchemas(frame: JsonSchema): Record<string, JsonSchema> {
  // With `countOnly` there are only totals.
  const closed = ['Metadata', 'UsageAnswer', 'Error', 'Gone', 'candidate']
  return fillIn(JSON.stringify(frame), {
    ...Object.fromEntries(closed.map((name) => [name, close(answerOf(name))])),
    ...{ nested: NESTED_SCHEMA, flat: FLAT_SCHEMA, properties: PROPERTIES_SCHEMA },
    ...membersOf('Error'),
    explanation: membersOf('Explanation'),
    provenance: membersOf('Provenance', {
      values: { type: 'object', additionalProperties: VALUE },
    }),
    AccessDenied: close(answerOf('AccessDenied', { code: { enum: GATE.map(({ code }) => code) } })),
  })
}
