/** One row of a roll becomes a draft of a parcel, or a reason why not. Pure: no file, no clock; the engines come after (`finish.ts`). */
import { foldUseCode, stripParcelId } from '../fold.ts'
import type { NameOrder } from '../model/owner.ts'
import type { Building, Parcel, Transfer } from '../model/parcel.ts'
import type { County } from '../model/place.ts'
import { countyByFips, findCounty } from '../place/counties.ts'
import { findState, findStateByFips } from '../place/states.ts'
import { isRounded, readFlag, readNumber, readZip } from './clean.ts'
import { blankBuilding, blankParcel, blankTransfer, type SpecialField } from './fields.ts'
import { cutCareOf, cutCityStateZip, cutOneLine, readCareOf } from './lines.ts'
import type { Filler, Plan } from './plan.ts'
import { round } from './plan.ts'
import { remember } from './remember.ts'

/** What holds for every row of an import. */
export type RowContext = {
  state: string | undefined
  county: string | undefined
  nameOrder: NameOrder
  /** `--name-order`: wins over the mapping's and the column's. */
  forcedOrder: NameOrder | undefined
  municipal: boolean
  /** `--roll-year`: wins over the row's own. */
  rollYear: number | null
  /** The mapping's: for rows that tell none. */
  mappingYear: number | null
  sourceName: string | null
  sourceLicense: string | null
  /** Hears each field whose text could not be read. */
  unread(field: string): void
}

/** A parcel before the engines have read its names and addresses. */
export type Draft = {
  parcel: Parcel
  county: County
  nameOrder: NameOrder
  /** Situs line 1, with or without its unit. */
  line: string | null
  /** A unit that the roll keeps in a column of its own. */
  unit: string | undefined
  /** Further situs lines. */
  further: string[]
  /** The slots of each row that was merged into this one, its own first; absent while it is one row. */
  ownerGroups?: string[][]
}

export type Outcome =
  | { draft: Draft }
  /** Reason why a row that is there cannot be used. */
  | { rejected: string }
  /** Reason why a row is no parcel. */
  | { skipped: string }

/** WGS84 longitude and latitude of a row's own shape. */
export type ShapePoint = readonly [number, number] | null

/** Makes a draft of a row, or says why not. `point`: where the row's shape lies. */
export function normalizeRow(
  row: readonly string[],
  plan: Plan,
  context: RowContext,
  point: ShapePoint = null,
): Outcome {
  if (isBlank(row)) return { skipped: 'blank row' }
  for (const { get, is } of plan.skip) {
    const text = get(row)
    if (is.has((text ?? '').toUpperCase())) return { skipped: `no parcel: ${text ?? 'blank'}` }
  }
  const get = (name: SpecialField) => plan.special[name]?.(row) ?? null
  const parcelId = get('parcelId')
  if (parcelId === null) return { skipped: 'no parcel ID' }
  if (stripParcelId(parcelId) === '') {
    return { rejected: `parcel ID "${parcelId}" has no letter and no digit` }
  }
  if (parcelId.includes('E+') && isRounded(parcelId)) {
    return { rejected: 'the parcel ID is rounded, as spreadsheets do to long numbers' }
  }
  const county = countyOf(
    `${get('state') ?? context.state ?? ''}\n${get('county') ?? context.county ?? ''}`,
  )
  if (typeof county === 'string') return { rejected: county }

  const parcel = blankParcel(parcelId, county.fips)
  const unread = context.unread
  for (const fill of plan.parcel) fill(parcel, row, unread)
  if (context.municipal) {
    parcel.municipality = get('municipality')?.toUpperCase() ?? null
    if (parcel.municipality === null) return { rejected: 'no municipality' }
  }
  parcel.alternateParcelIds = texts(plan.alternateParcelIds, row).filter((id) => id !== parcelId)
  for (const { name, get } of plan.extra) {
    const text = get(row)
    if (text !== null) parcel.extra[name] = text
  }
  fillOwner(parcel, get, unread)
  const site = fillSite(parcel, get, county.state, unread)
  fillPoint(parcel, get, plan, row, point)
  parcel.buildings = plan.buildings
    .map((fillers) => fillAll(blankBuilding(), fillers, row, unread))
    .filter(saysSomething)
  parcel.transfers = distinct(
    plan.transfers
      .map((fillers) => fillAll(blankTransfer(), fillers, row, unread))
      .filter(isTransfer),
  )
  fillDerived(parcel, context)
  const further = texts(plan.furtherAddresses, row).map((line) => line.toUpperCase())
  const nameOrder = context.forcedOrder ?? readOrder(get('nameOrder')) ?? context.nameOrder
  return { draft: { parcel, county, nameOrder, ...site, further } }
}

/** Whether no column says anything. */
export function isBlank(row: readonly string[]): boolean {
  return row.every((text) => text === '' || text.trim() === '')
}

/** The owner slots of a row and how its names are written; for the pass that learns names. */
export function readNames(
  row: readonly string[],
  plan: Plan,
  mappingOrder: NameOrder,
  forcedOrder: NameOrder | undefined,
): { slot1: string | null; slot2: string | null; order: NameOrder } {
  const get = (name: SpecialField) => plan.special[name]?.(row) ?? null
  return {
    slot1: get('ownerName1')?.toUpperCase() ?? null,
    slot2: get('ownerName2')?.toUpperCase() ?? null,
    order: forcedOrder ?? readOrder(get('nameOrder')) ?? mappingOrder,
  }
}

type Get = (name: SpecialField) => string | null
type Unread = (field: string) => void

/** The county of a row by its state and county, a line each, or the reason why it has none. */
const countyOf = remember((place): County | string => {
  const [stateText = '', countyText = ''] = place.split('\n')
  const byFips = /^\d{5}$/.test(countyText) ? countyByFips(Number(countyText)) : undefined
  const state = findState(stateText) ?? findStateByFips(stateText)
  if (state === undefined) {
    if (stateText !== '') return `"${stateText}" is no US state`
    return byFips ?? 'no state'
  }
  if (countyText === '') return 'no county'
  return findCounty(state.code, countyText) ?? `"${countyText}" is no county of ${state.code}`
})

function readOrder(text: string | null): NameOrder | undefined {
  const order = text?.toLowerCase()
  return order === 'last-first' || order === 'first-last' || order === 'mixed' ? order : undefined
}

/** The texts of a list field; one column may hold several, separated by semicolons. */
function texts(getters: Plan['alternateParcelIds'], row: readonly string[]): string[] {
  const found = getters.flatMap((get) => get(row)?.split(/\s*;\s*/) ?? [])
  return found.length === 0 ? found : [...new Set(found.filter((text) => text !== ''))]
}

function fillAll<Owner>(
  owner: Owner,
  fillers: Filler<Owner>[],
  row: readonly string[],
  unread: Unread,
): Owner {
  for (const fill of fillers) fill(owner, row, unread)
  return owner
}

/** A building of which the roll says no more than zeros is none. */
function saysSomething(building: Building): boolean {
  return Object.values(building).some(
    (value) => value !== null && value !== 0 && value !== false && value !== '0',
  )
}

/** A price alone tells a sale only when it is one: rolls write 0 and 1 where nothing was sold. */
function isTransfer(transfer: Transfer): boolean {
  const { transferPrice, ...rest } = transfer
  return Object.values(rest).some((value) => value !== null) || (transferPrice ?? 0) > 1
}

/** A list of sales beside the roll tells those again that the roll itself tells. */
function distinct(transfers: Transfer[]): Transfer[] {
  if (transfers.length < 2) return transfers
  const seen = new Map(transfers.map((transfer) => [JSON.stringify(transfer), transfer]))
  return [...seen.values()]
}

/** Owner slots, care-of and mailing address; which slot is no owner but a care-of, the owner engine says later. */
function fillOwner(parcel: Parcel, get: Get, unread: Unread): void {
  const careOf: string[] = []
  const note = (text: string | null) => {
    if (text !== null && text !== '' && !careOf.includes(text)) careOf.push(text)
  }
  parcel.ownerName = get('ownerName1')?.toUpperCase() ?? null
  parcel.ownerName2 = get('ownerName2')?.toUpperCase() ?? null
  const own = get('ownerCareOf')?.toUpperCase() ?? null
  note(own === null ? null : (readCareOf(own) ?? own))

  const whole = get('ownerAddressFull')
  const place = whole !== null ? cutOneLine(whole, '') : cutPlace(get('ownerCityStateZip'))
  parcel.ownerStreet ??= whole === null ? null : cutOneLine(whole, '').line
  parcel.ownerCity ??= place.city
  parcel.ownerState ??= place.state
  const zip = readZipOf(get('ownerZipCode'), get('ownerZipCodePlusFour'), 'ownerZipCode', unread)
  parcel.ownerZipCode = zip?.zip ?? place.zip
  parcel.ownerZipCodePlusFour = zip?.plusFour ?? place.zipPlusFour
  if (parcel.ownerStreet !== null) {
    const cut = cutCareOf(parcel.ownerStreet)
    note(cut.careOf)
    parcel.ownerStreet = cut.line
  }
  parcel.careOf = careOf.length === 0 ? null : careOf.join('; ')
  // Whether the owner lives there is settled by `finish.ts`; here only what the roll itself says.
  parcel.ownerOccupied = readFlag(get('ownerOccupied') ?? '') ?? null
}

function cutPlace(text: string | null): ReturnType<typeof cutCityStateZip> {
  return text === null
    ? { city: null, state: null, zip: null, zipPlusFour: null }
    : cutCityStateZip(text)
}

function readZipOf(text: string | null, four: string | null, name: string, unread: Unread) {
  if (text === null && four === null) return null
  const zip = readZip(text ?? four ?? '')
  if (zip === undefined) unread(name)
  if (zip === undefined || zip === null || zip.plusFour !== null || four === null)
    return zip ?? null
  if (/^\d{4}$/.test(four)) {
    return { zip: zip.zip, plusFour: four === '0000' ? null : `${zip.zip}-${four}` }
  }
  return { zip: zip.zip, plusFour: readZip(four)?.plusFour ?? null }
}

/** Situs line, city and ZIP; from one line, from line 1, or from the parts of a street address. */
function fillSite(
  parcel: Parcel,
  get: Get,
  state: string,
  unread: Unread,
): { line: string | null; unit: string | undefined } {
  const whole = get('addressFull')
  const line1 = get('address')
  const cut = line1 === null && whole !== null ? cutOneLine(whole, state) : undefined
  const place = cut ?? cutPlace(get('cityStateZip'))
  const parts = PARTS.map(get).filter((part) => part !== null)
  const built = get('streetName') === null ? null : parts.join(' ')
  const line = (line1 ?? (cut === undefined ? built : cut.line))?.toUpperCase() ?? null
  parcel.addressRaw = (get('addressRaw') ?? line1 ?? whole ?? built)?.toUpperCase() ?? null
  parcel.city ??= place.city
  const zip = readZipOf(get('zipCode'), get('zipCodePlusFour'), 'zipCode', unread)
  parcel.zipCode = zip?.zip ?? place.zip
  parcel.zipCodePlusFour = zip?.plusFour ?? place.zipPlusFour
  const unit = get('unitNumberStripped')?.toUpperCase()
  const type = get('unitType')?.toUpperCase()
  return { line, unit: unit === undefined || type === undefined ? unit : `${type} ${unit}` }
}

const PARTS: SpecialField[] = [
  'streetNumber',
  'streetDirectionPrefix',
  'streetName',
  'streetType',
  'streetDirectionSuffix',
]

/** Coordinates by the roll's own degrees, else its planar point, else its shape; to the decimetre. */
function fillPoint(
  parcel: Parcel,
  get: Get,
  plan: Plan,
  row: readonly string[],
  shape: ShapePoint,
): void {
  const latitude = readNumber(get('latitude') ?? '')
  const longitude = readNumber(get('longitude') ?? '')
  const own = isPlace(longitude, latitude) ? ([longitude, latitude] as [number, number]) : null
  const point = own ?? readPlanar(plan, row) ?? shape
  if (point === null) return
  parcel.longitude = round(point[0], 6)
  parcel.latitude = round(point[1], 6)
}

function isPlace(longitude: number | undefined, latitude: number | undefined): boolean {
  if (longitude === undefined || latitude === undefined) return false
  if (longitude === 0 || latitude === 0) return false
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
}

function readPlanar(plan: Plan, row: readonly string[]): [number, number] | null {
  if (plan.point === undefined) return null
  const x = readNumber(plan.point.x(row) ?? '')
  const y = readNumber(plan.point.y(row) ?? '')
  return x === undefined || y === undefined || x === 0 || y === 0 ? null : plan.point.project(x, y)
}

/** What follows from other fields: years from the roll's, acres from square feet, the owner's date from the newest transfer. */
function fillDerived(parcel: Parcel, context: RowContext): void {
  parcel.sourceName ??= context.sourceName
  parcel.sourceLicense ??= context.sourceLicense
  parcel.rollYear = context.rollYear ?? parcel.rollYear ?? context.mappingYear
  const assessed = [
    parcel.totalAssessedValue,
    parcel.assessedLandValue,
    parcel.assessedBuildingValue,
  ].some((value) => value !== null)
  const market = [parcel.totalMarketValue, parcel.totalLandValue, parcel.totalBuildingValue].some(
    (value) => value !== null,
  )
  if (assessed) parcel.assessedYear ??= parcel.rollYear
  if (market) parcel.marketValueYear ??= parcel.rollYear
  if (parcel.taxAmount !== null) parcel.taxYear ??= parcel.rollYear
  if (parcel.landArea === 0) parcel.landArea = null
  if (parcel.acres === 0) parcel.acres = null
  if (parcel.acres === null && parcel.landArea !== null) {
    parcel.acres = round(parcel.landArea / 43_560, 4)
  } else if (parcel.landArea === null && parcel.acres !== null) {
    parcel.landArea = round(parcel.acres * 43_560, 0)
  }
  if (parcel.propertyUseCode !== null && foldUseCode(parcel.propertyUseCode) === '') {
    parcel.propertyUseCode = null
  }
  if (parcel.buildings.length > 0) parcel.buildingCount ??= parcel.buildings.length
  if (parcel.transfers.length > 1) parcel.transfers.sort(newestFirst)
  const newest = parcel.transfers[0]
  parcel.ownershipStartDate ??= newest?.transferDate ?? newest?.recordingDate ?? null
  fillAssessments(parcel, assessed || market)
}

export function newestFirst(a: Transfer, b: Transfer): number {
  const dateOf = (transfer: Transfer) => transfer.transferDate ?? transfer.recordingDate ?? ''
  return dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : 0
}

/** The values of this roll year; the store carries those of earlier ones. Source: record.md, `assessments[]`. */
export function fillAssessments(parcel: Parcel, valued: boolean): void {
  const year =
    parcel.rollYear ?? parcel.assessedYear ?? parcel.marketValueYear ?? parcel.taxYear ?? null
  if (year === null || !(valued || parcel.taxAmount !== null)) return
  parcel.assessments = [
    {
      year,
      totalAssessedValue: parcel.totalAssessedValue,
      assessedLandValue: parcel.assessedLandValue,
      assessedBuildingValue: parcel.assessedBuildingValue,
      totalMarketValue: parcel.totalMarketValue,
      taxAmount: parcel.taxAmount,
    },
  ]
}
