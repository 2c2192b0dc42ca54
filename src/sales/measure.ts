/**
 * Tests estimates on a county's past sales: measured once by an import, stored, and shown with each
 * estimate.
 */
import { type Backtest, backtestSales } from './estimate.ts'
import type { LogRange } from './qualify.ts'
import { findUsual, flagOutliers, flagSales, type ReadSale } from './read-sale.ts'
import type { PropertyKind } from './sale.ts'

/** Number of sales predicted, the newest ones; more would hardly change the quantiles. */
const PREDICTED_MAX = 1000

export type SaleTest = {
  /** Sales read, and those that show a market price. */
  sales: number
  qualified: number
  /** `null` when too few could be predicted. */
  backtest: Backtest | null
  /** Kinds with too few sales are left out. */
  usual: Partial<Record<PropertyKind, LogRange>>
}

/** Tests the sales of one county and ignores others. `predictedMax`: number of sales predicted. */
export function testSales(
  read: readonly ReadSale[],
  fips: number,
  predictedMax = PREDICTED_MAX,
): SaleTest {
  const sales = flagSales(read).filter((one) => one.fips === fips)
  const usual: SaleTest['usual'] = {}
  for (const [kind, group] of Map.groupBy(sales, ({ sale }) => sale.kind)) {
    const range = findUsual(group)
    if (Number.isFinite(range.low)) usual[kind] = range
  }
  const flagged = flagOutliers(sales, (_, kind) => usual[kind])
  const qualified = flagged.filter(({ flags }) => flags.length === 0).map(({ sale }) => sale)
  const backtest = backtestSales(qualified, predictedMax) ?? null
  return { sales: sales.length, qualified: qualified.length, backtest, usual }
}
