/** Estimates a value from comparable sales, and tests the estimates on the county's past sales. */
import type { Point } from '../geo/sphere.ts'
import type { LogRange } from './qualify.ts'
import { findUsual, flagOutliers, flagSales, type ReadSale } from './read-sale.ts'
import {
  type Features,
  isPriced,
  median,
  type PricedSale,
  type PropertyKind,
  quantile,
  type Sale,
} from './sale.ts'
import { compareSale, MONTH_DAYS, mayReach } from './similarity.ts'

/** Number of sales used for an estimate: the most similar ones. */
const SALES_MAX = 16
const SALES_MIN = 3
/** Similar sales that are kept before the least similar of them are dropped. */
const KEPT_MAX = 2 * SALES_MAX

/**
 * Exponent of price over area: twice the area costs 2 to this power. Below 1, because a larger
 * house has the same lot and kitchen. Chosen by the backtest in docs/comparables.md.
 */
const SIZE_EXPONENT = 0.7

/** Power of the similarity in a sale's weight. */
const SIMILARITY_POWER = 6

/** Share of prices that the range of an estimate should contain. */
export const COVERAGE = 0.8

/** Fewest past sales of a county for a range. */
export const TESTED_MIN = 200

/**
 * Estimates a value in US dollars from sales of other parcels; `undefined` with fewer than three
 * comparable ones.
 */
export function estimateValue(
  subject: Features,
  sales: readonly Sale[],
  today: number,
): { value: number; n: number } | undefined {
  const { areaSqFt } = subject
  if (areaSqFt === null || areaSqFt <= 0) return undefined
  const compared = findMostSimilar(subject, sales, today)
  if (compared.length < SALES_MIN) return undefined
  const weighed = compared.map(({ sale, similarity }) => ({
    log: Math.log(sale.price) + SIZE_EXPONENT * Math.log(areaSqFt / sale.areaSqFt),
    weight: similarity ** SIMILARITY_POWER,
  }))
  return { value: Math.round(Math.exp(weightedMedian(weighed))), n: compared.length }
}

type Compared = { sale: PricedSale; similarity: number }

/** Returns the most similar sales with an area of the subject's kind, the best first. */
function findMostSimilar(subject: Features, sales: readonly Sale[], today: number): Compared[] {
  const best: Compared[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const sale of sales) {
    if (sale.kind !== subject.kind || !isPriced(sale)) continue
    if (!mayReach(subject, sale, today, least)) continue
    const { similarity } = compareSale(subject, sale, today)
    if (similarity < least) continue
    best.push({ sale, similarity })
    if (best.length < KEPT_MAX) continue
    best.sort(byLikeness).length = SALES_MAX
    least = best.at(-1)?.similarity ?? least
  }
  return best.sort(byLikeness).slice(0, SALES_MAX)
}

function byLikeness(a: Compared, b: Compared): number {
  return b.similarity - a.similarity || a.sale.id - b.sale.id
}

function weightedMedian(values: { log: number; weight: number }[]): number {
  const sorted = [...values].sort((a, b) => a.log - b.log)
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2
  let passed = 0
  for (const { log, weight } of sorted) {
    passed += weight
    if (passed >= half) return log
  }
  return sorted.at(-1)?.log ?? Number.NaN
}

/** The error of estimates for a county's past sales, each predicted from earlier ones. */
type Backtest = {
  /** Sales that could be predicted. */
  sales: number
  /** Median of |estimate ÷ price − 1|. */
  medianError: number
  /** Share of estimates within 20 percent of the price, 0 to 1. */
  within20Percent: number
  /** Share of the later half's prices within the range computed from the earlier half, 0 to 1. */
  coverage: number
  /** Factors on an estimate that contain `COVERAGE` of the prices. */
  low: number
  high: number
}

/** Months of sales used for a prediction. */
const REACH_MONTHS = 24

/**
 * Predicts each qualified sale of a county from the sales before it; `undefined` with fewer than
 * `TESTED_MIN`.
 *
 * The range is that of the price ÷ estimate ratios. Its coverage is measured out of sample: the
 * range of the earlier half of the sales is tested on the later half. `most`: number of sales
 * predicted, the newest ones.
 */
export function backtestSales(sales: readonly Sale[], most: number): Backtest | undefined {
  const sorted = sales.filter(isPriced).sort((a, b) => a.day - b.day || a.id - b.id)
  const grid = new SaleGrid()
  const ratios: number[] = []
  const from = Math.max(0, sorted.length - most)
  for (const [at, sale] of sorted.entries()) {
    if (at >= from) {
      const before = grid.near(sale.point, sale.day - REACH_MONTHS * MONTH_DAYS, sale.id)
      const estimate = estimateValue(sale, before, sale.day)
      if (estimate !== undefined) ratios.push(sale.price / estimate.value)
    }
    grid.add(sale)
  }
  return ratios.length < TESTED_MIN ? undefined : judge(ratios)
}

function judge(ratios: readonly number[]): Backtest {
  const errors = ratios.map((ratio) => Math.abs(1 / ratio - 1))
  const half = Math.floor(ratios.length / 2)
  const early = rangeOf(ratios.slice(0, half))
  const later = ratios.slice(half)
  const held = later.filter((ratio) => ratio >= early.low && ratio <= early.high).length
  return {
    sales: ratios.length,
    medianError: median(errors) ?? Number.NaN,
    within20Percent: errors.filter((error) => error <= 0.2).length / errors.length,
    coverage: held / later.length,
    ...rangeOf(ratios),
  }
}

function rangeOf(ratios: readonly number[]): { low: number; high: number } {
  const outside = (1 - COVERAGE) / 2
  return { low: quantile(ratios, outside) ?? 1, high: quantile(ratios, 1 - outside) ?? 1 }
}

/** Degrees of a cell's side: 0.69 miles from south to north, less from west to east. */
const CELL_DEGREES = 0.01
/** Rings of cells within two miles; and number of sales that ends a search. */
const RINGS_MAX = 3
const ENOUGH = 300

/** Sales by cell, so that a prediction only reads its neighbours. */
class SaleGrid {
  readonly #cells = new Map<string, PricedSale[]>()

  add(sale: PricedSale): void {
    const key = cellOf(sale.point)
    this.#cells.getOrInsertComputed(key, () => []).push(sale)
  }

  /**
   * Returns sales of other parcels since a day within about two miles, nearest cells first.
   *
   * Stops after a whole ring of cells once there are enough, because a dense city has thousands in
   * reach.
   */
  near([longitude, latitude]: Point, sinceDay: number, id: number): PricedSale[] {
    const found: PricedSale[] = []
    const [x, y] = [Math.floor(longitude / CELL_DEGREES), Math.floor(latitude / CELL_DEGREES)]
    for (let ring = 0; ring <= RINGS_MAX && found.length < ENOUGH; ring += 1) {
      for (let dx = -ring; dx <= ring; dx += 1) {
        // In a ring's inner columns only the top and the bottom cell are new.
        const step = Math.abs(dx) === ring ? 1 : Math.max(1, 2 * ring)
        for (let dy = -ring; dy <= ring; dy += step) {
          for (const sale of this.#cells.get(`${x + dx} ${y + dy}`) ?? []) {
            if (sale.day >= sinceDay && sale.id !== id) found.push(sale)
          }
        }
      }
    }
    return found
  }
}

function cellOf([longitude, latitude]: Point): string {
  return `${Math.floor(longitude / CELL_DEGREES)} ${Math.floor(latitude / CELL_DEGREES)}`
}

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

/** Tests the sales of one county and ignores others. */
export function testSales(read: readonly ReadSale[], fips: number): SaleTest {
  const sales = flagSales(read).filter((one) => one.fips === fips)
  const usual: SaleTest['usual'] = {}
  for (const [kind, group] of Map.groupBy(sales, ({ sale }) => sale.kind)) {
    const range = findUsual(group)
    if (Number.isFinite(range.low)) usual[kind] = range
  }
  const flagged = flagOutliers(sales, (_, kind) => usual[kind])
  const qualified = flagged.filter(({ flags }) => flags.length === 0).map(({ sale }) => sale)
  const backtest = backtestSales(qualified, PREDICTED_MAX) ?? null
  return { sales: sales.length, qualified: qualified.length, backtest, usual }
}
