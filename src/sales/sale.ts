/** A recorded sale of one parcel, as comparable sales look at it. */
import type { Point } from '../geo/sphere.ts'

/** What stands on a parcel: a house on its own lot, a condominium unit, or anything else. */
export type PropertyKind = 'house' | 'condo' | 'other'

/** What two properties are compared by; `null`: not recorded. */
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
  /** Record id of the parcel. */
  id: number
  /** Days since 1970-01-01. */
  day: number
  /** US dollars. */
  price: number
}

/** Why a sale tells nothing of a market price. */
export type SaleFlag = 'price' | 'several-parcels' | 'deed' | 'family' | 'outlier'

/** A sale with area and price: what a price per square foot can be told of. */
export type PricedSale = Sale & { areaSqFt: number }

/** Whether a sale has an area to set its price against. */
export function isPriced(sale: Sale): sale is PricedSale {
  return sale.areaSqFt !== null && sale.areaSqFt > 0
}

/** Decimals of the price per square foot are cents. */
export function pricePerSqFt(sale: Sale): number | null {
  return isPriced(sale) ? Math.round((sale.price / sale.areaSqFt) * 100) / 100 : null
}

/**
 * The middle value, or the mean of the two middle ones; `undefined` of none. Does not change the
 * list.
 */
export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5)
}

/**
 * The value below which a share of the values lies, between neighbours in proportion; `undefined`
 * of none.
 */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) return undefined
  return below + (above - below) * (place - Math.floor(place))
}
