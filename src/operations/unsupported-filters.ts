/** Names of filters that clients of similar services send and this service does not support. */
import { foldName } from './given-query.ts'

const MEASURES = [
  ...['beds', 'bedrooms', 'totalBedrooms', 'baths', 'bathrooms', 'totalBathrooms', 'sqft'],
  ...['squareFeet', 'area', 'buildingArea', 'livingArea', 'price', 'salePrice', 'transferPrice'],
  ...['value', 'marketValue', 'totalMarketValue', 'assessedValue', 'totalAssessedValue'],
  ...['modelValue', 'landValue', 'taxValue', 'taxAmount', 'yearBuilt', 'lotSize', 'lotArea'],
  ...['landArea', 'acres', 'equity', 'ltv', 'units', 'unitCount', 'stories', 'ownerParcelCount'],
]

const PLAIN = [
  ...['ownerOccupied', 'absenteeOwner', 'absentee', 'outOfStateOwner', 'corporateOwned', 'vacant'],
  ...['ownerType', 'ownerAddress', 'ownerCity', 'ownerState', 'ownerZipCode', 'condo'],
  ...['preForeclosure', 'auction', 'reo', 'bankOwned', 'taxDelinquent', 'freeClear', 'highEquity'],
  ...['mortgage', 'hasMortgage', 'lender', 'lenderName', 'lien', 'hasLien'],
  ...['pool', 'garage', 'zoning', 'zoningCode', 'subdivision', 'neighborhood', 'schoolDistrict'],
  ...['mlsStatus', 'bbox', 'polygon', 'boundary', 'distance'],
  ...['saleDate', 'saleDateFrom', 'saleDateTo', 'lastSaleDate', 'transferDate', 'timeFrame'],
  ...['sort', 'sortBy', 'orderBy'],
  ...['ownerName', 'owner', 'lastName', 'firstName', 'nameContains', 'street', 'streetAddress'],
  ...['streetName', 'streetNumber', 'addressLine1', 'unitNumber', 'postalCode', 'postcode'],
  ...['parcelId', 'apn', 'fips', 'countyFips', 'propertyId', 'realieParcelId', 'siteId'],
]

/**
 * The folded names; bounds with `min` and `max` on either side.
 *
 * Other unknown parameters are ignored. These are refused, because a caller who asks for three
 * bedrooms must not get a whole county.
 */
export const UNSUPPORTED_FILTERS: ReadonlySet<string> = new Set(
  [
    ...PLAIN,
    ...MEASURES.flatMap((name) => [
      name,
      ...['min', 'max', 'from', 'to'].flatMap((bound) => [`${name}${bound}`, `${bound}${name}`]),
    ]),
  ].map(foldName),
)

/** The same for searches that take coordinates instead of an address. */
export const UNSUPPORTED_BY_PLACE: ReadonlySet<string> = new Set([
  ...UNSUPPORTED_FILTERS,
  ...['address', 'query', 'unit', 'unitNumberStripped'].map(foldName),
])

/** The same for comparable sales, which take no search filter either. */
export const UNSUPPORTED_BY_SALES: ReadonlySet<string> = new Set(
  [
    ...UNSUPPORTED_BY_PLACE,
    ...['city', 'zipCode', 'zip', 'useCode', 'useStandardCode', 'residential', 'foreclosure'],
    ...['transferedSince', 'transferredSince'],
  ].map(foldName),
)
