/** The OpenAPI path of batches. */
import { BATCH, BATCH_MAX } from '../../operations/batch.ts'
import { PROPERTIES_SCHEMA } from '../../operations/places/place-parameters.ts'
import { type JsonSchema, json } from '../../record/json-schema.ts'

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
