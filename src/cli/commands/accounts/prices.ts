/** Commands: price list, price set. Tokens that a 200 of each operation costs. */
import { readAccounts, withAccounts } from '../../../accounts/accounts-data.ts'
import { listPrices, putPrice } from '../../../console/prices.ts'
import { need, refuseMore } from '../../accounts-data.ts'
import type { Command } from '../../command.ts'
import { formatTable } from '../../table.ts'

const priceList: Command = {
  name: 'price list',
  usage: '',
  example: 'platbook price list',
  options: {},
  async run({ positionals }, io) {
    refuseMore(positionals, 0, 'price list')
    const prices = listPrices(
      await readAccounts(io, ({ reader }) => reader.prices()),
      io.config.prices,
    )
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
  example: 'platbook price set addressLookup 1',
  options: {},
  async run({ positionals }, io) {
    const usage = 'price set OPERATION TOKENS'
    const asked = { operation: need(positionals, 0, usage), tokens: need(positionals, 1, usage) }
    refuseMore(positionals, 2, usage)
    const { operation, tokens } = await withAccounts(io, ({ admin }) => putPrice(admin, asked))
    if (io.json) io.print(JSON.stringify({ operation, tokens }))
    else io.print(`${operation} costs ${tokens}`)
  },
}

export const priceCommands: Command[] = [priceList, priceSet]
