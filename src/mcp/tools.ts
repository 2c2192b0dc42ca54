/** The tools that agents call, each derived from an operation; without it a tool is left out. */
import { readTable } from '../base/tables.ts'
import type { Operation } from '../operations/operation.ts'
import type { Described } from '../operations/parameters.ts'
import { type JsonSchema, membersOf } from '../record/json-schema.ts'

/** Most results of one call: a record takes some 3 KB of a model's context. */
export const RESULTS_MAX = 10

/** `fixed`: set by the tool and not shown. */
const TEXTS = readTable('mcp-tools.tsv').map((line) => {
  const [name = '', operationId, flag = '', title = '', about = ''] = line.split('\t')
  const fixed = Object.fromEntries(new URLSearchParams(flag.includes('=') ? flag : ''))
  return { name, operationId, title, about, fixed, changes: flag === 'writes' }
})

/** How the pages of a list are requested; a tool always uses `cursor`. */
type Paging = 'none' | 'cursor' | 'offset'

export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema & { type: 'object' }
  outputSchema: JsonSchema & { type: 'object' }
  annotations: { title: string; readOnlyHint: boolean; openWorldHint: false }
  operation: Operation
  paging: Paging
  /** The parameter that limits a page, if any. */
  limit: string | undefined
  fixed: Readonly<Record<string, string>>
}

export function makeTools(
  operations: readonly Operation[],
  priceOf: (operation: Operation) => number,
): Tool[] {
  return TEXTS.flatMap(({ name, operationId, title, about, fixed, changes }) => {
    const operation = operations.find((one) => one.operationId === operationId)
    if (operation === undefined) return []
    const { parameters } = operation
    const paging = 'cursor' in parameters ? 'cursor' : 'offset' in parameters ? 'offset' : 'none'
    const limit = ['limit', 'maxResults'].find((one) => one in parameters)
    const tool = { operation, paging, limit, fixed, title } as const
    return [
      {
        ...tool,
        name,
        description: `${about} ${describePrice(priceOf(operation))}`,
        inputSchema: describeInput(tool),
        outputSchema: describeOutput(operation),
        annotations: { title, readOnlyHint: !changes, openWorldHint: false },
      },
    ]
  })
}

function describePrice(tokens: number): string {
  if (tokens === 0) return 'Free.'
  return `Costs ${tokens} ${tokens === 1 ? 'token' : 'tokens'} for each call that finds something.`
}

/** A tool does its own paging, and `explain` is for people who check a match. */
const HIDDEN = new Set(['offset', 'cursor', 'explain'])

/** Tools that also page by offset, as other servers of this data do. */
const BY_OFFSET = new Set(['locationSearch', 'ownerSearch', 'premiumOwnerSearch'])

type Shape = Pick<Tool, 'operation' | 'paging' | 'limit' | 'fixed'>

function describeInput({ operation, paging, limit, fixed }: Shape): Tool['inputSchema'] {
  const shown = Object.entries(operation.parameters).filter(
    ([name, { deprecated }]) => !HIDDEN.has(name) && !(name in fixed) && deprecated !== true,
  )
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    shown.map(([name, parameter]) => [name, describeParameter(parameter)]),
  )
  if (limit !== undefined) {
    properties[limit] = {
      type: 'integer',
      minimum: 1,
      maximum: RESULTS_MAX,
      description: `Results of this call, at most ${RESULTS_MAX}.`,
      default: RESULTS_MAX,
    }
  }
  if (paging !== 'none') {
    properties.cursor = {
      type: 'string',
      description: 'The nextCursor of the call before, for the next results; leave out at first.',
    }
  }
  if (BY_OFFSET.has(operation.operationId)) {
    properties.offset = {
      type: 'integer',
      minimum: 0,
      description: 'Results to skip; cursor does the same and takes precedence.',
    }
  }
  const required = shown.filter(([, one]) => one.required).map(([name]) => name)
  return { type: 'object', properties, required, additionalProperties: false }
}

function describeParameter(parameter: Described): JsonSchema {
  const about = { description: parameter.about }
  switch (parameter.type) {
    case 'integer':
      return { type: 'integer', minimum: parameter.minimum, ...about }
    case 'choice':
      return { type: 'string', enum: parameter.values, ...about }
    case 'state':
      return { type: 'string', ...about }
    case 'words':
      return { type: 'array', items: { type: 'string', enum: parameter.values }, ...about }
    default:
      return { type: parameter.type, ...about }
  }
}

/** Members in addition to the answer, and those of a refusal. All are optional. */
const BESIDE = membersOf('mcp')

/** Returns the schema of `callTool`'s result for an operation. Records leave out empty fields. */
function describeOutput({ answers }: Operation): JsonSchema & { type: 'object' } {
  return { type: 'object', properties: { ...describeAnswer(answers), ...BESIDE } }
}

function describeAnswer(answers: Operation['answers']): Record<string, JsonSchema> {
  if (answers === undefined) return {}
  return typeof answers === 'string' ? membersOf(`mcp ${answers}`) : describeKeys(answers.schema)
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
