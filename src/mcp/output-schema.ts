/** Describes the structured content of a tool's results. */
import type { Operation } from '../operations/operation.ts'
import { type JsonSchema, json } from '../record/json-schema.ts'

const { text, integer: count } = json
const object = (description: string): JsonSchema => ({ type: 'object', description })
const list = (description: string): JsonSchema => ({
  ...{ type: 'array', items: { type: 'object' } },
  description,
})

/** Members in addition to the answer, and those of a refusal. All are optional. */
const BESIDE: Record<string, JsonSchema> = {
  match: text('How the property was found: exact, range, suffix and others.'),
  matchCount: count('Number of parcels with the address or ID, if several.'),
  matchAlike: count('Number of parcels that match equally well, if several.'),
  matchUnits: text('Units at the address, as values of the argument unit.'),
  leftOut: text('What the records of a list leave out.'),
  truncated: { type: 'boolean', description: 'More parcels match than the search returns.' },
  tokensCharged: count('What this call cost.'),
  tokensRemaining: count('Tokens left in the billing period.'),
  nextCursor: {
    type: ['string', 'null'],
    description: 'Cursor of the next page; null: this is the last.',
  },
  status: count('Of a refusal: its HTTP status.'),
  error: text('Of a refusal: what is wrong.'),
  code: text('Of a refusal: why the account is blocked.'),
  action: text('Of a refusal: what the account holder can do.'),
  billing_url: text('Of a refusal: page on which the account holder can fix billing.'),
  retryAfterSeconds: count('Of a refusal: seconds to wait before trying again.'),
}

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
