/** Scores of single features, for comparisons of two parcels. */

/** 0.5 to the power of (difference ÷ `half`): 1 for equal values; 0.5 where one is not recorded. */
export function score(difference: number | null, half: number): number {
  return difference === null ? 0.5 : 0.5 ** (Math.abs(difference) / half)
}

export function subtract(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

/** (other − subject) ÷ the larger one: -1 to 1, negative when the other is smaller. */
export function shareOfLarger(other: number | null, subject: number | null): number | null {
  if (other === null || subject === null || other <= 0 || subject <= 0) return null
  return (other - subject) / Math.max(other, subject)
}
