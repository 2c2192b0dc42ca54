/** A ratio study: statistics of groups of sales, their intervals, and the standard's ranges. */
import { type Basis, compareWithStandard, type Held, judgeRatios } from './ratio-standard.ts'
import {
  computePrb,
  computeStatistics,
  findTrimBounds,
  orderPairs,
  type Pair,
  type Resampled,
  ratioOf,
  type STATISTICS,
} from './ratio-statistics.ts'
import { quantile } from './sale.ts'

/** Fewest sales of a group for statistics. */
const SALES_MIN = 20

/** Fewest sales that are compared with the standard. */
const JUDGED_MIN = 3
const TOO_FEW = 'Too few sales for a judgement.'

/** Seed of every bootstrap; a report states it. */
export const SEED = 20_130_401

/** Resamples of a bootstrap. Groups above 5,000 sales have fewer: some 5 million draws are made. */
const RESAMPLES = 1000
const RESAMPLES_MIN = 200
const DRAWS_MAX = 5_000_000

/** Draws between two pauses: some 2 ms. */
const DRAWS_AT_ONCE = 100_000

/** A value with its 95 % interval. */
type Statistic = { value: number; low: number; high: number }

type StatisticName = (typeof STATISTICS)[number]

/** A group's report. A statistic is null with too few sales, or if it would divide by zero. */
export type RatioGroup = {
  key: string
  /** Sales used. */
  n: number
  /** Sales left out by the three interquartile ranges. */
  trimmed: number
  /** Resamples of the intervals; 0 without statistics. */
  resamples: number
  /** Ranges of the standard that hold; null without statistics. */
  standard: Held | null
  judgement: string
  /** Why statistics are null, or how far they can be trusted. */
  reason?: string
} & Record<StatisticName, Statistic | null>

/**
 * Studies one group, pausing at each `yield`.
 *
 * `asListed`: keeps outliers and computes lists of under 20 sales too, as for a published example.
 * The reason still warns, and fewer than three are not judged. Values and prices must be above 0.
 */
export function* studyGroup(
  key: string,
  sales: readonly Pair[],
  { asListed, basis = 'market' }: { asListed: boolean; basis?: Basis },
): Generator<undefined, RatioGroup> {
  const used = asListed ? sales : trim(sales)
  const counts = { key, n: used.length, trimmed: sales.length - used.length }
  const few =
    used.length < SALES_MIN &&
    `${used.length} sale${used.length === 1 ? '' : 's'}, fewer than ${SALES_MIN}`
  if (used.length === 0 || (few && !asListed)) {
    const nulls = { median: null, mean: null, weightedMean: null, cod: null, prd: null, prb: null }
    const more = { within10Percent: null, ki: null, mki: null, judgement: TOO_FEW }
    return { ...counts, resamples: 0, ...nulls, ...more, standard: null, reason: few as string }
  }
  yield
  const { statistics, resamples } = yield* bootstrap(used)
  const { median, mean, weightedMean, cod, prd, ...more } = statistics
  yield
  const prb = checkStatistic(computePrb(used))
  const judged = { median, cod, prd, prb, mki: more.mki }
  return {
    ...counts,
    resamples,
    ...{ median, mean, weightedMean, cod, prd, prb, ...more },
    standard: used.length < JUDGED_MIN ? null : compareWithStandard(judged, basis),
    judgement: used.length < JUDGED_MIN ? TOO_FEW : judgeRatios(judged, basis),
    ...(few && { reason: few }),
  }
}

/** Runs a study without pauses. */
export function finishStudy(study: Generator<undefined, RatioGroup>): RatioGroup {
  for (;;) {
    const step = study.next()
    if (step.done === true) return step.value
  }
}

function trim(sales: readonly Pair[]): readonly Pair[] {
  const { low, high } = findTrimBounds(sales.map(ratioOf))
  return sales.filter((sale) => ratioOf(sale) >= low && ratioOf(sale) <= high)
}

/** The statistics with percentile intervals over samples drawn with replacement. */
function* bootstrap(sales: readonly Pair[]) {
  const ordered = yield* orderPairs(sales)
  yield
  const n = sales.length
  const resamples = Math.max(RESAMPLES_MIN, Math.min(RESAMPLES, Math.floor(DRAWS_MAX / n)))
  const random = makeRandom(SEED)
  const counts = new Uint32Array(n).fill(1)
  const whole = computeStatistics(ordered, counts)
  const names = Object.keys(whole) as (keyof Resampled)[]
  const drawn = new Map(names.map((name) => [name, [] as number[]]))
  let draws = 0
  for (let resample = 0; resample < resamples; resample += 1) {
    counts.fill(0)
    for (let draw = 0; draw < n; draw += 1) {
      const index = Math.floor(random() * n)
      counts[index] = (counts[index] as number) + 1
    }
    const statistics = computeStatistics(ordered, counts)
    for (const [name, values] of drawn) values.push(statistics[name])
    draws += n
    if (draws >= DRAWS_AT_ONCE) {
      yield
      draws = 0
    }
  }
  const intervals = names.map((name) => {
    const values = (drawn.get(name) ?? []).filter((value) => !Number.isNaN(value))
    const [low, high] = [quantile(values, 0.025), quantile(values, 0.975)]
    const value = whole[name]
    return [name, checkStatistic({ value, low: low ?? Number.NaN, high: high ?? Number.NaN })]
  })
  const statistics = Object.fromEntries(intervals) as Record<keyof Resampled, Statistic | null>
  return { statistics, resamples }
}

/** Returns null for a statistic that is no number. */
function checkStatistic(statistic: Statistic): Statistic | null {
  return Object.values(statistic).every(Number.isFinite) ? statistic : null
}

/** Reproducible numbers from 0 to 1, 1 excluded. Source: mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
