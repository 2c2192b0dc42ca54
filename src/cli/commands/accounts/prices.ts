/** Commands: price list, price set. Tokens that a 200 of each operation costs. */

import { readAccounts, withAccounts } from '../../../access/accounts-data.ts'
import { CommandError } from '../../../errors.ts'
import { didYouMean } from '../../../nearest.ts'
import { BATCH } from '../../../operations/batch.ts'
import { OPERATIONS } from '../../../operations/operations.ts'
import { need, refuseMore } from '../../accounts-data.ts'
import type { Command } from '../../command.ts'
import { formatTable } from '../../table.ts'

const PRICED = [...OPERATIONS, BATCH]
const TOKENS_MAX = 1_000_000

const priceList: Command = {
  name: 'price list',
  usage: '',
  summary: 'lists what a 200 of each operation costs, in tokens',
  example: 'platbook price list',
  options: {},
  async run({ positionals }, io) {
    refuseMore(positionals, 0, 'price list')
    const own = await readAccounts(io, ({ reader }) => reader.prices())
    const prices = PRICED.map(({ operationId, tokenCost }) => ({
      operation: operationId,
      tokens: own.get(operationId) ?? tokenCost,
      default: tokenCost,
    }))
    if (io.json) {
      io.print(JSON.stringify({ prices }))
      return
    }
    const rows = prices.map((one) => [one.operation, String(one.tokens), String(one.default)])
    const headings = ['OPERATION', 'TOKENS', 'DEFAULT']
    for (const line of formatTable(headings, rows, ['TOKENS', 'DEFAULT'])) io.print(line)
  },
}

const priceSet: Command = {
  name: 'price set',
  usage: 'OPERATION TOKENS',
  summary: 'sets what a 200 of an operation costs; takes effect within a second, no restart',
  example: 'platbook price set addressLookup 1',
  options: {},
  async run({ positionals }, io) {
    const usage = 'price set OPERATION TOKENS'
    const operation = readOperation(need(positionals, 0, usage))
    const tokens = readTokens(need(positionals, 1, usage))
    refuseMore(positionals, 2, usage)
    await withAccounts(io, ({ admin }) => admin.putPrice(operation, tokens))
    if (io.json) io.print(JSON.stringify({ operation, tokens }))
    else io.print(`${operation} costs ${tokens}`)
  },
}

export const priceCommands: Command[] = [priceList, priceSet]

function readOperation(name: string): string {
  const names = PRICED.map(({ operationId }) => operationId)
  if (names.includes(name)) return name
  const hint = didYouMean(name, names) || `; there are ${names.join(', ')}`
  throw new CommandError(`there is no operation "${name}"${hint}`, 2)
}

function readTokens(text: string): number {
  const tokens = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (tokens <= TOKENS_MAX) return tokens
  throw new CommandError(`TOKENS is a whole number from 0 to ${TOKENS_MAX}, not "${text}"`, 2)
}
