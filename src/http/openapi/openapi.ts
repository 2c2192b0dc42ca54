/** Builds the OpenAPI 3.1 document from the operations' declarations and the layouts' trees. */
import { readFileSync } from 'node:fs'
import { CHANGE_GROUPS } from '../../base/model/changes.ts'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import { BATCH } from '../../operations/batch.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/operations.ts'
import { PARCELS_MAX } from '../../operations/watches/condition.ts'
import { fillIn, type JsonSchema } from '../../record/json-schema.ts'
import { describeBatch, describeParameter, describeWatches } from './body-paths.ts'
import { HEALTH, listSchemas, ref } from './schemas.ts'

const readFile = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Real answers for an invented roll, and the `query` of a 200; by `npm run examples`. */
const EXAMPLES: Record<string, Record<string, unknown>> = JSON.parse(readFile('examples.json'))

/** The text of an operation's 404, as in its example. */
export function notFoundText(operationId: string): string {
  const { error = 'Property not found' } = (EXAMPLES[operationId]?.['404'] ?? {}) as Refused
  return error
}

type Refused = { error?: string }

/** When an answer has a header. */
type When = keyof ReturnType<typeof readWhen>

/**
 * What no operation declares; `=NAME`: a schema of the document, `=health` is written out. The
 * first number of the interface's version rises with a change that breaks clients.
 */
const FRAME: {
  info: JsonSchema
  tags: JsonSchema[]
  securitySchemes: JsonSchema
  idempotencyKey: JsonSchema
  refusals: Record<string, { description: string; schema?: string; headers?: JsonSchema }>
  headers: { when: When; name: string; description: string; type: string }[]
  requestId: JsonSchema
  schemas: JsonSchema
  forms: JsonSchema
  batch: JsonSchema
  paths: Paths
} = JSON.parse(readFile('frame.json'), (_key, value) => {
  if (typeof value !== 'string' || !value.startsWith('=')) return value
  return value === '=health' ? HEALTH : ref(value.slice(1))
})

type Paths = Record<string, Record<string, { responses: Record<string, JsonSchema> }>>

export function describeApi(publicUrl: string | null = null): JsonSchema {
  const { info, tags, securitySchemes, idempotencyKey, requestId, schemas, batch, paths } = FRAME
  const refusal = (status: number) => describeRefusal(status, undefined)
  const forms = fillIn(JSON.stringify(FRAME.forms), {
    parcelsMax: PARCELS_MAX,
    groups: CHANGE_GROUPS,
  })
  const common = { forms, idempotencyKey, refusal, headers: answerHeaders }
  return {
    openapi: '3.1.0',
    info: { ...info, version: PROGRAM_VERSION },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ apiKey: [] }],
    tags,
    paths: addRequestIds({
      ...Object.fromEntries(
        OPERATIONS.map((operation) => [
          operation.path.replaceAll(/:(\w+)/g, '{$1}'),
          describePath(operation),
        ]),
      ),
      [BATCH.path]: describeBatch(batch, common),
      ...describeWatches(common),
      ...paths,
    } as Paths),
    components: { securitySchemes, schemas: listSchemas(schemas), headers: { requestId } },
  }
}

/** Every answer has a request ID, whatever its status. */
function addRequestIds(paths: Paths): JsonSchema {
  const mapOf = <From, To>(from: Record<string, From>, to: (value: From) => To) =>
    Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
  const id = { 'X-Request-Id': { $ref: '#/components/headers/requestId' } }
  return mapOf(paths, (methods) =>
    mapOf(methods, (one) => ({
      ...one,
      responses: mapOf(one.responses, (answer) => ({
        ...answer,
        headers: { ...id, ...(answer.headers as object) },
      })),
    })),
  )
}

function tagOf({ path, answers }: Operation): string {
  if (path.includes('/usage')) return 'Account'
  if (/owner|portfolio/.test(path)) return 'Owners'
  return /property|changes|comparables/.test(path) || answers === 'property'
    ? 'Properties'
    : 'Service'
}

const ANSWERS = { property: 'PropertyAnswer', list: 'ListAnswer', usage: 'UsageAnswer' }

function describePath(operation: Operation): JsonSchema {
  const examples = EXAMPLES[operation.operationId] ?? {}
  const needsKey = operation.needsKey !== false
  // An operator may set a price for any operation, so each of them takes an Idempotency-Key.
  const refusals = [...(needsKey ? [401, 403, 422, 429] : []), ...operation.refusals, 500].sort()
  // An address that is found in several places is 300 or 404.
  const notFound = operation.refusals.includes(300) ? 'ambiguous' : 404
  return {
    get: {
      operationId: operation.operationId,
      summary: operation.summary,
      description: operation.description,
      tags: [tagOf(operation)],
      ...('query' in examples && { 'x-example-query': examples.query }),
      ...(!needsKey && { security: [] }),
      parameters: [
        ...Object.entries(operation.parameters).flatMap(describeParameter),
        ...(needsKey ? [FRAME.idempotencyKey] : []),
      ],
      responses: {
        200: {
          description: 'Found.',
          headers: answerHeaders(operation),
          ...contentOf(operation, examples['200']),
        },
        ...Object.fromEntries(
          refusals.map((status) => [
            status,
            describeRefusal(status === 404 ? notFound : status, examples[status]),
          ]),
        ),
      },
    },
  }
}

function contentOf({ answers, contentType }: Operation, example: unknown): JsonSchema {
  if (answers === undefined) {
    return contentType === undefined ? {} : { content: { [contentType]: {} } }
  }
  return {
    content: json(typeof answers === 'string' ? ref(ANSWERS[answers]) : answers.schema, example),
  }
}

function describeRefusal(status: number | 'ambiguous', example: unknown): JsonSchema {
  const { description, schema, headers } = FRAME.refusals[status] ?? {}
  return {
    description,
    ...(schema !== undefined && { content: json(ref(schema), example) }),
    ...(headers !== undefined && { headers }),
  }
}

function readWhen({ answers, contentType, needsKey, parameters, refusals }: Operation) {
  return {
    property: answers === 'property',
    unit: answers === 'property' && 'unit' in parameters,
    tolerance: 'tolerance' in parameters,
    lastName: 'lastName' in parameters,
    asOf: 'asOf' in parameters && contentType === undefined,
    etag: refusals.includes(304),
    key: needsKey !== false,
    offset: parameters.offset?.deprecated === true,
    search: answers === 'list' && 'includeUnassignedAddress' in parameters,
  }
}

function answerHeaders(operation: Operation): JsonSchema {
  const holds = readWhen(operation)
  const own = FRAME.headers.filter(({ when }) => holds[when])
  return Object.fromEntries(
    own.map(({ name, description, type }) => [name, { description, schema: { type } }]),
  )
}

function json(schema: JsonSchema, example?: unknown): JsonSchema {
  return {
    'application/json': { schema, ...(example !== undefined && { example }) },
  }
}
