/** The OpenAPI paths of watches. */
import { CHANGE_GROUPS } from '../../base/model/changes.ts'
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
