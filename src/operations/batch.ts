/** Many lookups in one request, `POST /public/batch/`; each row is answered as a single one. */
import { Refusal, refuse } from '../base/errors.ts'
import { createTurns } from '../base/event-loop.ts'
import type { AccountFacts } from '../base/model/account.ts'
import { textsOf } from '../record/json-schema.ts'
import { type Rendered, takeText } from '../render/render.ts'
import { addressLookup } from './address-lookup.ts'
import { isRoundedNumber, parseJson, toQueryText } from './given-query.ts'
import type { Operation, Reply, RequestContext } from './operation.ts'
import { parcelIdLookup } from './parcel-id-lookup.ts'
import { pointLookup } from './places/point-lookup.ts'

export const BATCH_MAX = 1000
/** Largest body of a batch request, bytes. */
export const BATCH_BYTES = 1_048_576
/** Milliseconds of work on rows per turn of the event loop. */
const SLICE_MS = 2

/** Characters from which an answer is encoded in a separate slice. */
const LARGE = 100_000

/** Waits until no other batch of this process works in the same turn of the event loop. */
export const takeBatchTurn = createTurns()

/** Identifies a batch in the price table and the log. The price is per row with a result. */
export const BATCH = {
  operationId: 'batch',
  ...textsOf('batch'),
  path: '/public/batch/',
  tokenCost: 0,
} as const

/** One row's parameters; `id` is the caller's. */
type Row = Record<string, unknown>
type Batch = { rows: unknown[]; isLines: boolean }

type Result = {
  status: number
  body: string
  match: string | undefined
  /** Number of parcels that match equally well, if more than one. */
  alike?: number | undefined
  seen?: Reply['seen']
}

/**
 * Parses an array, or one JSON value per line. Throws *bad request* for none, above 1,000, or a
 * whole number above 2^53.
 */
export function readBatch(text: string): Batch {
  const isLines = !/^\s*\[/.test(text)
  // A byte order mark is not part of the first line.
  const bare = text.replace(/^\ufeff/, '')
  const rows = isLines
    ? readLines(bare)
    : (parseJson(bare, 'The body is not a JSON array') as unknown[])
  if (rows.length === 0) throw refuse.badRequest('The batch has no rows')
  if (rows.length > BATCH_MAX) {
    throw refuse.badRequest('A batch has at most 1,000 rows')
  }
  rows.forEach(refuseRounded)
  return { rows, isLines }
}

/** An ID that the caller sent as a number may be another parcel's after parsing. */
function refuseRounded(row: unknown, at: number): void {
  const name = Object.entries(row ?? {}).find(([, value]) => isRoundedNumber(value))?.[0]
  if (name !== undefined) {
    throw refuse.badRequest(`Row ${at + 1}: ${name} is a number above 2^53: send it as text`)
  }
}

function readLines(text: string): unknown[] {
  const lines = text.split('\n').map((line, at) => ({ line: line.trim(), number: at + 1 }))
  return lines.flatMap(({ line, number }) => {
    return line === '' ? [] : [parseJson(line, `Line ${number} of the body is not JSON`)]
  })
}

/** Returns the operation of one batch, which `http/answer.ts` runs like the others. */
export function batchOperation(batch: () => Batch): Operation {
  return {
    ...BATCH,
    parameters: {},
    answers: undefined,
    refusals: [400, 503],
    read(_query, facts) {
      const { rows, isLines } = batch()
      return (context) => answerBatch(rows, isLines, facts, context)
    },
  }
}

async function answerBatch(
  rows: readonly unknown[],
  isLines: boolean,
  facts: AccountFacts,
  context: RequestContext,
): Promise<Reply> {
  const shown: string[] = []
  const seen: NonNullable<Reply['seen']>[number][] = []
  let found = 0
  await takeBatchTurn()
  let until = performance.now() + SLICE_MS
  for (const row of rows) {
    const result = await answerRow(row, facts, context)
    if (result.status === 200) found += 1
    seen.push(...(result.seen ?? []))
    shown.push(showRow(row, result))
    if (performance.now() < until) continue
    await takeBatchTurn()
    until = performance.now() + SLICE_MS
  }
  // Joining some megabytes takes a slice of its own.
  await takeBatchTurn()
  const metadata = `{"count":${rows.length},"found":${found}}`
  const body = isLines
    ? `${shown.join('\n')}\n`
    : `{"results":[${shown.join(',')}],"metadata":${metadata}}`
  const bytes = await encodeLarge(body)
  const type: Record<string, string> = isLines ? { 'content-type': 'application/x-ndjson' } : {}
  return { body: bytes, headers: type, units: found, seen }
}

/** Encodes and writes some megabytes in separate slices. */
async function encodeLarge(text: string): Promise<Rendered> {
  if (text.length < LARGE) return text
  const bytes = Buffer.from(text)
  await takeBatchTurn()
  return bytes
}

/** Returns the answer of one row. Throws refusals that concern the whole batch. */
export async function answerRow(
  row: unknown,
  facts: AccountFacts,
  context: RequestContext,
): Promise<Result> {
  try {
    const { operation, query } = readRow(row)
    const reply = await operation.read(query, facts)({ ...context, ifNoneMatch: undefined })
    const { status = 200, headers, seen } = reply
    const alike = headers['x-match-alike']
    return {
      ...{ status, body: takeText(reply.body), match: headers['x-match'], seen },
      alike: alike === undefined ? undefined : Number(alike),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // If the store does not answer one row, it will not answer the others.
    if (error.kind === 'unavailable') throw error
    const body = JSON.stringify({ error: error.message, ...error.details })
    return { status: STATUS[error.kind] ?? 400, body, match: error.headers['x-match'] }
  }
}

/** Statuses of refusals that concern one row; other kinds concern the whole batch. */
const STATUS: Partial<Record<Refusal['kind'], number>> = {
  'bad-request': 400,
  'not-found': 404,
  ambiguous: 300,
}

function readRow(row: unknown): { operation: Operation; query: [string, string][] } {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw refuse.badRequest('The row is not a JSON object')
  }
  const operation = chooseOperation(row as Row)
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(row)) {
    if (name === 'id' || value === null) continue
    if (typeof value !== 'object') pairs.push([name, toQueryText(value)])
    else if (isParameter(operation, name)) {
      throw refuse.badRequest(`${name} must be a single value`)
    }
  }
  return { operation, query: pairs }
}

function isParameter({ parameters }: Operation, name: string): boolean {
  return (
    Object.hasOwn(parameters, name) ||
    Object.values(parameters).some(({ aliases }) => aliases?.includes(name))
  )
}

/**
 * Chooses the lookup by the parameter that only it has. Rows of a table have all columns, so an
 * empty text is missing. A property ID with an address may be the caller's own.
 */
function chooseOperation(row: Row): Operation {
  const has = (name: string) => {
    const value = row[name] ?? ''
    return typeof value === 'object' || String(value).trim() !== ''
  }
  if (has('parcelId')) return parcelIdLookup
  if (has('latitude') || has('longitude')) return pointLookup
  if (has('address') || has('apn')) return addressLookup
  if (has('propertyId') || has('realieParcelId') || 'parcelId' in row) return parcelIdLookup
  return 'latitude' in row ? pointLookup : addressLookup
}

/** `{"id":…,"status":200,"match":"exact","property":{…}}`, then the answer's other keys. */
function showRow(row: unknown, { status, body, match, alike }: Result): string {
  const { id } = (row ?? {}) as { id?: unknown }
  const head = {
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
    status,
    ...(match !== undefined && { match }),
    ...(alike !== undefined && { alike }),
  }
  return `${JSON.stringify(head).slice(0, -1)},${body.slice(1)}`
}
