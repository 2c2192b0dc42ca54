/**
 * Turns a draft into a parcel ready to be stored: parses its owner names and addresses. Queries use
 * the same parsing functions.
 */
import * as fold from '../../base/fold.ts'
import type { AddressContext, CanonicalAddress } from '../../base/model/address.ts'
import { COVERAGE_FIELDS, type CoverageField } from '../../base/model/coverage.ts'
import type { NameEvidence, NameOrder, OwnersReading } from '../../base/model/owner.ts'
import { areaSqMeters, readShape } from '../../geo/shape.ts'
import { tileAt } from '../../geo/tile.ts'
import { indexOwners, readOwners } from '../../owner/canonical.ts'
import type { openImportHider } from '../../privacy/hide.ts'
import type { Parcel } from '../../record/parcel.ts'
import { encodeParcel } from '../../record/stored.ts'
import { encodeKeys, encodeOwners, ownerInState, ownerOf } from '../../store/parcel-keys.ts'
import { type Place, toUnits } from '../../store/places.ts'
import type { StagedParcel } from '../../store/store.ts'
import { dayNumber } from '../mapping/dates.ts'
import { round } from '../mapping/filler.ts'
import { remember } from '../mapping/remember.ts'
import { fillCondominium } from './derive.ts'
import type { Draft } from './normalize.ts'
import { readAddress, readOccupied } from './occupied.ts'

const { foldFormerId, foldParcelId, stripParcelId } = fold
const foldCity = remember(fold.foldCity)
const foldUseCode = remember(fold.foldUseCode)

/**
 * Finishes a draft. `row`: its number in the import. `owners`: the result of reading its names.
 * `hide`: hides what is suppressed. Returns `undefined` when the whole parcel is suppressed.
 */
export function finishDraft(
  draft: Draft,
  row: number,
  { owners, polygon }: { owners: ReadOwners; polygon: string | null },
  hide?: ReturnType<typeof openImportHider>,
): StagedParcel | undefined {
  const { parcel, county } = draft
  const place = { state: county.state, fips: county.fips, city: parcel.city, zip: parcel.zipCode }
  const site = readSite(draft, place)
  const further = readFurther(draft, site, place)
  if (site !== undefined) fillAddress(parcel, site)
  if (further.length > 0) parcel.alternateAddresses = [...new Set(further.map(showWithUnit))]
  fillOwners(draft, owners)
  parcel.ownerOccupied = readOccupied(draft, site)
  parcel.calculatedAcres = polygon ? acresOf(polygon) : null
  if (draft.exported !== undefined) Object.assign(parcel, draft.exported.values)
  fillCondominium(parcel)
  const newest = parcel.transfers[0]
  const sold = newest?.transferDate ?? newest?.recordingDate ?? null
  const strippedKey = stripParcelId(parcel.parcelId)
  const municipality = foldCity(parcel.municipality ?? '')
  const found = site === undefined || site.key === '' ? further : [site, ...further]
  const keys = { municipality, strippedKey, owners: owners.keys, situs: found }
  const hidden = hide?.(parcel, { ...county, ...keys, zip: parcel.zipCode ?? '' })
  if (hidden?.all) return undefined
  const situs = hidden?.address ? [] : found
  const geometry = hidden?.address ? '' : polygon
  return {
    row,
    state: county.state,
    fips: county.fips,
    municipality,
    identity: strippedKey,
    parcelKey: foldParcelId(parcel.parcelId),
    strippedKey,
    fieldValues: encodeParcel(parcel),
    keys: encodeKeys({
      alternateIds: keysOfIds(parcel),
      situs,
      owners: hidden?.owner ? NO_OWNERS : owners.keys,
    }),
    rollYear: parcel.rollYear,
    city: foldCity(parcel.city ?? ''),
    zip: parcel.zipCode ?? '',
    useCode: parcel.propertyUseCode ?? '',
    residential: parcel.residential,
    localUse: foldUseCode(parcel.localUseCode ?? ''),
    transferDay: sold === null ? null : dayNumber(sold),
    assigned: parcel.addressAssigned === true,
    unit: situs[0]?.unitKey ?? '',
    geometry,
    filled: encodeFilled(parcel, geometry),
    ...placeOf(parcel.longitude, parcel.latitude),
    owner: hidden?.owner ? 0 : ownerInState(owners.owner, county.fips),
  }
}

/**
 * Reads the situs address. An exported row has its standardized line and unit separately; the
 * recorded line may produce both again.
 */
function readSite({ line, unit, exported }: Draft, place: AddressContext) {
  const site = line === null ? undefined : readAddress(line, place, unit)
  const { address, addressRaw, unitType = null, unitNumberStripped = null } = exported?.values ?? {}
  const number = unitNumberStripped
  const isSame = ({ line: own, parsed }: CanonicalAddress) =>
    own === address && parsed.unitType === unitType && parsed.unit === number
  if (site === undefined || exported === undefined || isSame(site)) return site
  const units = [[unitType, number].filter((text) => text !== null).join(' '), `# ${number}`]
  const others = [addressRaw ?? '', ...units.map((text) => `${address} ${text}`)]
  return others.map((one) => readAddress(one, place)).find(isSame) ?? site
}

/** Returns the keys of the other IDs. A former ID that is still the parcel's own is left out. */
function keysOfIds({ parcelId, alternateParcelIds, formerParcelIds }: Parcel): string[] {
  const keys = alternateParcelIds.map(foldParcelId)
  if (formerParcelIds.length === 0) return keys
  const own = foldFormerId(parcelId)
  return [...keys, ...formerParcelIds.map(foldFormerId).filter((key) => key !== own)]
}

const NO_OWNERS = encodeOwners({ heads: [], words: [] })

/** Returns the parcel's further addresses, each once; a unit is part of an address. */
function readFurther(
  draft: Draft,
  site: CanonicalAddress | undefined,
  place: AddressContext,
): CanonicalAddress[] {
  if (draft.further.length === 0) return []
  const nameOf = ({ key, unitKey }: CanonicalAddress) => `${key}\n${unitKey}`
  const known = new Set(site === undefined ? [] : [nameOf(site)])
  const further: CanonicalAddress[] = []
  for (const { line, unit } of draft.further) {
    const address = readAddress(line, place, unit)
    if (address.key === '' || known.has(nameOf(address))) continue
    known.add(nameOf(address))
    further.push(address)
  }
  return further
}

function showWithUnit({ line, parsed: { unitType, unit } }: CanonicalAddress): string {
  if (unitType === null && unit === null) return line
  return [line, unitType ?? 'UNIT', unit].filter((text) => text !== null).join(' ')
}

const SQ_METERS_PER_ACRE = 4046.8564224

/** Returns the land area of a GeoJSON polygon in acres, to four places. */
export function acresOf(geometry: string): number | null {
  const shape = readShape(geometry)
  return shape === undefined ? null : round(areaSqMeters(shape) / SQ_METERS_PER_ACRE, 4)
}

function fillAddress(parcel: Parcel, site: CanonicalAddress): void {
  const { parsed } = site
  if (site.line === '') return
  parcel.address = site.line
  parcel.streetNumber = parsed.number
  parcel.streetNumberHigh = parsed.numberHigh
  parcel.streetDirectionPrefix = parsed.predirectional
  parcel.streetName = parsed.street
  parcel.streetType = parsed.suffix
  parcel.streetDirectionSuffix = parsed.postdirectional
  parcel.unitType = parsed.unitType
  parcel.unitNumberStripped = parsed.unit
  parcel.addressAssigned = site.assigned
}

/**
 * Fills the owner fields. A slot that is entirely a care-of is not an owner: it moves to the
 * care-of, and its text stays in `extra`. Source: docs/matching.md, owner rule 9.
 */
function fillOwners({ parcel, notOwner }: Draft, owners: ReadOwners): void {
  // The roll may rule out the kind that the name suggests. An owner that is not a government
  // (`CITY PATH`) is a company. One that is not a person (`ST FRANCIS XAVIER`) is of unknown kind.
  const other = notOwner === 'government' ? 'company' : 'unknown'
  parcel.ownerType ??= owners.ownerType === notOwner ? other : owners.ownerType
  for (const slot of owners.careOfSlots) {
    const property = slot === 1 ? 'ownerName' : 'ownerName2'
    parcel.extra[slot === 1 ? 'ownerName1' : 'ownerName2'] = parcel[property] ?? ''
    parcel[property] = null
  }
  parcel.ownerFirstName = owners.firstName
  parcel.ownerLastName = owners.lastName
  if (owners.careOf === null || owners.careOf === parcel.careOf) return
  parcel.careOf = parcel.careOf === null ? owners.careOf : `${owners.careOf}; ${parcel.careOf}`
}

const HAS: Record<CoverageField, (parcel: Parcel) => boolean> = {
  owner: ({ ownerName, ownerName2 }) => ownerName !== null || ownerName2 !== null,
  address: ({ address }) => address !== null,
  coordinates: ({ latitude }) => latitude !== null,
  mailingAddress: ({ ownerStreet }) => ownerStreet !== null,
  city: ({ city }) => city !== null,
  zipCode: ({ zipCode }) => zipCode !== null,
  useCode: ({ propertyUseCode }) => propertyUseCode !== null,
  residential: ({ residential }) => residential !== null,
  assessedValue: ({ totalAssessedValue }) => totalAssessedValue !== null,
  marketValue: ({ totalMarketValue }) => totalMarketValue !== null,
  taxAmount: ({ taxAmount }) => taxAmount !== null,
  saleDate: ({ transfers }) => (transfers[0]?.transferDate ?? null) !== null,
  salePrice: ({ transfers }) => (transfers[0]?.transferPrice ?? null) !== null,
  yearBuilt: ({ buildings }) => buildings.some((one) => one.actualYearBuilt !== null),
  buildingArea: ({ buildings }) => buildings.some((one) => one.buildingArea !== null),
  acres: ({ acres }) => acres !== null,
  legalDescription: ({ legalDescription }) => legalDescription !== null,
  // Set from the shape, which is not part of the parcel.
  geometry: () => false,
  localUse: ({ localUseCode, propertyUseDescription }) =>
    localUseCode !== null || propertyUseDescription !== null,
}
const HAS_IN_ORDER = COVERAGE_FIELDS.map((field) => HAS[field])
const GEOMETRY = 1 << COVERAGE_FIELDS.indexOf('geometry')

/**
 * Returns the coverage fields that a parcel has, one bit each in the order of `COVERAGE_FIELDS`.
 */
function encodeFilled(parcel: Parcel, geometry: string | null): number {
  let bits = geometry ? GEOMETRY : 0
  for (let at = 0; at < HAS_IN_ORDER.length; at += 1) {
    if (HAS_IN_ORDER[at]?.(parcel) === true) bits |= 1 << at
  }
  return bits
}

/** Zoom of the tiles that count points, and the number of such tiles side by side. */
const COUNTED_ZOOM = 14
const COUNTED_SIDE = 2 ** COUNTED_ZOOM

/** Returns the place of a point in degrees; all `null` when the roll has no point. */
export function placeOf(longitude: number | null, latitude: number | null): Place {
  if (longitude === null || latitude === null) return { x: null, y: null, cell: null }
  const tile = tileAt([longitude, latitude], COUNTED_ZOOM)
  return { x: toUnits(longitude), y: toUnits(latitude), cell: tile.x * COUNTED_SIDE + tile.y }
}

type ReadOwners = Pick<OwnersReading, 'ownerType' | 'careOf' | 'careOfSlots'> & {
  /** Of the first owner, if that is a person. */
  firstName: string | null
  lastName: string | null
  /** As `encodeOwners` writes them. */
  keys: string
  /** The number that `ownerOf` gives the first of them. */
  owner: number
}

type OwnerReader = (slot1: string | null, slot2: string | null, order: NameOrder) => ReadOwners

/**
 * Returns the function that reads owners. `evidence`: names learned in the first pass. The last
 * result is kept, because one owner's parcels are often consecutive.
 */
export function ownerReader(evidence: NameEvidence | undefined): OwnerReader {
  let last: { asked: Parameters<OwnerReader>; read: ReadOwners } | undefined
  return (slot1, slot2, order) => {
    const [known1, known2, knownOrder] = last?.asked ?? []
    if (last !== undefined && slot1 === known1 && slot2 === known2 && order === knownOrder) {
      return last.read
    }
    const reading = readOwners([slot1, slot2], order, evidence)
    const { ownerType, careOf, careOfSlots } = reading
    const index = indexOwners(reading)
    const { firstName, lastName } = nameFirst(reading)
    const [keys, owner] = [encodeOwners(index), ownerOf(index)]
    const read = { ownerType, careOf, careOfSlots, firstName, lastName, keys, owner }
    last = { asked: [slot1, slot2, order], read }
    return read
  }
}

function nameFirst({ slots: [first] }: OwnersReading): Pick<ReadOwners, 'firstName' | 'lastName'> {
  const person = first?.organization === null ? first.persons[0] : undefined
  return { firstName: person?.given[0] ?? null, lastName: person?.surname || null }
}
