/** What operations cost a caller, and how an operator sets it. */
import { WrongValue } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { type Operation, type PricePreset, presetPrice } from '../operations/operation.ts'
import type { AccountAdmin } from '../store/accounts/admin.ts'
import type { Prices } from '../store/accounts-store.ts'
import type { ConsoleContext } from './context.ts'
import { type Html, html } from './show/html.ts'
import { countOf, PRICED } from './show/words.ts'

const TOKENS_MAX = 1_000_000

type Price = { operation: string; tokens: number; default: number }

/** Tokens of a 200: the operator's price, or the operation's own. */
export async function priceOf(
  { prices, config }: Pick<ConsoleContext, 'prices' | 'config'>,
  operation: Operation,
): Promise<number> {
  return (await prices()).get(operation.operationId) ?? presetPrice(operation, config.prices)
}

/** A link as a button, with what the operation behind it costs a caller. */
export async function showPriced(
  context: Pick<ConsoleContext, 'prices' | 'config'>,
  operationId: string,
  path: string,
  title: string,
): Promise<Html> {
  const operation = PRICED.find((one) => one.operationId === operationId)
  const cost = operation === undefined ? 0 : await priceOf(context, operation as Operation)
  const price = cost > 0 && html` <small>${countOf(cost, 'token')}</small>`
  return html`<a class="button" href="${path}">${title}${price}</a>`
}

/** Every operation with its price now and without the operator's. */
export function listPrices(own: Prices, preset: PricePreset): Price[] {
  return PRICED.map((operation) => {
    const price = presetPrice(operation, preset)
    const { operationId } = operation
    return { operation: operationId, tokens: own.get(operationId) ?? price, default: price }
  })
}

/** Sets an operation's price, in effect within a second. Throws `CommandError` if wrong. */
export async function putPrice(
  admin: Pick<AccountAdmin, 'putPrice'>,
  asked: { operation: string; tokens: string },
): Promise<Pick<Price, 'operation' | 'tokens'>> {
  const [operation, tokens] = [readOperation(asked.operation), readTokens(asked.tokens)]
  await admin.putPrice(operation, tokens)
  return { operation, tokens }
}

function readOperation(name: string): string {
  const names = PRICED.map(({ operationId }) => operationId)
  if (names.includes(name)) return name
  const hint = didYouMean(name, names) || `; there are ${names.join(', ')}`
  throw new WrongValue(`there is no operation "${name}"${hint}`, 'operation')
}

function readTokens(text: string): number {
  const tokens = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (tokens <= TOKENS_MAX) return tokens
  throw new WrongValue(`TOKENS is a whole number from 0 to ${TOKENS_MAX}, not "${text}"`, 'tokens')
}
