/**
 * Fields that follow from others and are therefore never stored: joined texts, sums over buildings, flat dates.
 *
 * Everything here works on JSON texts: a leaf is `"MAIN"`, `12` or `''` (null), and so is what comes back, so that rendering parses and
 * escapes nothing. Source: record.md.
 */
import { stripParcelId } from '../fold.ts'
import { countyByFips } from '../place/counties.ts'
import { BUILDING_LEAVES, splitItems } from './leaves.ts'

/** The four texts that follow from a county's FIPS code, as JSON texts. */
export type PlaceTexts = {
  state: string
  county: string
  fipsState: string
  fipsCounty: string
  /** Five digits, bare. */
  code: string
}

const places = new Map<string, PlaceTexts>()

/** Texts of a county by its stored FIPS leaf. */
export function placeTexts(fips: string): PlaceTexts {
  const known = places.get(fips)
  if (known !== undefined) return known
  const county = countyByFips(Number(fips))
  const code = fips.padStart(5, '0')
  const texts = {
    state: county === undefined ? '' : quote(county.state),
    county: county === undefined ? '' : quote(county.name),
    fipsState: `"${code.slice(0, 2)}"`,
    fipsCounty: `"${code.slice(2)}"`,
    code,
  }
  places.set(fips, texts)
  return texts
}

/** Joins the texts that are there; `''` when none is. */
export function joinTexts(separator: string, ...texts: string[]): string {
  let joined = ''
  for (const text of texts) {
    if (text.length <= 2) continue
    joined += joined === '' ? inner(text) : separator + inner(text)
  }
  return joined === '' ? '' : `"${joined}"`
}

/** `{FIPS}-{parcel ID}`, with the municipality between them where the scope has one. */
export function propertyId(fips: string, municipality: string, parcelId: string): string {
  const middle = municipality === '' ? '' : `${inner(municipality)}-`
  return `"${placeTexts(fips).code}-${middle}${inner(parcelId)}"`
}

/** A parcel ID that is its own stripped form. */
const PLAIN = /^"[0-9A-Z]+"$/

/** The parcel ID's letters and digits. */
export function strippedParcelId(parcelId: string): string {
  if (PLAIN.test(parcelId)) return parcelId
  const recorded = parcelId.includes('\\') ? (JSON.parse(parcelId) as string) : parcelId
  return quote(stripParcelId(recorded))
}

/** `LINCOLN, NE 68508` behind a street line. */
export function fullAddress(line: string, city: string, state: string, zip: string): string {
  if (line === '') return ''
  return joinTexts(', ', line, city, joinTexts(' ', state, zip))
}

/** `"2024-02-06"` as `"20240206"`. */
export function flatDate(date: string): string {
  return date === '' ? '' : `"${date.slice(1, 5)}${date.slice(6, 8)}${date.slice(9, 11)}"`
}

/** `"2024-02-06"` as `"2024-02-06T00:00:00.000Z"`. */
export function dateObject(date: string): string {
  return date === '' ? '' : `"${inner(date)}T00:00:00.000Z"`
}

/** A GeoJSON point. */
export function point(longitude: string, latitude: string): string {
  if (longitude === '' || latitude === '') return ''
  return `{"type":"Point","coordinates":[${longitude},${latitude}]}`
}

const AT = Object.fromEntries(BUILDING_LEAVES.map((name, index) => [name, index])) as Record<
  (typeof BUILDING_LEAVES)[number],
  number
>
const SUMMED = [AT.buildingArea, AT.bedrooms, AT.bathrooms, AT.garageCount, AT.fireplaceCount]
const OF_LARGEST = [AT.actualYearBuilt, AT.effectiveYearBuilt]

/**
 * A parcel's buildings as the flat layout's one: area, rooms, garages and fireplaces are sums, years those of the
 * largest building, a pool is one of any building, the rest is of the first building that has it.
 */
export function flatBuilding(buildings: string): string[] {
  const items = splitItems(buildings)
  const [only] = items
  if (only === undefined) return NO_BUILDING
  if (items.length === 1) return only
  const largest = items.reduce((a, b) =>
    Number(b[AT.buildingArea]) > Number(a[AT.buildingArea]) ? b : a,
  )
  return BUILDING_LEAVES.map((_, at) => {
    const values = items.map((item) => item[at] ?? '').filter((value) => value !== '')
    if (SUMMED.includes(at)) return values.length === 0 ? '' : String(sum(values))
    if (at === AT.pool) return values.includes('true') ? 'true' : (values[0] ?? '')
    if (OF_LARGEST.includes(at)) return largest[at] ?? ''
    return values[0] ?? ''
  })
}

const NO_BUILDING = BUILDING_LEAVES.map(() => '')

/** Whether a count says that there is one: `''` unknown, `"0"` false. */
export function anyOf(count: string): string {
  return count === '' ? '' : String(Number(count) > 0)
}

function sum(values: string[]): number {
  return values.reduce((total, value) => total + Number(value), 0)
}

function inner(text: string): string {
  return text.slice(1, -1)
}

function quote(text: string): string {
  return JSON.stringify(text)
}
