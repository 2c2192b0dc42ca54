/** The OpenAPI paths of requests with a body, and how the document has parameters. */
import { BATCH, BATCH_MAX } from '../../operations/batch.ts'
import { foldName, TEXT_MAX } from '../../operations/given-query.ts'
import type { Described } from '../../operations/parameters.ts'
import { PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { WATCH_ROUTES, type WatchRoute } from '../../operations/watches/operations.ts'
import { answerOf, fillIn, type JsonSchema, json, membersOf } from '../../record/json-schema.ts'

type Common = {
  /** Members of watches whose JSON is no text. */
  forms: Record<string, JsonSchema>
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
  { forms, idempotencyKey, refusal, headers }: Common,
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
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bodyOf(members, forms) } },
      },
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

function bodyOf(
  members: [string, WatchRoute['operation']['parameters'][string]][],
  forms: Common['forms'],
): JsonSchema {
  const properties = members.map(([name, one]) => {
    const values = one.type === 'choice' ? { enum: [...one.values] } : {}
    const type = one.type === 'boolean' ? 'boolean' : 'string'
    return [name, { type, ...values, ...forms[name], description: one.about }]
  })
  return json.object(Object.fromEntries(properties), undefined, 'all')
}

const RESULT: JsonSchema = {
  ...answerOf('batchResult', { records: PROPERTIES_SCHEMA }),
  description: 'Status and answer of the same request as a single lookup.',
  additionalProperties: true,
}

/** `frame`: what the document always says of the path. */
export function describeBatch(frame: JsonSchema, { idempotencyKey, refusal }: Common): JsonSchema {
  const { operationId, summary, description } = BATCH
  const { refusals, responses, ...rest } = fillIn(JSON.stringify(frame), {
    ...{ idempotencyKey, most: BATCH_MAX, members: membersOf('batchRow') },
    ...{ result: RESULT, answer: answerOf('batch', { result: RESULT }) },
  }) as JsonSchema & { refusals: number[]; responses: JsonSchema }
  const refused = refusals.map((status) => [status, refusal(status)])
  const post = { operationId, summary, description, ...rest }
  return { post: { ...post, responses: { ...responses, ...Object.fromEntries(refused) } } }
}

/**
 * A parameter and its other names. One that differs only in case and underscores is in the
 * description, as generators make one identifier of `time_frame` and `timeFrame`.
 */
export function describeParameter([name, parameter]: [string, Described]): JsonSchema[] {
  const { about, required, aliases, example, deprecated } = parameter
  const spellings = (aliases ?? []).filter((alias) => foldName(alias) === foldName(name))
  const also = spellings.map((alias) => `\`${alias}\``).join(', ')
  const others = (aliases ?? []).filter((alias) => !spellings.includes(alias))
  // One of the names is enough, which a document cannot require.
  const isEither = required === true && others.length > 0
  const either = isEither ? ` Required, by this name or ${others.join(', ')}.` : ''
  const schema = schemaOf(parameter)
  const described = {
    name,
    in: parameter.in ?? 'query',
    required: (required ?? false) && !isEither,
    description: `${about}${also === '' ? '' : ` Also spelled ${also}.`}${either}`,
    schema,
    ...(deprecated && { deprecated }),
    ...('mayBeEmpty' in parameter && parameter.mayBeEmpty && { allowEmptyValue: true }),
    ...(example !== undefined && { example: schema.type === 'array' ? [example] : example }),
  }
  return [
    described,
    ...others.map((alias) => ({
      ...described,
      name: alias,
      required: false,
      description: `The same as ${name}.`,
    })),
  ]
}

function schemaOf(parameter: Described): JsonSchema {
  const ifAbsent = 'default' in parameter &&
    parameter.default !== undefined && { default: parameter.default }
  if (parameter.type === 'integer' || parameter.type === 'number') {
    const { type, minimum, maximum, cap } = parameter
    return {
      type,
      ...(minimum !== undefined && { minimum }),
      // A capped parameter accepts larger values; its text states the cap.
      ...(maximum !== undefined && !cap && { maximum }),
      ...ifAbsent,
    }
  }
  if (parameter.type === 'choice') return { enum: parameter.values, ...ifAbsent }
  if (parameter.type === 'boolean') return { type: 'boolean', ...ifAbsent }
  if (parameter.type === 'words') {
    const { values } = parameter
    const items = values === undefined ? { type: 'string', maxLength: TEXT_MAX } : { enum: values }
    return { type: 'array', items }
  }
  if (parameter.type === 'state') return { type: 'string', pattern: '^[A-Za-z]{2}$' }
  const { pattern } = parameter
  return {
    type: 'string',
    maxLength: TEXT_MAX,
    ...(pattern !== undefined && { pattern: pattern.is.source }),
  }
}
