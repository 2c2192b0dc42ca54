/**
 * Scores how alike two parcels are: a sold property and another one, or two for a comparison of
 * their assessments.
 */
import { MILES_PER_DEGREE, measureMiles } from '../geo/sphere.ts'
import type { Features, Sale } from './sale.ts'

/** Days of a mean month. */
export const MONTH_DAYS = 30.4375

/**
 * The weight of each part, and the difference that halves its score.
 *
 * A part scores 0.5 to the power of (difference ÷ `half`), so 1 for equal values. The weights sum
 * to 1. A part that is not recorded on one side scores 0.5.
 */
export const PARTS = {
  distance: { weight: 0.25, half: 0.5, unit: 'miles' },
  age: { weight: 0.15, half: 12, unit: 'months since the sale' },
  size: { weight: 0.3, half: 0.25, unit: 'share of the larger area' },
  bedrooms: { weight: 0.05, half: 1, unit: 'bedrooms' },
  bathrooms: { weight: 0.05, half: 1, unit: 'bathrooms' },
  yearBuilt: { weight: 0.1, half: 20, unit: 'years' },
  kind: { weight: 0.1, half: 0.2, unit: '0 where equal, 1 where not' },
} as const

export type Part = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as Part[]

type Comparison = {
  /** 0 to 1. */
  similarity: number
  /** 0 to 1 each. */
  parts: Record<Part, number>
  /**
   * Sold property minus the other one, in the part's unit; `null` when one side is not recorded.
   */
  differences: Record<Part, number | null>
  distanceMiles: number
}

/** Compares a sale with a subject. `today`: days since 1970-01-01. */
export function compareSale(subject: Features, sale: Sale, today: number): Comparison {
  const distanceMiles = measureMiles(subject.point, sale.point)
  const differences: Record<Part, number | null> = {
    distance: distanceMiles,
    age: (today - sale.day) / MONTH_DAYS,
    size: shareOfLarger(sale.areaSqFt, subject.areaSqFt),
    bedrooms: subtract(sale.bedrooms, subject.bedrooms),
    bathrooms: subtract(sale.bathrooms, subject.bathrooms),
    yearBuilt: subtract(sale.yearBuilt, subject.yearBuilt),
    kind: sale.kind === subject.kind ? 0 : 1,
  }
  const parts = scoreParts(differences)
  let similarity = 0
  for (const name of NAMES) similarity += PARTS[name].weight * parts[name]
  return { similarity, parts, differences, distanceMiles }
}

/** More than rounding can add to a sum of seven parts. */
const ROUNDING = 1e-9

/**
 * Reports whether the similarity of a sale may be `least` or more; `compareSale` then says it. A
 * test of estimates rules out most sales by a part or two. Points are as far apart as their
 * latitudes at least.
 */
export function mayReach(subject: Features, sale: Sale, today: number, least: number): boolean {
  const { distance, size, yearBuilt, age } = PARTS
  let most = 1 + ROUNDING - loss(size, shareOfLarger(sale.areaSqFt, subject.areaSqFt))
  if (most < least) return false
  most -= loss(distance, (sale.point[1] - subject.point[1]) * MILES_PER_DEGREE)
  if (most < least) return false
  most -= loss(yearBuilt, subtract(sale.yearBuilt, subject.yearBuilt))
  return most >= least && most - loss(age, (today - sale.day) / MONTH_DAYS) >= least
}

function loss({ weight, half }: { weight: number; half: number }, difference: number | null) {
  return weight * (1 - score(difference, half))
}

/** A literal: an import compares a million pairs, and V8 copies and overwrites slowly. */
function scoreParts(differences: Record<Part, number | null>): Record<Part, number> {
  return {
    distance: score(differences.distance, PARTS.distance.half),
    age: score(differences.age, PARTS.age.half),
    size: score(differences.size, PARTS.size.half),
    bedrooms: score(differences.bedrooms, PARTS.bedrooms.half),
    bathrooms: score(differences.bathrooms, PARTS.bathrooms.half),
    yearBuilt: score(differences.yearBuilt, PARTS.yearBuilt.half),
    kind: score(differences.kind, PARTS.kind.half),
  }
}

/** Features of a parcel and its assessed value. */
export type Assessed = Features & {
  id: number
  landSqFt: number | null
  /** US dollars. */
  value: number
}

/** As `PARTS`, for assessments. */
export const LIKENESS = {
  distance: { weight: 0.2, half: 0.5, unit: 'miles' },
  size: { weight: 0.3, half: 0.25, unit: 'share of the larger building area' },
  yearBuilt: { weight: 0.2, half: 20, unit: 'years' },
  land: { weight: 0.2, half: 0.5, unit: 'share of the larger land area' },
  bedrooms: { weight: 0.05, half: 1, unit: 'bedrooms' },
  bathrooms: { weight: 0.05, half: 1, unit: 'bathrooms' },
} as const

type LikenessPart = keyof typeof LIKENESS

/** Compares a parcel with a subject: 0 to 1, and the parcel's differences in each part's unit. */
export function compareLikeness(subject: Assessed, other: Assessed) {
  const differences: Record<LikenessPart, number | null> = {
    distance: measureMiles(subject.point, other.point),
    size: shareOfLarger(other.areaSqFt, subject.areaSqFt),
    yearBuilt: subtract(other.yearBuilt, subject.yearBuilt),
    land: shareOfLarger(other.landSqFt, subject.landSqFt),
    bedrooms: subtract(other.bedrooms, subject.bedrooms),
    bathrooms: subtract(other.bathrooms, subject.bathrooms),
  }
  let similarity = 0
  for (const [name, { weight, half }] of Object.entries(LIKENESS)) {
    const difference = differences[name as LikenessPart]
    similarity += weight * score(difference, half)
  }
  return { similarity, differences }
}

/** Assessed value per square foot of building, or of land where there is no building; or null. */
export function valuePerSqFt({ value, areaSqFt, landSqFt }: Assessed, isBuilt: boolean) {
  const area = isBuilt ? areaSqFt : landSqFt
  return area === null || area <= 0 ? null : value / area
}

/** 0.5 to the power of (difference ÷ `half`): 1 for equal values; 0.5 where one is not recorded. */
function score(difference: number | null, half: number): number {
  return difference === null ? 0.5 : 0.5 ** (Math.abs(difference) / half)
}

function subtract(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

/** (other − subject) ÷ the larger one: -1 to 1, negative when the other is smaller. */
function shareOfLarger(other: number | null, subject: number | null): number | null {
  if (other === null || subject === null || other <= 0 || subject <= 0) return null
  return (other - subject) / Math.max(other, subject)
}
