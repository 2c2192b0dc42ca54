/** What an operation costs a caller now. */
import type { Operation } from '../operations/operation.ts'
import type { ConsoleContext } from './context.ts'

/** Tokens of a 200: the operator's price, or the operation's own. */
export async function priceOf(
  { prices }: Pick<ConsoleContext, 'prices'>,
  { operationId, tokenCost }: Operation,
): Promise<number> {
  return (await prices()).get(operationId) ?? tokenCost
}
