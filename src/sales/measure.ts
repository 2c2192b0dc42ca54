/**
 * How estimates do against a county's own past sales: measured once by an import, kept, and told
 * with each estimate.
 */

import { type Backtest, backtestSales } from './estimate.ts'
import type { LogRange } from './qualify.ts'
import { findUsual, flagOutliers, flagSales, type ReadSale } from './read-sale.ts'
import type { PropertyKind } from './sale.ts'

/** Sales that are predicted: the newest ones. Their quantiles move little with more. */
const PREDICTED_MAX = 1000

export type SaleTest = {
  /** Sales that were read, and those of them that tell a market price. */
  sales: number
  qualified: number
  /** `null`: too few could be predicted. */
  backtest: Backtest | null
  /** Kinds of which too few sales tell nothing are left out. */
  usual: Partial<Record<PropertyKind, LogRange>>
}

/**
 * Tests the sales of one county; those of others are left out. `predictedMax`: sales that are
 * predicted.
 */
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
  const told = flagOutliers(sales, (_, kind) => usual[kind])
  const qualified = told.filter(({ flags }) => flags.length === 0).map(({ sale }) => sale)
  const backtest = backtestSales(qualified, predictedMax) ?? null
  return { sales: sales.length, qualified: qualified.length, backtest, usual }
}
