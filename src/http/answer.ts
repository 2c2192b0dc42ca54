/** Answers one request to an operation. Order of checks: docs/decisions/http-interface.md. */
import { DEFAULT_FACTS } from '../accounts/account-facts.ts'
import { isMcpKey } from '../accounts/api-key.ts'
import { admit } from '../accounts/billing-gate.ts'
import type { KeyDirectory } from '../accounts/directory.ts'
import type { FailedKeys } from '../accounts/failed-keys.ts'
import { identify } from '../accounts/identify.ts'
import type { RateLimits } from '../accounts/rate-limits.ts'
import { chargeFor } from '../accounts/token-meter.ts'
import { Refusal, refuse } from '../base/errors.ts'
import type { RefusalLog } from '../base/logs/refusal-log.ts'
import type { Caller } from '../base/model/account.ts'
import type { Observe } from '../base/observe.ts'
import { type Idempotency, makeIdempotency } from '../ledger/idempotency.ts'
import type { Charge, Ledger } from '../ledger/ledger.ts'
import { makeContext as makeRequestContext } from '../operations/context.ts'
import {
  isFree,
  type Operation,
  type PathValues,
  type Reply,
  type RequestContext,
} from '../operations/operation.ts'
import type { WatchDesk } from '../operations/watches/draft.ts'
import type { Auditor } from '../privacy/audit.ts'
import { shownTo } from '../render/render.ts'
import type { TileBuilder } from '../render/tiles/builder.ts'
import type { AccountReader } from '../store/accounts-store.ts'
import type { ParcelReader } from '../store/store.ts'
import { hasLeft } from './load/has-left.ts'
import type { SearchQueue } from './load/search-queue.ts'
import { provoke } from './provoke.ts'
import type { Trace } from './traces.ts'

/** Everything that answering needs. Created once by `app.ts`. */
export type Services = {
  parcels: ParcelReader
  /** Wraps a reader to hide suppressed records that are still stored. */
  guard(parcels: ParcelReader): ParcelReader
  /** The store that answers sandbox keys. Throws *unavailable* until it is built. */
  sandboxParcels(): Promise<ParcelReader>
  accounts: AccountReader
  keys: KeyDirectory
  rates: RateLimits
  failedKeys: FailedKeys
  /** Counts messages to `/mcp` without a key by address. */
  discovery: FailedKeys
  ledger: Ledger
  auditor: Auditor
  observe: Observe
  /** Keeps refused requests for support; `undefined` when its files cannot be written. */
  refusals?: RefusalLog | undefined
  tiles: TileBuilder
  watches: WatchDesk
  /** Returns the key in an `Authorization` header, without `Bearer` where that is accepted. */
  keyIn(authorization: string | undefined): string | undefined
  /** Address under which callers reach the service; null when unknown. */
  publicUrl: string | null
  searches: SearchQueue
  /** Tokens that a 200 of an operation costs: the operator's price, or the operation's own. */
  priceOf(operation: Pick<Operation, 'operationId' | 'tokenCost' | 'needsKey'>): number
  /** Epoch milliseconds. */
  now(): number
  searchTimeMs: number
  ownerTimeMs: number
  changesDays: number
  /** Billing page of accounts without their own; null: `/billing` of this service. */
  billingUrl: string | null
}

export type IncomingRequest = {
  id: string
  authorization: string | undefined
  /** Used when a 200 costs tokens. */
  idempotencyKey?: string | undefined
  /** As received, without the `?`. */
  queryString: string
  path?: PathValues | undefined
  ifNoneMatch?: string | undefined
  /** `X-Sandbox`: the response that a sandbox key requests. */
  sandbox?: string | undefined
  /** Set once the key is known, for the access log. */
  keyId?: string | undefined
  /** Whether a tool of `/mcp` sends it; keys with the scope `mcp` are valid only there. */
  isTool?: boolean
  trace?: Trace | undefined
  /** Reads the body and sets `queryString` from it. False: the caller has disconnected. */
  receive?: () => Promise<boolean>
  address(): string
  /** Returns this service's billing page at the address that the caller used. */
  billingPage?: () => string
  /** Whether the caller has disconnected; nothing is charged then. */
  gone(): boolean
}

type Asked = {
  operation: Operation
  request: IncomingRequest
  services: Services
  /** Epoch milliseconds. */
  now: number
}

/** The caller of an operation that needs no key. */
const NOBODY: Caller = { account: { id: '', name: '', facts: DEFAULT_FACTS }, keyId: '' }

/** Thrown into a queued search whose caller has disconnected. */
const CALLER_GONE = new Error('the caller has hung up')

/** Answers a request, or throws refusals. `undefined`: the caller has disconnected. */
export function answer(
  operation: Operation,
  request: IncomingRequest,
  services: Services,
): Promise<Reply | undefined> {
  const asked = { operation, request, services, now: services.now() }
  const caller = recallCaller(asked)
  if (caller !== undefined) return answerKnown(asked, caller)
  return findCaller(asked).then((found) => answerKnown(asked, found)) // 401, 429
}

function answerKnown(asked: Asked, caller: Caller): Promise<Reply | undefined> {
  asked.request.keyId = caller.keyId
  if (caller.isSandbox) return answerInSandbox(asked, caller)
  const reply = answerCaller(asked, caller)
  if (!asked.services.auditor.all) return reply
  return reply.catch((error) => {
    auditShown(asked, caller, undefined)
    throw error
  })
}

async function answerCaller(asked: Asked, caller: Caller): Promise<Reply | undefined> {
  const { operation, request, services } = asked
  // Read after the key lookup, which detects a new price.
  const price = isFree(operation, request.queryString) ? 0 : services.priceOf(operation)
  const admission = admitCaller(asked, caller, price) // 403, 429
  if (admission !== undefined) await admission
  if (request.receive !== undefined && !(await request.receive())) return undefined // 413, 503
  const idempotency = readIdempotency(asked, caller, price) // 400
  const find = operation.read(request.queryString, caller.account.facts, request.path) // 400
  if (price > 0 && (await hasLeft(request))) return undefined
  const context = makeContext(asked, caller, price)
  const reply = await step(asked, 'find', () => findUnlessGone(find, context, price)) // 404, 503
  if (reply === undefined) return undefined
  const cost = price * (reply.units ?? 1)
  if (cost > 0 && (reply.status ?? 200) === 200) {
    return await charge(asked, caller, reply, { cost, idempotency }) // 403, 503, with the audit
  }
  auditShown(asked, caller, reply.seen ?? [])
  return reply
}

/** Answers a sandbox key from the sample, without gate, charge or usage. */
async function answerInSandbox(
  asked: Asked,
  { account: { facts }, keyId }: Caller,
): Promise<Reply | undefined> {
  const { operation, request, services } = asked
  await provoke(request.sandbox, operation.operationId)
  const { dataReads, responseShape, emptyFields, useCodes } = facts
  const shown = { ...DEFAULT_FACTS, dataReads, responseShape, emptyFields, useCodes }
  const caller = { account: { id: '', name: '', facts: shown }, keyId }
  const parcels = await services.sandboxParcels()
  const sandbox = { ...services, parcels, guard: (own: ParcelReader) => own, priceOf: () => 0 }
  const reply = await answerCaller({ ...asked, services: sandbox, now: services.now() }, caller)
  if (reply === undefined) return undefined
  reply.headers['x-sandbox'] = 'true'
  if (services.priceOf(operation) > 0) reply.headers['x-tokens-charged'] = '0'
  return reply
}

/** Returns a caller that is known at once: `NOBODY`, or one in this process's cache of keys. */
function recallCaller({ operation, request, services, now }: Asked): Caller | undefined {
  request.authorization = services.keyIn(request.authorization)
  const { authorization = '', isTool } = request
  if (!isTool && isMcpKey(authorization.trim())) return undefined
  return operation.needsKey === false ? NOBODY : services.keys.recall(authorization, now)
}

/** Looks a caller up; failures count for the address. Throws *unauthenticated*, *too many*. */
async function findCaller({ operation, request, services, now }: Asked): Promise<Caller> {
  const { authorization, isTool } = request
  let caller = NOBODY
  try {
    if (operation.needsKey !== false) caller = await identify(authorization, services.keys, now)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'unauthenticated') {
      await services.failedKeys.note(request.address())
    }
    throw error
  }
  if (isTool || !isMcpKey(authorization?.trim() ?? '')) return caller
  throw refuse.unauthenticated('Unauthorized: This key is valid only at /mcp')
}

/** Passes the gate, then the rate limit. `undefined`: the caller is admitted at once. */
function admitCaller(asked: Asked, caller: Caller, price: number): Promise<void> | undefined {
  const { keys, rates } = asked.services
  const { id, facts } = caller.account
  const limit = facts.requestsPerMinute
  // A request that was charged before under this key is free, even with no tokens left. Only the
  // ledger process can say whether it was, so the gate here asks for no tokens.
  const cost = asked.request.idempotencyKey === undefined ? price : 0
  const count = () => (limit === 'unlimited' ? undefined : rates.admit(id, limit))
  const admission = admit(caller, cost, keys.tokenUse, asked.now)
  return admission === undefined ? count() : admission.then(count)
}

/** Charges the caller for a 200 and audits it. `undefined`: the caller has disconnected. */
async function charge(
  asked: Asked,
  caller: Caller,
  reply: Reply,
  paid: Pick<Charge, 'cost' | 'idempotency'>,
): Promise<Reply | undefined> {
  const { operation, request, services } = asked
  const { auditor, ledger } = services
  if (request.gone()) return undefined
  const audit = auditor.off ? undefined : auditor.describe(operation, request, reply.seen ?? [])
  const receipt = await step(asked, 'charge', () =>
    chargeFor(caller, operation.operationId, { ...paid, requestId: request.id, audit }, ledger),
  )
  services.observe.charged(receipt.charged)
  reply.headers['x-tokens-charged'] = String(receipt.charged)
  if (receipt.remaining !== null) {
    reply.headers['x-tokens-remaining'] = String(receipt.remaining)
  }
  return reply
}

/**
 * Audits what an answer without a charge shows; `undefined` for a refusal. It does not wait for the
 * audit, which is written within a second. Refusals, and answers that show no parcel, are audited
 * with PLATBOOK_AUDIT=all.
 */
export function auditShown(
  { operation, request, services: { auditor, ledger } }: Omit<Asked, 'now'>,
  caller: Caller,
  seen: Reply['seen'],
): void {
  if (caller.account.id === '' || auditor.off) return
  if (!auditor.all && (seen === undefined || seen.length === 0)) return
  ledger.noteAudit([auditor.note(operation, request, caller, seen ?? [])])
}

function step<Result>(
  { request: { trace } }: Asked,
  name: 'find' | 'charge',
  work: () => Promise<Result>,
): Promise<Result> {
  return trace === undefined ? work() : trace.step(name, work)
}

/** Reads the header for a request that costs tokens: a key is valid for one query or body. */
function readIdempotency(
  { operation: { operationId }, request: { idempotencyKey, queryString } }: Asked,
  { account }: Caller,
  price: number,
): Idempotency | undefined {
  if (idempotencyKey === undefined || price === 0) return undefined
  return makeIdempotency(account.id, idempotencyKey, operationId, queryString)
}

function makeContext(
  { request, services, now }: Asked,
  { account }: Caller,
  price: number,
): RequestContext {
  const { parcels, accounts, tiles, searches } = services
  return makeRequestContext(services, {
    parcels: services.guard(parcels),
    accounts,
    account,
    tiles,
    now,
    layout: shownTo(account.facts),
    ifNoneMatch: request.ifNoneMatch,
    idempotencyKey: request.idempotencyKey,
    watches: services.watches,
    queueSearch: (work) =>
      searches.run((pause) => {
        // A free answer is still sent to a caller that has only closed its sending side.
        if (price > 0 && request.gone()) throw CALLER_GONE
        return work(pause)
      }),
  })
}

/** Only a search that costs tokens notices that its caller has disconnected. */
function findUnlessGone(
  find: ReturnType<Operation['read']>,
  context: RequestContext,
  price: number,
): Promise<Reply | undefined> {
  const reply = find(context)
  return price > 0 ? reply.catch(ignoreDisconnect) : reply
}

function ignoreDisconnect(error: unknown): undefined {
  if (error !== CALLER_GONE) throw error
}
