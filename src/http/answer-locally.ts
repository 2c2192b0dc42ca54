/** Answers operations from an opened store for its own operator: no key, no charge, no server. */
import { performance } from 'node:perf_hooks'
import { DEFAULT_FACTS } from '../access/account-facts.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import type { Operation, RequestContext } from '../operations/operation.ts'
import type { ParcelReader } from '../store/store.ts'
import { replyToError } from './error-reply.ts'
import type { Answered } from './write-answer.ts'

/** Operations that ask for the calling account, which there is not. */
export const ACCOUNT_OPERATIONS: ReadonlySet<string> = new Set(['usage'])

/**
 * The answer to a query, with the status that it would have over HTTP. Records are flat.
 *
 * `query` holds path parameters too. Throws what is no refusal.
 */
export async function answerLocally(
  operation: Operation,
  query: Readonly<Record<string, string>>,
  parcels: ParcelReader,
  config: Config,
): Promise<Answered> {
  const account = { id: '', name: '', facts: DEFAULT_FACTS }
  const context: RequestContext = {
    parcels,
    // Operations of accounts are not asked here.
    accounts: undefined as never,
    account,
    layout: 'flat',
    now: Date.now(),
    startedAt: performance.now(),
    searchTimeMs: config.searchTimeMs,
    ownerTimeMs: config.ownerTimeMs,
    docsUrl: config.docsUrl,
    ifNoneMatch: undefined,
    queueSearch: (work) => work(),
  }
  try {
    const text = new URLSearchParams(query).toString()
    const path = operation.path.includes(':') ? query : undefined
    const find = operation.read(text, account.facts, path)
    return { status: 200, ...(await find(context)) }
  } catch (error) {
    if (error instanceof Refusal) return replyToError(error, config.billingUrl)
    throw error
  }
}
