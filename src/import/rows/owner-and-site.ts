/**
 * Reads the parcel's situs and the owner's mailing address: lines, cities, ZIPs and points, from
 * one text or from parts.
 */
import { foldCity } from '../../base/fold.ts'
import { OWNER } from '../../record/fields.ts'
import type { Parcel } from '../../record/parcel.ts'
import { readState, stateOfZip } from '../../regions/states.ts'
import * as clean from '../mapping/clean.ts'
import type { SpecialField } from '../mapping/fields.ts'
import { round, type Unread } from '../mapping/filler.ts'
import type { Plan } from '../mapping/plan.ts'
import { remember } from '../mapping/remember.ts'
import {
  type CityTest,
  cutCareOf,
  cutCityStateZip,
  cutRollLine,
  isNoAddress,
  namesNoCity,
  readCareOf,
} from './lines.ts'

/** WGS84 longitude and latitude of a row's own shape. */
export type ShapePoint = readonly [number, number] | null

const { readFlag, readNumber } = clean
const readZip = remember(clean.readZip)

/** Returns the text of a row's field. */
type Get = (name: SpecialField) => string | null

/**
 * Fills owner slots, care-of and mailing address. The owner engine decides later which slot is a
 * care-of and not an owner.
 */
export function fillOwner(parcel: Parcel, get: Get, unread: Unread, isCity?: CityTest): void {
  const careOf: string[] = []
  const note = (text: string | null) => {
    if (text !== null && text !== '' && !careOf.includes(text)) careOf.push(text)
  }
  parcel.ownerName = get('ownerName1')?.toUpperCase() ?? null
  parcel.ownerName2 = get('ownerName2')?.toUpperCase() ?? null
  const own = get('ownerCareOf')?.toUpperCase() ?? null
  note(own === null || namesNoCity(own) ? null : (readCareOf(own) ?? own))
  if (namesNoCity(parcel.ownerCity)) parcel.ownerCity = null
  if (namesNoCity(parcel.ownerState)) parcel.ownerState = null

  const whole = get('ownerAddressFull')
  const cut = whole === null ? undefined : cutRollLine(whole, '', parcel.ownerCity, isCity)
  const place = cut ?? cutPlace(get('ownerCityStateZip'))
  parcel.ownerStreet ??= cut?.line ?? null
  parcel.ownerCity ??= place.city
  parcel.ownerCountry ??= place.country ?? null
  const state = parcel.ownerState ?? place.state
  // Keeps foreign provinces and states as written.
  parcel.ownerState = state === null ? null : (readState(state)?.code ?? state)
  const zip = readZipOf(get('ownerZipCode'), get('ownerZipCodePlusFour'), 'ownerZipCode', unread)
  // `8001` without a state is a city's abroad, and not New Jersey's 08001.
  const code = get('ownerZipCode') ?? ''
  const isShort = state === null && /^\d{3,4}$/.test(code)
  const isAbroad =
    isShort &&
    isCity?.(foldCity(parcel.ownerCity ?? ''), stateOfZip(zip?.zip ?? '') ?? '') === false
  if (isAbroad) unread('ownerZipCode', code)
  parcel.ownerZipCode = isAbroad ? null : (zip?.zip ?? place.zip)
  parcel.ownerZipCodePlusFour = zip?.plusFour ?? place.zipPlusFour
  if (parcel.ownerStreet !== null) {
    const { careOf: name, line } = cutCareOf(parcel.ownerStreet)
    note(name)
    parcel.ownerStreet = line !== null && isNoAddress(line) ? null : line
  }
  parcel.careOf = careOf.length === 0 ? null : careOf.join('; ')
  parcel.ownerType = readOwnerType(get('ownerType'), unread)
  // Holds only the roll's own flag; `finish.ts` decides whether the owner lives at the site.
  parcel.ownerOccupied = readFlag(get('ownerOccupied') ?? '') ?? null
}

/**
 * The roll's words for any owner except a government, and for any except a person. `finish.ts` then
 * reads the name.
 */
export const PRIVATE = 'private'
export const ORGANIZATION = 'organization'

function readOwnerType(text: string | null, unread: Unread): Parcel['ownerType'] {
  const type = text?.toLowerCase() ?? PRIVATE
  const known = OWNER.ownerType.values.find((value) => value === type)
  if (known === undefined && type !== PRIVATE && type !== ORGANIZATION)
    unread('ownerType', text ?? '')
  return known ?? null
}

function cutPlace(text: string | null): ReturnType<typeof cutCityStateZip> {
  return text === null
    ? { city: null, state: null, zip: null, zipPlusFour: null }
    : cutCityStateZip(text)
}

function readZipOf(text: string | null, four: string | null, name: string, unread: Unread) {
  if (text === null && four === null) return null
  // The last four digits alone are no ZIP.
  if (text === null && /^\d{1,4}$/.test(four ?? '')) return null
  const zip = readZip(text ?? four ?? '')
  if (zip === undefined) unread(name, text ?? four ?? '')
  if (zip === undefined || zip === null || zip.plusFour !== null || four === null)
    return zip ?? null
  if (/^\d{4}$/.test(four)) {
    return { zip: zip.zip, plusFour: four === '0000' ? null : `${zip.zip}-${four}` }
  }
  return { zip: zip.zip, plusFour: readZip(four)?.plusFour ?? null }
}

/** Fills situs line, city and ZIP from one line, from line 1, or from the parts of an address. */
export function fillSite(
  parcel: Parcel,
  get: Get,
  state: string,
  unread: Unread,
  isCity?: CityTest,
): { line: string | null; unit: string | undefined } {
  const whole = get('addressFull')
  const line1 = get('address')
  const cut =
    line1 === null && whole !== null ? cutRollLine(whole, state, parcel.city, isCity) : undefined
  const place = cut ?? cutPlace(get('cityStateZip'))
  const built = get('streetName') === null ? null : joinParts(get)
  const found = line1 ?? (cut === undefined ? built : cut.line)
  const day = AS_DAY.exec(whole ?? found ?? '')?.[0]
  if (day !== undefined) unread('address', day)
  const recorded =
    found
      ?.slice(day?.length ?? 0)
      .trim()
      .toUpperCase() || null
  const line = recorded !== null && isNoAddress(recorded) ? null : recorded
  parcel.addressRaw = (get('addressRaw') ?? line1 ?? whole ?? built)?.toUpperCase() ?? null
  if (namesNoCity(parcel.city)) parcel.city = null
  parcel.city ??= place.city
  const zip = readZipOf(get('zipCode'), get('zipCodePlusFour'), 'zipCode', unread)
  parcel.zipCode = zip?.zip ?? place.zip
  parcel.zipCodePlusFour = zip?.plusFour ?? place.zipPlusFour
  const unit = get('unitNumberStripped')?.toUpperCase()
  const type = get('unitType')?.toUpperCase()
  return { line, unit: unit === undefined || type === undefined ? unit : `${type} ${unit}` }
}

/** `1-Mar MAIN ST`, `2025-03-01`: a spreadsheet made a day of a number, which is lost. */
const AS_DAY = new RegExp(
  '^(?:\\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)' +
    '|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d' +
    '|\\d{1,2}/\\d{1,2}/(?:19|20)\\d\\d)(?: |$)',
)

const joinParts = (get: Get) =>
  PARTS.map(get)
    .filter((part) => part !== null)
    .join(' ')

const PARTS: SpecialField[] = [
  'streetNumber',
  'streetDirectionPrefix',
  'streetName',
  'streetType',
  'streetDirectionSuffix',
]

/**
 * Fills coordinates from the roll's own degrees, else its planar point, else its shape, rounded to
 * the decimetre.
 */
export function fillPoint(
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
