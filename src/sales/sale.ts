/** A recorded sale of one parcel, as used by comparable sales. */
import type { Point } from '../geo/sphere.ts'

/** The kind of property: a house on its own lot, a condominium unit, or another. */
export type PropertyKind = 'house' | 'condo' | 'other'

/** Features that two properties are compared by; `null` when not recorded. */
export type Features = {
  point: Point
  areaSqFt: number | null
  bedrooms: number | null
  bathrooms: number | null
  yearBuilt: number | null
  kind: PropertyKind
}

/** A sale that comparables may use: features of its parcel, price and date. */
export type Sale = Features & {
  /** Record ID of the parcel. */
  id: number
  /** Days since 1970-01-01. */
  day: number
  /** US dollars. */
  price: number
}

/** Why a sale shows no market price. */
export type SaleFlag = 'price' | 'several-parcels' | 'deed' | 'family' | 'outlier'

/** A sale with area and price, for a price per square foot. */
export type PricedSale = Sale & { areaSqFt: number }

export function isPriced(sale: Sale): sale is PricedSale {
  return sale.areaSqFt !== null && sale.areaSqFt > 0
}

/** Decimals of the price per square foot are cents. */
export function pricePerSqFt(sale: Sale): number | null {
  return isPriced(sale) ? Math.round((sale.price / sale.areaSqFt) * 100) / 100 : null
}

/**
 * Returns the median, or the mean of the two middle values; `undefined` for none. Does not change
 * the list.
 */
export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5)
}

/** Returns the value below which a share of the values is, interpolated; `undefined` for none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) return undefined
  return below + (above - below) * (place - Math.floor(place))
}
