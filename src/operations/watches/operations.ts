/** `/public/watches/`: what an account wants to hear of, and the events that were found. */
import { refuse } from '../../base/errors.ts'
import type { AccountFacts } from '../../base/model/account.ts'
import { CHANGE_GROUPS, type ChangeGroup, groupBit } from '../../base/model/changes.ts'
import { textsOf } from '../../record/json-schema.ts'
import { WATCH_KINDS, type WatchKind } from '../../store/accounts/watch-store.ts'
import { readEntryCursor } from '../cursor.ts'
import { checkText, type GivenQuery, parseJson } from '../given-query.ts'
import type { Operation, Reply, RequestContext } from '../operation.ts'
import { describeParameters, type Parameters, readParameters } from '../parameters.ts'
import { param } from '../shared-parameters.ts'
import { checkMembers, MEMBER, readCondition } from './condition.ts'
import type { DeskQuestion, WatchDraft, WatchPatch } from './draft.ts'
import { EVENTS, ONE, TESTED, WATCH, WATCHES } from './schemas.ts'
import { seenIn, type WatchEvent } from './show-event.ts'

const PATH = '/public/watches/'
const OF_ONE = `${PATH}:id/`
const ID: Parameters = {
  id: { type: 'string', required: true, in: 'path' },
}
const NAME_MAX = 200
const URL_MAX = 2000
const PAGE_MAX = 100

/** A request to a path of watches. `takesBody`: its members are the parameters. */
export type WatchRoute = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  operation: Operation
  takesBody: boolean
}

const MEMBERS = {
  name: param.text,
  kind: param.oneOf([...WATCH_KINDS]),
  propertyIds: param.text,
  owner: param.text,
  state: param.text,
  county: param.text,
  shape: param.text,
  search: param.text,
  groups: param.text,
  url: param.text,
} as const satisfies Parameters

const NAMES = [
  ...new Set([MEMBERS, ONE.properties, WATCH.properties].flatMap((one) => Object.keys(one ?? {}))),
  'rotateSecret',
]

const CURSOR: Parameters = {
  ...ID,
  cursor: {
    type: 'string',
    mayBeEmpty: true,
  },
  limit: param.upTo(PAGE_MAX, PAGE_MAX),
}

type Ask = (given: GivenQuery, facts: AccountFacts, id: string) => (context: Asking) => Question
type Asking = Pick<RequestContext, 'account' | 'idempotencyKey'>
// The account is added to all of them.
type Question = DeskQuestion extends infer One
  ? One extends unknown
    ? Omit<One, 'accountId'>
    : never
  : never

type Declared = Pick<Operation, 'operationId' | 'answers'> & {
  /** Default GET. */
  method?: WatchRoute['method']
  /** Default: that of one watch. */
  path?: string
  /** Default: the ID of the watch. */
  parameters?: Parameters
  status?: Reply['status']
  takesBody?: boolean
  ask: Ask
}

function declare(one: Declared): WatchRoute {
  const { method = 'GET', path = OF_ONE, status, takesBody = false, ask, ...rest } = one
  const operation: Operation = {
    ...rest,
    ...textsOf(rest.operationId),
    parameters: describeParameters(rest.operationId, rest.parameters ?? ID),
    path,
    tokenCost: 0,
    refusals: [400, ...(path === PATH ? [] : [404 as const]), 503],
    read(given, facts, values = {}) {
      const question = ask(given, facts, values.id ?? '')
      return (context) => answer(question(context), status, context)
    },
  }
  return { method, operation, takesBody }
}

async function answer(
  question: Question,
  status: Reply['status'],
  { account, watches }: RequestContext,
): Promise<Reply> {
  if (account.id === '') throw refuse.badRequest('Watches need a key that is not of the sandbox')
  const body = await watches({ ...question, accountId: account.id } as DeskQuestion)
  const text = status === 204 ? '' : JSON.stringify(body)
  const events = question.what === 'events' ? (body.events as WatchEvent[]) : undefined
  // Each event is charged and audited.
  const more = events && { units: events.length, seen: seenIn(events) }
  return { ...(status !== undefined && { status }), body: text, headers: {}, ...more }
}

const byId =
  (what: 'read' | 'remove' | 'test'): Ask =>
  (_given, _facts, id) =>
  () => ({ what, id })

const createWatch = declare({
  method: 'POST',
  path: PATH,
  operationId: 'createWatch',
  parameters: MEMBERS,
  answers: { schema: ONE },
  status: 201,
  takesBody: true,
  ask: (given, facts) => {
    const draft = readDraft(readBody(given), facts)
    return ({ account, idempotencyKey }) => ({
      ...{ what: 'create', draft, repeat: idempotencyKey },
      limits: limitsOf(account.facts),
    })
  },
})

const changeWatch = declare({
  method: 'PATCH',
  operationId: 'changeWatch',
  parameters: {
    ...ID,
    ...MEMBERS,
    rotateSecret: param.yesNo,
    status: param.oneOf(['active']),
  },
  answers: { schema: ONE },
  takesBody: true,
  ask: (given, facts, id) => {
    const change = readPatch(readBody(given), facts)
    return ({ account }) => ({ what: 'change', id, change, limits: limitsOf(account.facts) })
  },
})

/** Its price is that of an event. */
export const watchEvents = declare({
  path: `${OF_ONE}events/`,
  operationId: 'watchEvent',
  parameters: CURSOR,
  answers: { schema: EVENTS },
  ask: (given, _facts, id) => {
    const values = readParameters(CURSOR, given, { id }) as { cursor?: string; limit: number }
    const { cursor = '', limit } = values
    const after = readEntryCursor(cursor)
    return () => ({ what: 'events', id, after, limit })
  },
})

export const WATCH_ROUTES: readonly WatchRoute[] = [
  createWatch,
  declare({
    path: PATH,
    operationId: 'listWatches',
    parameters: {},
    answers: { schema: WATCHES },
    ask: () => () => ({ what: 'list' }),
  }),
  declare({
    operationId: 'readWatch',
    answers: { schema: WATCH },
    ask: byId('read'),
  }),
  changeWatch,
  declare({
    method: 'DELETE',
    operationId: 'deleteWatch',
    answers: undefined,
    status: 204,
    ask: byId('remove'),
  }),
  watchEvents,
  declare({
    method: 'POST',
    path: `${OF_ONE}test/`,
    operationId: 'testWatch',
    answers: { schema: TESTED },
    ask: byId('test'),
  }),
]

/** Returns what was sent. What a watch shows may be sent back, and is not changed by it. */
function readBody(given: GivenQuery): Record<string, unknown> {
  const body = readMembers(given)
  checkMembers(body, NAMES)
  return body
}

/** Reads a JSON object, or the pairs of a query. */
function readMembers(given: GivenQuery): Record<string, unknown> {
  if (typeof given === 'string' && /^\s*(?:[[{"]|null\s*$)/.test(given)) {
    const body = parseJson(given, 'The body is not JSON')
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>
    }
    throw refuse.badRequest('The body must be a JSON object')
  }
  if (typeof given !== 'string') return Object.fromEntries(given)
  const pairs = [...new URLSearchParams(given)]
  if (given !== '' && !given.includes('=')) throw refuse.badRequest('The body is not JSON')
  return Object.fromEntries(pairs.filter(([, text]) => text !== ''))
}

function limitsOf({ watchesMax, watchedParcelsMax }: AccountFacts) {
  return { watches: watchesMax, parcels: watchedParcelsMax }
}

function readDraft(body: Record<string, unknown>, facts: AccountFacts): WatchDraft {
  const kind = readKind(body.kind)
  return {
    name: readName(body.name ?? ''),
    kind,
    condition: readCondition(kind, body, facts.useCodes),
    groups: readGroups(body.groups),
    url: readUrl(body.url),
  }
}

function readKind(given: unknown): WatchKind {
  const kind = WATCH_KINDS.find((one) => one === given)
  if (kind !== undefined) return kind
  throw refuse.badRequest(`kind must be one of ${WATCH_KINDS.join(', ')}`)
}

function readPatch(body: Record<string, unknown>, facts: AccountFacts): WatchPatch {
  const change: WatchPatch = {}
  const asked = WATCH_KINDS.find((kind) => body[MEMBER[kind]] !== undefined)
  if (body.name !== undefined) change.name = readName(body.name)
  if (body.kind !== undefined) change.kind = readKind(body.kind)
  if (asked !== 'owner' && (body.state !== undefined || body.county !== undefined)) {
    throw refuse.badRequest('state and county need owner')
  }
  if (asked !== undefined) change.condition = readCondition(asked, body, facts.useCodes)
  if (body.groups !== undefined) change.groups = readGroups(body.groups)
  if (body.url !== undefined) change.url = readUrl(body.url)
  if (readFlag(body.rotateSecret ?? false)) change.rotateSecret = true
  if (body.status !== undefined && body.status !== 'active') {
    throw refuse.badRequest('status can only be set to active')
  }
  if (body.status === 'active') change.status = 'active'
  return change
}

function readFlag(given: unknown): boolean {
  if (typeof given === 'boolean') return given
  if (given === 'true' || given === 'false') return given === 'true'
  throw refuse.badRequest('rotateSecret must be true or false')
}

function readName(name: unknown): string {
  if (typeof name !== 'string' || name.length > NAME_MAX) {
    throw refuse.badRequest('name must be a text of at most 200 characters')
  }
  return checkText('name', name.trim(), {})
}

/** A list of names, or their text; nothing means all of them. */
function readGroups(groups: unknown): number {
  const all = CHANGE_GROUPS.reduce((bits, group) => bits | groupBit(group), 0)
  if (groups === undefined || groups === null || groups === '') return all
  const names = typeof groups === 'string' ? groups.split(',') : groups
  if (!Array.isArray(names)) throw wrongGroups()
  return names.length === 0 ? all : names.reduce((bits, name) => bits | readGroup(name), 0)
}

function readGroup(name: unknown): number {
  const group = String(name).trim().toLowerCase()
  if (!(CHANGE_GROUPS as readonly string[]).includes(group)) throw wrongGroups()
  return groupBit(group as ChangeGroup)
}

function wrongGroups() {
  return refuse.badRequest(`groups must be some of: ${CHANGE_GROUPS.join(', ')}`)
}

/** Addresses that cannot be reached are refused by the desk, which knows the operator's setting. */
function readUrl(url: unknown): string | null {
  if (url === undefined || url === null || url === '') return null
  const parsed = typeof url === 'string' && url.length <= URL_MAX ? URL.parse(url) : null
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
  if (parsed === null || !isWeb || parsed.username !== '' || parsed.password !== '') {
    throw refuse.badRequest('url must be an https or http address without a name or password')
  }
  parsed.hash = ''
  return parsed.href
}
