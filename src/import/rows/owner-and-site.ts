/**
 * Reads the parcel's situs and the owner's mailing address: lines, cities, ZIPs and points, from
 * one text or from parts.
 */
import { foldCity } from '../../base/fold.ts'
import { OWNER } from '../../record/fields.ts'
import type { Parcel } from '../../record/parcel.ts'
import { isPlace } from '../../regions/places.ts'
import { readState, stateOfZip } from '../../regions/states.ts'
import * as clean from '../mapping/clean.ts'
import type { SpecialField } from '../mapping/fields.ts'
import { round, type Unread } from '../mapping/filler.ts'
import { isZeros } from '../mapping/placeholders.ts'
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
  const nameOf = (slot: 'ownerName1' | 'ownerName2') => {
    const name = get(slot)?.toUpperCase() ?? null
    if (name === null || !isZeros(name)) return name
    unread(slot, name, 'placeholder')
    return null
  }
  parcel.ownerName = nameOf('ownerName1')
  parcel.ownerName2 = nameOf('ownerName2')
  const named = get('ownerCareOf')?.toUpperCase() ?? null
  note(named === null || namesNoCity(named) ? null : (readCareOf(named) ?? named))
  if (namesNoCity(parcel.ownerCity)) parcel.ownerCity = null
  if (namesNoCity(parcel.ownerState)) parcel.ownerState = null

  const own = cutOwnState(parcel.ownerCity, readState(parcel.ownerState ?? '')?.code ?? null)
  if (own !== undefined) {
    parcel.ownerCity = own.city
    parcel.ownerState = own.state
  }
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
 * Splits a column of cities that have their state behind them: `LINCOLN, NE`, `LINCOLN NE 68502`.
 * `undefined` unless the state is `state`, or that is not known, and the rest is a place there.
 */
function cutOwnState(text: string | null, state: string | null) {
  if (text === null || !STATE_END.test(text)) return undefined
  const cut = cutCityStateZip(text)
  if (cut.city === null || cut.state === null || (state ?? cut.state) !== cut.state)
    return undefined
  return isPlace(foldCity(cut.city), cut.state) ? cut : undefined
}

const STATE_END = /[, ][A-Z]{2}(?: \d{5}(?:-?\d{4})?)?$/

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
  { unread, isCity }: { unread: Unread; isCity?: CityTest | undefined },
): { line: string | null; unit: string | undefined } {
  const whole = get('addressFull')
  const line1 = get('address')
  const cut =
    line1 === null && whole !== null ? cutRollLine(whole, state, parcel.city, isCity) : undefined
  const place = cut ?? cutPlace(get('cityStateZip'))
  const built = get('streetName') === null ? null : joinParts(get)
  const found = line1 ?? (cut === undefined ? built : cut.line)
  const lost = LOST_NUMBER.exec(whole ?? found ?? '')?.[0]
  if (lost !== undefined) unread('address', lost)
  const recorded =
    found
      ?.slice(lost?.length ?? 0)
      .trim()
      .toUpperCase() || null
  const line = recorded !== null && isNoAddress(recorded) ? null : recorded
  parcel.addressRaw = (get('addressRaw') ?? line1 ?? whole ?? built)?.toUpperCase() ?? null
  if (namesNoCity(parcel.city)) parcel.city = null
  parcel.city = cutOwnState(parcel.city, state)?.city ?? parcel.city ?? place.city
  const zip = readZipOf(get('zipCode'), get('zipCodePlusFour'), 'zipCode', unread)
  parcel.zipCode = zip?.zip ?? place.zip
  parcel.zipCodePlusFour = zip?.plusFour ?? place.zipPlusFour
  const unit = get('unitNumberStripped')?.toUpperCase()
  const type = get('unitType')?.toUpperCase()
  return { line, unit: unit === undefined || type === undefined ? unit : `${type} ${unit}` }
}

/**
 * `1-Mar MAIN ST`, `2025-03-01`, `1.2E+5 MAIN ST`: a spreadsheet made something else of a number,
 * which is lost. `-1 MAIN ST` never had one.
 */
const LOST_NUMBER = new RegExp(
  '^(?:\\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)' +
    '|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d' +
    '|\\d{1,2}/\\d{1,2}/(?:19|20)\\d\\d|-\\d+(?:\\.0+)?|\\d(?:\\.\\d+)?[eE]\\+\\d+)(?: |$)',
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

/** What coordinates are read from. `shape`: the point of the row's own shape. */
type PointSource = { plan: Plan; row: readonly string[]; shape: ShapePoint; unread: Unread }

/**
 * Fills coordinates from the roll's own degrees, else its planar point, else its shape, rounded to
 * the decimetre. Counts those that are no place.
 */
export function fillPoint(parcel: Parcel, get: Get, { plan, row, shape, unread }: PointSource) {
  const [north, east] = [get('latitude'), get('longitude')]
  const [latitude, longitude] = [readNumber(north ?? ''), readNumber(east ?? '')]
  const own = isPoint(longitude, latitude) ? ([longitude, latitude] as [number, number]) : null
  const planar = plan.point && [plan.point.x(row), plan.point.y(row)]
  const point = own ?? (planar ? readPlanar(plan, planar) : null) ?? shape
  if (point !== null) {
    parcel.longitude = round(point[0], 6)
    parcel.latitude = round(point[1], 6)
    return
  }
  countLost('latitude', [north, east], unread)
  if (planar) countLost('point', planar, unread)
}

/** Zeros are placeholders, and a lone coordinate is as lost as one that cannot be read. */
function countLost(field: string, pair: readonly (string | null)[], unread: Unread): void {
  const known = pair.filter((text) => text !== null)
  if (known.length === 0) return
  const isZero = known.every((text) => readNumber(text) === 0)
  unread(field, known.join(', '), isZero ? 'placeholder' : 'unread')
}

function isPoint(longitude: number | undefined, latitude: number | undefined): boolean {
  if (longitude === undefined || latitude === undefined) return false
  if (longitude === 0 || latitude === 0) return false
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
}

function readPlanar(
  { point }: Plan,
  pair: readonly (string | null)[],
): readonly [number, number] | null {
  const [x, y] = pair.map((text) => readNumber(text ?? ''))
  const isKnown = x !== undefined && y !== undefined && x !== 0 && y !== 0
  return isKnown ? (point?.project(x, y) ?? null) : null
}
