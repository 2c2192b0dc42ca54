/** Reads a sale from a stored record, for comparable sales. */
import { DAY_MS } from '../base/days.ts'
import { foldLetters } from '../base/fold.ts'
import { boxInUnits } from '../base/model/geometry.ts'
import { readAll } from '../geo/nearest.ts'
import { readOwners } from '../owner/canonical.ts'
import type { Parcel } from '../record/parcel.ts'
import { openFields } from '../record/stored.ts'
import { PROPERTY_TYPES } from '../record/use-codes.ts'
import type { ParcelReader, StoredParcel } from '../store/store.ts'
import {
  findLogRange,
  flagTransfer,
  type LogRange,
  logPricePerSqFt,
  type RecordedTransfer,
} from './qualify.ts'
import { type Features, isPriced, type PropertyKind, type Sale, type SaleFlag } from './sale.ts'

/** A parcel's newest transfer as a sale, before other parcels of the same sale are known. */
export type ReadSale = {
  sale: Sale
  fips: number
  /** `YYYY-MM-DD`. */
  date: string
  /** Parcels that share one of these texts were sold together. */
  groups: string[]
  transfer: Omit<RecordedTransfer, 'parcels'>
}

/** A sale with its flags; `flagOutliers` adds `outlier`. */
type FlaggedSale = Pick<ReadSale, 'sale' | 'fips' | 'date'> & { flags: SaleFlag[] }

export type RecordedSale = FlaggedSale & { parcel: StoredParcel }

const HOUSES: ReadonlySet<string> = new Set(PROPERTY_TYPES.house)
const CONDOS: ReadonlySet<string> = new Set(PROPERTY_TYPES.CONDO)

const FEATURES = ['longitude', 'latitude', 'buildings', 'propertyUseCode', 'residential'] as const
type FeatureName = (typeof FEATURES)[number]

const SOLD = [...FEATURES, 'fips', 'ownerName', 'ownerName2', 'transfers'] as const
type SoldParcel = Pick<Parcel, (typeof SOLD)[number]>
const readSold = openFields(SOLD)

/**
 * Returns the features that parcels are compared by; `undefined` without a point. Areas, bedrooms
 * and baths are totals over all buildings.
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

/**
 * Returns the kind: a condominium unit by its use; a house by its use, or a residential parcel of
 * unknown use.
 */
function readKind({
  propertyUseCode: code,
  residential,
}: Pick<Parcel, 'propertyUseCode' | 'residential'>): PropertyKind {
  if (code !== null && CONDOS.has(code)) return 'condo'
  const isHouse = code === null ? residential : HOUSES.has(code)
  return isHouse ? 'house' : 'other'
}

function sumOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/**
 * Reads a parcel's newest transfer as a sale; `undefined` without a date, a price or a point. It
 * keeps no part of the stored text, so many can be held in memory.
 */
export function readSale({ id, fieldValues }: StoredParcel): ReadSale | undefined {
  const parcel = readSold(fieldValues)
  const features = readFeatures(parcel)
  const [newest] = parcel.transfers
  const date = newest?.transferDate ?? newest?.recordingDate ?? null
  const price = newest?.transferPrice ?? null
  if (features === undefined || newest === undefined || date === null || price === null) {
    return undefined
  }
  const day = Math.floor(Date.parse(date) / DAY_MS)
  const { seller, buyer } = readParties(newest.grantor, buyerOf(parcel))
  const { saleCode } = newest
  const documentType = newest.documentTypeRecorded ?? newest.documentType
  return {
    sale: { ...features, id, day, price },
    fips: parcel.fips,
    date,
    groups: nameGroups(id, parcel, date, price),
    transfer: { price, documentType, saleCode, sellerSurnames: seller, buyerSurnames: buyer },
  }
}

/** Adds to the numbers of parcels by sale. */
export function countGroups(
  read: readonly ReadSale[],
  counts = new Map<string, number>(),
): Map<string, number> {
  for (const { groups } of read) {
    for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  return counts
}

/**
 * Flags sales.
 *
 * Parcels with the same document, or the same day, price and buyer, were sold together; they are
 * counted among the given ones, or in `counts`.
 */
export function flagSales(read: readonly ReadSale[], counts = countGroups(read)): FlaggedSale[] {
  return read.map(({ sale, fips, date, groups, transfer }) => {
    const parcels = Math.max(1, ...groups.map((group) => counts.get(group) ?? 1))
    const flags = flagTransfer({ ...transfer, parcels })
    return { sale, fips, date, flags }
  })
}

/**
 * Returns texts that are equal for parcels sold together: by the document, or by day, price and
 * buyer. Deeds of one day, price and buyer whose numbers differ by a letter are one sale recorded
 * twice: `1826255093`, `1826255093D`. The order of the buyer's words and leading zeros of a number
 * do not count. A sale without document and buyer gets its own.
 */
function nameGroups(id: number, parcel: SoldParcel, date: string, price: number): string[] {
  const { fips } = parcel
  const [newest] = parcel.transfers
  const buyer = buyerOf(parcel)
  const words = (buyer === null ? null : foldLetters(buyer).match(/[A-Z0-9]+/g)) ?? []
  const terms = `${fips} ${date} ${price} ${words.sort().join(' ')}`
  const document = newest?.documentNumber?.toUpperCase().replace(/^0+(?=\d)/, '')
  if (!document) return [buyer === null ? `alone ${id}` : terms]
  const own = `${fips} ${date} ${document}`
  const digits = document.replace(/[-\s]?[A-Z]$|^[A-Z][-\s]?(?=\d)/, '')
  return buyer === null ? [own] : [own, `${terms} ${digits}`]
}

/** Returns the newest transfer's grantee; else both owners, who bought the parcel. */
function buyerOf({ transfers: [newest], ownerName, ownerName2 }: SoldParcel): string | null {
  const owners = [ownerName, ownerName2].filter((name) => name !== null)
  return newest?.grantee ?? (owners.join('; ') || null)
}

const NOBODY: ReadonlySet<string> = new Set()

/**
 * Returns the surnames of seller and buyer; empty when the names share no word, because reading
 * names took nine tenths of the time.
 */
function readParties(seller: string | null, buyer: string | null) {
  if (seller === null || buyer === null || !haveWordInCommon(seller, buyer)) {
    return { seller: NOBODY, buyer: NOBODY }
  }
  return { seller: surnamesOf(seller), buyer: surnamesOf(buyer) }
}

/**
 * Reports whether a word of one name occurs in the letters of the other. True whenever surnames are
 * equal: `O BRIEN` and `OBRIEN` share `BRIEN`.
 */
function haveWordInCommon(one: string, other: string): boolean {
  const words = foldLetters(one).match(/[A-Z0-9]{2,}/g) ?? []
  const letters = foldLetters(other).replace(/[^A-Z0-9]+/g, '')
  return words.some((word) => letters.includes(word))
}

/** Caches the surnames of recent names, because a builder sells many parcels. */
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
 * `usual`: the known range of a county; without it the range is computed from the given sales that
 * have no other flag.
 */
export function flagOutliers<Flagged extends FlaggedSale>(
  sales: readonly Flagged[],
  usual?: UsualPrices,
): Flagged[] {
  const keyOf = ({ fips, sale }: FlaggedSale) => `${fips} ${sale.kind}`
  const ranges = new Map(
    [...Map.groupBy(sales, keyOf)].map(([key, group]) => {
      const [{ fips, sale }] = group as [Flagged]
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
export function findUsual(sales: readonly FlaggedSale[]): LogRange {
  const qualified = sales.filter(({ flags }) => flags.length === 0).map(({ sale }) => sale)
  return findLogRange(qualified.filter(isPriced))
}

const AT_ONCE = 1000

type CountyQuestion = {
  state: string
  fips: number
  sinceDay: number
  /** Waits for other requests between two parts. */
  pause?: () => Promise<void>
}

/**
 * Returns the record IDs of parcels with a priced newest transfer since a day, in rising order.
 * They are in a county and what lies next to it. Empty for a county without points or prices.
 */
export async function findCountySales(
  parcels: ParcelReader,
  { state, fips, sinceDay, pause }: CountyQuestion,
  most = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const county = (await parcels.coverage({ states: [state] })).find((one) => one.fips === fips)
  if (county === undefined || county.bounds === null || county.filled.salePrice === 0) return []
  const [west, south, east, north] = county.bounds
  const box = boxInUnits({ west, south, east, north })
  const found: number[] = []
  const readPart = async (part: typeof box, limit: number) => {
    await pause?.()
    return parcels.salesIn(sinceDay, part, limit)
  }
  for await (const hits of readAll(readPart, box)) {
    for (const hit of hits) if (hit.state === state) found.push(hit.id)
    if (found.length >= most) break
  }
  return found.sort((a, b) => a - b)
}

/** Reads sales by record IDs. Drops each record, since a stored record takes 3 KB. */
export async function* readSalesById(
  parcels: ParcelReader,
  state: string,
  ids: readonly number[],
  atOnce = AT_ONCE,
): AsyncGenerator<(ReadSale & { fieldValues: string })[]> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const records = await parcels.byIds(state, ids.slice(from, from + atOnce))
    yield records.flatMap((parcel) => {
      const sale = readSale(parcel)
      return sale === undefined ? [] : [{ ...sale, fieldValues: parcel.fieldValues }]
    })
  }
}
