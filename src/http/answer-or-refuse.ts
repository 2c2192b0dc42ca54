/** Answers a request to an operation, with refusals as answers. */
import { Refusal } from '../base/errors.ts'
import type { Operation } from '../operations/operation.ts'
import { answer, type IncomingRequest, type Services } from './answer.ts'
import { replyToError } from './error-reply.ts'
import type { Answered } from './write-answer.ts'

/**
 * Returns the answer with its status. Logs defects and the causes of a 503. `undefined`: the caller
 * has disconnected.
 */
export async function answerOrRefuse(
  operation: Operation,
  incoming: IncomingRequest,
  services: Services,
): Promise<Answered | undefined> {
  try {
    const found = await answer(operation, incoming, services)
    return found === undefined ? undefined : { status: 200, ...found }
  } catch (error) {
    if (!(error instanceof Refusal)) {
      services.observe.failure(incoming.id, operation.operationId, error)
    } else if (error.kind === 'unavailable' && error.cause !== undefined) {
      services.observe.failure(incoming.id, operation.operationId, error.cause)
    }
    return replyToError(error, services.billingUrl ?? incoming.billingPage?.() ?? '/billing')
  }
}
