/** Answers operations from an opened store for its own operator, without key, charge and server. */
import { Refusal } from '../base/errors.ts'
import { makeLocalContext } from '../operations/context.ts'
import type { Operation } from '../operations/operation.ts'
import type { Config } from '../settings/config.ts'
import type { ParcelReader } from '../store/store.ts'
import { replyToError } from './error-reply.ts'
import type { Answered } from './write-answer.ts'

/**
 * Returns the answer to a query with its HTTP status. Records are flat.
 *
 * `query` includes path parameters. Throws errors that are not refusals.
 */
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
