/** What comparable sales read from a stored record. */
import { foldLetters } from '../fold.ts'
import { readOwners } from '../owner/canonical.ts'
import type { Parcel } from '../record/parcel.ts'
import { openFields } from '../record/stored.ts'
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

const FEATURES = ['longitude', 'latitude', 'buildings', 'useStandardCode', 'residential'] as const
type FeatureName = (typeof FEATURES)[number]

const SOLD = [...FEATURES, 'fips', 'ownerName', 'transfers'] as const
type SoldParcel = Pick<Parcel, (typeof SOLD)[number]>
const readSold = openFields(SOLD)

/**
 * What a parcel is compared by; `undefined` without a point. Areas, bedrooms and baths of all its
 * buildings.
 */
export function readFeatures(parcel: Pick<Parcel, FeatureName>): Features | undefined {
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
function readKind({
  useStandardCode,
  residential,
}: Pick<Parcel, 'useStandardCode' | 'residential'>): PropertyKind {
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
    const parcel = readSold(stored.leaves)
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
    const { seller, buyer } = readParties(newest.grantor, newest.grantee ?? parcel.ownerName)
    const transfer: RecordedTransfer = {
      price: sale.price,
      documentType: newest.documentType,
      saleCode: newest.saleCode,
      sellerSurnames: seller,
      buyerSurnames: buyer,
      parcels: groups.get(group)?.length ?? 1,
    }
    return { sale, fips: parcel.fips, flags: flagTransfer(transfer), parcel: stored, date }
  })
}

/**
 * What parcels that were sold together have in common; a sale whose document and buyer are unknown
 * stands alone.
 */
function nameGroup(id: number, parcel: SoldParcel, date: string, price: number): string {
  const { fips, ownerName } = parcel
  const [newest] = parcel.transfers
  if (newest?.documentNumber) return `${fips} ${date} ${newest.documentNumber}`
  const buyer = newest?.grantee ?? ownerName
  return buyer === null ? `alone ${id}` : `${fips} ${date} ${price} ${buyer}`
}

const NOBODY: ReadonlySet<string> = new Set()

/**
 * The surnames of seller and buyer; nobody's, where the names have no word in common: reading names
 * was nine tenths of the time of comparable sales.
 */
function readParties(seller: string | null, buyer: string | null) {
  if (seller === null || buyer === null || !haveWordInCommon(seller, buyer)) {
    return { seller: NOBODY, buyer: NOBODY }
  }
  return { seller: surnamesOf(seller), buyer: surnamesOf(buyer) }
}

/**
 * Whether letters of one name run on in the other as a word of it does. True wherever surnames are
 * equal: `O BRIEN` and `OBRIEN` have `BRIEN` in common.
 */
function haveWordInCommon(one: string, other: string): boolean {
  const words = foldLetters(one).match(/[A-Z0-9]{2,}/g) ?? []
  const letters = foldLetters(other).replace(/[^A-Z0-9]+/g, '')
  return words.some((word) => letters.includes(word))
}

/** Surnames by the names that were read last: a builder sells many parcels. */
const known = new Map<string, ReadonlySet<string>>()
const KNOWN_MAX = 10_000

function surnamesOf(name: string): ReadonlySet<string> {
  const before = known.get(name)
  if (before !== undefined) return before
  const { slots } = readOwners([name, null], 'mixed')
  const surnames = new Set(slots.flatMap(({ persons }) => persons.map(({ surname }) => surname)))
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(name, surnames)
  return surnames
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
