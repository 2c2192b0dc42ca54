/** What is missing in one parcel, and what contradicts itself. */
import { foldCity } from '../../base/fold.ts'
import type { QualityName } from '../../base/model/quality.ts'
import { areaSqMeters, boundsOf, holdsPoint, type Shape } from '../../geo/shape.ts'
import type { Parcel } from '../../record/parcel.ts'
import { openFields } from '../../record/stored.ts'
import { isNearCounty } from '../../regions/county-outline.ts'
import { isPlace, isPlaceAnywhere } from '../../regions/places.ts'
import { stateOfZip } from '../../regions/zip-states.ts'

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
 * Whether each part is at fault; a part that is absent cannot be at fault here. `totalMore`: the
 * total is more than land and building, a fault unless the roll values a third thing.
 */
export type Faults = Partial<Record<QualityName | 'totalMore', boolean>>

/** Judges a parcel. `shape`: its polygon, `undefined` without one. */
export function judgeParcel(parcel: JudgedParcel, state: string, shape: Shape | undefined): Faults {
  return {
    ...judgeCompleteness(parcel, shape),
    ...judgeValues(parcel),
    ...judgeYears(parcel),
    ...judgePlace(parcel, state),
    ...(shape !== undefined && judgeShape(parcel, shape)),
  }
}

function judgeCompleteness(parcel: JudgedParcel, shape: Shape | undefined): Faults {
  const [newest] = parcel.transfers
  const worth = parcel.totalBuildingValue ?? parcel.assessedBuildingValue
  const isBuilt = parcel.buildings.some(
    (one) => one.actualYearBuilt !== null || one.buildingArea !== null,
  )
  return {
    owner: parcel.ownerName === null,
    situs: parcel.address === null,
    mailing: parcel.ownerStreet === null,
    value: parcel.totalMarketValue === null && parcel.totalAssessedValue === null,
    sale: (newest?.transferDate ?? newest?.recordingDate ?? newest?.transferPrice ?? null) === null,
    ...((worth !== 0 || isBuilt) && { building: !isBuilt }),
    land: parcel.acres === null && parcel.landArea === null,
    point: parcel.longitude === null || parcel.latitude === null,
    polygon: shape === undefined,
  }
}

/** Rounding of each of two values may move a sum by a dollar. */
const SUM_TOLERANCE = 2

function judgeValues(parcel: JudgedParcel): Faults {
  const sums = [
    [parcel.totalLandValue, parcel.totalBuildingValue, parcel.totalMarketValue],
    [parcel.assessedLandValue, parcel.assessedBuildingValue, parcel.totalAssessedValue],
  ] as const
  const whole = sums.filter((sum) => sum.every((value) => value !== null))
  if (whole.length === 0) return {}
  const excess = whole.map(
    ([land, building, total]) => (total ?? 0) - (land ?? 0) - (building ?? 0),
  )
  const isMore = excess.some((dollars) => dollars > SUM_TOLERANCE)
  return { valueSum: excess.some((dollars) => dollars < -SUM_TOLERANCE), totalMore: isMore }
}

function judgeYears({ buildings, rollYear, transfers }: JudgedParcel): Faults {
  const built = buildings.map((one) => one.actualYearBuilt).filter((year) => year !== null)
  const sold = transfers[0]?.transferDate ?? transfers[0]?.recordingDate ?? null
  const baths = buildings.map((one) => one.bathrooms).filter((count) => count !== null)
  const first = Math.min(...built)
  return {
    ...(built.length > 0 && rollYear !== null && { builtLater: Math.max(...built) > rollYear }),
    ...(built.length > 0 && sold !== null && { soldBeforeBuilt: Number(sold.slice(0, 4)) < first }),
    ...(baths.length > 0 && { halfBaths: baths.some((count) => count > 0 && count < 1) }),
  }
}

function judgePlace(
  { fips, longitude, latitude, zipCode, city }: JudgedParcel,
  state: string,
): Faults {
  const near =
    longitude === null || latitude === null ? undefined : isNearCounty(fips, [longitude, latitude])
  const zipState = zipCode === null ? undefined : stateOfZip(zipCode)
  const name = foldCity(city ?? '')
  return {
    ...(near !== undefined && { pointOutsideCounty: !near }),
    ...(zipCode !== null && { zip: zipState !== undefined && zipState !== state }),
    ...(name !== '' && { city: !isPlace(name, state) && isPlaceAnywhere(name) }),
  }
}

const SQ_FEET_PER_SQ_METER = 10.763_910_416_7
const SQ_FEET_PER_ACRE = 43_560

function judgeShape(parcel: JudgedParcel, shape: Shape): Faults {
  const { fips, longitude, latitude, acres, landArea } = parcel
  const recorded = landArea ?? (acres === null ? null : acres * SQ_FEET_PER_ACRE)
  const drawn = areaSqMeters(shape) * SQ_FEET_PER_SQ_METER
  const bounds = boundsOf(shape)
  const near =
    bounds &&
    isNearCounty(fips, [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2])
  return {
    ...(recorded !== null && recorded > 0 && { area: Math.abs(drawn / recorded - 1) > 0.1 }),
    ...(longitude !== null &&
      latitude !== null && { pointOutsidePolygon: !holdsPoint(shape, [longitude, latitude]) }),
    ...(near !== undefined && { polygonOutsideCounty: !near }),
  }
}
