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

/** Whether each range holds. `cod`: the classes whose range contains the COD. */
export type Held = Record<keyof typeof RANGES, boolean> & { cod: PropertyClass[] }

type Judged = Record<'median' | 'cod' | 'prd' | 'prb' | 'mki', { value: number } | null>

/** Compares statistics with the ranges; a statistic that is null holds none. */
export function compareWithStandard(statistics: Judged): Held {
  const isIn = (name: keyof Judged, [low, high]: Range) => {
    const value = statistics[name]?.value
    return value !== undefined && value >= low && value <= high
  }
  const names = Object.keys(RANGES) as (keyof typeof RANGES)[]
  const held = Object.fromEntries(names.map((name) => [name, isIn(name, RANGES[name])]))
  const classes = Object.keys(CLASSES) as PropertyClass[]
  return {
    ...(held as Record<keyof typeof RANGES, boolean>),
    cod: classes.filter((name) => isIn('cod', CLASSES[name].cod)),
  }
}

/** Judges level, uniformity and fairness over prices by the ranges, in one sentence. */
export function judgeRatios({ median, cod, prd, prb, mki }: Judged): string {
  if (median === null || cod === null) return 'Too few sales for a judgement.'
  const held = compareWithStandard({ median, cod, prd, prb, mki })
  const inLevel = held.median ? 'within 90 to 110 %' : 'outside 90 to 110 %'
  const level = `Values are at ${percent(median.value)} of prices (${inLevel})`
  return `${level}, ${judgeUniformity(cod.value)}, ${judgeSlope(prb)}.`
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
