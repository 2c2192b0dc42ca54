/**
 * How well do estimates predict past sales? Tests each loaded county as an import does and prints a
 * table for docs/comparables.md.
 *
 * `node bench/comparables.ts FOLDER`: a data folder with rolls that record prices.
 */
import { readSold } from '../src/import/measure-sales.ts'
import { countyByFips } from '../src/regions/counties.ts'
import { testSales } from '../src/sales/measure.ts'
import { openParcelsAt } from '../src/store/open.ts'

const [place] = process.argv.slice(2)
if (place === undefined) throw new Error('Name a data folder')

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const { parcels, close } = openParcelsAt(place)
const today = Math.floor(Date.now() / 86_400_000)
const rows: string[][] = []
for (const { state, fips } of await parcels.coverage()) {
  const sold = await readSold(parcels, state, fips, today)
  const start = process.cpuUsage()
  const { sales, qualified, backtest } = testSales(sold, fips)
  const { user, system } = process.cpuUsage(start)
  if (backtest === null) continue
  const { low, high } = backtest
  rows.push([
    `${countyByFips(fips)?.name}, ${state}`,
    ...[sales, qualified, backtest.sales].map((count) => count.toLocaleString('en-US')),
    percent(backtest.medianError),
    percent(backtest.within20Percent),
    percent(backtest.coverage),
    `× ${low.toFixed(2)} to ${high.toFixed(2)}`,
    `${((user + system) / 1e6).toFixed(1)} s`,
  ])
}
await close()

const head = [
  ...['county', 'sales', 'qualified', 'predicted', 'median error', 'within 20 %'],
  ...['held by the range', 'range', 'processor time'],
]
for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)
