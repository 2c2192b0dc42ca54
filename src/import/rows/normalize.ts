/**
 * Turns one row of a roll into a draft of a parcel, or into a reason why not. Pure: no file, no
 * clock. Names and addresses are parsed afterwards (`finish.ts`).
 */
import { foldFormerId, stripParcelId } from '../../base/fold.ts'
import type { Geometry } from '../../base/model/geometry.ts'
import type { NameOrder } from '../../base/model/owner.ts'
import type { County } from '../../base/model/place.ts'
import { abbreviate } from '../../record/document-types.ts'
import {
  type Building,
  blankBuilding,
  blankParcel,
  blankTransfer,
  type Parcel,
  type Transfer,
} from '../../record/parcel.ts'
import { countyByFips, findCounty } from '../../regions/counties.ts'
import { findStateByFips, readState } from '../../regions/states.ts'
import { centroid, type Ring } from '../geo/shapes.ts'
import { isRounded } from '../mapping/clean.ts'
import type { SpecialField } from '../mapping/fields.ts'
import { type Filler, round, type Unread } from '../mapping/filler.ts'
import type { Plan } from '../mapping/plan.ts'
import { remember } from '../mapping/remember.ts'
import { fillDerived, type RollFacts, uniteTransfers } from './derive.ts'
import type { CityTest } from './lines.ts'
import {
  fillOwner,
  fillPoint,
  fillSite,
  ORGANIZATION,
  PRIVATE,
  type ShapePoint,
} from './owner-and-site.ts'

/** Settings that hold for every row of an import. */
export type RowContext = RollFacts & {
  state: string | undefined
  county: string | undefined
  nameOrder: NameOrder
  /** `--name-order`; takes precedence over the mapping and the column. */
  forcedOrder: NameOrder | undefined
  municipal: boolean
  /** Called with each field whose text could not be read or means unknown. */
  unread: Unread
  /** Reports whether a name is a city of the roll or a place of the state. */
  isCity?: CityTest
}

/** A situs line, with the unit if it has its own column. */
type SitusLine = { line: string; unit: string | undefined }

/** A parcel before its names and addresses are parsed. */
export type Draft = {
  parcel: Parcel
  county: County
  nameOrder: NameOrder
  /** Situs line 1, with or without its unit. */
  line: string | null
  /** A unit that the roll keeps in its own column. */
  unit: string | undefined
  further: SitusLine[]
  /** A kind of owner that the roll rules out; the name decides between the others. */
  notOwner: 'government' | 'individual' | undefined
  /** Whether the mapping takes this row first among its parcel's rows. */
  preferred: boolean
  exported?: { values: Partial<Parcel> }
  /** GeoJSON text of the polygon in the row's own column, `''` in an empty one. */
  shape?: string
}

type Outcome =
  | { draft: Draft }
  /** Why a parcel's row cannot be used. */
  | { rejected: string }
  /** Why a row is not a parcel. */
  | { skipped: string }

/** Turns a row into a draft, or says why not. `point`: where the row's shape is. */
export function normalizeRow(
  row: readonly string[],
  plan: Plan,
  context: RowContext,
  point: ShapePoint = null,
): Outcome {
  const skipped = whyNoParcel(row, plan)
  if (skipped !== undefined) return { skipped }
  const get = (name: SpecialField) => plan.special[name]?.(row) ?? null
  const parcelId = get('parcelId')
  if (parcelId === null) return { skipped: 'no parcel ID' }
  const rejected = whyBadId(parcelId)
  if (rejected !== undefined) return { rejected }
  const county = countyOf(
    `${get('state') ?? context.state ?? ''}\n${get('county') ?? context.county ?? ''}`,
  )
  if (typeof county === 'string') return { rejected: county }

  const parcel = blankParcel(parcelId, county.fips)
  const { address, addressFull, streetName } = plan.special
  // A roll without site addresses does not say which parcels have one.
  if (!(address || addressFull || streetName)) parcel.addressAssigned = null
  fillPlain(parcel, row, plan, context)
  if (context.municipal) {
    parcel.municipality = get('municipality')?.toUpperCase() ?? null
    if (parcel.municipality === null) return { rejected: 'no municipality' }
  }
  fillOwner(parcel, get, context.unread, context.isCity)
  const site = fillSite(parcel, get, county.state, context)
  fillPoint(parcel, get, { plan, row, shape: point, unread: context.unread })
  fillItems(parcel, row, plan, context)
  fillDerived(parcel, context, context.unread)
  const draft: Draft = {
    parcel,
    county,
    nameOrder: context.forcedOrder ?? readOrder(get('nameOrder')) ?? context.nameOrder,
    ...site,
    further: texts(plan.furtherAddresses, row).map((line) => ({
      line: line.toUpperCase(),
      unit: undefined,
    })),
    notOwner: NOT_OWNER[get('ownerType')?.toLowerCase() ?? ''],
    preferred: plan.prefers?.(row) === true,
  }
  return addOwnColumns(draft, row, plan)
}

/** Returns why a row is not a parcel, by its blanks and the mapping's `skip`. */
function whyNoParcel(row: readonly string[], plan: Plan): string | undefined {
  if (isBlank(row)) return 'blank row'
  for (const { get, is } of plan.skip) {
    const text = get(row)
    if (is.has((text ?? '').toUpperCase())) return `no parcel: ${text ?? 'blank'}`
  }
  return undefined
}

function whyBadId(parcelId: string): string | undefined {
  if (stripParcelId(parcelId) === '') {
    return `parcel ID "${parcelId}" has no letter and no digit`
  }
  if (isRounded(parcelId)) {
    return 'the parcel ID is rounded by the file, as spreadsheets and doubles do to long numbers'
  }
  return undefined
}

/** Fills the fields that are read from one text each, further IDs and kept columns. */
function fillPlain(
  parcel: Parcel,
  row: readonly string[],
  plan: Plan,
  { unread }: RowContext,
): void {
  const { parcelId } = parcel
  for (const fill of plan.parcel) fill(parcel, row, unread)
  const named = (ids: string[], field: string) => ids.filter((id) => isName(id, field, unread))
  parcel.alternateParcelIds = named(
    texts(plan.alternateParcelIds, row).filter((id) => id !== parcelId),
    'alternateParcelIds',
  )
  if (parcel.formerParcelIds.length > 0) {
    // A lot that keeps its number through a split or merger is not one of its own former IDs.
    const own = foldFormerId(parcelId)
    const others = parcel.formerParcelIds.filter((id) => foldFormerId(id) !== own)
    parcel.formerParcelIds = named(others, 'formerParcelIds')
  }
  for (const { name, get } of plan.extra) {
    const text = get(row)
    if (text !== null) parcel.extra[name] = text
  }
}

/** Reports whether a further ID names a parcel: `0` would name every parcel without one. */
function isName(id: string, field: string, unread: Unread): boolean {
  if (isRounded(id)) unread(field, id)
  else if (/^0*$/.test(stripParcelId(id))) unread(field, id, 'placeholder')
  else return true
  return false
}

/** Fills buildings and transfers. */
function fillItems(
  parcel: Parcel,
  row: readonly string[],
  plan: Plan,
  { unread }: RowContext,
): void {
  // Arrays of `map` change their form once V8 inlines it, and code that reads them is made again.
  for (const fillers of plan.buildings) {
    const building = fillAll(blankBuilding(), fillers, row, unread)
    if (hasContent(building)) parcel.buildings.push(building)
  }
  for (const fillers of plan.transfers) {
    const transfer = abbreviate(fillAll(blankTransfer(), fillers, row, unread))
    if (isTransfer(transfer)) parcel.transfers.push(transfer)
  }
  if (parcel.transfers.length > 1) parcel.transfers = uniteTransfers(parcel.transfers)
}

function addOwnColumns(draft: Draft, row: readonly string[], plan: Plan): Outcome {
  if (plan.shape === undefined && plan.exported === undefined) return { draft }
  try {
    if (plan.shape !== undefined) addShape(draft, plan.shape(row) ?? '')
    if (plan.exported?.isExported(row) !== true) return { draft }
    return { draft: { ...draft, exported: { values: plan.exported.read(row) } } }
  } catch (error) {
    return { rejected: (error as Error).message }
  }
}

/** Keeps the polygon; a row without a point gets the polygon's middle. */
function addShape(draft: Draft, shape: string): void {
  draft.shape = shape
  const { parcel } = draft
  if (shape === '' || parcel.latitude !== null) return
  const { type, coordinates } = JSON.parse(shape) as Geometry
  const middle = centroid((type === 'Polygon' ? coordinates : coordinates.flat()) as Ring[])
  if (middle === null) return
  parcel.longitude = round(middle[0], 6)
  parcel.latitude = round(middle[1], 6)
}

/** Reports whether every column is empty. */
export function isBlank(row: readonly string[]): boolean {
  return row.every((text) => text === '' || text.trim() === '')
}

/** Returns a row's owner slots and their name order, for the pass that learns names. */
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

const NOT_OWNER: Partial<Record<string, Draft['notOwner']>> = {
  [PRIVATE]: 'government',
  [ORGANIZATION]: 'individual',
}

/**
 * Returns the county of a row, given state and county on a line each, or the reason why there is
 * none.
 */
const countyOf = remember((place): County | string => {
  const [stateText = '', countyText = ''] = place.split('\n')
  const byFips = /^\d{5}$/.test(countyText) ? countyByFips(Number(countyText)) : undefined
  const state = readState(stateText) ?? findStateByFips(stateText)
  if (state === undefined) {
    if (stateText !== '') return `"${stateText}" is not a US state`
    return byFips ?? 'no state'
  }
  if (countyText === '') return 'no county'
  return findCounty(state.code, countyText) ?? `"${countyText}" is not a county of ${state.code}`
})

function readOrder(text: string | null): NameOrder | undefined {
  const order = text?.toLowerCase()
  return order === 'last-first' || order === 'first-last' || order === 'mixed' ? order : undefined
}

/** Returns the texts of a list field. One column may hold several, separated by semicolons. */
function texts(getters: Plan['alternateParcelIds'], row: readonly string[]): string[] {
  if (getters.length === 0) return []
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

/** A building with nothing but negative flags and zeros is not a building. */
function hasContent(building: Building): boolean {
  for (const name in building) if (!NOTHING.has(building[name as keyof Building])) return true
  return false
}

const NOTHING: ReadonlySet<unknown> = new Set([null, 0, false, '0', 'None'])

/**
 * A price alone is a sale only when it is a real price: rolls write 0 and 1 when nothing was sold.
 */
function isTransfer(transfer: Transfer): boolean {
  for (const name in transfer) {
    if (name !== 'transferPrice' && transfer[name as keyof Transfer] !== null) return true
  }
  return (transfer.transferPrice ?? 0) > 1
}
