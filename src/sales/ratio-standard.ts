/** The ranges of the IAAO's Standard on Ratio Studies (2013), table 1-3 and section 9.2. */

type Range = readonly [low: number, high: number]

/** Ranges of the COD by class of property, in percent. */
export const CLASSES = {
  newerHouses: { cod: [5, 10], about: 'houses and condominiums in newer or more alike areas' },
  olderHouses: { cod: [5, 15], about: 'houses and condominiums in older or more mixed areas' },
  otherResidential: {
    cod: [5, 20],
    about: 'rural, seasonal and manufactured homes, and two to four units',
  },
  incomeLarge: { cod: [5, 15], about: 'income-producing property in larger areas' },
  incomeSmall: { cod: [5, 20], about: 'income-producing property in smaller areas' },
  vacantLand: { cod: [5, 25], about: 'vacant land' },
} as const satisfies Record<string, { cod: Range; about: string }>

type PropertyClass = keyof typeof CLASSES

/** Ranges that hold for every class. `mki`: of Quintos (2020), not of the standard. */
export const RANGES = {
  median: [0.9, 1.1],
  prd: [0.98, 1.03],
  prb: [-0.05, 0.05],
  mki: [0.95, 1.05],
} as const satisfies Record<string, Range>

/**
 * Whether each range holds. `cod`: the classes whose range contains the COD. `median` is null where
 * the level is not judged.
 */
export type Held = Record<Exclude<keyof typeof RANGES, 'median'>, boolean> & {
  median: boolean | null
  cod: PropertyClass[]
}

type Judged = Record<'median' | 'cod' | 'prd' | 'prb' | 'mki', { value: number } | null>

/**
 * What the estimates are: market values, or assessed values, which a law may set at a share of the
 * market. The standard's range of the level is one of market values (section 9.1).
 */
export type Basis = 'market' | 'assessed'

/** Compares statistics with the ranges; a statistic that is null holds none. */
export function compareWithStandard(statistics: Judged, basis: Basis): Held {
  const isIn = (name: keyof Judged, [low, high]: Range) => {
    const value = statistics[name]?.value
    return value !== undefined && value >= low && value <= high
  }
  const classes = Object.keys(CLASSES) as PropertyClass[]
  return {
    median: basis === 'market' ? isIn('median', RANGES.median) : null,
    prd: isIn('prd', RANGES.prd),
    prb: isIn('prb', RANGES.prb),
    mki: isIn('mki', RANGES.mki),
    cod: classes.filter((name) => isIn('cod', CLASSES[name].cod)),
  }
}

/** Judges level, uniformity and fairness over prices by the ranges, in one sentence. */
export function judgeRatios(judged: Judged, basis: Basis): string {
  const { median, cod, prb } = judged
  if (median === null || cod === null) return 'Too few sales for a judgement.'
  const held = compareWithStandard(judged, basis).median
  const level =
    held === null
      ? 'a law may set assessed values at a share, so the level is not judged'
      : `${held ? 'within' : 'outside'} 90 to 110 %`
  const start = `Values are at ${percent(median.value)} of prices (${level})`
  return `${start}, ${judgeUniformity(cod.value)}, ${judgeSlope(prb)}.`
}

function judgeUniformity(cod: number): string {
  const shown = cod.toFixed(1)
  if (cod < 5) return `differ suspiciously little (COD ${shown}, under 5)`
  if (cod <= 10) return `are uniform (COD ${shown}, at most 10)`
  if (cod <= 15) return `are uniform enough for older or mixed areas (COD ${shown}, at most 15)`
  if (cod <= 20) return `are too uneven for houses (COD ${shown}, above 15)`
  return `are uneven (COD ${shown}, above 20)`
}

function judgeSlope(prb: { value: number } | null): string {
  if (prb === null) return 'and cannot be compared over prices'
  const shown = `PRB ${prb.value.toFixed(3)}`
  const [low, high] = RANGES.prb
  if (prb.value < low) return `and burden cheap property more (${shown}, under ${low})`
  if (prb.value > high) return `and burden dear property more (${shown}, above ${high})`
  return `and treat cheap and dear property alike (${shown})`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
