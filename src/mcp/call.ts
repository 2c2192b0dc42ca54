/** Calls a tool: its arguments make a request of the operation, and the answer a result. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { isRoundedNumber, toQueryText } from '../operations/given-query.ts'
import { compactAnswer } from './compact.ts'
import { RESULTS_MAX, type Tool } from './tools.ts'

/** An operation's answer as over HTTP. `headers` have names in lower case. */
export type ToolAnswer = { status: number; body: string; headers: Readonly<Record<string, string>> }

/** Parameters of a request by name; several texts are a parameter that is repeated. */
type ToolQuery = Record<string, string | string[]>

export function toPairs(query: ToolQuery): [name: string, text: string][] {
  return Object.entries(query).flatMap(([name, texts]) =>
    [texts].flat().map((text): [string, string] => [name, text]),
  )
}

/** Calls an operation. `query` includes path parameters. */
export type Ask = (tool: Tool, query: ToolQuery, idempotencyKey?: string) => Promise<ToolAnswer>

/** Owner searches return no more parcels than this. */
const WINDOW = 200

type Json = Record<string, unknown>

/** Calls a tool. A refusal by the operation is a result with `isError`, not an exception. */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  ask: Ask,
  idempotencyKey?: string,
): Promise<CallToolResult> {
  const query = readArguments(tool, given)
  if (typeof query === 'string') return showError(400, { error: query }, {})
  const { status, body, headers } = await ask(tool, query, idempotencyKey)
  const answer = JSON.parse(body) as Json
  if (![200, 201, 300].includes(status)) return showError(status, answer, headers)
  return show({
    ...readHeaders(headers),
    ...nextCursorOf(tool, query, answer),
    ...compactAnswer(shorten(answer), query.fields !== undefined),
  })
}

/** Returns the request's parameters, or a text that describes the fault in the arguments. */
function readArguments(
  { operation, inputSchema, limit, paging, fixed }: Tool,
  given: Readonly<Record<string, unknown>>,
): ToolQuery | string {
  const known = (inputSchema.properties ?? {}) as Record<string, { type?: unknown }>
  const query: ToolQuery = { ...fixed }
  for (const [argument, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    const name = Object.hasOwn(known, argument) ? argument : nameOf(operation, argument)
    if (name === undefined || !Object.hasOwn(known, name)) {
      return `There is no argument ${argument}; the arguments are ${Object.keys(known).join(', ')}`
    }
    if (Object.hasOwn(query, name)) return `${name} is given more than once`
    if ([value].flat().some(isRoundedNumber)) {
      return `${name} is a number above 2^53: send it as text`
    }
    if (Array.isArray(value) && known[name]?.type === 'array') query[name] = value.map(toQueryText)
    else if (typeof value === 'object') return `${name} must be a single value`
    else query[name] = toQueryText(value)
  }
  if (limit !== undefined) {
    const asked = String(query[limit] ?? RESULTS_MAX)
    query[limit] = /^\d+$/.test(asked) ? String(Math.min(Number(asked), RESULTS_MAX)) : asked
  }
  if (paging === 'cursor' && query.offset === undefined) query.cursor ??= ''
  if (paging === 'offset' && (query.cursor !== undefined || query.offset === undefined)) {
    const offset = readOffset(query.cursor?.toString())
    if (offset === undefined) return 'Invalid cursor'
    delete query.cursor
    query.offset = String(offset)
  }
  return query
}

/** Returns the parameter that has another name over HTTP: `maxResults` is also `limit`. */
function nameOf({ parameters }: Tool['operation'], alias: string): string | undefined {
  return Object.keys(parameters).find((name) => parameters[name]?.aliases?.includes(alias))
}

function readOffset(cursor: string | undefined): number | undefined {
  if (cursor === undefined || cursor === '') return 0
  const [, digits] = /^after-([1-9]\d{0,8})$/.exec(cursor) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the `nextCursor` of a list paged by offset; a list paged by cursor has its own. */
function nextCursorOf({ paging, limit }: Tool, query: ToolQuery, answer: Json): Json {
  if (paging !== 'offset' || limit === undefined) return {}
  const { count, limit: page } = (answer.metadata ?? {}) as { count?: number; limit?: number }
  const next = Number(query.offset) + (page ?? 0)
  const isLast = count === undefined || page === undefined || count < page
  return { nextCursor: isLast || next + page > WINDOW ? null : `after-${next}` }
}

/** Returns the information of an answer's headers under names of their own. */
function readHeaders(headers: ToolAnswer['headers']): Json {
  const number = (name: string) => (headers[name] === undefined ? undefined : Number(headers[name]))
  const fields = {
    match: headers['x-match'],
    matchCount: number('x-match-count'),
    matchAlike: number('x-match-alike'),
    matchUnits: headers['x-match-units'],
    truncated: headers['x-result-truncated'] === 'true' ? true : undefined,
    tokensCharged: number('x-tokens-charged'),
    tokensRemaining: number('x-tokens-remaining'),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Drops empty fields except `metadata`, because they would fill a model's context. */
function shorten(answer: Json): Json {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      name === 'metadata' || name === 'tokens' ? value : withoutEmpty(value),
    ]),
  )
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(
    ([, one]) => one !== null && !(Array.isArray(one) && one.length === 0),
  )
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutEmpty(one)]))
}

/** A refusal with the operation's explanation, and for a 403 its code, action and address. */
function showError(status: number, body: Json, headers: ToolAnswer['headers']): CallToolResult {
  const retryAfter = headers['retry-after']
  const fields = {
    status,
    ...body,
    ...readHeaders(headers),
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  }
  return { ...show(fields), isError: true }
}

function show(content: Json): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: content,
  }
}
