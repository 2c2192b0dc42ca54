/** What comparable sales read from a stored record. */
import { readOwners } from '../owner/canonical.ts'
import type { Parcel } from '../record/parcel.ts'
import { decodeParcel } from '../record/stored.ts'
import type { StoredParcel } from '../store/store.ts'
import {
  findLogRange,
  flagTransfer,
  type LogRange,
  logPricePerSqFt,
  type RecordedTransfer,
} from './qualify.ts'
import { type Features, isPriced, type PropertyKind, type Sale, type SaleFlag } from './sale.ts'

const DAY_MS = 86_400_000

/** A parcel's newest transfer as a sale, with its flags but for `outlier`. */
export type RecordedSale = {
  sale: Sale
  fips: number
  flags: SaleFlag[]
  parcel: StoredParcel
  /** `YYYY-MM-DD`. */
  date: string
}

const HOUSES = new Set(['1001', '1002'])

/**
 * What a parcel is compared by; `undefined` without a point. Areas, bedrooms and baths of all its
 * buildings.
 */
export function readFeatures(parcel: Parcel): Features | undefined {
  const { longitude, latitude, buildings } = parcel
  if (longitude === null || latitude === null) return undefined
  return {
    point: [longitude, latitude],
    areaSqFt: sumOf(buildings.map((one) => one.buildingArea)),
    bedrooms: sumOf(buildings.map((one) => one.bedrooms)),
    bathrooms: sumOf(buildings.map((one) => one.bathrooms)),
    yearBuilt: buildings.find((one) => one.actualYearBuilt !== null)?.actualYearBuilt ?? null,
    kind: readKind(parcel),
  }
}

/** A unit of a condominium by its use; a house by its use, or residential of unknown use. */
function readKind({ useStandardCode, residential }: Parcel): PropertyKind {
  if (useStandardCode === '1003') return 'condo'
  const isHouse = useStandardCode === null ? residential : HOUSES.has(useStandardCode)
  return isHouse ? 'house' : 'other'
}

function sumOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/**
 * The newest transfers of parcels as sales.
 *
 * Parcels of one document, or of one day, price and buyer, were sold together: those among the
 * given ones are counted.
 */
export function readSales(parcels: readonly StoredParcel[]): RecordedSale[] {
  const read = parcels.flatMap((stored) => {
    const parcel = decodeParcel(stored.leaves)
    const features = readFeatures(parcel)
    const [newest] = parcel.transfers
    const date = newest?.transferDate ?? newest?.recordingDate ?? null
    const price = newest?.transferPrice ?? null
    if (features === undefined || newest === undefined || date === null || price === null) return []
    const day = Math.floor(Date.parse(date) / DAY_MS)
    const sale: Sale = { ...features, id: stored.id, day, price }
    return [
      { stored, parcel, newest, date, sale, group: nameGroup(stored.id, parcel, date, price) },
    ]
  })
  const groups = Map.groupBy(read, ({ group }) => group)
  return read.map(({ stored, parcel, newest, date, sale, group }) => {
    const buyers = newest.grantee ?? parcel.ownerName
    const transfer: RecordedTransfer = {
      price: sale.price,
      documentType: newest.documentType,
      saleCode: newest.saleCode,
      sellerSurnames: surnamesOf(newest.grantor),
      buyerSurnames: newest.grantor === null ? new Set() : surnamesOf(buyers),
      parcels: groups.get(group)?.length ?? 1,
    }
    return { sale, fips: parcel.fips, flags: flagTransfer(transfer), parcel: stored, date }
  })
}

/**
 * What parcels that were sold together have in common; a sale whose document and buyer are unknown
 * stands alone.
 */
function nameGroup(id: number, parcel: Parcel, date: string, price: number): string {
  const { fips, ownerName } = parcel
  const [newest] = parcel.transfers
  if (newest?.documentNumber) return `${fips} ${date} ${newest.documentNumber}`
  const buyer = newest?.grantee ?? ownerName
  return buyer === null ? `alone ${id}` : `${fips} ${date} ${price} ${buyer}`
}

function surnamesOf(name: string | null): Set<string> {
  if (name === null) return new Set()
  const { slots } = readOwners([name, null], 'mixed')
  return new Set(slots.flatMap(({ persons }) => persons.map(({ surname }) => surname)))
}

/** A county's usual prices per square foot by kind. */
export type UsualPrices = (fips: number, kind: PropertyKind) => LogRange | undefined

/**
 * Adds the flag `outlier` to sales outside the usual prices per square foot of their county and
 * kind.
 *
 * `usual`: what is known of a county; without it the sales given tell, of which the others are
 * qualified.
 */
export function flagOutliers(sales: RecordedSale[], usual?: UsualPrices): RecordedSale[] {
  const keyOf = ({ fips, sale }: RecordedSale) => `${fips} ${sale.kind}`
  const ranges = new Map(
    [...Map.groupBy(sales, keyOf)].map(([key, group]) => {
      const [{ fips, sale }] = group as [RecordedSale]
      return [key, usual?.(fips, sale.kind) ?? findUsual(group)]
    }),
  )
  return sales.map((one) => {
    const range = ranges.get(keyOf(one))
    if (range === undefined || !isPriced(one.sale) || one.sale.price <= 0) return one
    const log = logPricePerSqFt(one.sale)
    return log >= range.low && log <= range.high
      ? one
      : { ...one, flags: [...one.flags, 'outlier' as const] }
  })
}

/** The usual prices per square foot among sales of one county and kind. */
export function findUsual(sales: readonly RecordedSale[]): LogRange {
  const qualified = sales.filter(({ flags }) => flags.length === 0).map(({ sale }) => sale)
  return findLogRange(qualified.filter(isPriced))
}
