/** Medians, percentiles and rounding. */

export function median(numbers: number[]): number {
  return quantile(numbers, 0.5)
}

/** The value below which a share of the numbers lies; NaN of none. */
export function quantile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function round(number: number, digits: number): number {
  return Number(number.toFixed(digits))
}
