/**
 * Which recorded sales tell a market price.
 *
 * A sale is qualified when none of the flags of `SaleFlag` holds: price of at least 1,000 dollars,
 * one parcel, no nominal or correction deed, buyer and seller of different surnames, no outlier of
 * its county and kind.
 */
import { median, type PricedSale, type SaleFlag } from './sale.ts'

/** Less is a nominal price. US dollars. */
const PRICE_MIN = 1000

/** Outliers stand further than this many robust standard deviations from the middle. */
const DEVIATIONS_MAX = 4

/** A median absolute deviation times this is a standard deviation, where values are normal. */
const NORMAL_SCALE = 1.4826

/** Fewer sales tell no outlier. */
const SALES_MIN = 20

/** A deed's type or a sale's code in words that name no sale at a market price. */
const NOMINAL_DEED = new RegExp(
  String.raw`\b(?:CORRECT(?:ION|IVE|ED)|CONFIRMATORY|NOMINAL|GIFT|LOVE (?:AND|&) AFFECTION` +
    '|NO CONSIDERATION|FAMILY|RE-?RECORD(?:ED|ING)?|TRANSFER ON DEATH|SURVIVORSHIP' +
    "|AFFIDAVIT|DECREE|FORECLOSURE|SHERIFF'?S?|TAX (?:DEED|SALE)|UNQUALIFIED" +
    String.raw`|NON-?ARMS?)\b`,
  'i',
)

/** What one recorded transfer shows of itself. Surnames are canonical; empty sets: not recorded. */
export type RecordedTransfer = {
  price: number
  documentType: string | null
  saleCode: string | null
  sellerSurnames: ReadonlySet<string>
  buyerSurnames: ReadonlySet<string>
  /** Parcels of the county with the same document, or with the same day and price and buyer. */
  parcels: number
}

/** The flags of one transfer; `outlier` needs the county's other sales, see `findOutliers`. */
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

/** The range of log prices per square foot that is no outlier, of sales of one county and kind. */
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
