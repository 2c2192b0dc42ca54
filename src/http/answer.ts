/** Answers one request to an operation. Order of checks: docs/decisions/http-interface.md. */
import { performance } from 'node:perf_hooks'
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
import type { Ledger } from '../ledger/ledger.ts'
import {
  isFree,
  type Operation,
  type PathValues,
  type Reply,
  type RequestContext,
} from '../operations/operation.ts'
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
  /** Returns the key in an `Authorization` header, without `Bearer` where that is accepted. */
  keyIn(authorization: string | undefined): string | undefined
  /** Address under which callers reach the service; null when unknown. */
  publicUrl: string | null
  /** Admits slow work. */
  searches: SearchQueue
  /** Tokens that a 200 of an operation costs: the operator's price, or the operation's own. */
  priceOf(operation: Pick<Operation, 'operationId' | 'tokenCost' | 'needsKey'>): number
  /** Epoch milliseconds. */
  now(): number
  searchTimeMs: number
  ownerTimeMs: number
  /** How many days changes are kept. */
  changesDays: number
  docsUrl: string
  /** Billing page of accounts without their own; null: `/billing` of this service. */
  billingUrl: string | null
}

/** A request, as read by the server. */
export type IncomingRequest = {
  id: string
  authorization: string | undefined
  /** Used when a 200 costs tokens. */
  idempotencyKey?: string | undefined
  /** As received, without the `?`. */
  queryString: string
  /** For paths with parameters. */
  path?: PathValues | undefined
  ifNoneMatch?: string | undefined
  /** `X-Sandbox`: the response that a sandbox key requests. */
  sandbox?: string | undefined
  /** Set once the key is known, for the access log. */
  keyId?: string | undefined
  /** Whether a tool of `/mcp` sends it; keys with the scope `mcp` are valid only there. */
  isTool?: boolean
  /** Set when tracing is on. */
  trace?: Trace | undefined
  /** Reads the body and sets `queryString` from it. False: the caller has disconnected. */
  receive?: () => Promise<boolean>
  /** Returns the caller's address, or its network. */
  address(): string
  /** Returns this service's billing page at the address that the caller used. */
  billingPage?: () => string
  /** Whether the caller has disconnected; nothing is charged then. */
  gone(): boolean
}

/** The caller of an operation that needs no key. */
const NOBODY: Caller = { account: { id: '', name: '', facts: DEFAULT_FACTS }, keyId: '' }

/** Thrown into a queued search whose caller has disconnected. */
const CALLER_GONE = new Error('the caller has hung up')

/** Answers a request. Throws refusals. `undefined`: the caller has disconnected. */
export async function answer(
  operation: Operation,
  request: IncomingRequest,
  services: Services,
): Promise<Reply | undefined> {
  const now = services.now()
  request.authorization = services.keyIn(request.authorization)
  const caller =
    recall(operation, request, services, now) ?? (await identifyOrCount(request, services, now))
  if (!request.isTool && isMcpKey(request.authorization?.trim() ?? '')) {
    throw refuse.unauthenticated('Unauthorized: This key is valid only at /mcp')
  }
  request.keyId = caller.keyId
  return caller.isSandbox
    ? answerInSandbox(operation, request, caller, services)
    : answerAudited(operation, request, caller, services, now)
}

/** Answers a sandbox key from the sample, without gate, charge or usage. */
async function answerInSandbox(
  operation: Operation,
  request: IncomingRequest,
  { account: { facts }, keyId }: Caller,
  services: Services,
): Promise<Reply | undefined> {
  await provoke(request.sandbox)
  const { dataReads, responseShape, emptyFields, useCodes } = facts
  const shown = { ...DEFAULT_FACTS, dataReads, responseShape, emptyFields, useCodes }
  const caller = { account: { id: '', name: '', facts: shown }, keyId }
  const parcels = await services.sandboxParcels()
  const sandbox = { ...services, parcels, guard: (own: ParcelReader) => own, priceOf: () => 0 }
  const reply = await answerCaller(operation, request, caller, sandbox, services.now())
  if (reply === undefined) return undefined
  reply.headers['x-sandbox'] = 'true'
  if (services.priceOf(operation) > 0) reply.headers['x-tokens-charged'] = '0'
  return reply
}

/** With PLATBOOK_AUDIT=all a refusal is audited like an answer. */
async function answerAudited(
  operation: Operation,
  request: IncomingRequest,
  caller: Caller,
  services: Services,
  now: number,
): Promise<Reply | undefined> {
  const { auditor } = services
  if (!auditor.all || caller === NOBODY) {
    return answerCaller(operation, request, caller, services, now)
  }
  return answerCaller(operation, request, caller, services, now).catch((error) => {
    services.ledger.noteAudit([auditor.note(operation, request, caller, [])])
    throw error
  })
}

async function answerCaller(
  operation: Operation,
  request: IncomingRequest,
  caller: Caller,
  services: Services,
  now: number,
): Promise<Reply | undefined> {
  // Read after the key lookup, which detects a new price.
  const price = isFree(operation, request.queryString) ? 0 : services.priceOf(operation)
  const early = readIdempotency(operation, request, caller, price)
  // A request that was charged before under this key is free, even with no tokens left. Only the
  // ledger process can say whether it was, so the gate here asks for no tokens.
  const cost = early === undefined ? price : 0
  const admission = admit(caller, cost, services.keys.tokenUse, now)
  if (admission !== undefined) await admission
  const { requestsPerMinute } = caller.account.facts
  if (requestsPerMinute !== 'unlimited') {
    await services.rates.admit(caller.account.id, requestsPerMinute)
  }
  if (request.receive !== undefined && !(await request.receive())) return undefined
  // A key is valid for one body.
  const idempotency = request.receive ? readIdempotency(operation, request, caller, price) : early
  const find = operation.read(request.queryString, caller.account.facts, request.path)
  if (price > 0 && (await hasLeft(request))) return undefined
  const context = makeContext(services, caller, request, price, now)
  const runFind = () => (price > 0 ? find(context).catch(ignoreDisconnect) : find(context))
  const reply = await (request.trace === undefined
    ? runFind()
    : request.trace.step('find', runFind))
  const totalPrice = price * (reply?.units ?? 1)
  if (totalPrice === 0 || reply === undefined || (reply.status ?? 200) !== 200) {
    if (reply !== undefined && caller.account.id !== '')
      auditFreeAnswer(operation, request, caller, reply, services)
    return reply
  }
  if (request.gone()) return undefined
  const { operationId } = operation
  const { ledger, auditor } = services
  const audit = auditor.off ? undefined : auditor.describe(operation, request, reply.seen ?? [])
  const paid = { cost: totalPrice, requestId: request.id, audit, idempotency }
  const charge = () => chargeFor(caller, operationId, paid, ledger)
  const receipt = await (request.trace === undefined
    ? charge()
    : request.trace.step('charge', charge))
  services.observe.charged(receipt.charged)
  reply.headers['x-tokens-charged'] = String(receipt.charged)
  if (receipt.remaining !== null) {
    reply.headers['x-tokens-remaining'] = String(receipt.remaining)
  }
  return reply
}

/** A free answer does not wait for the audit, which is written within a second. */
function auditFreeAnswer(
  operation: Operation,
  request: IncomingRequest,
  caller: Caller,
  { seen = [] }: Reply,
  { auditor, ledger }: Services,
): void {
  if (auditor.off || (seen.length === 0 && !auditor.all)) return
  ledger.noteAudit([auditor.note(operation, request, caller, seen)])
}

/**
 * Returns the caller from this process's cache of keys, or `NOBODY` if the operation needs no key;
 * `undefined` if the key must be looked up.
 */
function recall(
  { needsKey }: Operation,
  { authorization }: IncomingRequest,
  { keys }: Services,
  now: number,
): Caller | undefined {
  return needsKey === false ? NOBODY : keys.recall(authorization ?? '', now)
}

/**
 * Looks up the caller's key, and counts a failure for the caller's address. Throws
 * *unauthenticated*, or *too many* when the address has failed too often.
 */
async function identifyOrCount(
  request: IncomingRequest,
  { keys, failedKeys }: Services,
  now: number,
): Promise<Caller> {
  try {
    return await identify(request.authorization, keys, now)
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'unauthenticated') {
      await failedKeys.note(request.address())
    }
    throw error
  }
}

function readIdempotency(
  { operationId }: Operation,
  { idempotencyKey, queryString }: IncomingRequest,
  { account }: Caller,
  price: number,
): Idempotency | undefined {
  if (idempotencyKey === undefined || price === 0) return undefined
  return makeIdempotency(account.id, idempotencyKey, operationId, queryString)
}

function makeContext(
  services: Services,
  { account }: Caller,
  request: IncomingRequest,
  price: number,
  now: number,
): RequestContext {
  const { accounts, searches, searchTimeMs, ownerTimeMs, docsUrl } = services
  return {
    parcels: services.guard(services.parcels),
    accounts,
    account,
    layout: shownTo(account.facts),
    now,
    startedAt: performance.now(),
    searchTimeMs,
    ownerTimeMs,
    changesDays: services.changesDays,
    docsUrl,
    publicUrl: services.publicUrl,
    tiles: services.tiles,
    ifNoneMatch: request.ifNoneMatch,
    queueSearch: (work) =>
      searches.run((pause) => {
        // A free answer is still sent to a caller that has only closed its sending side.
        if (price > 0 && request.gone()) throw CALLER_GONE
        return work(pause)
      }),
  }
}

function ignoreDisconnect(error: unknown): undefined {
  if (error !== CALLER_GONE) throw error
}
