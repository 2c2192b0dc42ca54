/** What is missing in one parcel, and what contradicts itself. */
import { foldCity } from '../../base/fold.ts'
import type { QualityName } from '../../base/model/quality.ts'
import type { Drawing } from '../../geo/drawing.ts'
import { cornersHold } from '../../geo/text-holds.ts'
import type { Parcel } from '../../record/parcel.ts'
import { openFields } from '../../record/stored.ts'
import { isNearCounty } from '../../regions/county-outline.ts'
import { isPlace, isPlaceAnywhere } from '../../regions/places.ts'
import { stateOfZip } from '../../regions/zip-states.ts'
import { remember } from '../mapping/remember.ts'

const FIELDS = [
  ...([
    'fips',
    'ownerName',
    'address',
    'unitNumberStripped',
    'city',
    'zipCode',
    'ownerStreet',
  ] as const),
  ...(['totalMarketValue', 'totalLandValue', 'totalBuildingValue'] as const),
  ...(['totalAssessedValue', 'assessedLandValue', 'assessedBuildingValue'] as const),
  ...(['transfers', 'buildings', 'acres', 'landArea', 'rollYear'] as const),
  ...(['longitude', 'latitude', 'addressAssigned'] as const),
] as const

export type JudgedParcel = Pick<Parcel, (typeof FIELDS)[number]>
export const readJudged = openFields(FIELDS)

/**
 * Called with each part that can be at fault in a parcel, and whether it is. `totalMore`: the total
 * is more than land and building, a fault unless the roll values a third thing.
 */
type SeeFault = (part: JudgedPart, isFault: boolean) => void
export type JudgedPart = QualityName | 'totalMore'

type Judged = { parcel: JudgedParcel; see: SeeFault }

/** Judges a parcel. `drawing`: its polygon, `undefined` without one. */
export function judgeParcel(
  parcel: JudgedParcel,
  state: string,
  drawing: Drawing | undefined,
  see: SeeFault,
): void {
  const judged = { parcel, see }
  judgeCompleteness(judged, drawing)
  judgeValues(judged)
  judgeYears(judged)
  judgePlace(judged, state)
  if (drawing !== undefined) judgeDrawing(judged, drawing)
}

function judgeCompleteness({ parcel, see }: Judged, drawing: Drawing | undefined): void {
  const newest = parcel.transfers.at(0)
  const worth = parcel.totalBuildingValue ?? parcel.assessedBuildingValue
  const isBuilt = parcel.buildings.some(
    (one) => one.actualYearBuilt !== null || one.buildingArea !== null,
  )
  see('owner', parcel.ownerName === null)
  see('situs', parcel.address === null)
  see('mailing', parcel.ownerStreet === null)
  see('value', parcel.totalMarketValue === null && parcel.totalAssessedValue === null)
  see(
    'sale',
    (newest?.transferDate ?? newest?.recordingDate ?? newest?.transferPrice ?? null) === null,
  )
  if (worth !== 0 || isBuilt) see('building', !isBuilt)
  see('land', parcel.acres === null && parcel.landArea === null)
  see('point', parcel.longitude === null || parcel.latitude === null)
  see('polygon', drawing === undefined)
}

/** Rounding of each of two values may move a sum by a dollar. */
const SUM_TOLERANCE = 2

function judgeValues({ parcel, see }: Judged): void {
  const market = excessOf(parcel.totalMarketValue, parcel.totalLandValue, parcel.totalBuildingValue)
  const assessed = excessOf(
    parcel.totalAssessedValue,
    parcel.assessedLandValue,
    parcel.assessedBuildingValue,
  )
  if (Number.isNaN(market) && Number.isNaN(assessed)) return
  see('valueSum', market < -SUM_TOLERANCE || assessed < -SUM_TOLERANCE)
  see('totalMore', market > SUM_TOLERANCE || assessed > SUM_TOLERANCE)
}

/** Returns dollars by which a total is above its parts; NaN when one of the three is unknown. */
function excessOf(total: number | null, land: number | null, building: number | null): number {
  if (total === null || land === null || building === null) return Number.NaN
  return total - land - building
}

function judgeYears({ parcel: { buildings, rollYear, transfers }, see }: Judged): void {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [hasBaths, hasHalf] = [false, false]
  for (const { actualYearBuilt: year, bathrooms: baths } of buildings) {
    if (year !== null) [first, last] = [Math.min(first, year), Math.max(last, year)]
    if (baths === null) continue
    hasBaths = true
    hasHalf ||= baths > 0 && baths < 1
  }
  const isDated = Number.isFinite(first)
  const newest = transfers.at(0)
  const sold = newest?.transferDate ?? newest?.recordingDate ?? null
  if (isDated && rollYear !== null) see('builtLater', last > rollYear)
  if (isDated && sold !== null) see('soldBeforeBuilt', Number(sold.slice(0, 4)) < first)
  if (hasBaths) see('halfBaths', hasHalf)
}

function judgePlace({ parcel, see }: Judged, state: string): void {
  const { fips, longitude, latitude, zipCode } = parcel
  if (longitude !== null && latitude !== null) {
    const near = isNearCounty(fips, [longitude, latitude])
    if (near !== undefined) see('pointOutsideCounty', !near)
  }
  if (zipCode !== null) {
    const zipState = stateOfZip(zipCode)
    see('zip', zipState !== undefined && zipState !== state)
  }
  const city = foldCityName(parcel.city ?? '')
  if (city !== '') see('city', !isPlace(city, state) && isPlaceAnywhere(city))
}

export const foldCityName = remember(foldCity)

const SQ_FEET_PER_SQ_METER = 10.763_910_416_7
const SQ_FEET_PER_ACRE = 43_560

function judgeDrawing({ parcel, see }: Judged, drawing: Drawing): void {
  const { fips, longitude, latitude, acres, landArea } = parcel
  const recorded = landArea ?? (acres === null ? null : acres * SQ_FEET_PER_ACRE)
  const drawn = drawing.areaSqMeters * SQ_FEET_PER_SQ_METER
  const { west, south, east, north } = drawing.bounds
  const near = isNearCounty(fips, [(west + east) / 2, (south + north) / 2])
  if (recorded !== null && recorded > 0) see('area', Math.abs(drawn / recorded - 1) > 0.1)
  if (longitude !== null && latitude !== null) {
    see('pointOutsidePolygon', !cornersHold(drawing, [longitude, latitude]))
  }
  if (near !== undefined) see('polygonOutsideCounty', !near)
}
