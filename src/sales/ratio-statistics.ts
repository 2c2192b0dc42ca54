/**
 * The statistics of a ratio study, as the IAAO's Standard on Ratio Studies (2013) defines them; KI
 * and MKI as Quintos (2020) does. Pure functions of sales as pairs.
 */
import { median, quantile } from './sale.ts'

/** An estimated value and the price of the same property; both above 0, US dollars. */
export type Pair = { estimate: number; price: number }

/** Names of the statistics, in the order of a report. */
export const STATISTICS = [
  ...['median', 'mean', 'weightedMean', 'cod', 'prd', 'prb'],
  ...['within10Percent', 'ki', 'mki'],
] as const satisfies readonly string[]

/** Estimate divided by price. */
export function ratioOf({ estimate, price }: Pair): number {
  return estimate / price
}

/** Interquartile ranges outside the quartiles at which a ratio is an outlier (appendix B.1). */
const RANGES_OUTSIDE = 3

/**
 * Returns the bounds outside which ratios are trimmed. Quartiles are interpolated between order
 * statistics n − 1 apart, as R's type 7 and NumPy do by default.
 */
export function findTrimBounds(ratios: readonly number[]): { low: number; high: number } {
  const first = quantile(ratios, 0.25) ?? Number.NaN
  const third = quantile(ratios, 0.75) ?? Number.NaN
  const reach = RANGES_OUTSIDE * (third - first)
  return { low: first - reach, high: third + reach }
}

/** Coefficients that need the order of ratios or of prices are computed from these orders. */
type OrderedPairs = {
  n: number
  ratios: Float64Array
  estimates: Float64Array
  prices: Float64Array
  /** Indexes by rising ratio, and by rising price. */
  byRatio: Uint32Array
  byPrice: Uint32Array
}

/**
 * Orders pairs once, so that each resample is computed in linear time. Equal keys keep order.
 * Pauses at its `yield`.
 */
export function* orderPairs(pairs: readonly Pair[]): Generator<undefined, OrderedPairs> {
  const ratios = Float64Array.from(pairs, ratioOf)
  const prices = Float64Array.from(pairs, ({ price }) => price)
  const estimates = Float64Array.from(pairs, ({ estimate }) => estimate)
  const byRatio = orderBy(ratios)
  yield
  return { n: pairs.length, ratios, prices, estimates, byRatio, byPrice: orderBy(prices) }
}

/** Indexes by rising key. Numbers without a comparison sort ten times faster than indexes. */
function orderBy(keys: Float64Array): Uint32Array {
  const sorted = keys.slice().sort()
  const taken = new Uint32Array(keys.length)
  const order = new Uint32Array(keys.length)
  for (const [index, key] of keys.entries()) {
    const first = findFirst(sorted, key)
    order[first + at(taken, first)] = index
    taken[first] = at(taken, first) + 1
  }
  return order
}

/** The first place of a key in a sorted list that has it. */
function findFirst(sorted: Float64Array, key: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(sorted, middle) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** All statistics but the PRB, whose interval has a formula. `cod` in percent. */
export type Resampled = Record<
  'median' | 'mean' | 'weightedMean' | 'cod' | 'prd' | 'within10Percent' | 'ki' | 'mki',
  number
>

/**
 * Computes the statistics of a sample in which pair `i` occurs `counts[i]` times; the counts sum to
 * `n`. A division by zero gives NaN.
 */
export function computeStatistics(sales: OrderedPairs, counts: Uint32Array): Resampled {
  const { n, ratios, estimates, prices } = sales
  const middle = medianOf(sales, counts)
  let [ratioSum, estimateSum, priceSum, deviation, near] = [0, 0, 0, 0, 0]
  for (let index = 0; index < n; index += 1) {
    const count = at(counts, index)
    if (count === 0) continue
    const ratio = at(ratios, index)
    const away = Math.abs(ratio - middle)
    ratioSum += count * ratio
    estimateSum += count * at(estimates, index)
    priceSum += count * at(prices, index)
    deviation += count * away
    if (away <= 0.1 * middle) near += count
  }
  const [mean, weightedMean] = [ratioSum / n, estimateSum / priceSum]
  const { ki, mki } = computeKakwani(sales, counts)
  return {
    median: middle,
    mean,
    weightedMean,
    cod: ((deviation / n) * 100) / middle,
    prd: mean / weightedMean,
    within10Percent: near / n,
    ki,
    mki,
  }
}

/** The median, or the mean of the two middle ratios. */
function medianOf({ n, ratios, byRatio }: OrderedPairs, counts: Uint32Array): number {
  const [lower, upper] = [Math.floor((n - 1) / 2), Math.ceil((n - 1) / 2)]
  let passed = 0
  let low = Number.NaN
  for (let rank = 0; rank < n; rank += 1) {
    const index = at(byRatio, rank)
    passed += at(counts, index)
    if (passed > lower && Number.isNaN(low)) low = at(ratios, index)
    if (passed > upper) return (low + at(ratios, index)) / 2
  }
  return Number.NaN
}

/**
 * Gini coefficients of values and of prices, both in the order of prices: their difference is the
 * Kakwani index, their quotient the modified one.
 */
function computeKakwani(sales: OrderedPairs, counts: Uint32Array): { ki: number; mki: number } {
  const { n, estimates, prices, byPrice } = sales
  let [passed, estimateSum, priceSum, rankedEstimates, rankedPrices] = [0, 0, 0, 0, 0]
  for (let rank = 0; rank < n; rank += 1) {
    const index = at(byPrice, rank)
    const count = at(counts, index)
    if (count === 0) continue
    const [estimate, price] = [at(estimates, index), at(prices, index)]
    // The sum of the ranks from passed + 1 to passed + count.
    const ranks = count * passed + (count * (count + 1)) / 2
    passed += count
    estimateSum += count * estimate
    priceSum += count * price
    rankedEstimates += ranks * estimate
    rankedPrices += ranks * price
  }
  const ofValues = ((2 * rankedEstimates) / estimateSum - (n + 1)) / n
  const ofPrices = ((2 * rankedPrices) / priceSum - (n + 1)) / n
  return {
    ki: ofValues - ofPrices,
    mki: Math.abs(ofPrices) < 1e-12 ? Number.NaN : ofValues / ofPrices,
  }
}

/**
 * Computes the PRB, with its 95 % interval. It is the slope of (ratio − median) ÷ median over the
 * binary logarithm of half the sum of price and value ÷ median. NaN when all those sums are equal.
 */
export function computePrb(pairs: readonly Pair[]): { value: number; low: number; high: number } {
  const middle = median(pairs.map(ratioOf)) ?? Number.NaN
  const points = pairs.map(({ estimate, price }) => ({
    x: Math.log2((estimate / middle + price) / 2),
    y: (estimate / price - middle) / middle,
  }))
  const n = points.length
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n
  let [spread, product] = [0, 0]
  for (const { x, y } of points) {
    spread += (x - meanX) ** 2
    product += (x - meanX) * (y - meanY)
  }
  const value = spread > n * 1e-24 ? product / spread : Number.NaN
  const missed = points.reduce((sum, { x, y }) => sum + (y - meanY - value * (x - meanX)) ** 2, 0)
  const reach =
    n > 2 ? studentQuantile(0.025, n - 2) * Math.sqrt(missed / (n - 2) / spread) : Number.NaN
  return { value, low: value - reach, high: value + reach }
}

function at(list: Float64Array | Uint32Array, index: number): number {
  return list[index] as number
}

/** Halvings of the interval in which a quantile is searched: more than a double can show. */
const HALVINGS = 200

/**
 * Returns the value that a t variable exceeds with probability `above`, 0 < `above` < 0.5.
 *
 * `freedom`: degrees of freedom, a whole number of at least 1. Exact to some 1e-12. Source: the
 * finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4, inverted by bisection.
 */
export function studentQuantile(above: number, freedom: number): number {
  let [low, high] = [0, 1]
  while (tailOf(high, freedom) > above) high *= 2
  for (let halving = 0; halving < HALVINGS && low < high; halving += 1) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (tailOf(middle, freedom) > above) low = middle
    else high = middle
  }
  return high
}

/** Probability of a value above `t`. */
function tailOf(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const isOdd = freedom % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let at = isOdd ? 3 : 2; at < freedom - 1; at += 2) {
    term *= ((at - 1) / at) * cosine * cosine
    sum += term
    if (term < sum * 1e-17) break
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
  return (1 - within) / 2
}
