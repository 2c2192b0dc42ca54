/** The present price of an operation for callers. */
import type { Operation } from '../operations/operation.ts'
import type { ConsoleContext } from './context.ts'

/** Returns the tokens of a 200: the operator's price, or the operation's own. */
export async function priceOf(
  { prices }: Pick<ConsoleContext, 'prices'>,
  { operationId, tokenCost }: Operation,
): Promise<number> {
  return (await prices()).get(operationId) ?? tokenCost
}
