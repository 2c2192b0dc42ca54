/** Commands: price list, price set. Tokens that a 200 of each operation costs. */
import { readAccounts, withAccounts } from '../../../accounts/accounts-data.ts'
import { listPrices, putPrice } from '../../../console/prices.ts'
import type { Command } from '../../command.ts'
import { formatTable, printResult } from '../../table.ts'

const priceList: Command = {
  name: 'price list',
  usage: '',
  example: 'platbook price list',
  async run(_args, io) {
    const prices = listPrices(
      await readAccounts(io, ({ reader }) => reader.prices()),
      io.config.prices,
    )
    const rows = prices.map((one) => [one.operation, String(one.tokens), String(one.default)])
    const headings = ['OPERATION', 'TOKENS', 'DEFAULT']
    printResult(io, { prices }, formatTable(headings, rows, ['TOKENS', 'DEFAULT']))
  },
}

const priceSet: Command = {
  name: 'price set',
  usage: 'OPERATION TOKENS',
  example: 'platbook price set addressLookup 1',
  async run({ positionals }, io) {
    const asked = { operation: positionals[0] ?? '', tokens: positionals[1] ?? '' }
    const { operation, tokens } = await withAccounts(io, ({ admin }) => putPrice(admin, asked))
    printResult(io, { operation, tokens }, `${operation} costs ${tokens}`)
  },
}

export const priceCommands: Command[] = [priceList, priceSet]
