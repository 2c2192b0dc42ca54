/** JSON Schemas as the OpenAPI document holds them, each with a description for people. */

export type JsonSchema = Record<string, unknown>

const simple =
  (type: string | string[], more: object = {}) =>
  (description: string): JsonSchema => ({ type, ...more, description })

/** Makes a schema of each kind. */
export const json = {
  text: simple('string'),
  integer: simple('integer'),
  number: simple('number'),
  boolean: simple('boolean'),
  time: simple('string', { format: 'date-time' }),
  timeOrNull: simple(['string', 'null'], { format: 'date-time' }),
  textOrNull: simple(['string', 'null']),
  integerOrNull: simple(['integer', 'null']),
  numberOrNull: simple(['number', 'null']),
  texts: simple('array', { items: { type: 'string' } }),
  oneOf: (words: readonly string[], description: string): JsonSchema => ({
    ...{ type: 'string', enum: [...words], description },
  }),
  list: (items: JsonSchema, description: string): JsonSchema => ({
    ...{ type: 'array', items, description },
  }),
  /** An object with these members; `optional`: those that may be absent, all for `'all'`. */
  object: (
    properties: Record<string, JsonSchema>,
    description?: string,
    optional: readonly string[] | 'all' = [],
  ): JsonSchema => ({
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    ...(optional !== 'all' && {
      required: Object.keys(properties).filter((name) => !optional.includes(name)),
    }),
  }),
}
