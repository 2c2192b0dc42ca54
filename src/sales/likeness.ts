/** Scores how alike two parcels are, for a comparison of their assessments. */
import { measureMiles } from '../geo/sphere.ts'
import type { Features } from './sale.ts'
import { score, shareOfLarger, subtract } from './score.ts'

/** Features of a parcel and its assessed value. */
export type Assessed = Features & {
  id: number
  landSqFt: number | null
  /** US dollars. */
  value: number
}

/**
 * The weight of each part, and the difference that halves its score. A part that is not recorded on
 * one side scores 0.5. The weights sum to 1.
 */
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
