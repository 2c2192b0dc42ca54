/** What is missing in one parcel, and what contradicts itself. */
import type { QualityName } from '../../base/model/quality.ts'
import type { Drawing } from '../../geo/drawing.ts'
import { cornersHold } from '../../geo/text-holds.ts'
import { BUILDING, DATE, PRICE, RECORDED, toNumber, valueAt } from '../../record/fact-values.ts'
import { ITEM, openTexts, splitItems, VALUE } from '../../record/stored.ts'
import { isNearCounty } from '../../regions/county-outline.ts'

/** Fields that `coverage` does not count. A roll that loses one of them has lost a column. */
export const FURTHER = [
  ...(['zoningCode', 'subdivision', 'lot', 'block', 'neighborhood', 'schoolDistrict'] as const),
  ...(['jurisdiction', 'taxRateCodeArea', 'taxableValue', 'exemptionAmount'] as const),
  ...(['propertyUseDescription', 'frontage'] as const),
] as const

const readTexts = openTexts([
  ...FURTHER,
  ...(['fips', 'ownerName', 'ownerName2', 'address', 'unitNumberStripped', 'city'] as const),
  ...(['ownerStreet', 'totalMarketValue', 'totalLandValue', 'totalBuildingValue'] as const),
  ...(['totalAssessedValue', 'assessedLandValue', 'assessedBuildingValue'] as const),
  ...(['transfers', 'buildings', 'acres', 'landArea', 'calculatedAcres'] as const),
  ...(['longitude', 'latitude', 'addressAssigned', 'rollYear', 'zipCode'] as const),
])

export type JudgedParcel = ReturnType<typeof readJudged>

/** Reads what is judged. Unknown numbers are NaN; `texts` are JSON, `''` when unknown. */
export function readJudged(stored: string) {
  const texts = readTexts(stored)
  const buildings = splitItems(texts.buildings)
  const [first] = buildings
  return {
    texts,
    buildings,
    newest: newestOf(texts.transfers),
    fips: Number(texts.fips),
    totalMarketValue: toNumber(texts.totalMarketValue),
    totalAssessedValue: toNumber(texts.totalAssessedValue),
    acres: toNumber(texts.acres),
    longitude: toNumber(texts.longitude),
    latitude: toNumber(texts.latitude),
    yearBuilt: first === undefined ? Number.NaN : toNumber(valueAt(first, YEAR)),
    buildingArea: first === undefined ? Number.NaN : toNumber(valueAt(first, AREA)),
  }
}

const [YEAR, AREA, BATHS] = (['actualYearBuilt', 'buildingArea', 'bathrooms'] as const).map(
  (name) => BUILDING[name],
) as [number, number, number]

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
  drawing: Drawing | undefined,
  see: SeeFault,
): void {
  const judged = { parcel, see }
  judgeCompleteness(judged, drawing)
  judgeValues(judged)
  judgeYears(judged)
  judgePoint(judged)
  if (drawing !== undefined) judgeDrawing(judged, drawing)
}

function judgeCompleteness({ parcel, see }: Judged, drawing: Drawing | undefined): void {
  const { texts, buildings, newest, longitude, latitude } = parcel
  const worth = texts.totalBuildingValue || texts.assessedBuildingValue
  const isBuilt = buildings.some((one) => valueAt(one, YEAR) !== '' || valueAt(one, AREA) !== '')
  see('owner', texts.ownerName === '' && texts.ownerName2 === '')
  see('situs', texts.address === '')
  see('mailing', texts.ownerStreet === '')
  see('value', texts.totalMarketValue === '' && texts.totalAssessedValue === '')
  see(
    'sale',
    [DATE, RECORDED, PRICE].every((at) => valueAt(newest, at) === ''),
  )
  if (worth !== '0' || isBuilt) see('building', !isBuilt)
  see('land', (texts.acres || texts.landArea || texts.calculatedAcres) === '')
  see('point', Number.isNaN(longitude) || Number.isNaN(latitude))
  see('polygon', drawing === undefined)
}

function newestOf(transfers: string): string[] {
  const end = transfers.indexOf(ITEM)
  return (end === -1 ? transfers : transfers.slice(0, end)).split(VALUE)
}

/** Rounding of each of two values may move a sum by a dollar. */
const SUM_TOLERANCE = 2

function judgeValues({ parcel, see }: Judged): void {
  const { texts, totalMarketValue, totalAssessedValue } = parcel
  // NaN when one of the three is unknown.
  const market =
    totalMarketValue - toNumber(texts.totalLandValue) - toNumber(texts.totalBuildingValue)
  const assessed =
    totalAssessedValue - toNumber(texts.assessedLandValue) - toNumber(texts.assessedBuildingValue)
  if (Number.isNaN(market) && Number.isNaN(assessed)) return
  see('valueSum', market < -SUM_TOLERANCE || assessed < -SUM_TOLERANCE)
  see('totalMore', market > SUM_TOLERANCE || assessed > SUM_TOLERANCE)
}

function judgeYears({ parcel: { buildings, newest, texts }, see }: Judged): void {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [hasBaths, hasHalf] = [false, false]
  for (const building of buildings) {
    const year = toNumber(valueAt(building, YEAR))
    const baths = toNumber(valueAt(building, BATHS))
    if (year < first) first = year
    if (year > last) last = year
    hasBaths ||= !Number.isNaN(baths)
    hasHalf ||= baths > 0 && baths < 1
  }
  const isDated = Number.isFinite(first)
  const sold = valueAt(newest, DATE) || valueAt(newest, RECORDED)
  if (isDated && texts.rollYear !== '') see('builtLater', last > Number(texts.rollYear))
  if (isDated && sold !== '') see('soldBeforeBuilt', Number(sold.slice(1, 5)) < first)
  if (hasBaths) see('halfBaths', hasHalf)
}

function judgePoint({ parcel: { fips, longitude, latitude }, see }: Judged): void {
  if (Number.isNaN(longitude + latitude)) return
  const near = isNearCounty(fips, [longitude, latitude])
  if (near !== undefined) see('pointOutsideCounty', !near)
}

const SQ_FEET_PER_SQ_METER = 10.763_910_416_7
const SQ_FEET_PER_ACRE = 43_560

function judgeDrawing({ parcel, see }: Judged, drawing: Drawing): void {
  const { fips, longitude, latitude, acres, texts } = parcel
  const recorded = texts.landArea === '' ? acres * SQ_FEET_PER_ACRE : Number(texts.landArea)
  const drawn = drawing.areaSqMeters * SQ_FEET_PER_SQ_METER
  const { west, south, east, north } = drawing.bounds
  const near = isNearCounty(fips, [(west + east) / 2, (south + north) / 2])
  if (recorded > 0) see('area', Math.abs(drawn / recorded - 1) > 0.1)
  if (!Number.isNaN(longitude + latitude)) {
    see('pointOutsidePolygon', !cornersHold(drawing, [longitude, latitude]))
  }
  if (near !== undefined) see('polygonOutsideCounty', !near)
}
