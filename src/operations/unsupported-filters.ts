/** Names of filters that clients of similar services send and this service does not support. */
import { foldName, type NameTest } from './given-query.ts'

const NAMES = `
  bed bedroom totalBedroom bath bathroom totalBathroom sqft squareFeet area buildingArea
  buildingSize livingArea yearBuilt built story unit unitCount lotSize lotArea lotSqft lotAcre
  landArea acre acreage pool garage vacant condo type propType homeType class propertyClass use
  landUse landUseCode propertyUse propertyUseCode zoning zoningCode subdivision neighborhood
  schoolDistrict price salePrice lastSalePrice transferPrice value marketValue totalMarketValue
  assessedValue totalAssessedValue modelValue estimatedValue avm landValue tax taxValue taxAmount
  taxDelinquent saleDate lastSaleDate sold soldWithin transferDate transfered transferred
  recordingDate timeFrame day daysBack month equity equityPercent highEquity freeClear ltv
  mortgage mortgageAmount loanAmount lender lenderName lien preForeclosure auction reo bankOwned
  mls mlsStatus listed status fsbo rental owner ownerName ownerLastName ownerFirstName lastName
  firstName surname name nameContains ownerType ownerAddress ownerCity ownerState ownerZipCode
  ownerOccupied ownerParcelCount absentee absenteeOwner outOfStateOwner corporate corporateOwner
  corporateOwned trustOwned inherited yearOwned yearsOwned ownershipLength lengthOfOwnership
  street streetAddress streetName streetNumber houseNumber addressLine1 address1 line1
  addressFull fullAddress unitNumber apt apartment postal postalCode postcode cityName countyName
  countyCode countyFips fips fipsCode fipsCounty tract censusTract municipality jurisdiction
  township bbox boundingBox bounds boundary polygon distance within near center location point
  coordinate latLng latLon radiusMile radiusMi radiusKm radiusMeter id parcelId parcelNumber apn
  propertyId realieParcelId siteId q search keyword text term filter where sort sortBy sortOrder
  order orderBy state county city zip zipCode address query unitNumberStripped useCode
  useStandardCode propertyType residential foreclosure transferedSince transferredSince latitude
  lat longitude lng lon long radius
`
  .trim()
  .split(/\s+/)

/** Words that clients write before and after the name of a filter. */
const BEFORE = ['is', 'has', 'in', 'not', 'min', 'max', 'from', 'to']
const AFTER = [
  ...['min', 'max', 'from', 'to', 'start', 'end', 'since', 'after', 'before', 'between', 'range'],
  ...['gt', 'gte', 'lt', 'lte', 'eq', 'in', 'contains'],
]

const FORMS = new Set(
  NAMES.map(foldName).flatMap((name) => [
    name,
    name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`,
  ]),
)

/**
 * The folded names of filters that the service does not have, in the singular and the plural, alone
 * or with a word such as `min`: `beds_min`, `zipCodes`, `isVacant`. A parameter that the operation
 * declares is never refused as one of these.
 *
 * Other unknown parameters are ignored. These are refused, because a caller who asks for three
 * bedrooms must not get a whole county.
 */
export const UNSUPPORTED_FILTERS: NameTest = {
  has: (name) =>
    FORMS.has(name) ||
    AFTER.some((word) => name.endsWith(word) && FORMS.has(name.slice(0, -word.length))) ||
    BEFORE.some((word) => name.startsWith(word) && FORMS.has(name.slice(word.length))),
}

/** The same without `county`, which the plain owner search ignores. */
export const UNSUPPORTED_BY_OWNERS: NameTest = {
  has: (name) => name !== 'county' && UNSUPPORTED_FILTERS.has(name),
}
