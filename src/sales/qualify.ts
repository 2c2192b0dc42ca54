/**
 * Decides which recorded sales show a market price.
 *
 * A sale is qualified when it has no flag of `SaleFlag`. It then has a price of at least 1,000
 * dollars, one parcel, no nominal or correction deed, and buyer and seller with different surnames.
 * It is no outlier of its county and kind.
 */
import { median, type PricedSale, type SaleFlag } from './sale.ts'

/** Less is a nominal price. US dollars. */
const PRICE_MIN = 1000

/** Robust standard deviations from the median beyond which a price is an outlier. */
const DEVIATIONS_MAX = 4

/** Factor from a median absolute deviation to a standard deviation, for normal values. */
const NORMAL_SCALE = 1.4826

/** With fewer sales no outlier is flagged. */
const SALES_MIN = 20

/** Deed types or sale codes that are not sales at a market price. */
const NOMINAL_DEED = new RegExp(
  String.raw`\b(?:CORRECT(?:ION|IVE|ED)|CONFIRMATORY|NOMINAL|GIFT|LOVE (?:AND|&) AFFECTION` +
    '|NO CONSIDERATION|FAMILY|RE-?RECORD(?:ED|ING)?|TRANSFER ON DEATH|SURVIVORSHIP' +
    "|AFFIDAVIT|DECREE|FORECLOSURE|SHERIFF'?S?|TAX (?:DEED|SALE)|UNQUALIFIED" +
    String.raw`|NON-?ARMS?)\b`,
  'i',
)

/** One recorded transfer. Surnames are canonical; empty sets when not recorded. */
export type RecordedTransfer = {
  price: number
  documentType: string | null
  saleCode: string | null
  sellerSurnames: ReadonlySet<string>
  buyerSurnames: ReadonlySet<string>
  /** Parcels of the county with the same document, or with the same day and price and buyer. */
  parcels: number
}

/**
 * Returns the flags of one transfer; `outlier` needs the county's other sales, see `flagOutliers`.
 */
export function flagTransfer(transfer: RecordedTransfer): SaleFlag[] {
  const flags: SaleFlag[] = []
  if (transfer.price < PRICE_MIN) flags.push('price')
  if (transfer.parcels > 1) flags.push('several-parcels')
  if (NOMINAL_DEED.test(`${transfer.documentType ?? ''} ${transfer.saleCode ?? ''}`)) {
    flags.push('deed')
  }
  const shared = [...transfer.sellerSurnames].some((name) => transfer.buyerSurnames.has(name))
  if (shared) flags.push('family')
  return flags
}

/** Natural logarithms of dollars per square foot; both ends belong to it and may be infinite. */
export type LogRange = { low: number; high: number }

/**
 * Returns the range of log prices per square foot that are not outliers, for sales of one county
 * and kind.
 */
export function findLogRange(sales: readonly PricedSale[]): LogRange {
  const logs = sales.map(logPricePerSqFt)
  const middle = median(logs)
  const deviation = median(logs.map((log) => Math.abs(log - (middle ?? 0))))
  if (logs.length < SALES_MIN || middle === undefined || deviation === undefined) {
    return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  }
  const reach = DEVIATIONS_MAX * NORMAL_SCALE * deviation
  return { low: middle - reach, high: middle + reach }
}

/** Natural logarithm of dollars per square foot. */
export function logPricePerSqFt({ price, areaSqFt }: PricedSale): number {
  return Math.log(price / areaSqFt)
}
