/** The interface of an operation. `http/answer.ts` uses its parts in this order. */
import type { Account, AccountFacts } from '../base/model/account.ts'
import type { SeenParcel } from '../privacy/audit.ts'
import { type JsonSchema, textsOf } from '../record/json-schema.ts'
import { listIds, type Rendered, renderList, renderProperty, type Shown } from '../render/render.ts'
import type { TileBuilder } from '../render/tiles/builder.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import type { ParcelReader, StoredParcel } from '../store/store.ts'
import { readFields } from './fields.ts'
import type { GivenQuery, NameTest } from './given-query.ts'
import {
  type DescribedParameters,
  describeParameters,
  type Parameters,
  readParameters,
  type Values,
} from './parameters.ts'
import { FIELDS } from './shared-parameters.ts'
import { answerAsOf } from './time/as-of.ts'
import type { WatchDesk } from './watches/draft.ts'

/** What an operation may use: stores, the caller's account, and the request's limits. */
export type RequestContext = {
  parcels: ParcelReader
  accounts: AccountReader
  account: Account
  layout: Shown
  /** Epoch milliseconds. */
  now: number
  /** When work on the request began, by `performance.now()`. Deadlines count from it. */
  startedAt: number
  /** Time limit of a property search and an owner search, in milliseconds. */
  searchTimeMs: number
  ownerTimeMs: number
  /** How many days changes are kept. */
  changesDays: number
  /** Address under which callers reach the service, if the operator has set it. */
  publicUrl: string | null
  tiles: TileBuilder
  /** Parcels of a page instead of the caller's `limit`: a selection of the console is large. */
  pageSize?: number | undefined
  ifNoneMatch: string | undefined
  idempotencyKey: string | undefined
  watches: WatchDesk
  /**
   * Runs slow work, of more than a few index probes, when the queue admits it: lookups come first.
   * Work of more than some 3 ms calls `pause` between its steps. Throws *unavailable* when the
   * queue is full.
   */
  queueSearch<Result>(work: (pause: Pause) => Promise<Result>): Promise<Result>
}

/** The context of a search that pauses. */
export type PausingContext = RequestContext & { pause: Pause }

/** A study of all parcels of a place may take so many searches' time: it leaves turns to others. */
export const STUDY_TIMES = 10

/** Returns when a study must end, by `performance.now()`. */
export function studyDeadline({
  startedAt,
  searchTimeMs,
}: Pick<RequestContext, 'startedAt' | 'searchTimeMs'>): number {
  return startedAt + STUDY_TIMES * searchTimeMs
}

/** Yields to other requests; resolves when the work may continue. */
export type Pause = () => Promise<void>

/** An answer: JSON unless its `content-type` header says otherwise. */
export type Reply = {
  /** Default 200. Only a 200 is charged. */
  status?: 200 | 201 | 204 | 300 | 304 | 404 | 410
  /** Parcels whose records it shows, for the audit. */
  seen?: readonly SeenParcel[]
  /** Factor for the price of a 200; default 1. */
  units?: number
  /** Empty for 204 and 304. */
  body: Rendered
  /** Names in lower case. */
  headers: Record<string, string>
}

/** Statuses that an operation declares besides 200, 401, 403, 405 and 500. */
type DeclaredStatus = 204 | 300 | 304 | 400 | 404 | 410 | 503

/** The preset `PLATBOOK_PRICES`: each operation's own price, or one token for every operation. */
export type PricePreset = 'own' | 'contract'

/** Tokens of a 200 without a price set by the operator. Operations without a key are free. */
export function presetPrice(
  { tokenCost, needsKey }: Pick<Operation, 'tokenCost' | 'needsKey'>,
  preset: PricePreset,
): number {
  return preset === 'contract' && needsKey !== false ? 1 : tokenCost
}

/** An operation with the types of its parameters erased. */
export type Operation = {
  operationId: string
  /** Path with a trailing slash; a path parameter is `:name` and is declared with `in: 'path'`. */
  path: string
  summary: string
  description: string
  parameters: DescribedParameters
  /** Default price of a 200 in tokens. `Services.priceOf` returns the effective price. */
  tokenCost: number
  /** A boolean parameter that makes a 200 free. */
  freeWith?: string
  /** `false`: answered without a key, for an account without a name. Default `true`. */
  needsKey?: boolean
  /** Body of the 200: the name of a schema of OpenAPI, or a schema; `undefined`: not JSON. */
  answers: 'property' | 'list' | 'usage' | { schema: JsonSchema } | undefined
  /** Content type of the 200, if it is not JSON. */
  contentType?: string
  refusals: readonly DeclaredStatus[]
  /** Reads query and path; returns what finds the answer. Throws *bad request*. */
  read(given: GivenQuery, facts: AccountFacts, path?: PathValues): Finder
}

/** Whether a query is free, by its text: the gate runs before parameters are read. */
export function isFree({ freeWith }: Pick<Operation, 'freeWith'>, queryString: string): boolean {
  if (freeWith === undefined) return false
  // Nearly all queries are without it, and parsing one takes as long as its answer's head.
  if (!queryString.includes(freeWith) && !queryString.includes('%')) return false
  // `URLSearchParams` drops a leading `?`, which is part of a name here.
  const text = new URLSearchParams(`&${queryString}`).get(freeWith)
  return /^(?:true|1)$/i.test(text?.trim() ?? '')
}

export type PathValues = Readonly<Record<string, string>>

type Finder = (context: RequestContext) => Promise<Reply>

type Texts = 'summary' | 'description'

/** Its texts are in `tables/operations.txt`. */
type Definition<Declared extends Parameters, Query> = Omit<
  Operation,
  'read' | 'parameters' | 'tokenCost' | 'refusals' | Texts
> & {
  /** Default 0. */
  tokenCost?: number
  /** Default 400, 404 and 503. */
  refusals?: readonly DeclaredStatus[]
  parameters: Declared
  /** Names of filters that are refused; other unknown parameters are ignored. */
  unsupported?: NameTest
  /** Turns parameters into a query. Throws *bad request*. */
  check(values: Values<Declared>, facts: AccountFacts): Query
  /** Answers a query. Calls `context.queueSearch` only before slow work. Throws refusals. */
  find(query: Query, context: RequestContext): Promise<Reply>
}

export function defineOperation<const Declared extends Parameters, Query>(
  definition: Definition<Declared, Query>,
): Operation {
  const { check, find, unsupported, ...rest } = definition
  return {
    ...{ tokenCost: 0, refusals: [400, 404, 503], ...rest },
    ...textsOf(definition.operationId),
    parameters: describeParameters(definition.operationId, definition.parameters),
    read(given, facts, path) {
      const values = readParameters(definition.parameters, given, path, unsupported)
      const query = check(values, facts)
      const { fields } = values as { fields?: string }
      const own: Parameters = definition.parameters
      const layout =
        fields === undefined || own.fields !== FIELDS ? undefined : readFields(fields, facts)
      const answer = (context: RequestContext) =>
        find(query, layout === undefined ? context : { ...context, layout })
      if (own.asOf === undefined || !('asOf' in values) || values.asOf === undefined) return answer
      return (context) =>
        answerAsOf(values, context.parcels, (parcels) => answer({ ...context, parcels }))
    },
  }
}

/** The headers of a lookup: how it matched, how many parcels are there, and how many alike. */
export function describeMatch(
  match: string,
  count: number,
  equalMatches = count,
): Record<string, string> {
  return {
    'x-match': match,
    ...(count > 1 && { 'x-match-count': String(count) }),
    ...(equalMatches > 1 && { 'x-match-alike': String(equalMatches) }),
  }
}

/** Builds the single-property answer. `explain`: the explanation, if requested. */
export function showProperty(
  parcel: StoredParcel,
  layout: Shown,
  headers: Record<string, string>,
  explain?: object,
): Reply {
  const explanation = explain === undefined ? undefined : JSON.stringify(explain)
  return { body: renderProperty(parcel, layout, explanation), headers, seen: [parcel] }
}

export function showList(
  parcels: StoredParcel[],
  layout: Shown,
  metadata: Record<string, unknown>,
  headers: Record<string, string> = {},
): Reply {
  const body = renderList(parcels, layout, JSON.stringify(metadata))
  return { body, headers, seen: parcels.length === 0 ? [] : [{ propertyId: listIds() }] }
}

/** Builds a cacheable reply: 304 when `If-None-Match` has `etag` (`"roll-12"`), else `make`'s. */
export async function replyWithEtag(
  etag: string,
  { ifNoneMatch }: Pick<RequestContext, 'ifNoneMatch'>,
  make: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
    return { status: 304, body: '', headers }
  }
  const reply = await make()
  return { ...reply, headers: { ...headers, ...reply.headers } }
}

/** Weak comparison, as required by RFC 9110 section 13.1.2. */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}
