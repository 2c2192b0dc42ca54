/** The OpenAPI paths of requests with a body: watches and batches. */
import { CHANGE_GROUPS } from '../../base/model/changes.ts'
import { BATCH, BATCH_MAX } from '../../operations/batch.ts'
import { PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { PARCELS_MAX } from '../../operations/watches/condition.ts'
import { WATCH_ROUTES, type WatchRoute } from '../../operations/watches/operations.ts'
import { type JsonSchema, json } from '../../record/json-schema.ts'
import { describeParameter } from './describe-parameter.ts'

/** Members whose JSON is no text. */
const TYPES: Record<string, JsonSchema> = {
  propertyIds: {
    type: 'array',
    maxItems: PARCELS_MAX,
    items: { type: ['string', 'object'] },
  },
  owner: { type: ['string', 'object'] },
  shape: { type: ['string', 'object', 'array'], items: { type: 'number' } },
  groups: { type: ['string', 'array'], items: { type: 'string', enum: [...CHANGE_GROUPS] } },
  url: { type: ['string', 'null'] },
}

type Common = {
  idempotencyKey: JsonSchema
  refusal(status: number): JsonSchema
  headers(operation: WatchRoute['operation']): JsonSchema
}

export function describeWatches(common: Common): JsonSchema {
  const byPath = Map.groupBy(WATCH_ROUTES, ({ operation }) => operation.path)
  return Object.fromEntries(
    [...byPath].map(([path, routes]) => [
      path.replaceAll(/:(\w+)/g, '{$1}'),
      Object.fromEntries(
        routes.map((route) => [route.method.toLowerCase(), describeRoute(route, common)]),
      ),
    ]),
  )
}

function describeRoute(
  { method, operation, takesBody }: WatchRoute,
  { idempotencyKey, refusal, headers }: Common,
): JsonSchema {
  const { operationId, summary, description, parameters, refusals } = operation
  const inPath = Object.entries(parameters).filter(([, one]) => !takesBody || one.in === 'path')
  const members = Object.entries(parameters).filter(([, one]) => one.in !== 'path')
  const bodies = method === 'GET' ? [] : [413, 415]
  const refused = [401, 403, 422, 429, 500, ...refusals, ...bodies].sort()
  return {
    operationId,
    summary,
    description,
    tags: ['Watches'],
    parameters: [...inPath.flatMap(describeParameter), idempotencyKey],
    ...(takesBody && {
      requestBody: { required: true, content: { 'application/json': { schema: bodyOf(members) } } },
    }),
    responses: {
      ...describeAnswer(method, operation, headers(operation)),
      ...Object.fromEntries(refused.map((status) => [status, refusal(status)])),
    },
  }
}

function describeAnswer(
  method: WatchRoute['method'],
  { operationId, answers }: WatchRoute['operation'],
  headers: JsonSchema,
): JsonSchema {
  if (method === 'DELETE') return { 204: { description: 'It is deleted.', headers } }
  const schema = (answers as { schema: JsonSchema }).schema
  const status = operationId === 'createWatch' ? 201 : 200
  return {
    [status]: { description: 'Done.', headers, content: { 'application/json': { schema } } },
  }
}

function bodyOf(members: [string, WatchRoute['operation']['parameters'][string]][]): JsonSchema {
  const properties = members.map(([name, one]) => {
    const values = one.type === 'choice' ? { enum: [...one.values] } : {}
    const type = one.type === 'boolean' ? 'boolean' : 'string'
    return [name, { type, ...values, ...TYPES[name], description: one.about }]
  })
  return json.object(Object.fromEntries(properties), undefined, 'all')
}

const ROW: JsonSchema = {
  type: 'object',
  description:
    'The parameters of one lookup: by address, by parcelId, or by latitude and longitude.',
  properties: {
    id: {
      type: ['string', 'integer'],
      description: 'Chosen by the caller; the result repeats it.',
    },
  },
  additionalProperties: true,
}

const RESULT: JsonSchema = {
  type: 'object',
  description: 'Status and answer of the same request as a single lookup.',
  required: ['status'],
  properties: {
    id: { type: ['string', 'integer'], description: 'The `id` of the row, if it has one.' },
    status: {
      enum: [200, 300, 400, 404],
      description: 'Status of the same request as a single lookup.',
    },
    match: json.text('Value of the header `X-Match` of the single lookup.'),
    property: { $ref: '#/components/schemas/Property' },
    properties: { ...PROPERTIES_SCHEMA, description: 'Records of a lookup by point.' },
    error: json.text('Human-readable reason why there is no record.'),
  },
  additionalProperties: true,
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 }

export function describeBatch(
  idempotencyKey: JsonSchema,
  refusal: (status: number) => JsonSchema,
): JsonSchema {
  const refusals = [400, 401, 403, 413, 415, 422, 429, 500, 503]
  return {
    post: {
      operationId: BATCH.operationId,
      summary: BATCH.summary,
      description: BATCH.description,
      tags: ['Properties'],
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'array', maxItems: BATCH_MAX, items: ROW } },
          'application/x-ndjson': { schema: ROW },
        },
      },
      responses: {
        200: {
          description: 'A result for each row, in their order.',
          content: {
            'application/json': {
              schema: json.object({
                results: json.list(RESULT, 'In the order of the rows.'),
                metadata: json.object(
                  {
                    count: { ...COUNT, description: 'Rows of the batch.' },
                    found: { ...COUNT, description: 'Rows with status 200.' },
                  },
                  'Numbers of rows.',
                ),
              }),
            },
            'application/x-ndjson': { schema: RESULT },
          },
        },
        ...Object.fromEntries(refusals.map((status) => [status, refusal(status)])),
      },
    },
  }
}
