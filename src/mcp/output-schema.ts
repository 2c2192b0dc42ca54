/** Describes the structured content of a tool's results. */
import type { Operation } from '../operations/operation.ts'
import { type JsonSchema, membersOf } from '../record/json-schema.ts'

const object = (description: string): JsonSchema => ({ type: 'object', description })
const list = (description: string): JsonSchema => ({
  ...{ type: 'array', items: { type: 'object' } },
  description,
})

/** Members in addition to the answer, and those of a refusal. All are optional. */
const BESIDE = membersOf('mcp')

/** Returns the schema of `callTool`'s result for an operation. Records leave out empty fields. */
export function describeOutput({ answers }: Operation): JsonSchema & { type: 'object' } {
  return { type: 'object', properties: { ...describeAnswer(answers), ...BESIDE } }
}

function describeAnswer(answers: Operation['answers']): Record<string, JsonSchema> {
  switch (answers) {
    case undefined:
      return {}
    case 'property':
      return {
        property: object('The record of the property, without its empty fields.'),
        candidates: list('If the address is ambiguous: up to ten parcels that match.'),
      }
    case 'list':
      return {
        properties: list('Records of properties, without their empty fields.'),
        metadata: object('Of the list: limit, count, and nextCursor if there is a next page.'),
      }
    case 'usage':
      return {
        period: object('The billing period: its first day, and the day after its last.'),
        tokens: object('Tokens of the period: used, and left, which is null without a limit.'),
      }
    default:
      return describeKeys(answers.schema)
  }
}

/** Returns the names of an answer, with the type of lists and objects. */
function describeKeys({ properties }: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(
      ([name, { type, description }]) => [
        name,
        {
          ...((type === 'array' || type === 'object') && { type }),
          ...(description !== undefined && { description }),
        },
      ],
    ),
  )
}
