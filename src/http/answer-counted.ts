/** Answers a request to an operation, with refusals as answers, and counts it. */
import type { IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { isWellFormed, prefixOf } from '../accounts/api-key.ts'
import { Refusal } from '../base/errors.ts'
import { withoutValues } from '../base/logs/refusal-log.ts'
import { makeLocalContext } from '../operations/context.ts'
import type { Operation } from '../operations/operation.ts'
import type { Config } from '../settings/config.ts'
import type { ParcelReader } from '../store/store.ts'
import type { AccessLog } from './access-log.ts'
import { answer, type IncomingRequest, type Services } from './answer.ts'
import { replyToError } from './error-reply.ts'
import type { Answered } from './write-answer.ts'

/** Where a request is noted. `started`: when it arrived, by `performance.now()`; default now. */
type Noted = { raw: IncomingMessage; accessLog: AccessLog | undefined; started?: number }

/** The answer with its status, counted and logged. `undefined`: the caller has disconnected. */
export async function answerCounted(
  operation: Operation,
  incoming: IncomingRequest,
  services: Services,
  { raw, accessLog, started = performance.now() }: Noted,
): Promise<Answered | undefined> {
  let answered: Answered | undefined
  try {
    const found = await answer(operation, incoming, services)
    if (found !== undefined) {
      answered = { status: found.status ?? 200, body: found.body, headers: found.headers }
    }
  } catch (error) {
    answered = replyToFailure(error, operation, incoming, services)
  }
  const status = answered?.status ?? 499
  const ms = performance.now() - started
  const { id, keyId, trace } = incoming
  services.observe.request(operation.operationId, status, ms)
  trace?.end(status, keyId)
  accessLog?.note({ request: { raw, id }, operation, keyId, status, ms })
  return answered
}

/** Returns the answer to an error. Logs defects and the causes of a 503. */
function replyToFailure(
  error: unknown,
  operation: Operation,
  incoming: IncomingRequest,
  services: Services,
): Answered {
  if (!(error instanceof Refusal)) {
    services.observe.failure(incoming.id, operation.operationId, error)
  } else if (error.kind === 'unavailable' && error.cause !== undefined) {
    services.observe.failure(incoming.id, operation.operationId, error.cause)
  }
  const reply = replyToError(error, services.billingUrl ?? incoming.billingPage?.() ?? '/billing')
  services.refusals?.note({
    ...{ requestId: incoming.id, operation: operation.operationId, status: reply.status },
    reason: reasonOf(error, incoming),
    keyId: incoming.keyId || null,
    prefix: incoming.keyId === undefined ? prefixOfKey(incoming.authorization) : null,
  })
  return reply
}

function reasonOf(error: unknown, { queryString, path = {} }: IncomingRequest): string {
  if (!(error instanceof Refusal)) return 'a defect; the log has its cause under this request'
  const values = new URLSearchParams(path).toString()
  return error.code ?? withoutValues(error.message, `${queryString}&${values}`)
}

/** What is not a key may be anything, and is not kept. */
function prefixOfKey(authorization: string | undefined): string | null {
  const key = authorization?.trim() ?? ''
  return isWellFormed(key) ? prefixOf(key) : null
}

/** Answers a query with its path parameters. Records are flat. Throws errors but no refusals. */
export async function answerLocally(
  operation: Operation,
  query: readonly [name: string, text: string][],
  parcels: ParcelReader,
  config: Config,
): Promise<Answered> {
  const context = makeLocalContext(parcels, config)
  try {
    const text = new URLSearchParams([...query]).toString()
    const path = operation.path.includes(':') ? Object.fromEntries(query) : undefined
    const find = operation.read(text, context.account.facts, path)
    return { status: 200, ...(await find(context)) }
  } catch (error) {
    if (error instanceof Refusal) return replyToError(error, config.billingUrl ?? '/billing')
    throw error
  }
}
