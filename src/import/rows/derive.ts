/**
 * Derives fields from those that the roll has: years, areas, dates, the values of the roll year.
 */
import { foldUseCode } from '../../base/fold.ts'
import { blankTransfer, type Parcel, type Transfer } from '../../record/parcel.ts'
import { readUseCode, USE_CODES } from '../../record/use-codes.ts'
import { readTract } from '../../regions/tracts.ts'
import type { Unread } from '../mapping/filler.ts'
import { round } from '../mapping/filler.ts'
import { isZeros } from '../mapping/placeholders.ts'
import { remember } from '../mapping/remember.ts'

/** Facts from the roll, mapping and command line that hold for every row. */
export type RollFacts = {
  /** `--roll-year`; takes precedence over the row's own. */
  rollYear: number | null
  /** The mapping's year, for rows without one. */
  mappingYear: number | null
  sourceName: string | null
  sourceLicense: string | null
}

/**
 * Fills years from the roll's year, acres from square feet, the owner's date from the newest
 * transfer.
 */
export function fillDerived(parcel: Parcel, context: RollFacts, unread: Unread): void {
  parcel.sourceName ??= context.sourceName
  parcel.sourceLicense ??= context.sourceLicense
  parcel.rollYear = context.rollYear ?? parcel.rollYear ?? context.mappingYear
  const { totalAssessedValue, assessedLandValue, assessedBuildingValue } = parcel
  const { totalMarketValue, totalLandValue, totalBuildingValue } = parcel
  const assessed = (totalAssessedValue ?? assessedLandValue ?? assessedBuildingValue) !== null
  const market = (totalMarketValue ?? totalLandValue ?? totalBuildingValue) !== null
  if (assessed) parcel.assessedYear ??= parcel.rollYear
  if (market) parcel.marketValueYear ??= parcel.rollYear
  if (parcel.taxAmount !== null) parcel.taxYear ??= parcel.rollYear
  if (parcel.acres === null && parcel.landArea !== null) {
    parcel.acres = round(parcel.landArea / 43_560, 4)
  } else if (parcel.landArea === null && parcel.acres !== null) {
    parcel.landArea = round(parcel.acres * 43_560, 0)
  }
  fillUse(parcel, unread)
  if (parcel.localUseCode !== null && namesNoUse(parcel)) parcel.localUseCode = null
  // One set of building columns does not prove that there is only one building.
  if (parcel.buildings.length > 1) parcel.buildingCount ??= parcel.buildings.length
  fillYears(parcel)
  fillTract(parcel, unread)
  if (parcel.transfers.length > 1) parcel.transfers.sort(newestFirst)
  const newest = parcel.transfers[0]
  parcel.ownershipStartDate ??= newest?.transferDate ?? newest?.recordingDate ?? null
  fillAssessments(parcel, assessed || market)
}

/**
 * Reports whether a use code means unknown: it has no letter and no digit, or it is zeros that
 * the roll does not describe. Florida's `0000` is vacant land, and its rolls or mappings say so.
 */
function namesNoUse({ propertyUseCode, propertyUseDescription, localUseCode }: Parcel): boolean {
  const code = localUseCode ?? ''
  if (foldUseCode(code) === '') return true
  return isZeros(code) && propertyUseDescription === null && propertyUseCode === null
}

/**
 * A building has no condition in a year before it was built. Such a year stays in `extra` as
 * recorded.
 */
function fillYears(parcel: Parcel): void {
  for (const building of parcel.buildings) {
    const { actualYearBuilt: built, effectiveYearBuilt: effective } = building
    if (built === null || effective === null || effective >= built) continue
    building.effectiveYearBuilt = null
    parcel.extra.effectiveYearBuilt = String(effective)
  }
}

/** Completes the census tract. A text that cannot be read stays in `extra` as recorded. */
function fillTract(parcel: Parcel, unread: Unread): void {
  const { censusTract: recorded, fips } = parcel
  if (recorded === null) return
  parcel.censusTract = readTract(recorded, fips)
  if (parcel.censusTract !== null) return
  unread('siteCensusTract', recorded)
  parcel.extra.siteCensusTract = recorded
}

const useCodeOf = remember((texts) => {
  const [given = '', description = ''] = texts.split('\n')
  return readUseCode(given === '' ? null : given, description)
})

/**
 * Fills the use code and the fields that follow from it. A text that is no code of the table is the
 * roll's own code, and reported as unread.
 */
function fillUse(parcel: Parcel, unread: Unread): void {
  const { propertyUseCode: given, propertyUseDescription: description } = parcel
  if (given === null && description === null) return
  const code = useCodeOf(`${given ?? ''}\n${description ?? ''}`)
  if (given !== null && !USE_CODES.has(given)) {
    if (parcel.localUseCode === null) parcel.localUseCode = given
    else parcel.extra.useCode = given
    if (code === null) unread('useCode', given)
  }
  const use = code === null ? undefined : USE_CODES.get(code)
  parcel.propertyUseCode = code
  parcel.useStandardDescription = use?.description ?? null
  parcel.condominium = use?.condo ?? null
  if (use !== undefined) parcel.residential = use.dwelling
}

/** Kinds of units in a building. Lots, spaces and the rear of a lot are not among them. */
const UNITS_OF_BUILDING: ReadonlySet<string | null> = new Set([
  null,
  '#',
  'APT',
  'UNIT',
  'PH',
  'FL',
])

/**
 * Marks a parcel as a condominium when its use is only known to be residential and it is a unit of
 * a building. A roll that does not distinguish houses from condominiums still has a parcel for each
 * unit. Needs the unit of the standardized address.
 */
export function fillCondominium(parcel: Parcel): void {
  if (parcel.propertyUseCode !== '1000' || parcel.unitNumberStripped === null) return
  if (UNITS_OF_BUILDING.has(parcel.unitType)) parcel.condominium = true
}

/** Orders transfers by date, newest first; those without a date come last. */
export function newestFirst(a: Transfer, b: Transfer): number {
  const dateOf = (transfer: Transfer) => transfer.transferDate ?? transfer.recordingDate ?? ''
  return dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : 0
}

/**
 * Unites transfers of one day that contradict each other in nothing: a deed and a sale in columns
 * of their own, or a list of sales, often record one transfer twice. Equal ones count once. A price
 * dated by its month, `2008-11-01`, is that of a deed of the month which has none of its values.
 * What fits two others that contradict each other stays alone.
 */
export function uniteTransfers(transfers: readonly Transfer[]): Transfer[] {
  const distinct = [...new Map(transfers.map((one) => [JSON.stringify(one), one])).values()]
  const byMonth = Map.groupBy(distinct, ({ transferDate }) => transferDate?.slice(0, 7))
  return [...byMonth].flatMap(([month, all]) => (month === undefined ? all : uniteOfMonth(all)))
}

/** Each is compared with all others; no parcel is sold more often in a month. */
const UNITED_MAX = 24

function uniteOfMonth(all: readonly Transfer[]): Transfer[] {
  if (all.length < 2 || all.length > UNITED_MAX) return [...all]
  const alone: Transfer[] = []
  const united: Transfer[] = []
  const fuller = all.filter((one) => !all.some((other) => other !== one && holds(other, one)))
  for (const one of fuller) {
    const fits = fuller.filter((other) => isSameSale(one, other))
    const isTorn = fits.some((a) => fits.some((b) => !isSameSale(a, b)))
    const at = isTorn ? -1 : united.findIndex((other) => isSameSale(one, other))
    if (at >= 0) united[at] = fillTransfer(united[at] as Transfer, one)
    else if (isTorn) alone.push(one)
    else united.push(one)
  }
  return [...united, ...alone]
}

const { transferDate: _, ...UNDATED } = blankTransfer()
const NAMES = Object.keys(UNDATED) as (keyof typeof UNDATED)[]

function isSameSale(one: Transfer, other: Transfer): boolean {
  const isOfDay = one.transferDate === other.transferDate
  const isMonths = [one, other].some(
    ({ transferDate, transferPrice }) => transferPrice !== null && transferDate?.endsWith('-01'),
  )
  return NAMES.every((name) => {
    if (one[name] === null || other[name] === null) return isOfDay || isMonths
    return isOfDay && one[name] === other[name]
  })
}

/** Reports whether a transfer says all that another of its day says. */
function holds(one: Transfer, other: Transfer): boolean {
  const isOfDay = one.transferDate === other.transferDate
  return isOfDay && NAMES.every((name) => other[name] === null || one[name] === other[name])
}

function fillTransfer(known: Transfer, other: Transfer): Transfer {
  const filled = NAMES.map((name) => [name, known[name] ?? other[name]])
  const [, transferDate = null] = [known, other].map((one) => one.transferDate).sort()
  return { ...Object.fromEntries(filled), transferDate } as Transfer
}

/** Fills the values of this roll year. The store keeps those of earlier years. */
function fillAssessments(parcel: Parcel, valued: boolean): void {
  const year = parcel.rollYear ?? parcel.assessedYear ?? parcel.marketValueYear ?? parcel.taxYear
  if (year === null || !(valued || parcel.taxAmount !== null)) return
  parcel.assessments = [
    {
      year,
      totalAssessedValue: parcel.totalAssessedValue,
      assessedLandValue: parcel.assessedLandValue,
      assessedBuildingValue: parcel.assessedBuildingValue,
      totalMarketValue: parcel.totalMarketValue,
      taxAmount: parcel.taxAmount,
      totalLandValue: parcel.totalLandValue,
      totalBuildingValue: parcel.totalBuildingValue,
      assessedYear: parcel.assessedYear,
      marketValueYear: parcel.marketValueYear,
      taxYear: parcel.taxYear,
    },
  ]
}
