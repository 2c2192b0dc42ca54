/** Builds the OpenAPI 3.1 document from the operations' declarations and the layouts' trees. */
import { readFileSync } from 'node:fs'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import { BATCH } from '../../operations/batch.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/operations.ts'
import type { JsonSchema } from '../../record/json-schema.ts'
import { describeBatch, describeWatches } from './body-paths.ts'
import { describeParameter } from './describe-parameter.ts'
import { HEALTH, ref, SCHEMAS } from './schemas.ts'

/**
 * Real answers of the service for an invented roll by operation and status, and the `query` of a
 * 200; written by `npm run examples`.
 */
const EXAMPLES = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, unknown>>

/** Version of the interface; a change that breaks clients raises its first number. */
const INTERFACE_VERSION = '3.0.0'

export function describeApi(publicUrl: string | null = null): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platbook',
      version: PROGRAM_VERSION,
      'x-interface-version': INTERFACE_VERSION,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Property records from the rolls of US county assessors: lookups by address and by ' +
        'parcel ID, search by recorded owner name, and paged search. Every path also answers ' +
        'below `/api`.',
    },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: {
      ...Object.fromEntries(
        OPERATIONS.map((operation) => [
          operation.path.replaceAll(/:(\w+)/g, '{$1}'),
          describePath(operation),
        ]),
      ),
      [BATCH.path]: describeBatch(IDEMPOTENCY_KEY, (status) => describeRefusal(status, undefined)),
      ...describeWatches({
        idempotencyKey: IDEMPOTENCY_KEY,
        refusal: (status) => describeRefusal(status, undefined),
        headers: answerHeaders,
      }),
      '/healthz': {
        get: {
          operationId: 'health',
          summary: 'Whether the process lives',
          description: 'For load balancers: needs no key and costs nothing.',
          tags: ['Service'],
          security: [],
          responses: {
            200: { description: 'It does.', content: json(HEALTH) },
            405: { description: 'Only GET and HEAD are answered.', content: json(ref('Error')) },
            503: { description: 'It is stopping.', content: json(HEALTH) },
          },
        },
      },
      '/readyz': {
        get: {
          operationId: 'readiness',
          summary: 'Whether the service can answer',
          description: 'For load balancers: needs no key and costs nothing. Also answers HEAD.',
          tags: ['Service'],
          security: [],
          responses: {
            200: { description: 'Its stores answer.', content: json(HEALTH) },
            405: { description: 'Only GET and HEAD are answered.', content: json(ref('Error')) },
            503: {
              description: 'It is stopping, or a store does not answer.',
              content: json(HEALTH),
            },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The API key alone, with no prefix.',
        },
      },
      schemas: SCHEMAS,
    },
  }
}

/** Groups of operations, for documentation pages. */
const TAGS = {
  Properties: 'Parcels by address, by parcel ID, by place and by filters.',
  Owners: 'Parcels by recorded owner names.',
  Watches: 'What the account wants to hear of, and the events that were found.',
  Account: 'What the calling account has used.',
  Service: 'Health, loaded counties, map tiles.',
}

function tagOf({ path, answers }: Operation): keyof typeof TAGS {
  if (path.includes('/usage')) return 'Account'
  if (/owner|portfolio/.test(path)) return 'Owners'
  return /property|changes|comparables/.test(path) || answers === 'property'
    ? 'Properties'
    : 'Service'
}

const ANSWERS = { property: 'PropertyAnswer', list: 'ListAnswer', usage: 'UsageAnswer' }

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Where a 200 costs tokens: the same key, operation and query within 24 hours is charged once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

function describePath(operation: Operation): JsonSchema {
  const examples = EXAMPLES[operation.operationId] ?? {}
  const needsKey = operation.needsKey !== false
  // An operator may set a price for any operation, so each of them takes an Idempotency-Key.
  const refusals = [...(needsKey ? [401, 403, 422, 429] : []), ...operation.refusals, 500].sort()
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
        ...(needsKey ? [IDEMPOTENCY_KEY] : []),
      ],
      responses: {
        200: {
          description: 'Found.',
          headers: answerHeaders(operation),
          ...contentOf(operation, examples['200']),
        },
        ...Object.fromEntries(
          refusals.map((status) => [status, describeRefusal(status, examples[String(status)])]),
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

const REFUSALS: Record<number, { description: string; schema: string }> = {
  300: {
    description: 'The address is ambiguous; only with `candidates=true`. Not billed.',
    schema: 'Candidates',
  },
  400: { description: 'A parameter is missing or wrong; the text names it.', schema: 'Error' },
  401: { description: 'The API key is missing or invalid. Not billed.', schema: 'Error' },
  403: { description: 'Billing or the account blocks access. Not billed.', schema: 'AccessDenied' },
  404: { description: 'Nothing was found. Not billed.', schema: 'NotFound' },
  410: {
    description: 'The changes after this cursor were deleted; read all parcels again. Not billed.',
    schema: 'Gone',
  },
  422: {
    description: 'The Idempotency-Key was used for another query within 24 hours. Not billed.',
    schema: 'Error',
  },
  429: {
    description:
      'Too many requests of the account in a minute, or too many without a valid key from the ' +
      'address. Not billed.',
    schema: 'Error',
  },
  500: { description: 'Internal server error. Not billed.', schema: 'Error' },
  503: { description: 'Temporarily unavailable; try again. Not billed.', schema: 'Error' },
}

const RATE_HEADERS = {
  'RateLimit-Policy': header('What is allowed: `q` requests in `w` seconds.', { type: 'string' }),
  RateLimit: header('What is left: `r` requests, more after `t` seconds.', { type: 'string' }),
}

function describeRefusal(status: number, example: unknown): JsonSchema {
  if (status === 204) return { description: 'The tile is empty. Not billed.' }
  if (status === 304) {
    return { description: 'Unchanged since the `ETag` sent as `If-None-Match`. Not billed.' }
  }
  const { description, schema } = REFUSALS[status] ?? { description: '', schema: 'Error' }
  return {
    description,
    content: json(ref(schema), example),
    ...((status === 503 || status === 429) && {
      headers: {
        'Retry-After': header('Seconds to wait.', { type: 'integer' }),
        ...(status === 429 && RATE_HEADERS),
      },
    }),
  }
}

function answerHeaders({ answers, needsKey, parameters, refusals }: Operation): JsonSchema {
  const text = { type: 'string' }
  const number = { type: 'integer' }
  return {
    'X-Request-Id': header('Identifies this request, in the ledger too.', text),
    ...(answers === 'property' && {
      'X-Match': header('How the parcel was matched, such as `exact`.', text),
      'X-Match-Count': header('Number of parcels with the address or ID, if several.', number),
      'X-Match-Alike': header(
        'Number of parcels that match equally well, if several; the first is returned.',
        number,
      ),
      ...('unit' in parameters && {
        'X-Match-Units': header(
          'With `X-Match: one-of-many`: the first 20 units there, as values of `unit`.',
          text,
        ),
      }),
    }),
    ...('tolerance' in parameters && {
      'X-Match': header('`polygon`, or `nearest` if no polygon contains the point.', text),
    }),
    ...('lastName' in parameters && {
      'X-Match': header('`full-name`: lastName was read as surname and given names.', text),
      'X-Result-Truncated': header(
        '`true`: more than the 200 parcels that the search returns match.',
        text,
      ),
    }),
    ...(refusals.includes(304) && {
      ETag: header('Version of the data; send it as `If-None-Match`.', text),
    }),
    ...(needsKey !== false && {
      'X-Tokens-Charged': header('Tokens this answer cost; absent if it was free.', number),
      'X-Tokens-Remaining': header(
        'Tokens left of the period; absent if the answer was free or tokens are unlimited.',
        number,
      ),
    }),
    ...(parameters.offset?.deprecated && {
      Deprecation: header('`true` with an offset above 0.', text),
      Link: header('Page on the deprecation, with an offset above 0.', text),
    }),
    ...(answers === 'list' &&
      'includeUnassignedAddress' in parameters && {
        'X-Unassigned-Address': header(
          '`excluded`: nothing was found, and `includeUnassignedAddress` would find some.',
          text,
        ),
        'X-Unknown-County': header(
          'The state has no county of the name asked for: the most similar ones, or `none`.',
          text,
        ),
      }),
  }
}

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema }
}

function json(schema: JsonSchema, example?: unknown): JsonSchema {
  return {
    'application/json': { schema, ...(example !== undefined && { example }) },
  }
}
